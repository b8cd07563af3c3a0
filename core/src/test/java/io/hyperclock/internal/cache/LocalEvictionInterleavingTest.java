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
import io.hyperclock.interleaving.Scenario;
import io.hyperclock.interleaving.Scenario.Part;
import io.hyperclock.interleaving.Woven;
import io.hyperclock.internal.slot.HeapSlotStore;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/**
 * Inserts into two full buckets, beside everything that may happen to the entry that leaves for
 * them, in every order of turns with few threads held up. Values are freed once, and never while
 * held.
 */
@Woven({"table", "capacity", "slot", "policy"})
class LocalEvictionInterleavingTest {
  private static final int PREEMPTIONS = Integer.getInteger("interleaving.preemptions", 1);
  private static final int RUNS = Integer.getInteger("interleaving.runs", 2_000);

  /** Least valuable of what is there. */
  private static final int VICTIM = 0;

  /** Not there. */
  private static final int NEWCOMER = PLACES;

  /** A value, and how often it was freed. */
  private static final class Value {
    private int disposals;

    void requireUnfreed() {
      assertThat(disposals).as("disposals of what is held").isZero();
    }
  }

  private static final EntryType<Object> TYPE =
      EntryType.named("freed").disposer((hi, lo, value) -> ((Value) value).disposals++).build();

  /** A cache, and all values that were offered to it. */
  private static final class Table {
    final HyperClockCache<Object> cache;
    final List<Value> values = new ArrayList<>();
    final List<Handle<Object>> handles = new ArrayList<>();

    Table(ReplacementPolicy policy) {
      cache = FullBuckets.open(policy, HeapSlotStore::new);
      FullBuckets.fill(cache, i -> value(), TYPE);
    }

    Value value() {
      Value value = new Value();
      values.add(value);
      return value;
    }

    Table holdAllBut(int index) {
      for (int i = 0; i < PLACES; i++) {
        if (i != index) {
          handles.add(cache.lookup(HI, key(i)));
        }
      }
      return this;
    }

    /** What holds of a quiet cache, and of a closed one. */
    void check() {
      assertThat(InvariantsChecker.violations(cache)).isEmpty();
      handles.forEach(handle -> ((Value) handle.value()).requireUnfreed());
      int[] visible = new int[NEWCOMER + 2];
      cache.monitor().forEachEntry((hi, lo, value, type, charge) -> visible[index(lo)]++);
      assertThat(visible).containsOnly(0, 1);
      assertThat(cache.monitor().occupancy()).isLessThanOrEqualTo(PLACES);
      handles.forEach(Handle::close);
      cache.close();
      assertThat(InvariantsChecker.violations(cache)).isEmpty();
      assertThat(values).allMatch(value -> value.disposals == 1);
    }

    private static int index(long lo) {
      int index = 0;
      while (key(index) != lo) {
        index++;
      }
      return index;
    }
  }

  private static Part<Table> insert(int index) {
    return table ->
        assertThat(table.cache.insert(HI, key(index), table.value(), TYPE, 1, Priority.BOTTOM))
            .isNotEqualTo(InsertResult.REFUSED);
  }

  private static Part<Table> put(int index) {
    return table ->
        assertThat(table.cache.put(HI, key(index), table.value(), TYPE, 2, Priority.BOTTOM))
            .isIn(InsertResult.INSERTED, InsertResult.REPLACED);
  }

  private static Part<Table> erase(int index) {
    return table -> table.cache.erase(HI, key(index));
  }

  /** Pins what is there, and looks at it until it lets go. */
  private static Part<Table> hold(int index) {
    return table -> {
      try (Handle<Object> handle = table.cache.lookup(HI, key(index))) {
        if (handle != null) {
          assertThat(handle.keyLo()).isEqualTo(key(index));
          for (int i = 0; i < 3; i++) {
            ((Value) handle.value()).requireUnfreed();
          }
        }
      }
    };
  }

  @SafeVarargs
  private static void explore(Part<Table>... parts) {
    for (ReplacementPolicy policy : ReplacementPolicy.values()) {
      scenario(policy, table -> {}, Table::check, parts).explore(PREEMPTIONS);
    }
  }

  /** With more than one of them stopped in the middle. */
  @SafeVarargs
  private static void sample(Part<Table>... parts) {
    for (ReplacementPolicy policy : ReplacementPolicy.values()) {
      scenario(policy, table -> {}, Table::check, parts).sample(RUNS, System.nanoTime());
    }
  }

  @SafeVarargs
  private static Scenario<Table> scenario(
      ReplacementPolicy policy,
      Consumer<Table> prepare,
      Consumer<Table> check,
      Part<Table>... parts) {
    return new Scenario<>(
        "full buckets, " + policy,
        () -> {
          Table table = new Table(policy);
          prepare.accept(table);
          return table;
        },
        check,
        parts);
  }

  @Test
  void aReaderOfTheVictim() {
    explore(insert(NEWCOMER), hold(VICTIM));
    sample(insert(NEWCOMER), hold(VICTIM));
    sample(insert(NEWCOMER), put(NEWCOMER + 1), hold(VICTIM));
  }

  @Test
  void anInsertOfTheVictimsKey() {
    explore(insert(NEWCOMER), insert(VICTIM));
    explore(insert(NEWCOMER), erase(VICTIM), insert(VICTIM));
  }

  @Test
  void anOverwriteOfTheVictim() {
    explore(insert(NEWCOMER), put(VICTIM));
    explore(insert(NEWCOMER), put(VICTIM), hold(VICTIM));
  }

  @Test
  void anErase() {
    explore(insert(NEWCOMER), erase(VICTIM));
    explore(put(VICTIM), erase(VICTIM));
  }

  @Test
  void anotherInsert() {
    explore(insert(NEWCOMER), insert(NEWCOMER + 1));
    explore(insert(NEWCOMER), insert(NEWCOMER));
    explore(insert(NEWCOMER), put(NEWCOMER), hold(NEWCOMER));
  }

  /** Only one may leave: whoever comes second evicts the first, or finds no place. */
  @Test
  void oneNotHeld() {
    for (ReplacementPolicy policy : ReplacementPolicy.values()) {
      scenario(
              policy,
              table -> table.holdAllBut(VICTIM),
              table -> {
                assertThat(table.cache.monitor().occupancy()).isEqualTo(PLACES);
                table.check();
              },
              insert(NEWCOMER),
              insert(NEWCOMER + 1))
          .explore(PREEMPTIONS);
    }
  }
}
