/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.tiered;

import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.secondary.AdmissionPolicy;
import io.hyperclock.secondary.testing.Faults;
import io.hyperclock.secondary.testing.FaultySecondaryCache;
import io.hyperclock.secondary.testing.MapSecondaryCache;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/**
 * Many threads on tiers that fail, stall, corrupt, lie and forget: no wrong value, none freed twice
 * or never, no exception. Two seconds by default, longer with {@code -Dsoak.seconds=600}.
 */
class TieredSoakTest {
  private static final int THREADS = 4;
  private static final int KEYS = 400;

  @Test
  void survivesFaults() throws Exception {
    long seconds = Long.getLong("soak.seconds", 2);
    long rounds = Math.max(1, Math.min(AdmissionPolicy.values().length, seconds / 2));
    long operations = 0;
    for (int round = 0; round < rounds; round++) {
      AdmissionPolicy policy = rounds == 1 ? AdmissionPolicy.ALL : AdmissionPolicy.values()[round];
      operations += round(policy, SECONDS.toNanos(seconds) / rounds);
    }
    assertThat(operations).isPositive();
  }

  private static long round(AdmissionPolicy policy, long nanos) throws Exception {
    long seed = System.nanoTime();
    ExecutorService io = Executors.newFixedThreadPool(2);
    ExecutorService workers = Executors.newFixedThreadPool(2);
    ExecutorService users = Executors.newFixedThreadPool(THREADS);
    FaultySecondaryCache near =
        new FaultySecondaryCache(new MapSecondaryCache(100 * Blocks.CHARGE), seed);
    FaultySecondaryCache far =
        new FaultySecondaryCache(new KeepingTier(150 * Blocks.CHARGE), seed + 1, io);
    Faults faults = Faults.all(0.02, Duration.ofNanos(300_000));
    near.setFaults(faults);
    far.setFaults(faults);
    TieredHistory history = new TieredHistory(KEYS);
    AtomicLong operations = new AtomicLong();
    try (TieredRig rig =
        new TieredRig(
            builder -> builder.admission(policy).executor(workers).handOffEntries(64),
            near,
            new SpillingTier(60 * Blocks.CHARGE),
            far)) {
      long end = System.nanoTime() + nanos;
      List<Future<?>> running = new ArrayList<>();
      for (int self = 0; self < THREADS; self++) {
        Traffic traffic = new Traffic(rig, history, KEYS, THREADS, self, seed + 10 + self);
        running.add(users.submit(() -> drive(traffic, near, end, operations)));
      }
      for (Future<?> each : running) {
        each.get(nanos + SECONDS.toNanos(60), NANOSECONDS);
      }
      System.out.println(
          "TieredSoakTest: policy="
              + policy
              + ", seed="
              + seed
              + ", operations="
              + operations
              + ", "
              + history
              + ", "
              + rig.total());
      assertThat(history.wrong()).as("seed=" + seed).isEmpty();
    } finally {
      users.shutdown();
      workers.shutdown();
      io.shutdown();
    }
    return operations.get();
  }

  private static void drive(
      Traffic traffic, FaultySecondaryCache near, long end, AtomicLong operations) {
    long done = 0;
    while (System.nanoTime() < end) {
      for (int i = 0; i < 64; i++) {
        traffic.step();
      }
      done += 64;
      if (traffic.below(200) == 0) {
        near.setCapacity(traffic.below(2) == 0 ? 0 : 100 * Blocks.CHARGE);
      }
    }
    traffic.end();
    operations.addAndGet(done);
  }
}
