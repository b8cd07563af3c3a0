/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.CapacityMode;
import io.hyperclock.Handle;
import io.hyperclock.HashSeed;
import io.hyperclock.LeakDetection;
import io.hyperclock.MetadataCharge;
import io.hyperclock.ReplacementPolicy;
import io.hyperclock.SlotStorage;
import io.hyperclock.entry.EntryType;
import io.hyperclock.internal.observe.ObserverNotifier;
import io.hyperclock.internal.sizing.AutomaticSizing;
import io.hyperclock.internal.slot.GuardedMemory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A cache at addresses under heavy use changes nothing beside its own memory. */
class GuardedMemoryTest {
  private static final int THREADS = 3;
  private static final int OPERATIONS = 100_000;
  private static final int ENTRIES = 700;
  private static final EntryType<Object> TYPE = EntryType.of("any");

  @ParameterizedTest
  @EnumSource(ReplacementPolicy.class)
  @EnabledIf("io.hyperclock.internal.slot.AllMemory#isUsable")
  void guardsAreWholeAfterHeavyUse(ReplacementPolicy policy) throws Exception {
    GuardedMemory memory = new GuardedMemory();
    CacheConfig<Object> config =
        new CacheConfig<>(
            ENTRIES,
            1,
            CapacityMode.NON_STRICT,
            2,
            100,
            MetadataCharge.NONE,
            SlotStorage.OFF_HEAP,
            policy,
            HashSeed.fixed(11),
            false,
            TYPE,
            null,
            new ObserverNotifier.Settings(null, LeakDetection.off(), Duration.ZERO),
            AutomaticSizing.DEFAULT);
    HyperClockCache<Object> cache = new HyperClockCache<>(config, memory::newStore);
    ExecutorService crew = Executors.newFixedThreadPool(THREADS);
    try {
      List<Future<?>> work = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        SplittableRandom random = new SplittableRandom(i);
        work.add(crew.submit(() -> use(cache, random)));
      }
      for (Future<?> each : work) {
        each.get(60, TimeUnit.SECONDS);
      }
    } finally {
      crew.shutdownNow();
    }
    assertThat(InvariantsChecker.violations(cache)).isEmpty();
    assertThat(cache.monitor().occupancy()).isGreaterThan(ENTRIES / 2);
    cache.close();
    assertThat(InvariantsChecker.violations(cache)).isEmpty();
    memory.assertGuardsAreWhole();
  }

  private static void use(HyperClockCache<Object> cache, SplittableRandom random) {
    for (int i = 0; i < OPERATIONS; i++) {
      long lo = random.nextInt(2 * ENTRIES);
      switch (random.nextInt(6)) {
        case 0, 1 -> cache.insert(3, lo, "value", 1);
        case 2 -> cache.put(3, lo, "value", 1 + random.nextInt(2));
        case 3 -> {
          Handle<Object> handle = cache.lookup(3, lo);
          if (handle != null) {
            handle.close();
          }
        }
        case 4 -> cache.get(3, lo);
        default -> {
          if (random.nextInt(4) == 0) {
            cache.erase(3, lo);
          }
        }
      }
    }
  }
}
