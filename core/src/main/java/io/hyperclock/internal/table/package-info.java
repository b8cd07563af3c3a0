/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * The high-level protocol of one shard: the two buckets of a key, inserting, reading, erasing,
 * making room and the capacity ledger, on top of {@link io.hyperclock.internal.slot}.
 */
@NullMarked
package io.hyperclock.internal.table;

import org.jspecify.annotations.NullMarked;
