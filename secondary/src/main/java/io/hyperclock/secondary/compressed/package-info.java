/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * A tier in memory that holds more because it holds it compressed. Start at {@link
 * io.hyperclock.secondary.compressed.CompressedSecondaryCache#builder()}.
 *
 * <p>Level of promise: for users of tiers.
 */
@NullMarked
package io.hyperclock.secondary.compressed;

import org.jspecify.annotations.NullMarked;
