/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** Caches of a committed and a prepared version of each key, beside chained tables that have both. */
@NullMarked
package io.hyperclock.benchmarks.twoversions;

import org.jspecify.annotations.NullMarked;
