/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.tiered;

import static io.hyperclock.secondary.tiered.TieredRig.HI;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

import io.hyperclock.Handle;
import io.hyperclock.entry.Priority;
import io.hyperclock.secondary.AdmissionPolicy;
import io.hyperclock.secondary.AsyncLookup;
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
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TieredCloseTest {
  private static final int THREADS = 3;

  @ParameterizedTest
  @EnumSource(AdmissionPolicy.class)
  void closesUnderLoad(AdmissionPolicy policy) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    ExecutorService workers = Executors.newFixedThreadPool(2);
    try {
      for (int round = 0; round < 4; round++) {
        closeOnce(policy, threads, workers);
      }
    } finally {
      threads.shutdown();
      workers.shutdown();
    }
  }

  private static void closeOnce(
      AdmissionPolicy policy, ExecutorService threads, ExecutorService workers) throws Exception {
    FaultySecondaryCache tier = new FaultySecondaryCache(new MapSecondaryCache(1 << 14), 1);
    tier.setFaults(Faults.NONE.withStall(0.05, Duration.ofMillis(1)));
    TieredRig rig = new TieredRig(builder -> builder.admission(policy).executor(workers), tier);
    AtomicLong operations = new AtomicLong();
    List<Future<?>> running = new ArrayList<>();
    for (int self = 0; self < THREADS; self++) {
      SplittableRandom random = new SplittableRandom(self);
      running.add(threads.submit(() -> useUntilClosed(rig, random, operations)));
    }
    await()
        .pollDelay(Duration.ZERO)
        .atMost(TierTestLimits.SECONDS, SECONDS)
        .until(() -> operations.get() > 500);
    rig.cache.close();
    for (Future<?> each : running) {
      each.get(TierTestLimits.SECONDS, SECONDS);
    }
    await()
        .pollDelay(Duration.ZERO)
        .atMost(TierTestLimits.SECONDS, SECONDS)
        .until(() -> rig.blocks.live() == 0);
    rig.blocks.assertSound();
    assertThat(rig.cache.states().get(0).reason()).isEqualTo("closed");
    assertThatIllegalStateException().isThrownBy(() -> rig.lookup(1));
  }

  private static void useUntilClosed(
      TieredRig rig, SplittableRandom random, AtomicLong operations) {
    try {
      while (true) {
        long key = random.nextInt(200);
        insert(rig, key);
        try (AsyncLookup<Blocks.Block> lookup =
            rig.cache.startLookup(HI, random.nextInt(200), rig.blocks.data)) {
          TieredRig.check(key, rig.lookup(key));
          Handle<Blocks.Block> handle = random.nextBoolean() ? lookup.await() : null;
          if (handle != null) {
            handle.close();
          }
        }
        operations.incrementAndGet();
      }
    } catch (IllegalStateException closed) {
      assertThat(closed).hasMessageContaining("closed");
    }
  }

  private static void insert(TieredRig rig, long key) {
    Blocks.Block block = rig.blocks.make(key, 0);
    try {
      rig.cache.put(HI, key, block, rig.blocks.data, Blocks.CHARGE, Priority.LOW);
    } catch (IllegalStateException closed) {
      rig.blocks.giveUp(block);
      throw closed;
    }
  }
}
