/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.cachebench.model;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * RocksDB's fixed-table HyperClockCache, non-strict and with fully charged metadata, for values of
 * one charge and low priority: what is needed to run the workload of its {@code cache_bench} and to
 * print its figures digit for digit.
 *
 * <p>A model: each shard is under one lock, and every operation allocates. Any number of threads
 * may use it, but its speed is neither RocksDB's nor ours.
 *
 * @param <V> type of the values
 */
public final class RocksDbModel<V> {
  private static final long MIN_SHARD_BYTES = 32L << 20;
  private static final int MAX_DEFAULT_SHARD_BITS = 6;
  private static final double TARGET_LOAD = 0.7;
  private static final int MAX_SLOTS = 1 << 30;

  /** What a slot takes here at least: a reference and a count. */
  private static final int HEAP_BYTES = 8;

  /** What a slot is charged. */
  static final int SLOT_BYTES = 64;

  private final long hashSeed;
  private final List<ModelShard<V>> shards = new ArrayList<>();

  /**
   * What a model is made with.
   *
   * @param capacityBytes capacity, slots included
   * @param chargeBytes charge of each entry
   * @param estimatedChargeBytes charge of the entries that the table is made for
   * @param shardBits log2 of the number of shards, or -1 for RocksDB's choice
   * @param evictionEffortCap pinned entries to pass per freed one
   * @param hashSeed seed of the key hash
   */
  public record Settings(
      long capacityBytes,
      long chargeBytes,
      long estimatedChargeBytes,
      int shardBits,
      int evictionEffortCap,
      long hashSeed) {
    int shards() {
      return 1 << (shardBits < 0 ? defaultShardBits() : shardBits);
    }

    private int defaultShardBits() {
      long parts = Math.max(1, capacityBytes / MIN_SHARD_BYTES);
      return Math.min(MAX_DEFAULT_SHARD_BITS, 63 - Long.numberOfLeadingZeros(parts));
    }

    int slotsPerShard() {
      long capacity = share(capacityBytes, shards());
      if (capacity < SLOT_BYTES) {
        throw new IllegalArgumentException(
            "each shard must have room for a slot of "
                + SLOT_BYTES
                + " bytes: capacityBytes="
                + capacityBytes
                + ", shards="
                + shards());
      }
      double slotCharge = estimatedChargeBytes * TARGET_LOAD + SLOT_BYTES;
      long slots = Long.highestOneBit(2 * (long) (capacity / slotCharge + 0.999999) - 1);
      while (slots * SLOT_BYTES > capacity) {
        slots /= 2;
      }
      if (slots > MAX_SLOTS || slots * shards() > Runtime.getRuntime().maxMemory() / HEAP_BYTES) {
        throw new IllegalArgumentException(
            "the slots must fit the heap: slots=" + slots + ", shards=" + shards());
      }
      return (int) slots;
    }
  }

  /**
   * An empty cache.
   *
   * @param settings what it is made with
   * @throws IllegalArgumentException if a shard has no room for a slot, or the heap none for all
   *     slots
   */
  public RocksDbModel(Settings settings) {
    this.hashSeed = settings.hashSeed();
    long capacity = share(settings.capacityBytes(), settings.shards());
    int slots = settings.slotsPerShard();
    for (int i = 0; i < settings.shards(); i++) {
      shards.add(new ModelShard<>(settings, capacity, slots));
    }
  }

  /** Capacity of each shard, rounded up. */
  private static long share(long capacityBytes, int shards) {
    return (capacityBytes + shards - 1) / shards;
  }

  private ModelShard<V> shard(RocksDbHash hash) {
    return shards.get((int) (hash.word0() >>> 32) & (shards.size() - 1));
  }

  /**
   * Looks for a key.
   *
   * @param hi bytes 8 to 15 of the key, little endian
   * @param lo bytes 0 to 7
   * @return its entry, to be released, or null
   */
  public @Nullable ModelEntry<V> lookup(long hi, long lo) {
    RocksDbHash hash = RocksDbHash.of(hi, lo, hashSeed);
    return shard(hash).lookup(hi, lo, hash);
  }

  /**
   * Adds an entry if that is possible.
   *
   * @param hi bytes 8 to 15 of the key, little endian
   * @param lo bytes 0 to 7
   * @param value its value
   */
  public void insert(long hi, long lo, V value) {
    RocksDbHash hash = RocksDbHash.of(hi, lo, hashSeed);
    shard(hash).insert(new ModelEntry<>(hi, lo, hash, value));
  }

  /**
   * Adds an entry, outside the table if there is no place in it.
   *
   * @param hi bytes 8 to 15 of the key, little endian
   * @param lo bytes 0 to 7
   * @param value its value
   * @return the entry, to be released
   */
  public ModelEntry<V> insertHeld(long hi, long lo, V value) {
    RocksDbHash hash = RocksDbHash.of(hi, lo, hashSeed);
    return shard(hash).insertHeld(new ModelEntry<>(hi, lo, hash, value));
  }

  /**
   * Ends a hold; once for each.
   *
   * @param held what was held
   */
  public void release(ModelEntry<V> held) {
    shard(held.hash).release(held);
  }

  /**
   * Removes a key; its entries leave as soon as nobody holds them.
   *
   * @param hi bytes 8 to 15 of the key, little endian
   * @param lo bytes 0 to 7
   */
  public void erase(long hi, long lo) {
    RocksDbHash hash = RocksDbHash.of(hi, lo, hashSeed);
    shard(hash).erase(hi, lo, hash);
  }

  /**
   * Changes the capacity, but evicts nothing: the inserts to come do.
   *
   * @param capacityBytes the new capacity
   */
  public void setCapacityBytes(long capacityBytes) {
    shards.forEach(shard -> shard.setCapacityBytes(share(capacityBytes, shards.size())));
  }

  /**
   * Entries in the table.
   *
   * @return how many
   */
  public long occupancy() {
    return sum(ModelShard::occupancy);
  }

  /**
   * Entries in the table that can be found.
   *
   * @return how many
   */
  public long visibleEntries() {
    return sum(ModelShard::visibleEntries);
  }

  /**
   * Size of the table.
   *
   * @return slots of all shards
   */
  public long slots() {
    return sum(ModelShard::slots);
  }

  /**
   * What the slots and all entries are charged, those outside the table included.
   *
   * @return bytes
   */
  public long usageBytes() {
    return sum(ModelShard::usageBytes);
  }

  /** Slots that entries were pushed past, counted once for each. */
  long displacements() {
    return sum(ModelShard::displacements);
  }

  private long sum(ToLongFunction<ModelShard<V>> figure) {
    return shards.stream().mapToLong(figure).sum();
  }
}
