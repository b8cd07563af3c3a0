/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * One memory budget for blocks and for what is not cached: write buffers, open readers, filters
 * under construction. What they take is reserved in the cache, which holds fewer blocks meanwhile.
 *
 * <p>Level of promise: expert.
 */
@NullMarked
package io.hyperclock.reservation;

import org.jspecify.annotations.NullMarked;
