/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * A lock-free block cache whose values can be pinned and freed exactly once.
 *
 * <p>Start with {@link io.hyperclock.BlockCache}. Level of promise: {@link
 * io.hyperclock.BlockCacheBuilder}, reads, handles, scopes, inserts and erases are for all users;
 * standalone entries, the eviction listener and reads of stamped values need more care.
 *
 * <p>Where the stack or the memory ends in an operation ({@link StackOverflowError}, {@link
 * OutOfMemoryError}) no caller waits for ever, no value is freed twice or while it is held, sums are
 * right or put right by the next sweep, and the cache can be used on.
 *
 * <p>The design follows RocksDB's HyperClockCache.
 */
@NullMarked
package io.hyperclock;

import org.jspecify.annotations.NullMarked;
