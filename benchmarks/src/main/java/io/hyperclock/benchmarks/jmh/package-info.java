/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** The benchmarks that JMH runs. */
@NullMarked
package io.hyperclock.benchmarks.jmh;

import org.jspecify.annotations.NullMarked;
