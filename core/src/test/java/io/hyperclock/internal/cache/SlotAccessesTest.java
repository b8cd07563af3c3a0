/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.hyperclock.BlockCache;
import io.hyperclock.CapacityMode;
import io.hyperclock.Handle;
import io.hyperclock.HashSeed;
import io.hyperclock.LeakDetection;
import io.hyperclock.MetadataCharge;
import io.hyperclock.ReplacementPolicy;
import io.hyperclock.SlotStorage;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.Priority;
import io.hyperclock.internal.observe.ObserverNotifier;
import io.hyperclock.internal.sizing.AutomaticSizing;
import io.hyperclock.internal.slot.CountingSlotStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.IntConsumer;
import java.util.function.IntSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Counts what operations do to slots, on a cache that is full and has been used for a while. These
 * numbers do not depend on the machine; the table in the documentation shows them.
 */
class SlotAccessesTest {
  private static final int ENTRIES = 4096;
  private static final int OPERATIONS = 20_000;
  private static final long HI = 1;

  /** Which thread runs the test decides where the hand begins. */
  private static final double TOLERANCE = 0.03;

  private static final Path TABLE = Path.of("docs/slot-accesses.md");

  private static final List<EntryType<Object>> TYPES =
      List.of(EntryType.of("one"), EntryType.of("other"));

  private final SplittableRandom random = new SplittableRandom(5);
  private CountingSlotStore store;
  private BlockCache<Object> cache;

  /** Averages of one operation. */
  private record Costs(double slots, double stores, double atomics) {
    void areThoseOf(ReplacementPolicy policy, String operation) throws IOException {
      String row = "| " + policy.name().toLowerCase(Locale.ROOT) + " | " + operation + " |";
      List<String> found =
          Files.readAllLines(TABLE).stream().filter(line -> line.startsWith(row)).toList();
      assertThat(found).as(row).hasSize(1);
      double[] told =
          Stream.of(found.get(0).substring(row.length()).split("\\|"))
              .mapToDouble(Double::parseDouble)
              .toArray();
      assertThat(told)
          .as(row)
          .containsExactly(new double[] {slots, stores, atomics}, within(TOLERANCE));
    }
  }

  private void open(ReplacementPolicy policy) {
    cache =
        new HyperClockCache<>(
            new CacheConfig<>(
                ENTRIES,
                1,
                CapacityMode.NON_STRICT,
                1,
                30,
                MetadataCharge.NONE,
                SlotStorage.HEAP,
                policy,
                HashSeed.fixed(7),
                false,
                EntryType.of("value"),
                null,
                new ObserverNotifier.Settings(null, LeakDetection.off(), Duration.ZERO),
                AutomaticSizing.DEFAULT),
            slots -> store = new CountingSlotStore(slots));
    for (int i = 0; i < 40 * ENTRIES; i++) {
      getOrInsert(skewed());
    }
  }

  @AfterEach
  void whole() {
    assertThat(InvariantsChecker.violations(cache)).isEmpty();
    cache.close();
  }

  private int skewed() {
    double u = random.nextDouble();
    return (int) (u * u * u * u * 3 * ENTRIES);
  }

  private void getOrInsert(int key) {
    if (cache.get(HI, key) == null) {
      cache.insert(HI, key, "value", 1);
    }
  }

  private int present() {
    for (; ; ) {
      int key = skewed();
      if (cache.peek(HI, key) != null) {
        return key;
      }
    }
  }

  private Costs costs(IntSupplier keys, IntConsumer operation) {
    long slots = 0;
    long stores = 0;
    long atomics = 0;
    for (int i = 0; i < OPERATIONS; i++) {
      int key = keys.getAsInt();
      store.reset();
      operation.accept(key);
      slots += store.slotsTouched();
      stores += store.stores();
      atomics += store.atomics();
    }
    return new Costs(
        slots / (double) OPERATIONS, stores / (double) OPERATIONS, atomics / (double) OPERATIONS);
  }

  @ParameterizedTest
  @EnumSource(ReplacementPolicy.class)
  void areThoseOfTheTable(ReplacementPolicy policy) throws IOException {
    open(policy);
    int[] fresh = {1 << 20};
    Costs hit = costs(this::present, key -> cache.get(HI, key));
    hit.areThoseOf(policy, "`get`, hit");
    Costs pinned =
        costs(
            this::present,
            key -> {
              try (Handle<Object> handle = cache.lookup(HI, key)) {
                assertThat(handle).isNotNull();
              }
            });
    pinned.areThoseOf(policy, "`lookup` and `close`, hit");
    Costs miss = costs(() -> fresh[0]++, key -> cache.get(HI, key));
    miss.areThoseOf(policy, "`get`, miss");
    Costs insert = costs(() -> fresh[0]++, key -> cache.insert(HI, key, "value", 1));
    insert.areThoseOf(policy, "`insert` and the eviction");
    for (int i = 0; i < 40 * ENTRIES; i++) {
      getOrInsert(skewed());
    }
    Costs put = costs(this::present, key -> cache.put(HI, key, "v", 1));
    put.areThoseOf(policy, "`put`, overwrite");
    int[] types = new int[3 * ENTRIES];
    Costs move =
        costs(
            this::present,
            key -> {
              EntryType<Object> type = TYPES.get(types[key]++ & 1);
              cache.put(HI, key, "v", type, 1, Priority.LOW);
            });
    move.areThoseOf(policy, "`put`, overwrite by another type");
    Costs erase =
        costs(
            () -> {
              int key = fresh[0]++;
              cache.insert(HI, key, "value", 1);
              return key;
            },
            key -> cache.erase(HI, key));
    erase.areThoseOf(policy, "`erase`");

    assertThat(hit.atomics()).isEqualTo(hit.stores()).isLessThan(0.3);
    assertThat(pinned.stores()).isBetween(2.0, 2.01);
    assertThat(miss.slots()).isLessThan(0.2);
    assertThat(miss.stores()).isZero();
    assertThat(insert.atomics()).isLessThan(9);
    assertThat(put.stores()).isEqualTo(put.atomics()).isEqualTo(2.0);
    assertThat(move.atomics()).isLessThan(10.5);
    assertThat(erase.atomics()).isLessThan(5.1);
  }
}
