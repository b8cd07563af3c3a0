/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** How values move between a primary cache and the tiers below it. Knows no tier by name. */
@NullMarked
package io.hyperclock.secondary.internal.adapter;

import org.jspecify.annotations.NullMarked;
