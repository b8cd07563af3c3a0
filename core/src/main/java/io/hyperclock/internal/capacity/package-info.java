/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * The usage and the capacity of one shard: what an insert reserves, how much is evicted for it,
 * and the end of each value.
 */
@NullMarked
package io.hyperclock.internal.capacity;

import org.jspecify.annotations.NullMarked;
