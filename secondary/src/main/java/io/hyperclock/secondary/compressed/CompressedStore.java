/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.compressed;

import io.hyperclock.BlockCache;
import io.hyperclock.BlockCacheBuilder;
import io.hyperclock.CapacityMode;
import io.hyperclock.EvictionListener;
import io.hyperclock.InsertResult;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.Priority;
import io.hyperclock.stats.Problem;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * The records and dummies of a tier that is open and has room. A tier forgets everything at once by
 * dropping its store: calls under way go on, unseen by later ones.
 *
 * <p>Records are read without pins, so each can be evicted at any time, and strict capacity, which
 * is never exceeded, needs no more than that.
 */
final class CompressedStore {
  private final BlockCache<byte[]> cache;
  private final OfferDummies dummies;
  private final long tableBytes;

  /**
   * An empty one.
   *
   * @param maxBytes capacity for which the tables are made, their own bytes included
   * @param entryCharge charge to expect of a record
   * @param listener told of each record that is given up
   */
  CompressedStore(long maxBytes, long entryCharge, EvictionListener<byte[]> listener) {
    dummies = new OfferDummies(maxBytes / entryCharge, new SplittableRandom().nextLong());
    cache = records(maxBytes, entryCharge).evictionListener(listener).build();
    tableBytes = cache.monitor().usageBytes() + dummies.bytes();
  }

  private static BlockCacheBuilder<byte[]> records(long maxBytes, long entryCharge) {
    return BlockCache.<byte[]>builder()
        .capacityBytes(Math.max(1, maxBytes - OfferDummies.bytes(maxBytes / entryCharge)))
        .estimatedEntryCharge(entryCharge)
        .capacityMode(CapacityMode.STRICT);
  }

  /**
   * Bytes that an empty store would take; nothing is made.
   *
   * @throws IllegalArgumentException if there would be too many slots, or no room for one
   */
  static long tableBytes(long maxBytes, long entryCharge) {
    return records(maxBytes, entryCharge).metadataBytes()
        + OfferDummies.bytes(maxBytes / entryCharge);
  }

  /** Bytes that are taken when nothing is stored. */
  long tableBytes() {
    return tableBytes;
  }

  long usageBytes() {
    return cache.monitor().usageBytes() + dummies.bytes();
  }

  long entries() {
    return cache.monitor().occupancy();
  }

  List<Problem> problems() {
    return cache.monitor().problems();
  }

  /** Sets the capacity, tables included; more than {@link #tableBytes()}. */
  void setCapacity(long bytes) {
    cache.setCapacityBytes(bytes - dummies.bytes());
  }

  /** Whether a value is worth storing: at its second offer, or if there is an older one. */
  boolean admits(long hi, long lo) {
    if (dummies.remove(hi, lo) || cache.peek(hi, lo) != null) {
      return true;
    }
    dummies.add(hi, lo);
    return false;
  }

  /** Stores a record in place of an older one; where there is no room there is none afterwards. */
  boolean put(long hi, long lo, byte[] record, EntryType<byte[]> type) {
    InsertResult result = cache.put(hi, lo, record, type, chargeBytes(record), Priority.LOW);
    if (result == InsertResult.INSERTED || result == InsertResult.REPLACED) {
      return true;
    }
    cache.erase(hi, lo);
    return false;
  }

  byte @Nullable [] get(long hi, long lo) {
    return cache.get(hi, lo);
  }

  /** Forgets a record, but not that the key was offered. */
  void remove(long hi, long lo) {
    cache.erase(hi, lo);
  }

  /** Leaves a dummy in place of a record. */
  void moveUp(long hi, long lo) {
    cache.erase(hi, lo);
    dummies.add(hi, lo);
  }

  /** Forgets all of a key. */
  void erase(long hi, long lo) {
    cache.erase(hi, lo);
    dummies.remove(hi, lo);
  }

  /** Memory of an array: a header of 16 bytes, and whole words. */
  static long chargeBytes(byte[] record) {
    return 16L + record.length + 7 & ~7L;
  }
}
