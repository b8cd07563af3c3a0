/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * A lock-free block cache whose values can be pinned and freed exactly once.
 *
 * <p>Start with {@link io.hyperclock.BlockCache}. Level of promise: {@link
 * io.hyperclock.BlockCacheBuilder}, reads, inserts and erases are for users; handles, standalone
 * entries and the eviction listener are for experts.
 *
 * <p>The design follows RocksDB's HyperClockCache.
 */
@NullMarked
package io.hyperclock;

import org.jspecify.annotations.NullMarked;
