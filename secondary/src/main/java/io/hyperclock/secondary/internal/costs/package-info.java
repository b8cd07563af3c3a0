/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * What tiers cost and bring, measured, and what follows from it.
 *
 * <p>Level of promise: none, internal.
 */
@NullMarked
package io.hyperclock.secondary.internal.costs;

import org.jspecify.annotations.NullMarked;
