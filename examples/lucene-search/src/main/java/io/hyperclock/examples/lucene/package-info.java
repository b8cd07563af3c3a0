/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/** A search index on slow storage, read through caches of blocks. */
@NullMarked
package io.hyperclock.examples.lucene;

import org.jspecify.annotations.NullMarked;
