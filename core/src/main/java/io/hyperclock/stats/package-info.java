/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Immutable snapshots of what a cache holds and has done, and its advice on settings.
 *
 * <p>Level of promise: user.
 */
@NullMarked
package io.hyperclock.stats;

import org.jspecify.annotations.NullMarked;
