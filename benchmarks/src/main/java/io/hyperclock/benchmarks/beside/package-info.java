/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** Runs RocksDB's own {@code cache_bench} in turn with ours. */
@NullMarked
package io.hyperclock.benchmarks.beside;

import org.jspecify.annotations.NullMarked;
