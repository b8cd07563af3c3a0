/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.CapacityMode;
import io.hyperclock.Handle;
import io.hyperclock.InsertResult;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.Priority;
import io.hyperclock.internal.capacity.ShortSweep;
import io.hyperclock.internal.slot.HeapSlotStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tables that could not be had, and what follows from that for the next ones. */
class RefusedTableTest extends ResizedCache {
  private static final long HI = 5;
  private static final long CAPACITY = 1_000_000;
  private static final EntryType<Object> TYPE = EntryType.of("held");

  private final List<Handle<Object>> held = new ArrayList<>();
  private long next;

  RefusedTableTest() {
    super(AutomaticCaches.open(CAPACITY, TYPE, HeapSlotStore::new));
    cache.setCapacityMode(CapacityMode.STRICT);
  }

  @AfterEach
  void release() {
    held.forEach(Handle::close);
  }

  private Shard newest() {
    return resizing().newest();
  }

  private int slots() {
    return newest().store.slots();
  }

  private void insert(int count) {
    for (int i = 0; i < count; i++) {
      cache.insert(HI, next++, "x", 1);
    }
  }

  private void hold(int entries) {
    for (int i = 0; i < entries; i++) {
      held.add(cache.insertPinned(HI, next++, "held", TYPE, 1, Priority.LOW));
    }
  }

  /** Leaves so many bytes. */
  private void reserveAllBut(long bytes) {
    long reserved = CAPACITY - cache.monitor().usageBytes() - bytes;
    held.add(Objects.requireNonNull(cache.createStandalone(HI, -1, "all", TYPE, reserved, false)));
  }

  /** Where no room is for a table there may be after the capacity has grown. */
  @Test
  void tableGrowsSoonAfterTheCapacity() {
    hold(200);
    int full = slots();
    reserveAllBut(full);
    insert(200_000);
    assertThat(slots()).isEqualTo(full);
    assertThat(refusals()).isGreaterThan(5);
    held.forEach(Handle::close);
    held.clear();
    cache.setCapacityBytes(10 * CAPACITY);
    insert(2_000);
    assertThat(slots()).isGreaterThan(2 * full);
  }

  private int insertsUntilItGrows() {
    int before = slots();
    int inserts = 0;
    for (; slots() == before && inserts < 100_000; inserts++) {
      insert(1);
    }
    return inserts;
  }

  /** Where no room is for a table there is after what was reserved is given back. */
  @Test
  void tableGrowsSoonAfterBytesAreFree() {
    hold(200);
    reserveAllBut(slots());
    insert(200_000);
    assertThat(refusals()).isGreaterThan(5);
    held.remove(held.size() - 1).close();
    assertThat(insertsUntilItGrows()).isLessThan(100);
  }

  private boolean isLackOfTableReported() {
    return cache.monitor().problems().stream()
        .anyMatch(it -> it.message().startsWith("1 of 1 shards lack a larger table, refused "));
  }

  @Test
  void problemsReportALackOfTablesUntilItEnds() {
    hold(200);
    reserveAllBut(slots());
    assertThat(isLackOfTableReported()).isFalse();
    insert(200_000);
    assertThat(isLackOfTableReported()).isTrue();
    held.forEach(Handle::close);
    held.clear();
    insert(100_000);
    assertThat(refusals()).isPositive();
    assertThat(isLackOfTableReported()).isFalse();
  }

  @Test
  void problemsReportNoLackOfATableThatIsNotWantedAnyMore() {
    hold(200);
    reserveAllBut(slots());
    insert(200_000);
    assertThat(isLackOfTableReported()).isTrue();
    int before = slots();
    for (int i = 0; i < next; i++) {
      cache.erase(HI, i);
    }
    for (int i = 0; i < 100_000 && isLackOfTableReported(); i++) {
      cache.insert(HI, next, "x", 1);
      cache.erase(HI, next++);
    }
    assertThat(slots()).isEqualTo(before);
    assertThat(isLackOfTableReported()).isFalse();
  }

  /** Where old tables leave no room for a larger one there is after they are gone. */
  @Test
  void tableGrowsSoonAfterOldTablesAreGone() {
    hold(1);
    assertThat(resizing().start(newest(), 8192)).isTrue();
    assertThat(resizing().finish()).isTrue();
    Handle<Object> pin = Objects.requireNonNull(cache.lookup(HI, 0));
    assertThat(resizing().start(newest(), 1024)).isTrue();
    assertThat(resizing().finish()).isTrue();
    insert(200_000);
    assertThat(refusals()).isGreaterThan(5);
    pin.close();
    held.remove(0).close();
    assertThat(insertsUntilItGrows()).isLessThan(1_000);
  }

  /** The rule and what it has charged are left alone by inserts that find their buckets held. */
  @Test
  void heldBucketsTakeNothingFromTheRule() {
    assertThat(resizing().start(newest(), 512)).isTrue();
    assertThat(resizing().finish()).isTrue();
    reserveAllBut(20_000);
    Shard shard = newest();
    assertThat(resizing().charge.add(shard, 2048, 0)).isTrue();
    assertThat(resizing().charge.isComplete(shard, 2048)).isFalse();
    long charged = resizing().charge.charged;
    assertThat(charged).isPositive();
    for (int i = 0; i < 100; i++) {
      assertThat(resizing().growFor(shard)).isFalse();
    }
    assertThat(resizing().charge.charged).isEqualTo(charged);
  }

  /** Where old tables leave no room for another one they are not searched each time. */
  @Test
  void heldBucketsDoNotSearchOldTables() {
    for (int larger = slots(); resizing().start(newest(), larger); larger += 64) {
      hold(1);
      assertThat(resizing().finish()).isTrue();
    }
    long refusals = refusals();
    for (int i = 0; i < 100; i++) {
      assertThat(resizing().growFor(newest())).isFalse();
    }
    assertThat(refusals()).isEqualTo(refusals);
  }

  /** How an insert, a reservation or a change of a charge asks for room. */
  enum Asking {
    INSERT,
    STANDALONE,
    LARGER_CHARGE;

    boolean isAnswered(RefusedTableTest test, long charge) {
      if (this == INSERT) {
        return test.cache.insert(HI, test.next++, "x", charge) == InsertResult.INSERTED;
      } else if (this == STANDALONE) {
        Handle<Object> more = test.cache.createStandalone(HI, -2, "more", TYPE, charge, false);
        if (more != null) {
          test.held.add(more);
        }
        return more != null;
      }
      Handle<Object> all = test.held.get(test.held.size() - 1);
      return all.adjustCharge(all.chargeBytes() + charge);
    }
  }

  /** What has room only where an old table was finds that as soon as nothing is held there. */
  @ParameterizedTest
  @EnumSource
  void nothingIsRefusedForAnOldTableInWhichNothingIsHeld(Asking asking) {
    hold(1);
    assertThat(resizing().start(newest(), 512)).isTrue();
    assertThat(resizing().finish()).isTrue();
    reserveAllBut(0);
    assertThat(asking.isAnswered(this, 1000)).isFalse();
    held.remove(0).close();
    assertThat(asking.isAnswered(this, 1000)).isTrue();
    assertThat(resizing().held.slots()).isZero();
  }

  /** One in so many as a short sweep looks at slots. */
  @Test
  void aLargeOldTableIsSearchedByFewOfThoseThatAreRefused() {
    int large = 3 * ShortSweep.LOOKS;
    assertThat(resizing().start(newest(), large)).isTrue();
    assertThat(resizing().finish()).isTrue();
    hold(1);
    assertThat(resizing().start(newest(), 512)).isTrue();
    assertThat(resizing().finish()).isTrue();
    reserveAllBut(0);
    held.remove(0).close();
    int refused = 0;
    while (!Asking.INSERT.isAnswered(this, 1000) && refused < 10_000) {
      refused++;
    }
    assertThat(refused).isBetween(1, 2);
  }

  /** They need not wait for the next try of the rule, which may be far away. */
  @Test
  void heldBucketsGetATableAsSoonAsBytesAreFree() {
    hold(200);
    int full = slots();
    reserveAllBut(full);
    insert(200_000);
    long refusals = refusals();
    assertThat(refusals).isGreaterThan(5);
    for (int i = 0; i < 100; i++) {
      assertThat(resizing().growFor(newest())).isFalse();
    }
    assertThat(refusals()).isEqualTo(refusals);
    held.remove(held.size() - 1).close();
    assertThat(resizing().growFor(newest())).isTrue();
    assertThat(slots()).isGreaterThan(full);
    assertThat(resizing().finish()).isTrue();
  }

  /** Whatever there is none of. */
  @Test
  void aTableThatCannotBeMadeIsRefusedOnce() {
    for (Error planned :
        new Error[] {new OutOfMemoryError("test"), new StackOverflowError("test")}) {
      cache.close();
      cache =
          AutomaticCaches.open(
              CAPACITY,
              TYPE,
              slots -> {
                if (slots > 64) {
                  throw planned;
                }
                return new HeapSlotStore(slots);
              });
      assertThat(resizing().growFor(newest())).isFalse();
      assertThat(refusals()).as("%s", planned).isEqualTo(1);
    }
  }

  /** Where the heap has no memory, free bytes of the capacity are of no use. */
  @Test
  void heldBucketsDoNotAskForMemoryAgainAtOnce() {
    cache.close();
    AtomicInteger asked = new AtomicInteger();
    cache =
        AutomaticCaches.open(
            CAPACITY,
            TYPE,
            slots -> {
              if (slots > 64) {
                asked.incrementAndGet();
                throw new OutOfMemoryError("planned");
              }
              return new HeapSlotStore(slots);
            });
    for (int i = 0; i < 10; i++) {
      assertThat(resizing().growFor(newest())).isFalse();
    }
    assertThat(asked).hasValue(1);
  }
}
