/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.sizing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperclock.BlockCache;
import io.hyperclock.CapacityMode;
import io.hyperclock.MetadataCharge;
import io.hyperclock.ReplacementPolicy;
import io.hyperclock.SlotStorage;
import io.hyperclock.entry.Priority;
import io.hyperclock.internal.capacity.CapacityLedger;
import io.hyperclock.internal.policy.ClassicClock;
import io.hyperclock.internal.policy.Replacement;
import io.hyperclock.internal.policy.adaptive.AdaptiveClock;
import io.hyperclock.internal.slot.HeapSlotStore;
import io.hyperclock.internal.slot.MetaWord;
import io.hyperclock.internal.slot.OffHeapSlotStore;
import io.hyperclock.internal.slot.SlotProtocol;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TableSizingTest {
  private static final long SPREAD = 0x9E37_79B9_7F4A_7C15L;
  private static final long MAX_MEMORY = Runtime.getRuntime().maxMemory();

  private record Config(
      long capacityBytes,
      long estimatedEntryCharge,
      long initialEntries,
      int shards,
      MetadataCharge metadataCharge,
      SlotStorage storage,
      ReplacementPolicy policy)
      implements TableSizing.Settings {}

  private static Config config(long capacity, long charge, int shards, MetadataCharge metadata) {
    return new Config(
        capacity, charge, 0, shards, metadata, SlotStorage.HEAP, ReplacementPolicy.CLASSIC);
  }

  private static TableSizing free(long capacity, long charge, int shards) {
    return TableSizing.of(config(capacity, charge, shards, MetadataCharge.NONE));
  }

  private static TableSizing charged(long capacity, long charge, int shards) {
    return TableSizing.of(config(capacity, charge, shards, MetadataCharge.FULL));
  }

  private static TableSizing stored(SlotStorage storage, long capacity, long charge, int shards) {
    return TableSizing.of(
        new Config(
            capacity, charge, 0, shards, MetadataCharge.NONE, storage, ReplacementPolicy.CLASSIC));
  }

  private static TableSizing expecting(long entries, long capacity, int shards) {
    return TableSizing.of(
        new Config(
            capacity,
            0,
            entries,
            shards,
            MetadataCharge.FULL,
            SlotStorage.HEAP,
            ReplacementPolicy.CLASSIC));
  }

  /** A slot for each 75 bytes, in whole buckets. */
  @ParameterizedTest
  @CsvSource({"1,16", "1200,16", "1201,24", "7500,104", "7800,104", "7801,112"})
  void slotsThatAreFree(long capacity, int slots) {
    TableSizing sizing = free(capacity, 100, 1);
    assertThat(sizing).isEqualTo(sizing(1, capacity, slots, 0));
    assertThat(sizing.metadataBytes()).isZero();
  }

  private static TableSizing sizing(int shards, long shardCapacity, int slots, int charge) {
    return new TableSizing(shards, shardCapacity, slots, charge, ReplacementPolicy.CLASSIC);
  }

  @Test
  void nothingIsNeededOfWhatIsFarTooSmall() {
    assertThat(free(1, 10_000_000, 1).slots()).isEqualTo(16);
  }

  /** A slot for each 75 bytes and the 45 of its own. */
  @Test
  void slotsThatAreCharged() {
    TableSizing sizing = charged(2 * 12_480 + 1, 100, 2);
    assertThat(sizing).isEqualTo(sizing(2, 12_480, 104, 45));
    assertThat(sizing.metadataBytes()).isEqualTo(104 * 45);
    assertThat(sizing.allMetadataBytes()).isEqualTo(2 * 104 * 45);
    assertThat(sizing.buckets()).isEqualTo(13);
    assertThat(sizing.entries()).isEqualTo(78);
    assertThat(sizing.occupancyLimit()).isEqualTo(87);
    assertThat(charged(4_575, 1, 1).slots()).as("as many as are paid for").isEqualTo(96);
  }

  @Test
  void aPolicyChargesToo() {
    Config config =
        new Config(
            12_480, 100, 0, 1, MetadataCharge.FULL, SlotStorage.HEAP, ReplacementPolicy.ADAPTIVE);
    assertThat(TableSizing.of(config).slotCharge()).isEqualTo(45 + AdaptiveClock.BYTES_PER_SLOT);
  }

  @Test
  void aTableHasOneEntryAtLeast() {
    TableSizing least = sizing(1, 1, 1, 0);
    assertThat(least.entries()).isEqualTo(1);
    assertThat(least.occupancyLimit()).isEqualTo(1);
  }

  @Test
  void theCapacityPaysForTheFewestSlots() {
    assertThat(charged(720, 1_000, 1).slots()).isEqualTo(16);
    assertThatThrownBy(() -> charged(719, 1_000, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "capacityBytes must have room for 16 slots of 45 bytes in each shard:"
                + " capacityBytes=719, shards=1");
    assertThatThrownBy(() -> charged(719, 0, 1)).hasMessageContaining("must have room for 16");
    assertThat(charged(720, 0, 1).slots()).isEqualTo(16);
  }

  @Test
  void aShardHasSoManySlotsOnTheHeap() {
    int most = HeapSlotStore.MAX_SLOTS / 2;
    long capacity = most / 4 * 3L;
    assertThatThrownBy(() -> free(capacity + 1, 1, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "a shard must need at most "
                + most
                + " slots, so use more shards or a higher estimatedEntryCharge: slots="
                + (most + 2)
                + ", shards=1, capacityBytes="
                + (capacity + 1)
                + ", estimatedEntryCharge=1");
    if ((double) most * 45 > MAX_MEMORY) {
      assertThatThrownBy(() -> free(capacity, 1, 1)).hasMessageContaining("fit into the heap");
    }
  }

  @Test
  void aShardHasSoManySlotsOffTheHeap() {
    long most = OffHeapSlotStore.MAX_SLOTS / 2;
    long half = most / 2 & -8;
    assertThat(stored(SlotStorage.OFF_HEAP, half * 75, 100, 1).slots()).isEqualTo((int) half);
    assertThatThrownBy(() -> stored(SlotStorage.OFF_HEAP, (most + 1) * 75, 100, 1))
        .hasMessageContaining("at most " + most + " slots");
  }

  @Test
  void slotsFitIntoTheHeap() {
    int shards = 64;
    long perShard = (MAX_MEMORY / 45 / shards / 8 + 1) * 8;
    long capacity = shards * perShard * 75;
    assertThat(free(capacity - shards * 8 * 75, 100, shards).slots()).isEqualTo((int) perShard - 8);
    assertThatThrownBy(() -> free(capacity, 100, shards))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "slots must fit into the heap, so use a lower capacityBytes or a higher"
                + " estimatedEntryCharge: slots="
                + shards * perShard
                + ", capacityBytes="
                + capacity
                + ", estimatedEntryCharge=100, maxMemory="
                + MAX_MEMORY);
    assertThat(stored(SlotStorage.OFF_HEAP, capacity, 100, shards).slots())
        .as("but for their references")
        .isEqualTo((int) perShard);
    long tooMany = (MAX_MEMORY / 4 / 1024 / 8 + 1) * 8;
    assertThatThrownBy(() -> stored(SlotStorage.OFF_HEAP, 1024 * tooMany * 75, 100, 1024))
        .hasMessageContaining("fit into the heap");
  }

  /** In MiB; a shard has 32 of them, and 16384 entries. */
  @ParameterizedTest
  @CsvSource({"1,1000,1", "128,1000,4", "128,4096,2", "4096,1000,64", "1048576,67108864,2"})
  void shardsOfAKnownCharge(long capacity, long charge, int shards) {
    assertThat(free(capacity << 20, charge, 0).shards()).isEqualTo(shards);
  }

  /** In MiB. */
  @ParameterizedTest
  @CsvSource({
    "63,1",
    "128,2",
    "256,4",
    "1024,4",
    "2048,8",
    "16384,64",
    "24576,64",
    "65536,128",
    "1048576,1024"
  })
  void shardsOfAnUnknownCharge(long capacity, int shards) {
    assertThat(free(capacity << 20, 0, 0).shards()).isEqualTo(shards);
    assertThat(free(capacity << 20, 0, 3).shards()).as("as asked for").isEqualTo(3);
  }

  @Test
  void sharesAddUp() {
    assertThat(TableSizing.share(100, 3, 0)).isEqualTo(34);
    assertThat(TableSizing.share(100, 3, 1)).isEqualTo(33);
    assertThat(TableSizing.share(100, 3, 2)).isEqualTo(33);
    assertThat(free(100, 10, 3).shardCapacity()).isEqualTo(33);
    assertThat(free(200, 0, 3).shardCapacity()).isEqualTo(66);
  }

  @Test
  void capacitiesAreInRange() {
    assertThat(TableSizing.requireCapacity(1)).isEqualTo(1);
    long most = BlockCache.MAX_CAPACITY_BYTES;
    assertThat(TableSizing.requireCapacity(most)).isEqualTo(most);
    assertThatThrownBy(() -> TableSizing.requireCapacity(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("capacityBytes must be > 0: capacityBytes=0");
    assertThatThrownBy(() -> TableSizing.requireCapacity(most + 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("must be <= " + most);
  }

  @Test
  void aTableThatSizesItselfBeginsSmall() {
    assertThat(charged(64L << 20, 0, 1)).isEqualTo(sizing(1, 64L << 20, 256, 45));
    assertThat(expecting(7_000, 64L << 20, 2).slots()).isEqualTo(5_000);
    assertThat(expecting(1, 64L << 20, 2).slots()).isEqualTo(64);
    TableSizing most = expecting(1L << 50, 8L << 20, 1);
    assertThat(most.slots()).isEqualTo((8 << 20) / 90 & -8);
  }

  /** Whatever the heap is: with some number of shards an eighth of it is no whole bucket. */
  @Test
  void atFirstATableTakesAnEighthOfTheHeapAtMost() {
    for (int shards = 1; shards < 20; shards++) {
      assertThat(expecting(1L << 50, 1L << 50, shards).slots())
          .as("shards=%s", shards)
          .isEqualTo((int) (MAX_MEMORY / 8.0 / 45 / shards) & -8);
    }
  }

  /** Half of its capacity pays for 64 slots from 5760 bytes on. */
  @Test
  void aTinyTableBeginsWithFewSlots() {
    assertThat(charged(5_760, 0, 1)).isEqualTo(sizing(1, 5_760, 64, 45));
    Config tiny =
        new Config(
            5_759, 0, 0, 1, MetadataCharge.FULL, SlotStorage.HEAP, ReplacementPolicy.ADAPTIVE);
    assertThat(TableSizing.of(tiny).policy()).isEqualTo(ReplacementPolicy.ADAPTIVE);
    assertThat(charged(5_760, 0, 1).least()).isEqualTo(64);
    assertThat(charged(5_759, 0, 1).least()).isEqualTo(16);
    assertThat(charged(5_759, 0, 1).slots()).isEqualTo(5_759 / 90 & -8);
    assertThat(charged(5_760, 0, 1).most(1)).isEqualTo(64);
    assertThat(charged(5_759, 0, 1).most(1)).isEqualTo(16);
  }

  @Test
  void aTableHasAtMostWhatHalfOfItsCapacityPaysFor() {
    assertThat(charged(90_000, 0, 1).most(90_000)).isEqualTo(1_000);
    assertThat(charged(90_000, 0, 1).most(90_719)).isEqualTo(1_000);
    assertThat(charged(90_000, 0, 1).most(90_720)).isEqualTo(1_008);
    assertThat(charged(90_000, 0, 1).most(1L << 60)).isEqualTo(OffHeapSlotStore.MAX_SLOTS / 2 & -8);
  }

  @Test
  void whereSlotsAreFreeThereAreTwoForEachUnit() {
    assertThat(free(1_000, 0, 1).most(1_000)).isEqualTo(2_000);
    assertThat(free(1_000, 0, 1).most(1_004)).isEqualTo(2_008);
    TableSizing four = free(4_000, 0, 4);
    assertThat(four.most(MAX_MEMORY / 100))
        .as("an eighth of the heap")
        .isEqualTo((int) (MAX_MEMORY / 8.0 / 45 / 4) & -8);
    double half = Math.min(OffHeapSlotStore.MAX_SLOTS / 2, MAX_MEMORY / 2.0 / 45);
    assertThat(four.most(MAX_MEMORY)).as("half of the heap").isEqualTo((int) half & -8);
  }

  @Test
  void anotherNumberOfSlotsChangesNothingElse() {
    assertThat(charged(64L << 20, 0, 1).withSlots(512)).isEqualTo(sizing(1, 64L << 20, 512, 45));
  }

  private static TableSizing adaptive(int slots) {
    return new TableSizing(1, 1 << 20, slots, 53, ReplacementPolicy.ADAPTIVE);
  }

  @Test
  void theLedgerKnowsTheSlots() {
    CapacityLedger ledger = adaptive(64).ledger(10_000, CapacityMode.STRICT);
    assertThat(ledger.capacity()).isEqualTo(10_000);
    assertThat(ledger.isStrict()).isTrue();
    assertThat(ledger.metadataBytes()).isEqualTo(64 * 53);
    assertThat(adaptive(64).ledger(10_000, CapacityMode.NON_STRICT).isStrict()).isFalse();
  }

  @Test
  void thePolicyIsThatOfTheTable() {
    CapacityLedger ledger = adaptive(16).ledger(10_000, CapacityMode.STRICT);
    SlotProtocol few = adaptive(16).slotsOf(new HeapSlotStore(16));
    assertThat(few.hotFrom()).isEqualTo(MetaWord.hotFrom(2));
    assertThat(adaptive(16).replacement(few, ledger)).isInstanceOf(AdaptiveClock.class);
    TableSizing classic = sizing(1, 10_000, 16, 45);
    SlotProtocol slots = classic.slotsOf(new HeapSlotStore(16));
    assertThat(slots.hotFrom()).isEqualTo(MetaWord.hotFrom(3));
    assertThat(classic.replacement(slots, ledger)).isInstanceOf(ClassicClock.class);
  }

  /** It remembers about as many keys as the table has entries. */
  @Test
  void thePolicyIsMadeForTheEntriesOfTheTable() {
    TableSizing sizing = adaptive(4_096);
    CapacityLedger ledger = sizing.ledger(10_000, CapacityMode.STRICT);
    SlotProtocol slots = sizing.slotsOf(new HeapSlotStore(4_096));
    Replacement policy = sizing.replacement(slots, ledger);
    int keys = sizing.entries() / 4;
    int remembered = 0;
    int[] first = new int[keys];
    for (int key = 0; key < keys; key++) {
      first[key] = policy.newcomer(key * SPREAD, Priority.LOW, 1);
    }
    for (int key = 0; key < keys; key++) {
      remembered += policy.newcomer(key * SPREAD, Priority.LOW, 1) == first[key] ? 0 : 1;
    }
    assertThat(remembered).isGreaterThan(keys / 2);
  }
}
