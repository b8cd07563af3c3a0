/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.tiered;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hyperclock.Handle;
import io.hyperclock.InsertResult;
import io.hyperclock.entry.EntryRole;
import io.hyperclock.secondary.AdmissionPolicy;
import io.hyperclock.secondary.AsyncLookup;
import io.hyperclock.secondary.SecondaryCache;
import io.hyperclock.secondary.TieredRoleStats;
import io.hyperclock.secondary.TieredStats;
import io.hyperclock.secondary.compressed.CompressedSecondaryCache;
import io.hyperclock.secondary.compression.Compression;
import io.hyperclock.secondary.testing.Faults;
import io.hyperclock.secondary.testing.FaultySecondaryCache;
import io.hyperclock.secondary.testing.MapSecondaryCache;
import io.hyperclock.secondary.testing.TierTestLimits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Records when each call began and ended and checks afterwards that the calls of each key could
 * have happened one after another, where a lookup may miss at any time. All values of a key differ,
 * so its history is linearizable if and only if the zones of its {@link Value}s do not conflict.
 */
@Timeout(120)
class LinearizabilityTest {
  private static final int THREADS = 4;
  private static final int KEYS = 120;
  private static final int STEPS = Integer.getInteger("linearizability.steps", 6_000);
  private static final long SEED = Long.getLong("linearizability.seed", System.nanoTime());

  /** A value and all calls that wrote or gave it; an erase is a value that nobody gets. */
  private static final class Value {
    private final String name;
    private long firstEnd = Long.MAX_VALUE;
    private long lastBegin = Long.MIN_VALUE;

    Value(String name) {
      this.name = name;
    }

    synchronized void call(long begin, long end) {
      firstEnd = Math.min(firstEnd, end);
      lastBegin = Math.max(lastBegin, begin);
    }

    /** It was there from the first end to the last begin, whatever the order of the others. */
    boolean spans() {
      return firstEnd < lastBegin;
    }

    boolean conflictsWith(Value other) {
      long begin = Math.min(other.firstEnd, other.lastBegin);
      long end = Math.max(other.firstEnd, other.lastBegin);
      return other.spans()
          ? firstEnd < end && begin < lastBegin
          : firstEnd < begin && end < lastBegin;
    }

    @Override
    public String toString() {
      return name + " there from " + firstEnd + " to " + lastBegin;
    }
  }

  private final List<List<Value>> values = new ArrayList<>();
  private final AtomicInteger versions = new AtomicInteger();
  private final Value[] byVersion = new Value[THREADS * STEPS * 2];

  private Value newValue(int key, String name) {
    Value value = new Value(name);
    synchronized (values.get(key)) {
      values.get(key).add(value);
    }
    return value;
  }

  private int newVersion(int key) {
    int version = versions.getAndIncrement();
    byVersion[version] = newValue(key, "version " + version);
    return version;
  }

  @ParameterizedTest
  @EnumSource(AdmissionPolicy.class)
  void callsOfEachKeyHaveAnOrder(AdmissionPolicy policy) throws Exception {
    for (int key = 0; key < KEYS; key++) {
      values.add(new ArrayList<>());
    }
    ExecutorService io = Executors.newSingleThreadExecutor();
    ExecutorService moving = Executors.newFixedThreadPool(2);
    ExecutorService users = Executors.newFixedThreadPool(THREADS);
    CompressedSecondaryCache compressed =
        CompressedSecondaryCache.builder()
            .capacityBytes(8 << 10)
            .estimatedEntryCharge(Blocks.CHARGE)
            .compression(Compression.NONE)
            .build();
    FaultySecondaryCache remote = new FaultySecondaryCache(new MapSecondaryCache(6_000), SEED, io);
    remote.setFaults(Faults.NONE.withStall(0.05, Duration.ofNanos(50_000)).withDecline(0.1));
    SecondaryCache[] tiers = {compressed, remote};
    try (TieredRig rig =
        new TieredRig(builder -> builder.admission(policy).executor(moving), tiers)) {
      List<Future<?>> running = new ArrayList<>();
      for (int thread = 0; thread < THREADS; thread++) {
        SplittableRandom random = new SplittableRandom(SEED + thread);
        running.add(users.submit(() -> drive(rig, compressed, random)));
      }
      for (Future<?> each : running) {
        each.get();
      }
      rig.tasks.release();
      await()
          .atMost(TierTestLimits.SECONDS, SECONDS)
          .until(() -> rig.cache.stats().pendingOffers() == 0);
      await()
          .atMost(TierTestLimits.SECONDS, SECONDS)
          .untilAsserted(() -> assertAddsUp(rig.cache.stats()));
    } finally {
      users.shutdownNow();
      io.shutdown();
      moving.shutdown();
    }
    for (int key = 0; key < KEYS; key++) {
      check(key);
    }
  }

  private void drive(TieredRig rig, CompressedSecondaryCache tier, SplittableRandom random) {
    for (int step = 0; step < STEPS; step++) {
      int key = (int) (KEYS * random.nextDouble() * random.nextDouble());
      long begin = System.nanoTime();
      switch (random.nextInt(20)) {
        case 0, 1 -> {
          int version = newVersion(key);
          rig.put(key, version);
          byVersion[version].call(begin, System.nanoTime());
        }
        case 2, 3 -> {
          int version = newVersion(key);
          if (rig.insert(key, version, rig.blocks.data) != InsertResult.KEPT_EXISTING) {
            byVersion[version].call(begin, System.nanoTime());
          }
        }
        case 4 -> {
          rig.erase(key);
          newValue(key, "erase").call(begin, System.nanoTime());
        }
        case 5, 6 -> load(rig, key, begin);
        case 7 -> tier.setCapacity(random.nextInt(4) == 0 ? 0 : 7_000 + random.nextInt(1_000));
        case 8, 9, 10 -> batch(rig, key, begin, random);
        case 11 -> {
          try (AsyncLookup<Blocks.Block> lookup =
              rig.cache.startLookup(TieredRig.HI, key, rig.blocks.data)) {
            found(key, begin, lookup.await(Duration.ofNanos(random.nextInt(100_000))));
          }
        }
        default -> found(key, begin, rig.lookup(key));
      }
    }
  }

  private void load(TieredRig rig, int key, long begin) {
    Handle<Blocks.Block> loaded =
        rig.cache.lookup(
            TieredRig.HI,
            key,
            rig.blocks.data,
            null,
            (hi, lo) -> rig.blocks.make(lo, newVersion((int) lo)));
    found(key, begin, loaded);
  }

  private void batch(TieredRig rig, int key, long begin, SplittableRandom random) {
    long[] keys = new long[8];
    for (int i = 0; i < keys.length; i += 2) {
      keys[i] = TieredRig.HI;
      keys[i + 1] = (key + random.nextInt(4)) % KEYS;
    }
    List<AsyncLookup<Blocks.Block>> lookups = rig.cache.startLookups(keys, rig.blocks.data, null);
    rig.cache.waitAll(lookups);
    for (int i = 0; i < lookups.size(); i++) {
      found((int) keys[2 * i + 1], begin, lookups.get(i).await());
    }
  }

  private void found(int key, long begin, @Nullable Handle<Blocks.Block> handle) {
    long end = System.nanoTime();
    int version = TieredRig.check(key, handle);
    if (version >= 0) {
      byVersion[version].call(begin, end);
    }
  }

  private void check(int key) {
    List<Value> all = values.get(key);
    all.removeIf(value -> value.firstEnd == Long.MAX_VALUE);
    for (Value one : all) {
      for (Value other : all) {
        assertThat(one != other && one.spans() && one.conflictsWith(other))
            .withFailMessage(() -> "key " + key + ", seed " + SEED + "L: " + one + ", but " + other)
            .isFalse();
      }
    }
  }

  private static void assertAddsUp(TieredStats stats) {
    TieredRoleStats sum = TieredRoleStats.NONE;
    for (EntryRole role : EntryRole.values()) {
      sum = sum.plus(stats.role(role));
    }
    assertThat(sum).isEqualTo(stats.total());
    assertThat(sum.hits()).isLessThanOrEqualTo(sum.lookups());
    assertThat(sum.promotions() + sum.firstTouches()).isPositive();
    assertThat(stats.tiers()).allMatch(tier -> tier.failures() == 0);
    for (TieredStats.Tier tier : stats.tiers()) {
      assertThat(tier.hits()).isEqualTo(tier.stats().role(EntryRole.DATA_BLOCK).hits());
      assertThat(tier.stats().usageBytes())
          .isLessThanOrEqualTo(Math.max(8 << 10, tier.stats().capacityBytes()));
    }
  }
}
