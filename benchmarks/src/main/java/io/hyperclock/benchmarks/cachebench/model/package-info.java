/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * RocksDB's fixed-table HyperClockCache as a model: its rules for what is found, placed and evicted,
 * plainly written and under locks. It says what RocksDB's own tool would print. How fast a cache is
 * it cannot say.
 */
@NullMarked
package io.hyperclock.benchmarks.cachebench.model;

import org.jspecify.annotations.NullMarked;
