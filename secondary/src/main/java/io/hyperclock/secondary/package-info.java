/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * A block cache with tiers below it, and what a tier must do.
 *
 * <p>Level of promise: {@link io.hyperclock.secondary.TieredBlockCache} is for users; {@link
 * io.hyperclock.secondary.SecondaryCache} and the types it names are for providers of tiers.
 */
@NullMarked
package io.hyperclock.secondary;

import org.jspecify.annotations.NullMarked;
