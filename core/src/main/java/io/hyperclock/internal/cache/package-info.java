/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** The cache: its shards and what an insert, a read and a change of size do with them. */
@NullMarked
package io.hyperclock.internal.cache;

import org.jspecify.annotations.NullMarked;
