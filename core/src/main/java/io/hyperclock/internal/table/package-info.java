/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * The high-level protocol of one shard: probing, inserting, reading, erasing, sweeping and the
 * capacity ledger, on top of {@link io.hyperclock.internal.slot}.
 */
@NullMarked
package io.hyperclock.internal.table;

import org.jspecify.annotations.NullMarked;
