/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** The soak: a long random mix of everything the library offers, each answer of which is checked. */
@NullMarked
package io.hyperclock.benchmarks.soak;

import org.jspecify.annotations.NullMarked;
