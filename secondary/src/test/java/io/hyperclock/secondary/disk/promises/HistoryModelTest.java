/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.disk.promises;

import static java.util.concurrent.TimeUnit.MINUTES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Timeout.ThreadMode.SEPARATE_THREAD;

import io.hyperclock.secondary.TierRequest;
import io.hyperclock.secondary.TierResult;
import io.hyperclock.secondary.disk.DiskSecondaryCache;
import io.hyperclock.secondary.testing.TestValues;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * P1: never other bytes than some value put for exactly this key in this life, never older than the
 * last completed put or erase before the lookup. All threads write and read all keys, over a device
 * that now and then moves less than it was asked to, is slow or fails.
 */
@Timeout(value = Plan.PATIENCE_SECONDS, threadMode = SEPARATE_THREAD)
class HistoryModelTest {
  private static final int THREADS = 4;
  private static final int STEPS = 8_000;
  private static final int KEYS = 384;
  private static final int RESTARTS = 12;
  private static final int LARGEST_VALUE = 3_000;

  /** When the tier is closed and opened again. */
  enum Restart {
    NEVER,
    BETWEEN_CALLS,
    DURING_CALLS
  }

  /** A tier from its opening to its closing. */
  private static final class Life {
    final DiskSecondaryCache tier;
    final MemoryDevice device;
    volatile boolean closing;
    volatile boolean deviceClosed;

    Life(MemoryDevice device, Random random) {
      this.device = device;
      Mood mood = Mood.values()[random.nextInt(Mood.values().length)];
      int every = 2 + random.nextInt(50);
      this.tier =
          Rig.builder()
              .device(
                  new FaultDevice(
                      device,
                      (call, number) -> {
                        deviceClosed |= call == FaultDevice.Call.CLOSE;
                        return number % every == 0 ? mood.act(call) : FaultDevice.Verdict.PASS;
                      }))
              .estimatedRecordBytes(64 << random.nextInt(7))
              .reinsertRatio(random.nextInt(3) * 0.25)
              .build();
    }
  }

  /** What a device does now and then. */
  private enum Mood {
    SHORT,
    SLOW,
    FAILING;

    FaultDevice.Verdict act(FaultDevice.Call call) throws IOException {
      boolean moves = call == FaultDevice.Call.READ || call == FaultDevice.Call.WRITE;
      if (this == SLOW) {
        LockSupport.parkNanos(100_000);
      } else if (this == FAILING && moves) {
        throw new IOException("Input/output error");
      }
      return this == SHORT ? FaultDevice.Verdict.SHORT : FaultDevice.Verdict.PASS;
    }
  }

  private final ReentrantReadWriteLock restarting = new ReentrantReadWriteLock();
  private final LongAdder hits = new LongAdder();
  private final LongAdder hitsAfterRestart = new LongAdder();
  private PromiseHistory history = new PromiseHistory(KEYS);
  private Restart restart = Restart.NEVER;
  private volatile Life life;

  @ParameterizedTest
  @EnumSource
  void findsOnlyWhatWasPutAndNothingOutdated(Restart when) throws Exception {
    restart = when;
    long first = Plan.seed();
    for (int round = 0; round < Plan.times(1) || isColdByChance(round); round++) {
      run(first + round);
    }
    assertThat(hits.sum()).as("hits").isPositive();
    if (when == Restart.BETWEEN_CALLS) {
      assertThat(hitsAfterRestart.sum()).as("hits after restarts").isPositive();
    }
  }

  /** A device in a bad mood may lose all that the few restarts of a round could find. */
  private boolean isColdByChance(int round) {
    return restart == Restart.BETWEEN_CALLS && hitsAfterRestart.sum() == 0 && round < 20;
  }

  private void run(long seed) throws Exception {
    System.out.println("HistoryModelTest: " + restart + ", -Ddisk.seed=" + seed);
    history = new PromiseHistory(KEYS);
    life = new Life(MemoryDevice.forgetful(), new Random(seed));
    AtomicInteger steps = new AtomicInteger();
    ExecutorService executor = Executors.newFixedThreadPool(THREADS);
    try {
      List<Future<?>> all = new ArrayList<>();
      for (int thread = 0; thread < THREADS; thread++) {
        Random random = new Random(seed * THREADS + thread);
        PromiseHistory.Recorder recorder = history.recorder();
        all.add(
            executor.submit(
                () -> {
                  for (int step = 0; step < STEPS; step++) {
                    step(recorder, random, steps.incrementAndGet());
                  }
                }));
      }
      for (Future<?> future : all) {
        future.get(10, MINUTES);
      }
    } finally {
      executor.shutdownNow();
      life.tier.close();
    }
    assertThat(history.wrong()).as("-Ddisk.seed=" + seed).isEmpty();
  }

  private void step(PromiseHistory.Recorder recorder, Random random, int number) {
    if (restart != Restart.NEVER && number % (THREADS * STEPS / RESTARTS) == 0) {
      restart(recorder, random);
    }
    while (life.deviceClosed) {
      Thread.onSpinWait();
    }
    restarting.readLock().lock();
    try {
      int key = (int) (KEYS * Math.pow(random.nextDouble(), 2));
      switch (random.nextInt(16)) {
        case 0, 1, 2, 3, 4 -> put(recorder, random, key);
        case 5 -> erase(recorder, key);
        case 6 -> findAll(recorder, random, key);
        case 7, 8, 9 -> find(recorder, key, false, random.nextInt(8) == 0);
        default -> find(recorder, key, true, false);
      }
      if (random.nextInt(2_000) == 0) {
        life.tier.setCapacity(Rig.CAPACITY / (1 + random.nextInt(2)));
      }
    } finally {
      restarting.readLock().unlock();
    }
  }

  private void put(PromiseHistory.Recorder recorder, Random random, int key) {
    int version = history.nextVersion(key);
    byte[] value = TestValues.value(key, version, 12 + random.nextInt(LARGEST_VALUE));
    Life now = life;
    long begin = history.tick();
    now.tier.insert(Rig.hi(key), key, value, TestValues.BYTES, random.nextInt(8) > 0);
    long end = history.tick();
    recorder.wrote(key, version, begin, end, !now.closing);
  }

  private void erase(PromiseHistory.Recorder recorder, int key) {
    Life now = life;
    long begin = history.tick();
    Rig.erase(now.tier, key);
    long end = history.tick();
    recorder.wrote(key, PromiseHistory.ERASED, begin, end, !now.closing);
  }

  private void find(PromiseHistory.Recorder recorder, int key, boolean sameThread, boolean advise) {
    TierRequest<byte[]> request =
        new TierRequest<>(Rig.hi(key), key, TestValues.BYTES, null, advise);
    Life now = life;
    long begin = history.tick();
    TierResult<byte[]> result =
        sameThread ? now.tier.lookupNow(request) : Rig.await(now.tier.lookup(request));
    found(recorder, key, result, begin);
  }

  private void findAll(PromiseHistory.Recorder recorder, Random random, int key) {
    List<Integer> keys = List.of(key, random.nextInt(KEYS), key, random.nextInt(KEYS));
    Life now = life;
    long begin = history.tick();
    List<CompletableFuture<TierResult<byte[]>>> futures =
        now.tier.lookupAll(keys.stream().map(Rig::request).toList());
    for (int i = 0; i < keys.size(); i++) {
      found(recorder, keys.get(i), Rig.await(futures.get(i)), begin);
    }
  }

  private void found(
      PromiseHistory.Recorder recorder, int key, TierResult<byte[]> result, long begin) {
    int version = Rig.version(key, result);
    if (version != Rig.NONE) {
      recorder.read(key, version, begin, history.tick());
      hits.increment();
    }
  }

  private void restart(PromiseHistory.Recorder recorder, Random random) {
    if (restart == Restart.BETWEEN_CALLS) {
      restarting.writeLock().lock();
      try {
        reopen(random);
        long before = hits.sum();
        for (int key = 0; key < KEYS; key++) {
          find(recorder, key, true, false);
        }
        hitsAfterRestart.add(hits.sum() - before);
      } finally {
        restarting.writeLock().unlock();
      }
    } else {
      reopen(random);
    }
  }

  /** What has not returned when the old life is closed need not have an effect on the next. */
  private synchronized void reopen(Random random) {
    Life old = life;
    old.closing = true;
    old.tier.close();
    life = new Life(old.device.copy(), random);
  }
}
