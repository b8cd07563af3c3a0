/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.accumulo;

import org.apache.accumulo.core.spi.cache.BlockCache;

/** Counters of a cache at one moment. */
record BlockStats(long hitCount, long requestCount) implements BlockCache.Stats {}
