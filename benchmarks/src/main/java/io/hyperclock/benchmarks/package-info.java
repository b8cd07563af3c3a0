/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** The benchmarks and the command line that runs and reports them. */
@NullMarked
package io.hyperclock.benchmarks;

import org.jspecify.annotations.NullMarked;
