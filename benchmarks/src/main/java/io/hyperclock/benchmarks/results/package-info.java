/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** Results: their files, the ratios that the bars ask for, and the page that shows them. */
@NullMarked
package io.hyperclock.benchmarks.results;

import org.jspecify.annotations.NullMarked;
