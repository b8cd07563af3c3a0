/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * For tests of tiers and of what uses tiers: contracts, tiers that keep nothing, little or lie, and
 * values that tell where they come from.
 */
@NullMarked
package io.hyperclock.secondary.testing;

import org.jspecify.annotations.NullMarked;
