/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hyperclock.BlockCache;
import io.hyperclock.Handle;
import io.hyperclock.MetadataCharge;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.Priority;
import io.hyperclock.internal.capacity.CapacityLedger;
import io.hyperclock.internal.policy.EvictionRequest;
import io.hyperclock.internal.slot.ChargeWord;
import io.hyperclock.internal.slot.HeapSlotStore;
import io.hyperclock.internal.slot.MetaWord;
import io.hyperclock.internal.slot.SlotStore;
import io.hyperclock.internal.slot.ValueSwap;
import io.hyperclock.internal.table.Buckets;
import io.hyperclock.internal.table.ClockTable;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a table keeps that was left for another, and what goes over to the other. */
class LeftTableTest extends ResizedCache {
  private static final EntryType<Object> TYPE = EntryType.of("left");
  private static final long HI = 3;
  private static final long LO = 7;
  private static final long CHARGE = 100;
  private static final long CAPACITY = 1_000_000;

  LeftTableTest() {
    super(open(HeapSlotStore::new));
  }

  private static HyperClockCache<Object> open(IntFunction<SlotStore> stores) {
    return AutomaticCaches.open(CAPACITY, TYPE, stores);
  }

  private void start(int slots) {
    assertThat(resizing().start(resizing().newest(), slots)).isTrue();
    assertThat(resizing().newest().store.slots()).isEqualTo(slots);
  }

  private void isFound(long lo, Object value) {
    assertThat(cache.get(HI, lo)).as("key %s", lo).isEqualTo(value);
    assertThat(cache.peek(HI, lo)).as("key %s", lo).isEqualTo(value);
    try (Handle<Object> handle = cache.lookup(HI, lo)) {
      assertThat(handle).as("key %s", lo).isNotNull();
      assertThat(handle.value()).isEqualTo(value);
    }
  }

  /** What a user has in hand while sizes change. */
  enum InHand {
    NOTHING,
    /** As each step of a reservation has. */
    STANDALONE_HANDLE,
    IDLE_REUSABLE_HANDLE,
    /** Its entry stays where it was, which keeps that one table. */
    HANDLE_OF_AN_ERASED_ENTRY;

    Object take(HyperClockCache<Object> cache) {
      switch (this) {
        case STANDALONE_HANDLE:
          return cache.createStandalone(HI, LO, "alone", TYPE, CHARGE, false);
        case IDLE_REUSABLE_HANDLE:
          Handle<Object> handle = cache.newHandle();
          assertThat(cache.lookupInto(HI, LO, handle)).isTrue();
          handle.close();
          return handle;
        case HANDLE_OF_AN_ERASED_ENTRY:
          Handle<Object> erased = cache.lookup(HI, LO);
          cache.erase(HI, LO);
          return erased;
        default:
          return this;
      }
    }
  }

  /** Not even by what the next tables know of it: sizes may change as often as they like. */
  @ParameterizedTest
  @EnumSource
  void nothingKeepsATableThatHasBeenLeft(InHand inHand) {
    cache.insert(HI, LO, "first", CHARGE);
    Object taken = inHand.take(cache);
    List<WeakReference<Object>> left = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      cache.insert(HI, LO + 1 + i, "value " + i, CHARGE);
      Shard shard = resizing().newest();
      for (Object part : List.of(shard, shard.table, shard.store, shard.replacement)) {
        left.add(new WeakReference<>(part));
      }
      start(i % 2 == 0 ? 256 : 128);
      assertThat(resizing().finish()).isTrue();
    }
    int kept = inHand == InHand.HANDLE_OF_AN_ERASED_ENTRY ? 4 : 0;
    await()
        .atMost(Duration.ofMinutes(1))
        .untilAsserted(
            () -> {
              System.gc();
              assertThat(left.subList(kept, left.size())).allMatch(part -> part.refersTo(null));
            });
    assertThat(left.subList(0, kept)).noneMatch(part -> part.refersTo(null));
    for (int i = 0; i < 6; i++) {
      isFound(LO + 1 + i, "value " + i);
    }
    if (taken instanceof Handle<?> handle) {
      handle.close();
    }
  }

  /** Also where slots are not charged. */
  @Test
  void oneHandleDoesNotKeepAnyNumberOfTables() {
    cache.close();
    cache =
        (HyperClockCache<Object>)
            BlockCache.builder()
                .capacityBytes(20_000)
                .metadataCharge(MetadataCharge.NONE)
                .shards(1)
                .defaultType(TYPE)
                .build();
    cache.insert(HI, LO, "held", 1);
    Handle<Object> handle = cache.lookup(HI, LO);
    assertThat(handle).isNotNull();
    int started = 0;
    while (started < 100 && resizing().start(resizing().newest(), 4096 + started % 2 * 4096)) {
      started++;
      assertThat(resizing().finish()).isTrue();
    }
    assertThat(started).isBetween(3, 20);
    assertThat(resizing().held.slots()).isBetween(8192L, 40_000L);
    assertThat(cache.monitor().stats().heldTableBytes()).isZero();
    handle.close();
    assertThat(resizing().start(resizing().newest(), 4096)).isTrue();
    assertThat(resizing().finish()).isTrue();
    assertThat(resizing().held.slots()).isZero();
  }

  /** Here it is the maker of tables that fails, in a way that nobody foresaw. */
  @Test
  void insertThatCannotGrowLeavesNothingBehind() {
    cache.close();
    AtomicInteger made = new AtomicInteger();
    cache =
        open(
            slots -> {
              if (made.getAndIncrement() > 0) {
                throw new InternalError("planned");
              }
              return new HeapSlotStore(slots);
            });
    Shard shard = resizing().newest();
    CapacityLedger ledger = shard.ledger;
    Buckets buckets = shard.table.buckets();
    List<Handle<Object>> pins = new ArrayList<>();
    boolean failed = false;
    for (long lo = 0; !failed; lo++) {
      long hash = buckets.hash(HI, lo);
      if (buckets.first(hash) + buckets.second(hash) != 1) {
        continue;
      }
      long usage = ledger.usage() - ledger.metadataBytes();
      long occupancy = ledger.occupancy();
      try {
        pins.add(cache.insertPinned(HI, lo, "value", TYPE, CHARGE, Priority.LOW));
      } catch (InternalError planned) {
        failed = true;
        assertThat(ledger.usage() - ledger.metadataBytes()).isEqualTo(usage);
        assertThat(ledger.occupancy()).isEqualTo(occupancy);
      }
    }
    assertThat(pins).as("both buckets are full").hasSize(2 * SlotStore.BUCKET_SLOTS);
    pins.forEach(Handle::close);
  }

  /** A thread that has too little stack to end the move leaves that to another. */
  @Test
  void aMoveIsEndedByAThreadThatHasTheStackForIt() throws InterruptedException {
    for (int round = 0; round < 5; round++) {
      start(round % 2 == 0 ? 256 : 128);
      Shard shard = resizing().newest();
      EvictionRequest request = shard.enforcer.request(0);
      assertThat(shard.migration.help(1_000, Integer.MAX_VALUE, request)).isTrue();
      shard.enforcer.end(request);
      Thread thread = new Thread(null, () -> insertWhereTheStackEnds(new int[1]), "low", 1 << 18);
      thread.start();
      thread.join();
      cache.insert(HI, LO, "last", CHARGE);
      assertThat(resizing().newest().before()).isNull();
      assertThat(shard.migration).isNull();
    }
  }

  private void insertWhereTheStackEnds(int[] inserts) {
    try {
      insertWhereTheStackEnds(inserts);
    } catch (StackOverflowError e) {
      if (inserts[0]++ < 500) {
        cache.insert(HI, LO + 1, "deep", CHARGE);
      }
    }
  }

  /** The mover that meets it goes on; the key is found, and later moved with its newer value. */
  @ParameterizedTest
  @EnumSource
  void whatAStoppedWriterIsInsideStays(StoppedExchangeTest.Stop stop) {
    cache.insert(HI, LO - 1, "another", CHARGE);
    cache.insert(HI, LO, "older", CHARGE);
    Shard left = resizing().newest();
    int slot = 0;
    while (left.store.valueOpaque(slot) != "older") {
      slot++;
    }
    ValueSwap exchanges = new ValueSwap(left.table.slots());
    long entered = exchanges.enter(slot);
    assertThat(entered).isNotZero();
    if (stop == StoppedExchangeTest.Stop.BEHIND_THE_STORE) {
      exchanges.setValue(slot, "newer");
    }
    start(128);
    assertThat(resizing().finish()).isFalse();
    assertThat(resizing().newest().before()).isSameAs(left);
    isFound(LO, stop == StoppedExchangeTest.Stop.BEHIND_THE_STORE ? "newer" : "older");
    isFound(LO - 1, "another");
    exchanges.setValue(slot, "newer");
    assertThat(exchanges.leave(slot, entered, true)).isFalse();
    assertThat(resizing().finish()).isTrue();
    isFound(LO, "newer");
    isFound(LO - 1, "another");
  }

  /** A thread may have stopped before it looked at its table, and there are many more by now. */
  @Test
  void tableLeftLongAgoTakesNoMoreStack() throws Exception {
    cache.insert(HI, LO, "value", CHARGE);
    ClockTable left = resizing().newest().table;
    for (int i = 0; i < 10_000; i++) {
      start(i % 2 == 0 ? 128 : 64);
      assertThat(resizing().finish()).isTrue();
    }
    long hash = left.buckets().hash(HI, LO);
    FutureTask<List<Boolean>> task =
        new FutureTask<>(
            () ->
                List.of(
                    left.currentReads().read(HI, LO, hash, MetaWord.VISIBLE, false) != null,
                    left.erase(HI, LO, hash, "another value"),
                    left.erase(HI, LO, hash, "value"),
                    left.erase(HI, LO, hash),
                    left.currentReads().read(HI, LO, hash, MetaWord.VISIBLE, false) != null));
    Thread small = new Thread(null, task, "small stack", 256 << 10);
    small.start();
    assertThat(task.get()).containsExactly(true, false, true, false, false);
  }

  /** A smaller table has no place for all that is held: the rest stays where it is. */
  @Test
  void whatIsHeldAndHasNoPlaceStays() {
    start(64);
    assertThat(resizing().finish()).isTrue();
    List<Handle<Object>> held = new ArrayList<>();
    for (long lo = 0; lo < 40; lo++) {
      held.add(cache.insertPinned(HI, lo, "value " + lo, TYPE, CHARGE, Priority.LOW));
    }
    start(16);
    assertThat(resizing().finish()).isFalse();
    assertThat(resizing().newest().before()).isNotNull();
    for (long lo = 0; lo < 40; lo++) {
      isFound(lo, "value " + lo);
    }
    assertThat(cache.erase(HI, 3)).isTrue();
    assertThat(cache.get(HI, 3)).isNull();
    assertThat(cache.monitor().occupancy()).as("what is held counts").isEqualTo(40);
    held.forEach(Handle::close);
    assertThat(resizing().finish()).isTrue();
    assertThat(cache.monitor().occupancy()).isBetween(8L, 16L);
    assertThat(cache.monitor().pinnedUsageBytes()).isZero();
  }

  /** A newcomer that has moved is a candidate in its turn, and counts once. */
  @Test
  void whatIsOnProbationStaysACandidate() {
    fill(0, 600);
    start(resizing().newest().store.slots());
    assertThat(resizing().finish()).isTrue();
    assertThat(InvariantsChecker.violations(cache)).isEmpty();
    Set<Long> moved = onProbation();
    assertThat(moved).isNotEmpty();
    fill(10_000, 100);
    assertThat(onProbation()).isNotEmpty().doesNotContainAnyElementsOf(moved);
  }

  private void fill(long from, int count) {
    for (long lo = from; lo < from + count; lo++) {
      cache.insert(HI, lo, "x", 10 * CHARGE);
    }
  }

  private Set<Long> onProbation() {
    SlotStore store = resizing().newest().store;
    Set<Long> keys = new HashSet<>();
    for (int slot = 0; slot < store.slots(); slot++) {
      if (MetaWord.isVisible(store.metaAcquire(slot))
          && !ChargeWord.isMain(store.coldAcquire(slot))) {
        keys.add(store.keyLoOpaque(slot));
      }
    }
    return keys;
  }

  @Test
  void tableIsChargedBeforeItIsAllocated() {
    cache.close();
    List<Long> charged = new ArrayList<>();
    cache =
        open(
            slots -> {
              if (slots == 128) {
                charged.add(resizing().newest().ledger.metadataBytes());
              }
              return new HeapSlotStore(slots);
            });
    long before = resizing().newest().ledger.metadataBytes();
    start(128);
    assertThat(charged).containsExactly(3 * before);
    assertThat(cache.monitor().usageBytes()).isEqualTo(3 * before);
    assertThat(resizing().finish()).isTrue();
    assertThat(cache.monitor().usageBytes()).isEqualTo(2 * before);
  }

  /** Without memory for another table inserts evict, and a later try succeeds. */
  @Test
  void memoryThatIsRefusedLeavesTheSize() {
    cache.close();
    AtomicInteger refused = new AtomicInteger();
    AtomicBoolean isScarce = new AtomicBoolean(true);
    cache =
        open(
            slots -> {
              if (slots > 64 && isScarce.get()) {
                refused.incrementAndGet();
                throw new OutOfMemoryError("planned");
              }
              return new HeapSlotStore(slots);
            });
    long before = cache.monitor().stats().metadataBytes();
    fill(0, 2_000);
    assertThat(refused.get()).as("it does not try at each write").isBetween(2, 100);
    assertThat(cache.monitor().slots()).isEqualTo(64);
    assertThat(cache.monitor().stats().metadataBytes()).isEqualTo(before);
    assertThat(cache.monitor().occupancy()).isGreaterThan(40);
    assertThat(InvariantsChecker.violations(cache)).isEmpty();
    isScarce.set(false);
    fill(10_000, 10_000);
    assertThat(cache.monitor().slots()).isGreaterThan(1_000);
    assertThat(cache.monitor().usageBytes()).isBetween(CAPACITY * 9 / 10, CAPACITY);
  }
}
