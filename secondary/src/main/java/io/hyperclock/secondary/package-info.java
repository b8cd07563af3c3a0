/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * A block cache with tiers below it, and what a tier must do.
 *
 * <p>For users: {@link io.hyperclock.secondary.TieredBlockCache}. For providers of tiers: {@link
 * io.hyperclock.secondary.SecondaryCache} and the types it names.
 */
@NullMarked
package io.hyperclock.secondary;

import org.jspecify.annotations.NullMarked;
