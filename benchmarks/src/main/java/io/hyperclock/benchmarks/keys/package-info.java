/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** Keys and the order in which benchmarks use them. */
@NullMarked
package io.hyperclock.benchmarks.keys;

import org.jspecify.annotations.NullMarked;
