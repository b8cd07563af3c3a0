/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Lucene on HyperClock: {@link io.hyperclock.lucene.BlockCacheDirectory} reads any directory
 * through a cache of blocks.
 */
@NullMarked
package io.hyperclock.lucene;

import org.jspecify.annotations.NullMarked;
