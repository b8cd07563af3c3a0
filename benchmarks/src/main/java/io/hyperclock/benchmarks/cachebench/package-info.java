/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** The workload of RocksDB's {@code cache_bench} for any cache: the parts of the command. */
@NullMarked
package io.hyperclock.benchmarks.cachebench;

import org.jspecify.annotations.NullMarked;
