/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** One budget of memory for a primary cache and the tier below it. */
@NullMarked
package io.hyperclock.secondary.internal.budget;

import org.jspecify.annotations.NullMarked;
