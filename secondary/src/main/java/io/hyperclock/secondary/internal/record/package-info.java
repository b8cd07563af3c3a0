/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Values as sealed bytes and back, for tiers.
 *
 * <p>Level of promise: none, internal.
 */
@NullMarked
package io.hyperclock.secondary.internal.record;

import org.jspecify.annotations.NullMarked;
