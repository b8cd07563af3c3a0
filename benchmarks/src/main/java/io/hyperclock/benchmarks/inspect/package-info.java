/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** Reads what caches wrote into flight recordings, and shows it. */
@NullMarked
package io.hyperclock.benchmarks.inspect;

import org.jspecify.annotations.NullMarked;
