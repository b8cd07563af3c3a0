/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** Tiers on slow devices, and across a restart. */
@NullMarked
package io.hyperclock.benchmarks.tiers;

import org.jspecify.annotations.NullMarked;
