/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** What a full cache costs the garbage collector, measured in JVMs of their own. */
@NullMarked
package io.hyperclock.benchmarks.gc;

import org.jspecify.annotations.NullMarked;
