/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.hyperclock.BlockCache;
import io.hyperclock.Handle;
import io.hyperclock.HashSeed;
import io.hyperclock.internal.table.Buckets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Large tables are made by the executor; inserts go on meanwhile. */
class TableExecutorTest extends AutomaticSizingContract {
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

  /** An insert that finds its buckets held does not wait for the table that was asked for. */
  @Test
  void aTableAtOnceTakesThePlaceOfOneThatIsBeingMade() {
    Queue<Runnable> tasks = new ArrayDeque<>();
    int seed = 7;
    BlockCache<Object> cache =
        track(
            BlockCache.<Object>builder()
                .capacityBytes(128 * MIB)
                .shards(1)
                .initialEntries(7_000)
                .hashSeed(HashSeed.fixed(seed))
                .executor(tasks::add)
                .build());
    for (long lo = 1L << 40; tasks.isEmpty(); lo++) {
      inserted(cache, lo, 1024);
    }
    long slots = cache.monitor().slots();
    List<Handle<Object>> held = new ArrayList<>();
    Buckets buckets = new Buckets((int) slots / 8, seed);
    Set<Integer> both = bucketsOf(buckets, 0);
    for (long lo = 0; held.size() < 17; lo++) {
      if (bucketsOf(buckets, lo).equals(both)) {
        held.add(insertPinned(cache, lo, 10));
      }
    }
    assertThat(cache.monitor().slots()).isGreaterThan(slots);
    assertThat(tasks).singleElement().matches(task -> ((Future<?>) task).isCancelled());
    release(held);
  }

  private static Set<Integer> bucketsOf(Buckets buckets, long lo) {
    long hash = buckets.hash(HI, lo);
    return Set.of(buckets.first(hash), buckets.second(hash));
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

  /** Nothing is evicted for it, and it does not come when the executor gets to it. */
  @Test
  void aTableThatIsBeingMadeIsGivenUpWithTheCapacityItWasFor() {
    Queue<Runnable> tasks = new ArrayDeque<>();
    BlockCache<Object> cache = withExecutor(128 * MIB, tasks::add);
    long lo = 0;
    for (; tasks.isEmpty(); lo++) {
      cache.insert(HI, lo, "x", 1024);
    }
    long slots = cache.monitor().slots();
    long entries = cache.monitor().occupancy();
    cache.setCapacityBytes(9 * MIB);
    assertThat(cache.monitor().slots()).isEqualTo(slots);
    assertThat(metadataShare(cache)).isLessThan(0.1);
    assertThat(cache.monitor().occupancy()).isGreaterThan(entries - 50);
    tasks.remove().run();
    fill(cache, lo, 2_000, 1024);
    assertThat(tasks).isEmpty();
    assertThat(cache.monitor().slots()).isEqualTo(slots);
  }
}
