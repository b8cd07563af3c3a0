/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** What tiers share. */
@NullMarked
package io.hyperclock.secondary.internal.tier;

import org.jspecify.annotations.NullMarked;
