/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.shard;

import io.hyperclock.BlockCache;
import io.hyperclock.CapacityMode;
import io.hyperclock.MetadataCharge;
import io.hyperclock.ReplacementPolicy;
import io.hyperclock.SlotStorage;
import io.hyperclock.internal.policy.AdaptiveClock;
import io.hyperclock.internal.policy.ClassicClock;
import io.hyperclock.internal.policy.Replacement;
import io.hyperclock.internal.slot.HeapSlotStore;
import io.hyperclock.internal.slot.OffHeapSlotStore;
import io.hyperclock.internal.slot.SlotProtocol;
import io.hyperclock.internal.slot.SlotStore;
import io.hyperclock.internal.table.Buckets;
import io.hyperclock.internal.table.CapacityLedger;

/**
 * How many shards and slots a configuration gets.
 *
 * <p>With a load of 0.75, when the entries are as large as estimated, both buckets of a key are
 * full for one new entry in a hundred. Inserts evict from 0.84 on. Any number of buckets and of
 * shards will do, so a table is as large as needed and not a power of two. Source: RocksDB {@code
 * CalcHashBits}.
 *
 * @param shards number of shards
 * @param shardCapacity bytes of the smallest
 * @param slots slots of each
 * @param slotCharge bytes charged for a slot, possibly 0
 * @param policy as configured
 */
public record TableSizing(
    int shards, long shardCapacity, int slots, int slotCharge, ReplacementPolicy policy) {
  static final double TARGET_LOAD = 0.75;
  static final double LOAD_LIMIT = 0.84;

  private static final long MIN_SHARD_BYTES = 32L << 20;
  private static final long MIN_SHARD_ENTRIES = 4096;
  private static final int MAX_DEFAULT_SHARDS = 64;

  /** At least; all that a slot off the heap takes on it. */
  private static final int REFERENCE_BYTES = 4;

  /** The settings that all tables have. */
  public interface Settings {
    /** Bytes of all shards. */
    long capacityBytes();

    /** Average charge to expect. */
    long estimatedEntryCharge();

    /** Number of shards, 0 for the default. */
    int shards();

    /** Whether slots are charged. */
    MetadataCharge metadataCharge();

    /** Where the slots are. */
    SlotStorage storage();

    /** Which entries leave. */
    ReplacementPolicy policy();
  }

  /** The sizes for settings, unless they ask for more than can be had. */
  public static TableSizing of(Settings config) {
    int shards = config.shards() > 0 ? config.shards() : defaultShards(config);
    long shardCapacity = share(config.capacityBytes(), shards, shards - 1);
    boolean charged = config.metadataCharge() == MetadataCharge.FULL;
    int slotCharge = charged ? slotBytes(config) : 0;
    double bytesPerSlot = config.estimatedEntryCharge() * TARGET_LOAD + slotCharge;
    double wanted = Math.floor(shardCapacity / bytesPerSlot + 0.999999);
    int max =
        config.storage() == SlotStorage.HEAP ? HeapSlotStore.MAX_SLOTS : OffHeapSlotStore.MAX_SLOTS;
    if (wanted > max / 2) {
      throw new IllegalArgumentException(
          String.format(
              "a shard must need at most %d slots, so use more shards or a higher"
                  + " estimatedEntryCharge: slots=%.0f, shards=%d, capacityBytes=%d,"
                  + " estimatedEntryCharge=%d",
              max / 2, wanted, shards, config.capacityBytes(), config.estimatedEntryCharge()));
    }
    long needed = Math.max(1, (long) wanted);
    int slots = wholeBuckets(needed, slotCharge, shardCapacity);
    if ((long) slots * slotCharge > shardCapacity) {
      throw new IllegalArgumentException(
          "capacityBytes must have room for "
              + slots
              + " slots of "
              + slotCharge
              + " bytes in each shard: capacityBytes="
              + config.capacityBytes()
              + ", shards="
              + shards);
    }
    requireFits(config, (double) shards * slots);
    return new TableSizing(shards, shardCapacity, slots, slotCharge, config.policy());
  }

  /** What can fit into no heap of this size is refused; what others leave of it is not known. */
  private static void requireFits(Settings config, double slots) {
    boolean onHeap = config.storage() == SlotStorage.HEAP;
    double needed = slots * (onHeap ? SlotStore.SLOT_BYTES : REFERENCE_BYTES);
    long maxMemory = Runtime.getRuntime().maxMemory();
    if (needed > maxMemory) {
      throw new IllegalArgumentException(
          String.format(
              "slots must fit into the heap, so use a lower capacityBytes or a higher"
                  + " estimatedEntryCharge: slots=%.0f, capacityBytes=%d, estimatedEntryCharge=%d,"
                  + " maxMemory=%d",
              slots, config.capacityBytes(), config.estimatedEntryCharge(), maxMemory));
    }
  }

  private static int slotBytes(Settings config) {
    boolean adaptive = config.policy() == ReplacementPolicy.ADAPTIVE;
    return SlotStore.SLOT_BYTES + (adaptive ? AdaptiveClock.BYTES_PER_SLOT : 0);
  }

  /** Refuses a capacity out of range: sums of charges are to stay within 63 bits. */
  public static long requireCapacity(long capacityBytes) {
    if (capacityBytes <= 0) {
      throw new IllegalArgumentException(
          "capacityBytes must be > 0: capacityBytes=" + capacityBytes);
    }
    if (capacityBytes > BlockCache.MAX_CAPACITY_BYTES) {
      throw new IllegalArgumentException(
          "capacityBytes must be <= "
              + BlockCache.MAX_CAPACITY_BYTES
              + ": capacityBytes="
              + capacityBytes);
    }
    return capacityBytes;
  }

  /** Capacity of one shard; they add up to the whole. */
  public static long share(long capacity, int shards, int shard) {
    return capacity / shards + (shard < capacity % shards ? 1 : 0);
  }

  /** Buckets of one shard. */
  public int buckets() {
    return slots / SlotStore.BUCKET_SLOTS;
  }

  /** Entries of one shard at the target load. */
  public int entries() {
    return Math.max(1, (int) (slots * TARGET_LOAD));
  }

  private boolean isAdaptive() {
    return policy == ReplacementPolicy.ADAPTIVE && entries() >= AdaptiveClock.MIN_ENTRIES;
  }

  /** The protocol of one shard's slots, as its replacement wants it. */
  public SlotProtocol slotsOf(SlotStore store) {
    return new SlotProtocol(
        store, isAdaptive() ? AdaptiveClock.MAX_COUNTDOWN : ClassicClock.MAX_COUNTDOWN);
  }

  /** The ledger of one shard. */
  public CapacityLedger ledger(long capacity, CapacityMode mode) {
    return new CapacityLedger(capacity, mode == CapacityMode.STRICT, metadataBytes());
  }

  /** The replacement of one shard. */
  public Replacement replacement(SlotProtocol slots, CapacityLedger ledger) {
    return isAdaptive() ? new AdaptiveClock(slots, ledger, entries()) : new ClassicClock(slots);
  }

  public long metadataBytes() {
    return (long) slots * slotCharge;
  }

  /** Those of all shards. */
  public long allMetadataBytes() {
    return shards * metadataBytes();
  }

  /** Entries of one shard from which on an insert must evict. */
  public long occupancyLimit() {
    return Math.max(1, (long) (slots * LOAD_LIMIT));
  }

  private static int defaultShards(Settings config) {
    long charge = Math.min(config.estimatedEntryCharge(), MIN_SHARD_BYTES);
    long least = Math.max(MIN_SHARD_BYTES, MIN_SHARD_ENTRIES * charge);
    return (int) Math.max(1, Math.min(MAX_DEFAULT_SHARDS, config.capacityBytes() / least));
  }

  private static int wholeBuckets(long needed, int slotCharge, long capacity) {
    long buckets = (needed + SlotStore.BUCKET_SLOTS - 1) / SlotStore.BUCKET_SLOTS;
    long affordable = slotCharge == 0 ? buckets : capacity / slotCharge / SlotStore.BUCKET_SLOTS;
    long count = Math.max(Buckets.LEAST, Math.min(buckets, affordable));
    return (int) count * SlotStore.BUCKET_SLOTS;
  }
}
