/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.versioned;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.CapacityMode;
import io.hyperclock.MetadataCharge;
import io.hyperclock.internal.versioned.VersionedInvariants;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Phaser;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Threads that do everything at random to few keys in a cache that is full, until the books are
 * compared. Values carry their key and a serial number that grows with each commit of the key.
 */
@Tag("versioned")
class ConcurrentVersionsTest {
  private static final int THREADS = 4;
  private static final int KEYS = 64;
  private static final int STEPS = 30_000;

  private final long seed = Long.getLong("hyperclock.versioned.seed", System.nanoTime());
  private final AtomicLong clock = new AtomicLong();

  private record Value(long key, long group) {}

  private VersionedCache<Value> cache(CapacityMode mode) {
    VersionedCacheBuilder<Value> builder = VersionedCache.builder();
    return builder
        .capacityBytes(40 * 100)
        .estimatedEntryCharge(100)
        .metadataCharge(MetadataCharge.NONE)
        .capacityMode(mode)
        .maxPreparedShare(0.3)
        .lease(Duration.ofNanos(200_000))
        .nanoClock(clock::get)
        .namespaces(4, (hi, lo) -> (int) (lo & 3))
        .build();
  }

  @ParameterizedTest
  @EnumSource(CapacityMode.class)
  void booksBalance(CapacityMode mode) throws Exception {
    VersionedCache<Value> cache = cache(mode);
    ExecutorService pool = Executors.newFixedThreadPool(THREADS);
    try {
      List<Future<List<PrepareGroup>>> runs = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        SplittableRandom random = new SplittableRandom(seed + i);
        Callable<List<PrepareGroup>> run = () -> run(cache, random, mode);
        runs.add(pool.submit(run));
      }
      List<PrepareGroup> open = new ArrayList<>();
      for (Future<List<PrepareGroup>> run : runs) {
        open.addAll(run.get(60, TimeUnit.SECONDS));
      }
      assertThat(VersionedInvariants.violations(cache)).as("seed %s", seed).isEmpty();
      open.forEach(PrepareGroup::commit);
      clock.addAndGet(200_000);
      cache.expireLeases();
      assertThat(VersionedInvariants.violations(cache)).as("seed %s", seed).isEmpty();
      VersionedStats stats = cache.monitor().stats();
      assertThat(stats.prepares()).isZero();
      assertThat(stats.preparedBytes()).isZero();
      assertThat(stats.commits()).isPositive();
      assertThat(stats.evictions()).isPositive();
    } finally {
      pool.shutdownNow();
    }
  }

  /**
   * A committed value comes in while its prepare is decided: readers see nothing, then the one that
   * came in, then what was committed, and the insert says what they saw.
   */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void insertsAmongDecisions(boolean commits) throws Exception {
    VersionedCache<Value> cache = cache(CapacityMode.STRICT);
    Value broughtIn = new Value(1, 1);
    Value prepared = new Value(1, 2);
    ExecutorService pool = Executors.newFixedThreadPool(2);
    try {
      for (int round = 0; round < 5000; round++) {
        PrepareToken token = cache.prepare(0, 1, prepared, 60, PrepareMode.PLAIN).orThrow();
        Phaser start = new Phaser(3);
        Future<WriteResult> insert =
            pool.submit(
                () -> {
                  start.arriveAndAwaitAdvance();
                  WriteResult outcome;
                  do {
                    // In progress only while the thread that decides is kept from running.
                    outcome = cache.insert(0, 1, broughtIn, 50);
                  } while (outcome == WriteResult.IN_PROGRESS);
                  return outcome;
                });
        Future<List<Value>> reads =
            pool.submit(
                () -> {
                  start.arriveAndAwaitAdvance();
                  List<Value> seen = new ArrayList<>();
                  for (int i = 0; i < 20; i++) {
                    seen.add(cache.get(0, 1));
                  }
                  return seen;
                });
        start.arriveAndAwaitAdvance();
        Decision decision = commits ? cache.commit(token) : cache.abort(token);
        assertThat(decision).isEqualTo(Decision.OK);
        WriteResult result = insert.get(60, TimeUnit.SECONDS);
        int state = 0;
        for (Value value : reads.get(60, TimeUnit.SECONDS)) {
          int next = value == null ? 0 : value == broughtIn ? 1 : 2;
          assertThat(next).isGreaterThanOrEqualTo(state);
          state = next;
          if (next == 1) {
            assertThat(result).isEqualTo(WriteResult.INSERTED);
          }
        }
        assertThat(result).isIn(WriteResult.INSERTED, WriteResult.KEPT_EXISTING);
        if (!commits) {
          assertThat(result).isEqualTo(WriteResult.INSERTED);
        }
        assertThat(cache.get(0, 1)).isSameAs(commits ? prepared : broughtIn);
        assertThat(VersionedInvariants.violations(cache)).isEmpty();
        assertThat(cache.erase(0, 1)).isEqualTo(WriteResult.ERASED);
      }
    } finally {
      pool.shutdownNow();
    }
  }

  /** One that is refused takes no place from others, and is not among those in flight. */
  @Test
  void noMorePreparesAreInFlightThanMayBe() throws Exception {
    VersionedCacheBuilder<Value> builder = VersionedCache.builder();
    VersionedCache<Value> cache =
        builder
            .capacityBytes(10_000)
            .estimatedEntryCharge(100)
            .maxPreparedShare(1e-9)
            .nanoClock(clock::get)
            .build();
    assertThat(cache.monitor().stats().maxPrepares()).isOne();
    cache.prepare(0, 0, new Value(0, 0), 1, PrepareMode.PLAIN).orThrow();
    AtomicBoolean over = new AtomicBoolean();
    ExecutorService pool = Executors.newFixedThreadPool(2);
    try {
      List<Future<?>> refused = new ArrayList<>();
      for (long key = 1; key <= 2; key++) {
        Value value = new Value(key, 0);
        refused.add(
            pool.submit(
                () -> {
                  while (!over.get()) {
                    assertThat(cache.prepare(0, value.key, value, 1, PrepareMode.PLAIN).outcome())
                        .isEqualTo(PrepareOutcome.NO_ROOM);
                  }
                }));
      }
      for (int i = 0; i < 50_000; i++) {
        assertThat(cache.monitor().stats().prepares()).isOne();
      }
      over.set(true);
      for (Future<?> run : refused) {
        run.get(60, TimeUnit.SECONDS);
      }
    } finally {
      over.set(true);
      pool.shutdownNow();
    }
  }

  private List<PrepareGroup> run(
      VersionedCache<Value> cache, SplittableRandom random, CapacityMode mode) {
    List<PrepareToken> tokens = new ArrayList<>();
    List<PrepareGroup> groups = new ArrayList<>();
    for (int step = 0; step < STEPS; step++) {
      clock.addAndGet(random.nextInt(20));
      long key = random.nextInt(KEYS);
      Value value = new Value(key, 0);
      long charge = 50 + random.nextInt(100);
      switch (random.nextInt(13)) {
        case 0, 1 -> cache.put(0, key, value, charge);
        case 2 -> cache.replace(0, key, value, charge);
        case 3 -> cache.erase(0, key);
        case 4 -> {
          PrepareMode prepareMode =
              random.nextInt(4) == 0 ? PrepareMode.IN_DOUBT : PrepareMode.PLAIN;
          boolean deletes = random.nextInt(4) == 0;
          PrepareResult result =
              cache.prepare(0, key, deletes ? null : value, deletes ? 0 : charge, prepareMode);
          if (result.token() != null) {
            tokens.add(result.token());
          }
        }
        case 5 -> {
          if (groups.isEmpty() || random.nextInt(3) == 0) {
            groups.add(cache.newGroup());
          }
          PrepareGroup group = groups.get(groups.size() - 1);
          cache.prepare(0, key, value, charge, PrepareMode.PLAIN, group);
        }
        case 6 -> {
          if (!groups.isEmpty()) {
            PrepareGroup group = groups.remove(random.nextInt(groups.size()));
            if (random.nextInt(4) == 0) {
              group.abort();
            } else {
              group.commit();
            }
          }
        }
        case 7, 8 -> {
          if (!tokens.isEmpty()) {
            PrepareToken token = tokens.remove(random.nextInt(tokens.size()));
            if (random.nextBoolean()) {
              cache.commit(token);
            } else {
              cache.abort(token);
            }
          }
        }
        case 9 -> {
          if (random.nextInt(50) == 0) {
            cache.markInDoubt((hi, lo) -> lo % 3 == 0);
          }
          Value found = cache.readForWrite(0, key);
          assertThat(found == null || found.key == key).isTrue();
        }
        case 12 -> cache.insert(0, key, value, charge);
        default -> read(cache, key);
      }
      if (mode == CapacityMode.STRICT) {
        VersionedStats stats = step % 1000 == 0 ? cache.monitor().stats() : null;
        assertThat(stats == null || stats.usageBytes() <= stats.capacityBytes()).isTrue();
      }
    }
    tokens.forEach(cache::abort);
    return groups;
  }

  private static void read(VersionedCache<Value> cache, long key) {
    try {
      Value found = cache.get(0, key);
      assertThat(found == null || found.key == key).isTrue();
    } catch (InDoubtException expected) {
      assertThat(expected).hasMessageContaining("keyLo=" + key);
    }
  }
}
