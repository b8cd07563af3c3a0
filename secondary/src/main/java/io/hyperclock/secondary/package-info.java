/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * What a tier below a block cache must do, and what it answers.
 *
 * <p>Level of promise: for providers of tiers. Users of a cache need none of this.
 */
@NullMarked
package io.hyperclock.secondary;

import org.jspecify.annotations.NullMarked;
