/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.sizing;

import io.hyperclock.BlockCache;
import io.hyperclock.CapacityMode;
import io.hyperclock.MetadataCharge;
import io.hyperclock.ReplacementPolicy;
import io.hyperclock.SlotStorage;
import io.hyperclock.internal.capacity.CapacityLedger;
import io.hyperclock.internal.policy.ClassicClock;
import io.hyperclock.internal.policy.Replacement;
import io.hyperclock.internal.policy.adaptive.AdaptiveClock;
import io.hyperclock.internal.slot.HeapSlotStore;
import io.hyperclock.internal.slot.OffHeapSlotStore;
import io.hyperclock.internal.slot.SlotProtocol;
import io.hyperclock.internal.slot.SlotStore;
import io.hyperclock.internal.table.Buckets;

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
  public static final double TARGET_LOAD = 0.75;
  public static final double LOAD_LIMIT = 0.84;

  private static final long MIN_SHARD_BYTES = 32L << 20;
  private static final long MIN_SHARD_ENTRIES = 16384;
  private static final int MAX_DEFAULT_SHARDS = 64;

  /** Shards that a cache has if they get {@link #LEAST_AUTOMATIC_SHARD} each. */
  private static final int FEW_AUTOMATIC_SHARDS = 4;

  private static final long LEAST_AUTOMATIC_SHARD = 64L << 20;
  private static final long AUTOMATIC_SHARD = 256L << 20;
  private static final long LARGEST_AUTOMATIC_SHARD = 512L << 20;
  private static final int MAX_AUTOMATIC_SHARDS = 1024;

  /** Slots to begin with where nothing is known. */
  private static final int FIRST_SLOTS = 256;

  /** Fewest slots of a table that sizes itself. */
  private static final int LEAST_SLOTS = 64;

  /** Fewest slots of such a table if half of the capacity does not pay for those. */
  private static final int FEWEST_SLOTS = Buckets.LEAST * SlotStore.BUCKET_SLOTS;

  private static final int MOST_SLOTS = OffHeapSlotStore.MAX_SLOTS / 2;

  /** Slots of a table that sizes itself take at most this part of the capacity. */
  public static final int METADATA_SHARE = 2;

  /** At least; all that a slot off the heap takes on it. */
  private static final int REFERENCE_BYTES = 4;

  /** The settings that all tables have. */
  public interface Settings {
    /** Bytes of all shards. */
    long capacityBytes();

    /** Average charge to expect; 0 if it is not known, and tables are to size themselves. */
    long estimatedEntryCharge();

    /** Entries to expect of a cache that sizes itself, or 0 if it is not known. */
    default long initialEntries() {
      return 0;
    }

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
    boolean isAutomatic = config.estimatedEntryCharge() == 0;
    int shards = config.shards();
    if (shards == 0) {
      shards = isAutomatic ? automaticShards(config.capacityBytes()) : defaultShards(config);
    }
    long shardCapacity = share(config.capacityBytes(), shards, shards - 1);
    int slotCharge = config.metadataCharge() == MetadataCharge.FULL ? slotBytes(config) : 0;
    TableSizing empty = new TableSizing(shards, shardCapacity, 0, slotCharge, config.policy());
    return empty.withSlots(isAutomatic ? empty.firstSlots(config) : empty.fixedSlots(config));
  }

  /** Slots to begin with, of a table that sizes itself. */
  private int firstSlots(Settings config) {
    int least = least();
    requirePays(least, config);
    long entries = config.initialEntries();
    double wanted = entries == 0 ? FIRST_SLOTS : entries / SizingRule.TARGET_LOAD / shards;
    double most = Math.max(least, Math.min(inHeap(), most(shardCapacity)));
    return SizingRule.wholeBuckets(wanted, least, (int) most & -SlotStore.BUCKET_SLOTS);
  }

  /** Fewest slots that the table may have. */
  public int least() {
    boolean isTiny = (long) LEAST_SLOTS * slotCharge > shardCapacity / METADATA_SHARE;
    return isTiny ? FEWEST_SLOTS : LEAST_SLOTS;
  }

  /**
   * Most slots that the table may have: they take no more than half of the capacity; and where
   * slots are not charged, and entries may be in other units, two for each unit.
   */
  public int most(long capacity) {
    double paid = capacity / (double) METADATA_SHARE / Math.max(slotCharge, SlotStore.SLOT_BYTES);
    double most = slotCharge == 0 ? Math.max(paid, Math.min(2.0 * capacity, inHeap())) : paid;
    return (int) Math.max(least(), Math.min(MOST_SLOTS, most)) & -SlotStore.BUCKET_SLOTS;
  }

  /** Slots of one shard that take an eighth of the heap. */
  private double inHeap() {
    return Runtime.getRuntime().maxMemory() / 8.0 / SlotStore.SLOT_BYTES / shards;
  }

  /** This sizing with another number of slots. */
  public TableSizing withSlots(int other) {
    return new TableSizing(shards, shardCapacity, other, slotCharge, policy);
  }

  /**
   * As many as have 256 MiB, at most 64, but four if they have 64 MiB; where that makes them larger
   * than 512 MiB, as many as have that. More cost each insert, fewer make tables whose allocation
   * takes long.
   */
  private static int automaticShards(long capacityBytes) {
    long few = Math.min(FEW_AUTOMATIC_SHARDS, capacityBytes / LEAST_AUTOMATIC_SHARD);
    long usual = Math.min(MAX_DEFAULT_SHARDS, capacityBytes / AUTOMATIC_SHARD);
    long many = Math.min(MAX_AUTOMATIC_SHARDS, capacityBytes / LARGEST_AUTOMATIC_SHARD);
    return (int) Math.max(1, Math.max(few, Math.max(usual, many)));
  }

  /** Slots of a table of a fixed size. */
  private int fixedSlots(Settings config) {
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
    long paid = slotCharge == 0 ? max : Math.min(max, shardCapacity / slotCharge);
    int most = (int) paid & -SlotStore.BUCKET_SLOTS;
    int fixed = SizingRule.wholeBuckets(wanted, FEWEST_SLOTS, most);
    requirePays(fixed, config);
    requireFits(config, (double) shards * fixed);
    return fixed;
  }

  private void requirePays(int wanted, Settings config) {
    if ((long) wanted * slotCharge > shardCapacity) {
      throw new IllegalArgumentException(
          String.format(
              "capacityBytes must have room for %s slots of %s bytes in each shard:"
                  + " capacityBytes=%s, shards=%s",
              wanted, slotCharge, config.capacityBytes(), shards));
    }
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
    int besideSlot =
        switch (config.policy()) {
          case CLASSIC -> 0;
          case ADAPTIVE -> AdaptiveClock.BYTES_PER_SLOT;
        };
    return SlotStore.SLOT_BYTES + besideSlot;
  }

  /** Refuses a capacity out of range: sums of charges are to stay within 63 bits. */
  public static long requireCapacity(long capacityBytes) {
    if (capacityBytes <= 0) {
      throw new IllegalArgumentException(
          "capacityBytes must be > 0: capacityBytes=" + capacityBytes);
    }
    if (capacityBytes > BlockCache.MAX_CAPACITY_BYTES) {
      throw new IllegalArgumentException(
          String.format(
              "capacityBytes must be <= %s: capacityBytes=%s",
              BlockCache.MAX_CAPACITY_BYTES, capacityBytes));
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

  /** The protocol of one shard's slots, as its replacement wants it. */
  public SlotProtocol slotsOf(SlotStore store) {
    int maxCountdown =
        switch (policy) {
          case CLASSIC -> ClassicClock.MAX_COUNTDOWN;
          case ADAPTIVE -> AdaptiveClock.MAX_COUNTDOWN;
        };
    return new SlotProtocol(store, maxCountdown);
  }

  /** The ledger of one shard. */
  public CapacityLedger ledger(long capacity, CapacityMode mode) {
    return new CapacityLedger(capacity, mode == CapacityMode.STRICT, metadataBytes());
  }

  /** The replacement of one shard. */
  public Replacement replacement(SlotProtocol slots, CapacityLedger ledger) {
    return switch (policy) {
      case CLASSIC -> new ClassicClock(slots);
      case ADAPTIVE -> new AdaptiveClock(slots, ledger, entries());
    };
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
}
