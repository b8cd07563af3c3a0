/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.cachebench.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperclock.benchmarks.cachebench.model.RocksDbModel.Settings;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the workload's figures cannot show of the model: rare settings, and threads. */
final class RocksDbModelTest {
  private static final int CHARGE = 100;
  private static final int THREADS = 4;
  private static final int KEYS = 300;
  private static final int FEW_KEYS = 3;

  private static Settings settings(long capacityBytes, int shardBits) {
    return new Settings(capacityBytes, CHARGE, CHARGE, shardBits, 30, 7);
  }

  private static void assertAddsUp(RocksDbModel<?> model) {
    assertThat(model.usageBytes()).isEqualTo(64 * model.slots() + CHARGE * model.occupancy());
    assertThat(model.visibleEntries()).isEqualTo(model.occupancy());
  }

  @ParameterizedTest
  @CsvSource({"1, 1", "63, 1", "64, 2", "127, 2", "128, 4", "2047, 32", "2048, 64", "100000, 64"})
  void shardsAreAPowerOfTwo(long mib, int shards) {
    assertThat(settings(mib << 20, -1).shards()).isEqualTo(shards);
    assertThat(settings(mib << 20, 3).shards()).isEqualTo(8);
  }

  @ParameterizedTest
  @CsvSource({
    "64, 1, 1",
    "127, 1, 1",
    "128, 1, 2",
    "100000, 1, 1024",
    "100000, 100, 1024",
    "100000, 1000, 256",
    "100000, 1000000, 1"
  })
  void slotsAreAPowerOfTwo(long capacity, long estimate, int slots) {
    Settings settings = new Settings(capacity, CHARGE, estimate, 0, 30, 7);
    assertThat(settings.slotsPerShard()).isEqualTo(slots);
    assertThat(new RocksDbModel<>(settings).usageBytes()).isEqualTo(64L * slots);
  }

  @Test
  void sharesOfTheCapacityAreRoundedUp() {
    assertThat(settings(4 * 64 - 3, 2).slotsPerShard()).isOne();
    assertThatThrownBy(() -> settings(4 * 64 - 4, 2).slotsPerShard())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "each shard must have room for a slot of 64 bytes: capacityBytes=252, shards=4");
  }

  /**
   * Each insert evicts two entries at least, and what else the last four slots of its sweep have.
   */
  @Test
  void aLowerCapacityIsReachedByInserts() {
    RocksDbModel<String> model = new RocksDbModel<>(settings(100_000, 0));
    for (long key = 0; key < 300; key++) {
      model.insert(0, key, "value");
    }
    long before = model.usageBytes();
    assertThat(model.occupancy()).isEqualTo(300);
    model.setCapacityBytes(before - 50 * CHARGE);
    assertThat(model.usageBytes()).isEqualTo(before);
    for (long key = 1000; model.usageBytes() > before - 50 * CHARGE; key++) {
      long entries = model.occupancy();
      model.insert(0, key, "value");
      assertThat(model.occupancy()).isBetween(entries - 4, entries - 1);
    }
    assertThat(model.occupancy()).isBetween(246L, 250L);
    assertAddsUp(model);
  }

  @Test
  void anEntryOutsideTheTableIsChargedUntilItsRelease() {
    RocksDbModel<String> model = new RocksDbModel<>(settings(100_000, 0));
    model.insert(0, 1, "older");
    long usage = model.usageBytes();
    ModelEntry<String> newer = model.insertHeld(0, 1, "newer");
    assertThat(newer.value()).isEqualTo("newer");
    assertThat(model.usageBytes()).isEqualTo(usage + CHARGE);
    assertThat(model.occupancy()).isOne();
    model.insert(0, 1, "newest");
    assertThat(model.usageBytes()).isEqualTo(usage + CHARGE);
    model.release(newer);
    assertThat(model.usageBytes()).isEqualTo(usage);
    ModelEntry<String> found = model.lookup(0, 1);
    assertThat(found.value()).isEqualTo("older");
    model.erase(0, 1);
    assertThat(model.lookup(0, 1)).isNull();
    assertThat(model.occupancy()).isOne();
    assertThat(model.visibleEntries()).isZero();
    model.release(found);
    assertThat(model.occupancy()).isZero();
    assertAddsUp(model);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 2})
  void threadsLeaveItWhole(int shardBits) throws Exception {
    for (int round = 0; round < 20; round++) {
      RocksDbModel<Long> model = new RocksDbModel<>(settings(20_000, shardBits));
      CyclicBarrier start = new CyclicBarrier(THREADS);
      ExecutorService threads = Executors.newFixedThreadPool(THREADS);
      try {
        List<Future<?>> done = new ArrayList<>();
        for (int thread = 0; thread < THREADS; thread++) {
          SplittableRandom random = new SplittableRandom(round * THREADS + thread);
          done.add(
              threads.submit(
                  () -> {
                    start.await(60, TimeUnit.SECONDS);
                    operate(model, random);
                    return null;
                  }));
        }
        for (Future<?> one : done) {
          one.get(60, TimeUnit.SECONDS);
        }
      } finally {
        threads.shutdownNow();
      }
      assertAddsUp(model);
      for (long key = 0; key < KEYS; key++) {
        model.erase(key, key);
      }
      assertThat(model.occupancy()).isZero();
      assertThat(model.displacements()).isZero();
      assertAddsUp(model);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {-5, 0})
  void anEffortCapBelowOneIsOne(int cap) {
    assertThat(figures(cap)).isEqualTo(figures(1)).isNotEqualTo(figures(2));
  }

  private static List<Long> figures(int effortCap) {
    RocksDbModel<Long> model =
        new RocksDbModel<>(new Settings(20_000, CHARGE, CHARGE, 0, effortCap, 7));
    operate(model, new SplittableRandom(1));
    List<Long> figures = new ArrayList<>(List.of(model.occupancy(), model.usageBytes()));
    for (long key = 0; key < KEYS; key++) {
      figures.add(model.lookup(key, key) == null ? 0L : 1);
    }
    return figures;
  }

  private static void operate(RocksDbModel<Long> model, SplittableRandom random) {
    Queue<ModelEntry<Long>> held = new ArrayDeque<>();
    for (int i = 0; i < 20_000; i++) {
      long key = random.nextInt(random.nextBoolean() ? KEYS : FEW_KEYS);
      switch (random.nextInt(8)) {
        case 0 -> model.insert(key, key, key);
        case 1 -> held.add(model.insertHeld(key, key, key));
        case 2, 3, 4, 5, 6 -> {
          ModelEntry<Long> found = model.lookup(key, key);
          if (found != null) {
            assertThat(found.value()).isEqualTo(key);
            held.add(found);
          }
        }
        default -> model.erase(key, key);
      }
      if (held.size() > 20) {
        model.release(held.remove());
      }
    }
    held.forEach(model::release);
  }
}
