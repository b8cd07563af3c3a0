/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** Hit ratios: traces from files and generators, and caches that replay them. */
@NullMarked
package io.hyperclock.benchmarks.simulate;

import org.jspecify.annotations.NullMarked;
