/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.cache;

import static io.hyperclock.internal.cache.FullBuckets.HI;
import static io.hyperclock.internal.cache.FullBuckets.PLACES;
import static io.hyperclock.internal.cache.FullBuckets.key;
import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.Handle;
import io.hyperclock.InsertResult;
import io.hyperclock.ReplacementPolicy;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.Priority;
import io.hyperclock.internal.slot.HeapSlotStore;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Which entry leaves for a key whose two buckets are full, and what the sums say then. */
class LocalEvictionTest {
  private final Map<Object, Integer> disposals = new HashMap<>();
  private final EntryType<Object> freed =
      EntryType.named("freed")
          .disposer((hi, lo, value) -> disposals.merge(value, 1, Integer::sum))
          .build();
  private final List<Handle<Object>> handles = new ArrayList<>();
  private HyperClockCache<Object> cache;

  private void start(ReplacementPolicy policy, EntryType<Object> type) {
    cache = FullBuckets.open(policy, HeapSlotStore::new);
    FullBuckets.fill(cache, i -> i, type);
  }

  private InsertResult insert(int index, EntryType<Object> type) {
    return insert(index, index, type);
  }

  private InsertResult insert(int index, Object value, EntryType<Object> type) {
    return cache.insert(HI, key(index), value, type, 1, Priority.BOTTOM);
  }

  private void hold(int index) {
    handles.add(cache.lookup(HI, key(index)));
    assertThat(handles).doesNotContainNull();
  }

  private List<Integer> present() {
    List<Integer> found = new ArrayList<>();
    cache.monitor().forEachEntry((hi, lo, value, type, charge) -> found.add((Integer) value));
    return found.stream().sorted().toList();
  }

  @AfterEach
  void whole() {
    assertThat(InvariantsChecker.violations(cache)).isEmpty();
    handles.forEach(Handle::close);
    assertThat(InvariantsChecker.violations(cache)).isEmpty();
    cache.close();
    assertThat(disposals.values()).allMatch(times -> times == 1);
  }

  /** Usage and occupancy are those of the entries, without what is told elsewhere later. */
  private void requireExactSums() {
    assertThat(InvariantsChecker.violations(cache)).isEmpty();
    assertThat(cache.monitor().occupancy()).isEqualTo(PLACES);
    assertThat(cache.monitor().usageBytes()).isEqualTo(PLACES);
  }

  @ParameterizedTest
  @EnumSource(ReplacementPolicy.class)
  void theLeastValuableLeaves(ReplacementPolicy policy) {
    start(policy, FullBuckets.COLLECTED);
    assertThat(insert(PLACES, FullBuckets.COLLECTED)).isEqualTo(InsertResult.INSERTED);
    assertThat(present()).hasSize(PLACES).contains(PLACES).doesNotContain(0);
    requireExactSums();
    assertThat(cache.monitor().stats().evictions()).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource(ReplacementPolicy.class)
  void isToldWhereSomebodyListens(ReplacementPolicy policy) {
    start(policy, freed);
    assertThat(insert(PLACES, freed)).isEqualTo(InsertResult.INSERTED);
    assertThat(disposals).containsExactly(Map.entry(0, 1));
    requireExactSums();
  }

  @ParameterizedTest
  @EnumSource(ReplacementPolicy.class)
  void sumsStayExact(ReplacementPolicy policy) {
    insertAndOverwrite(policy, FullBuckets.COLLECTED);
  }

  @ParameterizedTest
  @EnumSource(ReplacementPolicy.class)
  void sumsStayExactWhereSomebodyListens(ReplacementPolicy policy) {
    insertAndOverwrite(policy, freed);
  }

  private void insertAndOverwrite(ReplacementPolicy policy, EntryType<Object> type) {
    start(policy, type);
    for (int i = PLACES; i < 2 * PLACES; i++) {
      for (int other = PLACES; cache.monitor().occupancy() < PLACES; other++) {
        cache.insert(HI, key(other), "" + i + other, type, 1, Priority.HIGH);
        assertThat(InvariantsChecker.violations(cache)).isEmpty();
      }
      cache.erase(HI, key(i));
      insert(i - PLACES, "again " + i, type);
      assertThat(insert(i, "first " + i, type)).isEqualTo(InsertResult.INSERTED);
      requireExactSums();
      // Beside the older entry, for which another has to leave.
      assertThat(cache.put(HI, key(i), "next " + i, type, 2, Priority.BOTTOM))
          .isEqualTo(InsertResult.REPLACED);
      assertThat(InvariantsChecker.violations(cache)).isEmpty();
      assertThat(cache.monitor().occupancy()).isEqualTo(PLACES - 1);
      assertThat(cache.erase(HI, key(i))).isTrue();
    }
    assertThat(cache.monitor().stats().evictions()).isPositive();
  }

  @ParameterizedTest
  @EnumSource(ReplacementPolicy.class)
  void whatIsHeldStays(ReplacementPolicy policy) {
    start(policy, freed);
    int free = 11;
    for (int i = 0; i < PLACES; i++) {
      if (i != free) {
        hold(i);
      }
    }
    assertThat(insert(PLACES, freed)).isEqualTo(InsertResult.INSERTED);
    assertThat(disposals).containsExactly(Map.entry(free, 1));
    assertThat(present()).hasSize(PLACES).doesNotContain(free).contains(PLACES);
  }

  @ParameterizedTest
  @EnumSource(ReplacementPolicy.class)
  void nothingLeavesIfAllAreHeld(ReplacementPolicy policy) {
    start(policy, freed);
    for (int i = 0; i < PLACES; i++) {
      hold(i);
    }
    List<Integer> before = present();
    assertThat(insert(PLACES, freed)).isEqualTo(InsertResult.DROPPED);
    assertThat(disposals).containsExactly(Map.entry(PLACES, 1));
    assertThat(present()).isEqualTo(before);
    requireExactSums();
    Handle<Object> alone = cache.insertPinned(HI, key(PLACES + 1), "alone", freed, 1, Priority.LOW);
    assertThat(alone).isNotNull();
    assertThat(alone.isStandalone()).isTrue();
    alone.close();
    assertThat(disposals).containsEntry("alone", 1);
  }

  /** Readers would miss a key that nobody has removed. */
  @ParameterizedTest
  @EnumSource(ReplacementPolicy.class)
  void anOverwriteDoesNotEvictWhatItOverwrites(ReplacementPolicy policy) {
    start(policy, freed);
    assertThat(cache.put(HI, key(0), "newer", freed, 1, Priority.BOTTOM))
        .isEqualTo(InsertResult.REPLACED);
    assertThat(cache.monitor().stats().evictions()).isEqualTo(1);
    assertThat(disposals).hasSize(2).containsKey(0);
    assertThat(cache.monitor().occupancy()).isEqualTo(PLACES - 1);
    try (Handle<Object> handle = cache.lookup(HI, key(0))) {
      assertThat(handle.value()).isEqualTo("newer");
    }
  }

  /** Nothing can leave for it but the older entry, which is not to be found for a moment then. */
  @ParameterizedTest
  @EnumSource(ReplacementPolicy.class)
  void anOverwriteBesideHeldEntriesTakesThePlaceOfTheOlderOne(ReplacementPolicy policy) {
    start(policy, freed);
    for (int i = 1; i < PLACES; i++) {
      hold(i);
    }
    cache.put(HI, key(0), "newer", freed, 1, Priority.BOTTOM);
    assertThat(disposals).containsExactly(Map.entry(0, 1));
    try (Handle<Object> handle = cache.lookup(HI, key(0))) {
      assertThat(handle.value()).isEqualTo("newer");
    }
    requireExactSums();
  }

  /** What was held is as good a victim as any when it is let go. */
  @ParameterizedTest
  @EnumSource(ReplacementPolicy.class)
  void anErasedEntryLeavesFirst(ReplacementPolicy policy) {
    start(policy, freed);
    hold(7);
    assertThat(cache.erase(HI, key(7))).isTrue();
    assertThat(insert(PLACES, freed)).isEqualTo(InsertResult.INSERTED);
    assertThat(disposals).containsExactly(Map.entry(0, 1));
    handles.remove(0).close();
    assertThat(disposals).containsOnlyKeys(0, 7);
    assertThat(cache.monitor().occupancy()).isEqualTo(PLACES - 1);
  }
}
