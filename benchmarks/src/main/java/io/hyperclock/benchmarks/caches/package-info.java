/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** The caches under test, filled, as JMH states. */
@NullMarked
package io.hyperclock.benchmarks.caches;

import org.jspecify.annotations.NullMarked;
