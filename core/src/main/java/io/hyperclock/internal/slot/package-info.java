/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * The low-level protocol: the bits of a slot's words and of a bucket's tags, how they are accessed,
 * and the state changes of one slot. It knows nothing of the choice of buckets, capacity or
 * replacement. See {@code
 * core/docs/slot-protocol.md} and {@code core/docs/memory-ordering.md}.
 */
@NullMarked
package io.hyperclock.internal.slot;

import org.jspecify.annotations.NullMarked;
