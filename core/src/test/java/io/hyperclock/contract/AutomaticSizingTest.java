/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperclock.BlockCache;
import io.hyperclock.BlockCacheBuilder;
import io.hyperclock.BlockLoader;
import io.hyperclock.CapacityMode;
import io.hyperclock.Handle;
import io.hyperclock.HashSeed;
import io.hyperclock.InsertResult;
import io.hyperclock.MetadataCharge;
import io.hyperclock.SlotStorage;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.Priority;
import io.hyperclock.internal.table.Buckets;
import io.hyperclock.stats.CacheStats;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a cache does that was told its capacity and nothing else. */
class AutomaticSizingTest extends CacheContract {
  private static final long MIB = 1 << 20;

  AutomaticSizingTest() {
    super(Variant.adaptive(SlotStorage.HEAP, CapacityMode.NON_STRICT, 1));
  }

  private BlockCache<Object> open(long capacityBytes) {
    return track(
        BlockCache.<Object>builder().capacityBytes(capacityBytes).executor(Runnable::run).build());
  }

  private BlockCache<Object> strict(long capacityBytes) {
    BlockCacheBuilder<Object> builder = BlockCache.<Object>builder().capacityBytes(capacityBytes);
    builder.executor(Runnable::run);
    return track(builder.capacityMode(CapacityMode.STRICT).build());
  }

  private static void fill(BlockCache<Object> cache, long from, long count, long charge) {
    for (long lo = from; lo < from + count; lo++) {
      cache.insert(HI, lo, "x", charge);
    }
  }

  private static double metadataShare(BlockCache<Object> cache) {
    return cache.monitor().stats().metadataBytes() / (double) cache.monitor().capacityBytes();
  }

  @Test
  void growsWithTheEntries() {
    BlockCache<Object> cache = open(64 * MIB);
    assertThat(cache.monitor().slots()).isEqualTo(256);
    fill(cache, 0, 20_000, 1024);
    assertThat(cache.monitor().occupancy()).isBetween(19_980L, 20_000L);
    assertThat(cache.monitor().slots()).isBetween(26_000L, 110_000L);
    assertThat(countPresent(cache, 0, 20_000)).isEqualTo(cache.monitor().occupancy());
    CacheStats stats = cache.monitor().stats();
    assertThat(stats.resizes()).isBetween(5L, 15L);
    assertThat(stats.movedEntries()).isBetween(5_000L, 60_000L);
    assertThat(stats.evictions()).as("local").isEqualTo(20_000 - cache.monitor().occupancy());
    assertThat(stats.heldTableBytes()).isZero();
    assertThat(cache.monitor().problems()).isEmpty();
  }

  @Test
  void usesAllOfTheCapacityWhateverTheSize() {
    for (long charge : new long[] {100, 1_000, 16_000, 300_000}) {
      try (BlockCache<Object> cache = open(8 * MIB)) {
        fill(cache, 0, 3 * 8 * MIB / charge + 100, charge);
        assertThat(cache.monitor().usageBytes())
            .as("charge %s", charge)
            .isBetween(8 * MIB * 9 / 10, 8 * MIB);
        double load = cache.monitor().occupancy() / (double) cache.monitor().slots();
        assertThat(load).as("charge %s", charge).isBetween(charge > 100_000 ? 0.2 : 0.3, 0.84);
        close(cache);
      }
    }
  }

  @Test
  void slotsTakeHalfOfTheCapacityAtMost() {
    BlockCache<Object> cache = open(MIB);
    fill(cache, 0, 100_000, 0);
    assertThat(metadataShare(cache)).isBetween(0.4, 0.51);
    assertThat(cache.monitor().occupancy()).isLessThanOrEqualTo(cache.monitor().slots());
    fill(cache, 200_000, 10_000, 10);
    assertThat(cache.monitor().usageBytes()).isLessThanOrEqualTo(MIB);
  }

  @Test
  void shrinksWhenEntriesGetLarge() {
    BlockCache<Object> cache =
        track(BlockCache.<Object>builder().capacityBytes(32 * MIB).executor(Runnable::run).build());
    fill(cache, 0, 100_000, 512);
    long before = cache.monitor().slots();
    assertThat(before).as("%s", cache.monitor().stats()).isGreaterThan(50_000);
    fill(cache, 1_000_000, 200, MIB);
    assertThat(cache.monitor().slots()).isLessThan(before / 16);
    assertThat(metadataShare(cache)).isLessThan(0.01);
    use(cache, 2_000_000, 60_000, 600_000);
    assertThat(cache.monitor().slots()).isGreaterThan(50_000);
    assertThat(cache.monitor().usageBytes()).isGreaterThan(30 * MIB);
  }

  /** A large table is made by the executor; inserts go on with the present one meanwhile. */
  @Test
  void insertsGoOnWhileATableIsMade() {
    Queue<Runnable> tasks = new ArrayDeque<>();
    BlockCache<Object> cache = withExecutor(128 * MIB, tasks::add);
    long lo = 0;
    for (; tasks.isEmpty(); lo++) {
      inserted(cache, lo, 1024);
    }
    long slots = cache.monitor().slots();
    fill(cache, lo, 1000, 1024);
    assertThat(tasks).hasSize(1);
    assertThat(cache.monitor().slots()).isEqualTo(slots);
    assertThat(countPresent(cache, lo, lo + 1000)).isGreaterThanOrEqualTo(990);
    tasks.remove().run();
    assertThat(cache.monitor().slots()).as("not before the next insert").isEqualTo(slots);
    long present = cache.monitor().occupancy();
    fill(cache, lo + 1000, 20, 1024);
    assertThat(cache.monitor().slots()).isGreaterThan(slots * 5 / 4);
    assertThat(cache.monitor().occupancy()).isGreaterThanOrEqualTo(present);
    assertThat(countPresent(cache, 0, lo + 1020)).isEqualTo(cache.monitor().occupancy());
  }

  @Test
  void executorThatRefusesCostsOneInsert() {
    BlockCache<Object> cache =
        withExecutor(
            128 * MIB,
            task -> {
              throw new RejectedExecutionException("full");
            });
    fill(cache, 0, 70_000, 1024);
    assertThat(cache.monitor().slots()).isGreaterThan(70_000);
    assertThat(countPresent(cache, 0, 70_000)).isGreaterThan(69_800);
  }

  @Test
  void executorThatLosesTasksDelaysOnly() {
    AtomicInteger lost = new AtomicInteger();
    BlockCache<Object> cache = withExecutor(128 * MIB, task -> lost.incrementAndGet());
    fill(cache, 0, 260_000, 1024);
    assertThat(lost.get()).isBetween(1, 10);
    assertThat(cache.monitor().slots()).isGreaterThan(100_000);
  }

  /** A task that is run when its cache is closed, or has another capacity, does nothing. */
  @Test
  void tableThatComesTooLateIsNotUsed() {
    Queue<Runnable> tasks = new ArrayDeque<>();
    BlockCache<Object> cache = withExecutor(128 * MIB, tasks::add);
    for (long lo = 0; tasks.isEmpty(); lo++) {
      cache.insert(HI, lo, "x", 1024);
    }
    cache.setCapacityBytes(MIB);
    tasks.remove().run();
    fill(cache, 1_000_000, 2_000, 1024);
    assertThat(cache.monitor().slots()).isBetween(1_000L, 4_000L);
    cache.setCapacityBytes(128 * MIB);
    for (long lo = 2_000_000; tasks.isEmpty(); lo++) {
      cache.insert(HI, lo, "x", 1024);
    }
    close(cache);
    assertThatCode(tasks.remove()::run).doesNotThrowAnyException();
  }

  private BlockCache<Object> withExecutor(long capacityBytes, Executor executor) {
    BlockCacheBuilder<Object> builder = BlockCache.<Object>builder().capacityBytes(capacityBytes);
    return track(builder.shards(1).executor(executor).build());
  }

  /** Small entries that were in use, and are no more, give way to large ones with their slots. */
  @Test
  void idleSmallEntriesLeaveWhenEntriesGetLarge() {
    BlockCache<Object> cache = withExecutor(24 * MIB, Runnable::run);
    insertMissing(cache, 0, 600_000, 64, 36 * MIB);
    assertThat(metadataShare(cache)).isBetween(0.3, 0.51);
    insertMissing(cache, 2_000_000, 1_100, 64_000, 48 * MIB);
    assertThat(metadataShare(cache)).isLessThan(0.3);
    insertMissing(cache, 2_000_000, 1_100, 64_000, 48 * MIB);
    assertThat(metadataShare(cache)).isLessThan(0.04);
  }

  @Test
  void heldSmallEntriesStayBesideLargeOnes() {
    BlockCache<Object> cache = withExecutor(8 * MIB, Runnable::run);
    List<Handle<Object>> held = new ArrayList<>();
    for (long lo = 0; lo < 60_000; lo++) {
      cache.insert(HI, lo, text(lo), 64);
      if (lo % 100 == 0 && has(cache, lo)) {
        held.add(pin(cache, lo));
        cache.get(HI, lo);
      }
    }
    fill(cache, 1_000_000, 500, 64_000);
    assertThat(countPresent(cache, 0, 60_000)).isBetween((long) held.size(), 5_000L);
    for (Handle<Object> handle : held) {
      assertThat(cache.get(HI, handle.keyLo())).isSameAs(handle.value());
    }
    release(held);
    assertThat(cache.monitor().pinnedUsageBytes()).isZero();
    fill(cache, 2_000_000, 500, 64_000);
  }

  /** Small entries that stay in use stay, whatever large ones come. */
  @Test
  void usedSmallEntriesStayBesideLargeOnes() {
    BlockCache<Object> cache = open(16 * MIB);
    fill(cache, 0, 20_000, 64);
    long misses = 0;
    for (int large = 0; large < 3_000; large++) {
      for (int i = 0; i < 400; i++) {
        long lo = random.nextInt(20_000);
        if (cache.get(HI, lo) == null) {
          misses++;
          cache.insert(HI, lo, "x", 64);
        }
      }
      cache.insert(HI, 1_000_000 + large, "x", 64_000);
    }
    assertThat(misses).isLessThan(3_000 * 400 / 20);
  }

  /** Reads keys, small numbers more often, and inserts what is missing, so many bytes in all. */
  private void insertMissing(
      BlockCache<Object> cache, long from, int keys, long charge, long bytes) {
    for (long inserted = 0; inserted < bytes; ) {
      long lo = from + (long) Math.exp(random.nextDouble() * Math.log(keys));
      if (cache.get(HI, lo) == null) {
        cache.insert(HI, lo, "x", charge);
        inserted += charge;
      }
    }
  }

  /** Keys that come again, some often: entries of others give way to them. */
  private void use(BlockCache<Object> cache, long from, int keys, int reads) {
    for (int i = 0; i < reads; i++) {
      double u = random.nextDouble();
      long lo = from + (long) (u * u * keys);
      if (cache.get(HI, lo) == null) {
        cache.insert(HI, lo, "x", 512);
      }
    }
  }

  /** Room for a larger table is made in parts: no insert evicts for all of it. */
  @Test
  void noInsertPaysForAWholeTable() {
    long[] evictions = {0};
    BlockCache<Object> cache =
        track(
            BlockCache.<Object>builder()
                .capacityBytes(16 * MIB)
                .executor(Runnable::run)
                .evictionListener(
                    (hi, lo, value, type, charge, used) -> {
                      evictions[0]++;
                      return false;
                    })
                .build());
    fill(cache, 0, 300, 64_000);
    long most = 0;
    long slots = cache.monitor().slots();
    for (long lo = 0; lo < 400_000; lo++) {
      long before = evictions[0];
      cache.insert(HI, 1_000_000 + lo, "x", 64);
      most = Math.max(most, evictions[0] - before);
    }
    assertThat(cache.monitor().slots()).isGreaterThan(20 * slots);
    assertThat(most).isLessThanOrEqualTo(200);
    // Up to half of the capacity, and that of a table to which entries are being moved.
    assertThat(metadataShare(cache)).isBetween(0.1, 0.9);
  }

  @Test
  void shrinksWithTheCapacity() {
    BlockCache<Object> cache = open(64 * MIB);
    fill(cache, 0, 100_000, 1024);
    cache.setCapacityBytes(64 * MIB / 100);
    assertThat(cache.monitor().usageBytes()).isLessThanOrEqualTo(64 * MIB / 100);
    assertThat(metadataShare(cache)).isLessThan(0.2);
    cache.setCapacityBytes(64 * MIB);
    fill(cache, 0, 100_000, 1024);
    assertThat(cache.monitor().usageBytes()).isGreaterThan(60 * MIB);
  }

  @Test
  void slotsTakeLittleOfAHundredthOfTheCapacity() {
    BlockCache<Object> cache = open(64 * MIB);
    fill(cache, 0, 10_000, 16 << 10);
    cache.setCapacityBytes(64 * MIB / 100);
    assertThat(cache.monitor().usageBytes()).isLessThanOrEqualTo(64 * MIB / 100);
    assertThat(metadataShare(cache)).isBetween(0.001, 0.05);
  }

  @Test
  void pinsHoldNothingUp() {
    BlockCache<Object> cache = open(64 * MIB);
    List<Handle<Object>> held = new ArrayList<>();
    for (long lo = 0; lo < 300; lo++) {
      inserted(cache, lo, 1000 + lo);
      held.add(pin(cache, lo));
    }
    fill(cache, 1_000, 20_000, 1024);
    assertThat(cache.monitor().slots()).isGreaterThan(25_000);
    assertThat(cache.monitor().stats().heldTableBytes()).isPositive();
    for (int lo = 0; lo < 300; lo++) {
      Handle<Object> handle = held.get(lo);
      assertThat(handle.chargeBytes()).isEqualTo(1000 + lo);
      assertThat(handle.keyLo()).isEqualTo(lo);
      assertThat(((Block) handle.value()).timesFreed()).isZero();
      try (Handle<Object> another = pin(cache, lo)) {
        assertThat(another.value()).isSameAs(handle.value());
      }
      if (lo % 3 == 0) {
        assertThat(cache.erase(HI, lo)).isTrue();
        assertThat(((Block) handle.value()).timesFreed()).isZero();
      } else if (lo % 3 == 1) {
        assertThat(handle.adjustCharge(77)).isTrue();
        assertThat(handle.chargeBytes()).isEqualTo(77);
      }
    }
    Block freed = (Block) held.get(0).value();
    Block kept = (Block) held.get(1).value();
    release(held);
    assertThat(freed.timesFreed()).isEqualTo(1);
    assertThat(kept.timesFreed()).isZero();
    assertThat(cache.monitor().pinnedUsageBytes()).isZero();
    assertThat(cache.monitor().stats().heldTableBytes()).isZero();
  }

  /** Where both buckets of a key are held a larger table has room for it. */
  @Test
  void heldBucketsMakeASmallTableGrow() {
    BlockCache<Object> cache =
        track(
            BlockCache.<Object>builder()
                .capacityBytes(64 * MIB)
                .hashSeed(HashSeed.fixed(seed))
                .build());
    Buckets buckets = new Buckets((int) cache.monitor().slots() / 8, seed);
    List<Handle<Object>> held = new ArrayList<>();
    List<Long> more = new ArrayList<>();
    Set<Integer> wanted = buckets(buckets, 0);
    for (long lo = 0; more.size() < 3; lo++) {
      if (!buckets(buckets, lo).equals(wanted)) {
        continue;
      }
      if (held.size() < 16) {
        held.add(insertPinned(cache, lo, 10));
      } else {
        more.add(lo);
      }
    }
    assertThat(cache.monitor().slots()).isEqualTo(256);
    assertThat(cache.insert(HI, more.get(0), "x", 10)).isEqualTo(InsertResult.INSERTED);
    assertThat(cache.monitor().slots()).isGreaterThan(256);
    assertThat(cache.put(HI, more.get(1), "y", 10)).isEqualTo(InsertResult.INSERTED);
    held.add(insertPinned(cache, more.get(2), 10));
    for (Handle<Object> handle : held) {
      try (Handle<Object> another = pin(cache, handle.keyLo())) {
        assertThat(another.value()).isSameAs(handle.value());
      }
    }
    assertThat(cache.get(HI, more.get(0))).isEqualTo("x");
    assertThat(cache.get(HI, more.get(1))).isEqualTo("y");
    assertThat(cache.monitor().stats().withoutSlot()).isZero();
    release(held);
  }

  private static Set<Integer> buckets(Buckets buckets, long lo) {
    long hash = buckets.hash(HI, lo);
    return Set.of(buckets.first(hash), buckets.second(hash));
  }

  @Test
  void lastReleaseMayEraseWhatHasMoved() {
    BlockCache<Object> cache = open(64 * MIB);
    Block block = inserted(cache, 1, 1);
    Handle<Object> first = pin(cache, 1);
    fill(cache, 1_000, 5_000, 1024);
    Handle<Object> second = pin(cache, 1);
    assertThat(first.eraseIfLast()).as("another holds it").isFalse();
    assertThat(second.eraseIfLast()).isTrue();
    assertThat(block.timesFreed()).isEqualTo(1);
    assertThat(cache.lookup(HI, 1)).isNull();
    inserted(cache, 2, 1);
    Handle<Object> third = pin(cache, 2);
    fill(cache, 10_000, 20_000, 1024);
    assertThat(third.eraseIfLast()).isTrue();
    assertThat(cache.lookup(HI, 2)).isNull();
  }

  @Test
  void strictUsageStaysWithinTheCapacity() {
    BlockCache<Object> cache = strict(MIB);
    for (long lo = 0; lo < 50_000; lo++) {
      cache.insert(HI, lo, "x", 1 + lo % 300);
      assertThat(cache.monitor().usageBytes()).isLessThanOrEqualTo(MIB);
    }
    assertThat(cache.monitor().usageBytes()).isGreaterThan(MIB * 8 / 10);
  }

  /** Slots and entries share the capacity: what one size leaves must not call for the next. */
  @ParameterizedTest
  @ValueSource(longs = {40, 60, 80, 100, 120, 150, 200, 300, 500, 1000})
  void restsWhereSlotsTakeMuchOfTheCapacity(long charge) {
    BlockCache<Object> cache = open(MIB);
    fill(cache, 0, 60_000, charge);
    long resizes = cache.monitor().stats().resizes();
    for (long lo = 60_000; lo < 120_000; lo++) {
      cache.insert(HI, lo, "x", charge * (75 + lo % 51) / 100);
      assertThat(cache.monitor().usageBytes()).as("charge %s", charge).isGreaterThan(MIB * 8 / 10);
    }
    assertThat(cache.monitor().stats().resizes() - resizes).isLessThanOrEqualTo(1);
  }

  @Test
  void strictWithAllPinnedDoesNotGrow() {
    BlockCache<Object> cache = strict(MIB);
    List<Handle<Object>> held = new ArrayList<>();
    for (long lo = 0; lo < 100; lo++) {
      held.add(insertPinned(cache, lo, 10_000));
    }
    for (long lo = 100; lo < 20_000; lo++) {
      cache.insert(HI, lo, "x", 1);
      assertThat(cache.monitor().usageBytes()).isLessThanOrEqualTo(MIB);
    }
    release(held);
  }

  @Test
  void strictShrinksWithTheCapacity() {
    BlockCache<Object> cache = strict(64 * MIB);
    fill(cache, 0, 100_000, 1024);
    cache.setCapacityBytes(64 * MIB / 100);
    assertThat(cache.monitor().usageBytes()).isLessThanOrEqualTo(64 * MIB / 100);
    fill(cache, 200_000, 1_000, 1024);
    assertThat(cache.monitor().occupancy()).isPositive();
  }

  @Test
  void initialEntriesSpareTheGrowth() {
    BlockCache<Object> cache =
        track(
            BlockCache.<Object>builder()
                .capacityBytes(64 * MIB)
                .initialEntries(20_000)
                .executor(Runnable::run)
                .build());
    assertThat(cache.monitor().slots()).isBetween(28_000L, 29_000L);
    fill(cache, 0, 20_000, 1024);
    assertThat(cache.monitor().stats().resizes()).isZero();
  }

  @Test
  void initialEntriesAreBounded() {
    assertThatThrownBy(() -> BlockCache.builder().initialEntries(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("initialEntries must be > 0: initialEntries=0");
    BlockCache<Object> cache =
        track(BlockCache.<Object>builder().capacityBytes(MIB).initialEntries(1L << 60).build());
    assertThat(metadataShare(cache)).isBetween(0.45, 0.5);
    fill(cache, 0, 10_000, 1024);
    assertThat(cache.monitor().usageBytes()).isLessThanOrEqualTo(MIB);
  }

  @Test
  void tinyCapacities() {
    assertThatThrownBy(() -> open(800))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("capacityBytes must have room for 16 slots");
    for (long capacity : new long[] {900, 2_000, 6_783, 6_784, 10_000}) {
      BlockCache<Object> cache = open(capacity);
      fill(cache, 0, 1_000, 10);
      assertThat(cache.monitor().occupancy()).as("capacity %s", capacity).isPositive();
      assertThat(cache.monitor().usageBytes()).isLessThanOrEqualTo(capacity);
    }
  }

  @Test
  void manyShardsOfLittle() {
    BlockCache<Object> cache =
        track(BlockCache.<Object>builder().capacityBytes(MIB).shards(64).build());
    fill(cache, 0, 10_000, 100);
    assertThat(cache.monitor().usageBytes()).isBetween(MIB / 2, MIB);
  }

  @Test
  void countsWithoutMetadata() {
    BlockCache<Object> cache =
        track(
            BlockCache.<Object>builder()
                .capacityBytes(50_000)
                .executor(Runnable::run)
                .metadataCharge(MetadataCharge.NONE)
                .build());
    fill(cache, 0, 50_000, 1);
    assertThat(cache.monitor().occupancy()).isGreaterThan(49_000);
    assertThat(cache.monitor().stats().metadataBytes()).isZero();
    BlockCache<Object> nothing =
        track(
            BlockCache.<Object>builder()
                .capacityBytes(1_000)
                .metadataCharge(MetadataCharge.NONE)
                .build());
    fill(nothing, 0, 100_000, 0);
    assertThat(nothing.monitor().slots()).isLessThanOrEqualTo(2_000);
  }

  @Test
  void loadedBytesAreChargedByTheirLength() {
    BlockCache<Object> cache = open(MIB);
    long before = cache.monitor().usageBytes();
    assertThat(cache.get(HI, 1, (hi, lo) -> new byte[1000])).isInstanceOf(byte[].class);
    assertThat(cache.monitor().usageBytes()).isEqualTo(before + 1000);
    cache.get(HI, 2, (hi, lo) -> ByteBuffer.allocate(500).limit(10));
    assertThat(cache.monitor().usageBytes()).isEqualTo(before + 1500);
    cache.get(HI, 3, BlockLoader.of(EntryType.of("sized"), value -> 7, (hi, lo) -> new byte[1000]));
    assertThat(cache.monitor().usageBytes()).isEqualTo(before + 1507);
  }

  @Test
  void loadsMustTellTheCharge() {
    BlockCache<Object> cache = open(MIB);
    assertThatThrownBy(() -> cache.get(HI, 1, (hi, lo) -> "loaded"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("chargeBytes must be known");
  }

  /** A disposer that inserts while its thread moves entries. */
  @Test
  void callbacksMayInsertWhileEntriesAreMoved() {
    BlockCache<Object> cache = open(MIB);
    EntryType<Object> type =
        EntryType.named("inserts")
            .disposer((hi, lo, value) -> cache.insert(HI, 1_000_000 + lo, "y", 50))
            .build();
    for (long lo = 0; lo < 50_000; lo++) {
      assertThat(cache.insert(HI, lo, "x", type, 10 + lo % 500, Priority.LOW))
          .isNotEqualTo(InsertResult.REFUSED);
    }
    assertThat(cache.monitor().stats().callbackFailures()).isZero();
    // What callbacks add while room is made for a table may be above the capacity for a while.
    assertThat(cache.monitor().usageBytes()).isLessThanOrEqualTo(MIB * 11 / 10);
    fill(cache, 2_000_000, 5_000, 50);
    assertThat(cache.monitor().usageBytes()).isLessThanOrEqualTo(MIB + 10_000);
  }

  @Test
  void visitsOfAllWhileItGrows() {
    BlockCache<Object> cache = open(16 * MIB);
    fill(cache, 0, 1_000, 100);
    long present = countPresent(cache, 0, 1_000);
    assertThat(present).isGreaterThan(990);
    long[] seen = {0};
    cache
        .monitor()
        .forEachEntry(
            (hi, lo, value, type, charge) -> {
              assertThat(charge).isEqualTo(100);
              seen[0] += lo < 1_000 ? 1 : 0;
              if (lo % 10 == 0) {
                cache.insert(HI, 10_000 + lo, "y", 100);
              }
            });
    // Some may have found both of their buckets full, and left.
    assertThat(seen[0]).isBetween(countPresent(cache, 0, 1_000), present);
    fill(cache, 100_000, 10_000, 100);
    assertThat(cache.monitor().slots()).isGreaterThan(12_000);
  }

  @Test
  void keysThatStayAreFoundAllTheTime() throws Exception {
    BlockCache<Object> cache =
        track(
            BlockCache.<Object>builder()
                .capacityBytes(64 * MIB)
                .initialEntries(1000)
                .executor(Runnable::run)
                .build());
    int stable = 200;
    List<Object> values = new ArrayList<>();
    List<Handle<Object>> held = new ArrayList<>();
    for (long lo = 0; lo < stable; lo++) {
      values.add(inserted(cache, lo, 100));
      held.add(pin(cache, lo));
    }
    AtomicBoolean done = new AtomicBoolean();
    Crew.run(
        4,
        thread -> {
          if (thread == 0) {
            try {
              for (int round = 0; round < 10 || !hasResized(cache, 10, round); round++) {
                fill(cache, 1_000_000 * (1 + round), 25_000, 300);
                fill(cache, 1_000_000 * (1 + round) + 500_000, 40, MIB);
                cache.setCapacityBytes((round % 2 == 0 ? 8 : 64) * MIB);
                for (int lo = 0; lo < stable; lo++) {
                  // Else the old pins would keep each table, until no other may be made.
                  held.set(lo, pin(cache, lo)).close();
                }
              }
            } finally {
              done.set(true);
            }
          } else {
            for (long i = 0; !done.get(); i++) {
              long lo = (thread * 31 + i) % stable;
              try (Handle<Object> handle = pin(cache, lo)) {
                assertThat(handle.value()).isSameAs(values.get((int) lo));
              }
              long own = 100_000 + thread;
              if (cache.insert(HI, own, "own", 1) == InsertResult.INSERTED) {
                cache.erase(HI, own);
                assertThat(cache.get(HI, own)).isNull();
              }
            }
          }
        });
    assertThat(cache.monitor().stats().resizes()).isGreaterThan(10);
    release(held);
  }

  /** Whether it has changed its size often enough; a busy machine needs more rounds for that. */
  private static boolean hasResized(BlockCache<Object> cache, int times, int round) {
    return cache.monitor().stats().resizes() > times || round == 200;
  }
}
