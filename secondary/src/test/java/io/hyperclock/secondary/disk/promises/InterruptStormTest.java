/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.disk.promises;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Timeout.ThreadMode.SEPARATE_THREAD;

import io.hyperclock.secondary.TierOutcome;
import io.hyperclock.secondary.TierResult;
import io.hyperclock.secondary.TierState;
import io.hyperclock.secondary.disk.DiskSecondaryCache;
import io.hyperclock.secondary.testing.DiskWriters;
import io.hyperclock.secondary.testing.TierTestLimits;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** P6: a caller's interrupt hurts nobody else, and is not lost. Over real files. */
@Timeout(value = Plan.PATIENCE_SECONDS, threadMode = SEPARATE_THREAD)
class InterruptStormTest {
  private static final int KEYS = 120;
  private static final int VALUE = 3_000;

  /** So few that they push nothing out. */
  private static final int MOST_PUTS = 100;

  private static final int VICTIMS = 2;
  private static final int BYSTANDERS = 2;

  @TempDir private Path directory;

  @RegisterExtension final DiskWriters writers = new DiskWriters();
  private final AtomicBoolean stop = new AtomicBoolean();

  /** All values are on the disk when the tier is opened again. */
  @BeforeEach
  void fill() {
    try (DiskSecondaryCache tier =
        Rig.builder().directory(directory).maxInFlightBytes(1 << 20).build()) {
      for (int key = 0; key < KEYS; key++) {
        assertThat(Rig.put(tier, key, 1, VALUE)).isTrue();
      }
    }
    writers.awaitEnd();
  }

  /** A thread that is interrupted before each call finds all values, and stays interrupted. */
  @Test
  void eachCallKeepsTheFlag() {
    try {
      Thread.currentThread().interrupt();
      DiskSecondaryCache tier = Rig.open(directory);
      assertFlag("open");
      for (int key = 0; key < KEYS; key++) {
        assertThat(Rig.version(key, tier.lookupNow(Rig.request(key)))).isEqualTo(1);
        assertFlag("lookupNow");
        assertThat(Rig.version(key, tier.lookup(Rig.request(key)).join())).isEqualTo(1);
        assertFlag("lookup");
      }
      tier.lookupAll(List.of(Rig.request(1), Rig.request(2)))
          .forEach(future -> assertThat(future.join().isHit()).isTrue());
      assertFlag("lookupAll");
      assertThat(Rig.put(tier, 1, 2, VALUE)).isTrue();
      assertFlag("insert");
      Rig.erase(tier, 2);
      assertFlag("erase");
      tier.setCapacity(Rig.CAPACITY);
      assertFlag("setCapacity");
      assertThat(tier.state()).isEqualTo(TierState.OPEN);
      tier.stats();
      tier.diskStats();
      assertFlag("stats");
      tier.close();
      assertFlag("close");
    } finally {
      Thread.interrupted();
    }
    writers.awaitEnd();
    try (DiskSecondaryCache tier = Rig.open(directory)) {
      assertThat(Rig.versionNow(tier, 3)).as("warm after an interrupted close").isEqualTo(1);
      assertThat(Rig.versionNow(tier, 1)).isEqualTo(2);
      assertThat(Rig.versionNow(tier, 2)).isEqualTo(Rig.NONE);
    }
  }

  private static void assertFlag(String call) {
    assertThat(Thread.currentThread().isInterrupted()).as("interrupted after %s", call).isTrue();
  }

  @Test
  void bystandersSeeNothing() throws Exception {
    long seed = Plan.seed();
    System.out.println("InterruptStormTest: -Ddisk.seed=" + seed);
    ExecutorService executor = Executors.newFixedThreadPool(VICTIMS + BYSTANDERS + 1);
    List<Victim> victims = new ArrayList<>();
    AtomicLong reads = new AtomicLong();
    AtomicLong interrupts = new AtomicLong();
    try (DiskSecondaryCache tier = Rig.open(directory)) {
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < VICTIMS; i++) {
        Victim victim = new Victim(tier, new Random(seed + i));
        victims.add(victim);
        all.add(executor.submit(victim));
      }
      for (int i = 0; i < BYSTANDERS; i++) {
        Random random = new Random(seed - 1 - i);
        all.add(executor.submit(() -> read(tier, random, reads)));
      }
      long end = System.nanoTime() + MILLISECONDS.toNanos(Plan.times(1_500));
      Random random = new Random(seed);
      boolean lost = false;
      while (!lost && System.nanoTime() < end && all.stream().noneMatch(Future::isDone)) {
        lost = !victims.get(random.nextInt(VICTIMS)).strike();
        interrupts.incrementAndGet();
      }
      stop.set(true);
      for (Future<?> future : all) {
        future.get(TierTestLimits.SECONDS, SECONDS);
      }
      assertThat(lost).as("an interrupt was lost").isFalse();
      assertThat(tier.state()).isEqualTo(TierState.OPEN);
      assertThat(tier.stats().count(TierOutcome.UNAVAILABLE)).isZero();
      assertThat(tier.stats().count(TierOutcome.CORRUPT)).isZero();
    } finally {
      stop.set(true);
      executor.shutdownNow();
    }
    System.out.println("InterruptStormTest: interrupts=" + interrupts + ", reads=" + reads);
    assertThat(interrupts.get()).isPositive();
    assertThat(reads.get()).isPositive();
    writers.awaitEnd();
    try (DiskSecondaryCache tier = Rig.open(directory)) {
      assertThat(Rig.versionNow(tier, 0)).as("warm after the storm").isEqualTo(1);
    }
  }

  /** Reads keys that nobody writes, most of them on the disk: all must be there. */
  private void read(DiskSecondaryCache tier, Random random, AtomicLong reads) {
    while (!stop.get()) {
      int key = random.nextInt(KEYS);
      TierResult<byte[]> result =
          random.nextBoolean() ? tier.lookupNow(Rig.request(key)) : Rig.find(tier, key);
      assertThat(result.outcome()).isEqualTo(TierOutcome.HIT);
      assertThat(Rig.version(key, result)).isEqualTo(1);
      reads.incrementAndGet();
    }
  }

  /** Is interrupted again as soon as it has noticed that it was. */
  private final class Victim implements Runnable {
    private final DiskSecondaryCache tier;
    private final Random random;
    private final Semaphore noticed = new Semaphore(0);
    private final AtomicInteger versions = new AtomicInteger();
    private volatile Thread thread = new Thread("not started");

    Victim(DiskSecondaryCache tier, Random random) {
      this.tier = tier;
      this.random = random;
    }

    /** Interrupts, once the last interrupt was noticed; false if it was not. */
    boolean strike() throws InterruptedException {
      if (!noticed.tryAcquire(60, SECONDS)) {
        return false;
      }
      thread.interrupt();
      return true;
    }

    @Override
    public void run() {
      thread = Thread.currentThread();
      noticed.release();
      while (!stop.get()) {
        int key = random.nextInt(KEYS);
        switch (random.nextInt(8)) {
          case 0 -> {
            if (versions.get() < MOST_PUTS) {
              Rig.put(tier, KEYS, versions.incrementAndGet(), 100);
            }
            Rig.erase(tier, KEYS + 1);
          }
          case 1, 2 -> assertThat(Rig.version(key, tier.lookup(Rig.request(key)).join())).isOne();
          default -> assertThat(Rig.versionNow(tier, key)).isOne();
        }
        if (Thread.interrupted()) {
          noticed.release();
        }
      }
      Thread.interrupted();
    }
  }
}
