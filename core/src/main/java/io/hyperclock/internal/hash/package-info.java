/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** A cheap seeded hash of 128-bit keys. */
@NullMarked
package io.hyperclock.internal.hash;

import org.jspecify.annotations.NullMarked;
