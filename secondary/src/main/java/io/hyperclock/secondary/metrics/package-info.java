/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Metrics of tiered caches; needs optional libraries.
 *
 * <p>Level of promise: for users.
 */
@NullMarked
package io.hyperclock.secondary.metrics;

import org.jspecify.annotations.NullMarked;
