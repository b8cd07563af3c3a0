/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock;

import io.hyperclock.entry.EntryType;

/**
 * Sees each entry that is evicted, for room or because both buckets of a new key were full, before
 * its value is freed. Not called for erased or overwritten entries, nor for entries freed by their
 * last release, nor on close.
 *
 * <pre>{@code
 * BlockCache<byte[]> cache =
 *     BlockCache.<byte[]>builder()
 *         .capacityBytes(1L << 30)
 *         .evictionListener(
 *             (hi, lo, block, type, charge, wasHit) -> {
 *               log("evicted " + lo);
 *               return false;  // the cache frees it
 *             })
 *         .build();
 * }</pre>
 *
 * <p>Runs on the thread that needed the room, or that moved entries to a table of another size,
 * after the entry has left its slot. In a cache that sizes itself, any write, erase or change of
 * the capacity may move entries, and so may {@code monitor().stats()}, {@code forEachEntry} and
 * {@code forEachHottest}. Or, for a value freed explicitly while a {@link ReadScope} is open, later
 * on the thread that closes the last of the scopes that may have returned it. It must be short and
 * must not block. It may use the cache; an insert from here evicts nothing: it is dropped (strict:
 * refused) if the free bytes, among them those of this entry, do not suffice, or if all 16 slots of
 * its key or 84 % of the slots of its shard are taken. An exception is reported and counted, and
 * counts as an answer of false.
 *
 * <p>It is too late here to write a value back to where loaders read: another thread may have
 * missed the key and loaded the older value by now. Hold a {@link Handle} on a value until it is
 * written.
 *
 * <p>Source: RocksDB {@code Cache::EvictionCallback}.
 *
 * @param <V> type of the values
 */
@FunctionalInterface
public interface EvictionListener<V> {
  /**
   * Called once per evicted entry.
   *
   * @param value the value, no longer reachable through the cache
   * @param type its type
   * @param chargeBytes its charge in bytes
   * @param wasHit whether the entry was found by any read since it was inserted
   * @return true if the listener takes the value over, and with it the duty to free it; false to
   *     let the cache dispose it
   */
  boolean onEviction(
      long keyHi, long keyLo, V value, EntryType<?> type, long chargeBytes, boolean wasHit);
}
