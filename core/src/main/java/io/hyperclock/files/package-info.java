/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Files read in blocks through a cache: what an engine would otherwise write itself around a {@link
 * io.hyperclock.BlockCache}.
 *
 * <pre>{@code
 * try (BlockFiles files = BlockFiles.builder().capacityBytes(1 << 30).build();
 *     CachedFile file = files.open("db-3f2a91c0/000123.sst", BlockSource.of(channel))) {
 *   Cursor cursor = file.cursor();             // one for each thread; holds nothing
 *   long magic = cursor.readLong(file.length() - 8);
 *   cursor.read(offset, bytes, 0, 300);         // one read of the source for all blocks missing
 * }
 * }</pre>
 *
 * <ul>
 *   <li>{@link io.hyperclock.files.BlockSource} is where bytes come from: a file, a range of an
 *       object in a store.
 *   <li>{@link io.hyperclock.files.BlockFiles} owns a cache and the memory below it, and opens
 *       files.
 *   <li>{@link io.hyperclock.files.CachedFile} is one file: its cursors, pins, prefetches, statistics.
 *   <li>{@link io.hyperclock.files.Cursor} reads without holding what it reads, so a cursor that is
 *       forgotten holds nothing back.
 *   <li>{@link io.hyperclock.files.ReadMode} says whether what is read is to be kept.
 * </ul>
 *
 * <p>Level of promise: for users.
 */
@NullMarked
package io.hyperclock.files;

import org.jspecify.annotations.NullMarked;
