/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.BlockCache;
import io.hyperclock.Handle;
import io.hyperclock.InsertResult;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.Priority;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Overwrites that could exchange the value of the entry, and those that only look so: nobody can
 * tell them apart by what belongs to which value.
 */
abstract class InPlaceContractTest extends CacheContract {
  private static final EntryType<Object> PLAIN = EntryType.of("plain");
  private static final EntryType<Object> OTHER = EntryType.of("other");
  private static final int THREADS = 4;

  private final BlockCache<Object> cache = roomy(10);

  InPlaceContractTest(Variant variant) {
    super(variant);
  }

  private void put(Object value, EntryType<Object> type, long charge, InsertResult expected) {
    assertThat(cache.put(HI, 1, value, type, charge, Priority.LOW)).isEqualTo(expected);
  }

  private void holds(Object value, EntryType<Object> type, long charge) {
    assertThat(cache.peek(HI, 1)).isSameAs(value);
    try (Handle<Object> handle = pin(cache, 1)) {
      assertThat(handle.value()).isSameAs(value);
      assertThat(handle.type()).isSameAs(type);
      assertThat(handle.chargeBytes()).isEqualTo(charge);
    }
    assertThat(cache.monitor().occupancy()).isEqualTo(1);
    assertThat(cache.monitor().usageBytes()).isEqualTo(charge);
  }

  @Test
  void handleKeepsItsValueAndItsEntry() {
    put("a", PLAIN, 2, InsertResult.INSERTED);
    Handle<Object> first = pin(cache, 1);
    Handle<Object> again = first.ref();
    put("b", PLAIN, 2, InsertResult.REPLACED);
    assertThat(first.value()).isEqualTo("a");
    assertThat(cache.get(HI, 1)).isEqualTo("b");
    assertThat(cache.monitor().usageBytes()).as("both are charged").isEqualTo(4);
    assertThat(first.adjustCharge(7)).isTrue();
    assertThat(cache.monitor().usageBytes()).isEqualTo(9);
    put("c", PLAIN, 2, InsertResult.REPLACED);
    assertThat(again.value()).isEqualTo("a");
    assertThat(again.chargeBytes()).isEqualTo(7);
    first.close();
    assertThat(again.eraseIfLast()).as("was the last of its entry").isTrue();
    holds("c", PLAIN, 2);
  }

  @Test
  void afterTheHolderHasGoneAllIsAsBefore() {
    put("a", PLAIN, 2, InsertResult.INSERTED);
    try (Handle<Object> held = pin(cache, 1)) {
      put("b", PLAIN, 2, InsertResult.REPLACED);
      put("c", PLAIN, 2, InsertResult.REPLACED);
      assertThat(held.value()).isEqualTo("a");
      assertThat(cache.monitor().occupancy()).isEqualTo(2);
    }
    holds("c", PLAIN, 2);
    put("d", PLAIN, 2, InsertResult.REPLACED);
    holds("d", PLAIN, 2);
  }

  @Test
  void typeAndChargeAreThoseOfTheNewerValue() {
    put("a", PLAIN, 2, InsertResult.INSERTED);
    put("b", PLAIN, 2, InsertResult.REPLACED);
    holds("b", PLAIN, 2);
    put("c", PLAIN, 3, InsertResult.REPLACED);
    holds("c", PLAIN, 3);
    put("d", OTHER, 3, InsertResult.REPLACED);
    holds("d", OTHER, 3);
    put("e", OTHER, 0, InsertResult.REPLACED);
    holds("e", OTHER, 0);
    put("f", OTHER, 0, InsertResult.REPLACED);
    holds("f", OTHER, 0);
  }

  @Test
  void chargeThatAHolderHasChangedIsNotTakenOver() {
    put("a", PLAIN, 2, InsertResult.INSERTED);
    try (Handle<Object> held = pin(cache, 1)) {
      assertThat(held.adjustCharge(5)).isTrue();
    }
    put("b", PLAIN, 2, InsertResult.REPLACED);
    holds("b", PLAIN, 2);
  }

  @Test
  void comparesTheObject() {
    String older = new String("equal");
    cache.put(HI, 1, older, PLAIN, 1, Priority.LOW);
    assertThat(cache.compareAndReplace(HI, 1, new String("equal"), "x", PLAIN, 1))
        .isEqualTo(InsertResult.NOT_EXPECTED);
    holds(older, PLAIN, 1);
    assertThat(cache.compareAndReplace(HI, 1, older, "x", PLAIN, 1))
        .isEqualTo(InsertResult.REPLACED);
    assertThat(cache.compareAndReplace(HI, 1, older, "y", PLAIN, 1))
        .isEqualTo(InsertResult.NOT_EXPECTED);
    assertThat(cache.compareAndReplace(HI, 2, older, "y", PLAIN, 1))
        .isEqualTo(InsertResult.NOT_PRESENT);
    assertThat(cache.replace(HI, 1, "z", PLAIN, 1)).isEqualTo(InsertResult.REPLACED);
    holds("z", PLAIN, 1);
    assertThat(cache.monitor().stats().replaced()).isEqualTo(2);
    assertThat(cache.monitor().stats().inserts()).isEqualTo(1);
  }

  @Test
  void needsNoRoom() {
    BlockCache<Object> full = cache(10L * variant.shards(), 1);
    for (long lo = 0; lo < 200L * variant.shards(); lo++) {
      insert(full, lo, 1);
    }
    long evictions = full.monitor().stats().evictions();
    long usage = full.monitor().usageBytes();
    int replaced = 0;
    for (long lo = 0; lo < 200L * variant.shards(); lo++) {
      if (full.peek(HI, lo) != null) {
        assertThat(full.put(HI, lo, "newer", 1)).isEqualTo(InsertResult.REPLACED);
        assertThat(full.get(HI, lo)).isEqualTo("newer");
        replaced++;
      }
    }
    assertThat(replaced).isPositive();
    assertThat(full.monitor().stats().replaced()).isEqualTo(replaced);
    assertThat(full.monitor().stats().evictions()).isEqualTo(evictions);
    assertThat(full.monitor().usageBytes()).isEqualTo(usage);
  }

  @Test
  void visitsShowTheNewerValueOnce() {
    put("a", PLAIN, 2, InsertResult.INSERTED);
    put("b", PLAIN, 2, InsertResult.REPLACED);
    List<Object> seen = new ArrayList<>();
    cache
        .monitor()
        .forEachEntry(
            (hi, lo, value, type, charge) -> {
              seen.add(value);
              // Held by the visit, so it gets an entry of its own.
              cache.put(HI, 1, "c", PLAIN, 2, Priority.LOW);
            });
    assertThat(seen).startsWith("b").hasSizeBetween(1, 2);
    holds("c", PLAIN, 2);
  }

  @Test
  void erasedAndPutAgain() {
    put("a", PLAIN, 1, InsertResult.INSERTED);
    put("b", PLAIN, 1, InsertResult.REPLACED);
    assertThat(cache.erase(HI, 1)).isTrue();
    assertThat(cache.replace(HI, 1, "c", PLAIN, 1)).isEqualTo(InsertResult.NOT_PRESENT);
    put("d", PLAIN, 1, InsertResult.INSERTED);
    holds("d", PLAIN, 1);
  }

  /** A counter that grows by compare-and-replace, some in place and some not, and by no other. */
  @Test
  void incrementsOfEitherKindAreNotLost() throws Exception {
    int increments = 4000;
    cache.put(HI, 1, 0, PLAIN, 1, Priority.LOW);
    Crew.run(
        THREADS,
        thread -> {
          SplittableRandom own = new SplittableRandom(seed + thread);
          for (int done = 0; done < increments; ) {
            Integer present = seen(own.nextInt(8) == 0);
            long charge = own.nextInt(8) == 0 ? 2 : 1;
            Integer next = Integer.valueOf(present + 1);
            InsertResult result = cache.compareAndReplace(HI, 1, present, next, PLAIN, charge);
            done += result == InsertResult.REPLACED ? 1 : 0;
          }
        });
    assertThat(cache.peek(HI, 1)).isEqualTo(THREADS * increments);
    assertThat(cache.monitor().occupancy()).isEqualTo(1);
    assertThat(cache.monitor().usageBytes()).isBetween(1L, 2L);
  }

  private Integer seen(boolean pinned) {
    if (!pinned) {
      return (Integer) cache.get(HI, 1);
    }
    try (Handle<Object> handle = pin(cache, 1)) {
      return (Integer) handle.value();
    }
  }

  /** Each writer has a value of its own to look for after its put. */
  @Test
  void whatIsReadIsWhatWasPutLast() throws Exception {
    long[] stale = new long[THREADS];
    Crew.run(
        THREADS,
        thread -> {
          SplittableRandom own = new SplittableRandom(seed + thread);
          long key = 10 + thread / 2;
          int last = -1;
          for (int i = 0; i < 20_000; i++) {
            if (thread % 2 == 0) {
              cache.put(HI, key, i, PLAIN, own.nextInt(16) == 0 ? 2 : 1, Priority.LOW);
              stale[thread] += ((Integer) cache.get(HI, key)) == i ? 0 : 1;
            } else {
              Object found = cache.get(HI, key);
              int number = found == null ? last : (Integer) found;
              stale[thread] += number < last ? 1 : 0;
              last = number;
            }
          }
        });
    assertThat(stale).containsOnly(0);
  }
}
