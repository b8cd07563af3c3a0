/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.disk.promises;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Timeout.ThreadMode.SEPARATE_THREAD;

import io.hyperclock.secondary.TierOutcome;
import io.hyperclock.secondary.TierResult;
import io.hyperclock.secondary.disk.DiskSecondaryCache;
import io.hyperclock.secondary.disk.promises.FaultDevice.Call;
import io.hyperclock.secondary.disk.promises.FaultDevice.Fault;
import io.hyperclock.secondary.disk.promises.FaultDevice.Verdict;
import io.hyperclock.secondary.testing.TierTestLimits;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** P5: memory and threads are bounded, insert never waits for the device. */
@Timeout(value = Plan.PATIENCE_SECONDS, threadMode = SEPARATE_THREAD)
class OverloadTest {
  private static final int VALUE = 2_000;
  private static final int IN_FLIGHT_LIMIT = 4 * Rig.REGION;
  private static final int READ_THREADS = 2;

  /** Threads beside those that read: one that writes, one that probes or times, and one spare. */
  private static final int OTHER_THREADS = 3;

  private final CountDownLatch gate = new CountDownLatch(1);
  private final MemoryDevice memory = MemoryDevice.forgetful();
  private final FaultDevice device = new FaultDevice(memory, Fault.NONE);
  private final Set<Thread> threadsBefore = Thread.getAllStackTraces().keySet();

  @AfterEach
  void openGate() {
    gate.countDown();
  }

  /** Calls of this kind hang until the gate is opened. */
  private Fault hanging(Call which) {
    return (call, number) -> {
      if (call == which) {
        while (gate.getCount() > 0) {
          try {
            gate.await();
          } catch (InterruptedException e) {
            // A device that hangs does not listen.
          }
        }
      }
      return Verdict.PASS;
    };
  }

  private void assertFewThreads() {
    List<Thread> started = new ArrayList<>(Thread.getAllStackTraces().keySet());
    started.removeAll(threadsBefore);
    // Others belong to the JVM and to its common pool.
    started.removeIf(thread -> !thread.getName().startsWith("hyperclock-"));
    assertThat(started).as("threads").hasSizeLessThanOrEqualTo(READ_THREADS + OTHER_THREADS);
  }

  /** Ten times what may be in flight is offered to a device that takes nothing. */
  @Test
  void insertReturnsWhileTheDeviceHangs() {
    try (DiskSecondaryCache tier = Rig.open(device)) {
      device.set(hanging(Call.WRITE));
      int offered = 10 * IN_FLIGHT_LIMIT / VALUE;
      int accepted = 0;
      for (int key = 0; key < offered; key++) {
        accepted += Rig.put(tier, key, 1, VALUE) ? 1 : 0;
        assertThat(tier.diskStats().inFlightBytes()).isBetween(0L, (long) IN_FLIGHT_LIMIT);
        assertThat(Rig.versionNow(tier, key / 2)).isIn(Rig.NONE, 1);
      }
      assertThat((long) accepted * VALUE).isBetween((long) Rig.REGION / 2, (long) IN_FLIGHT_LIMIT);
      assertThat(tier.stats().declined()).isEqualTo(offered - accepted);
      assertFewThreads();
      Rig.erase(tier, 0);
      assertThat(Rig.versionNow(tier, 0)).isEqualTo(Rig.NONE);
      gate.countDown();
      await().atMost(TierTestLimits.TIME).until(() -> Rig.put(tier, 0, 2, VALUE));
      assertThat(Rig.versionNow(tier, 0)).isEqualTo(2);
    }
  }

  /** Whatever does hang, a declined insert leaves nothing older. */
  @Test
  void declinedInsertLeavesNothingOlder() {
    try (DiskSecondaryCache tier = Rig.open(device)) {
      assertThat(Rig.put(tier, 0, 1, VALUE)).isTrue();
      device.set(hanging(Call.WRITE));
      int version = 1;
      while (Rig.put(tier, 0, ++version, VALUE)) {
        assertThat(Rig.versionNow(tier, 0)).isEqualTo(version);
      }
      assertThat(Rig.versionNow(tier, 0)).isEqualTo(Rig.NONE);
      gate.countDown();
      assertThat(Rig.versionNow(tier, 0)).isEqualTo(Rig.NONE);
    }
  }

  /** Lookups that hang are few or refused, and take no thread each. */
  @Test
  void lookupsAreBoundedWhileReadsHang() {
    try (DiskSecondaryCache tier = Rig.open(device)) {
      for (int key = 0; key < 100; key++) {
        Rig.put(tier, key, 1, VALUE);
      }
    }
    memory.reopened();
    try (DiskSecondaryCache tier = Rig.open(device)) {
      assertThat(Rig.versionNow(tier, 0)).isEqualTo(1);
      device.set(hanging(Call.READ));
      List<CompletableFuture<TierResult<byte[]>>> futures = new ArrayList<>();
      for (int i = 0; i < 10_000; i++) {
        futures.add(tier.lookup(Rig.request(i % 100)));
      }
      assertFewThreads();
      long waiting = futures.stream().filter(future -> !future.isDone()).count();
      assertThat(waiting).as("lookups that wait").isLessThan(9_000);
      gate.countDown();
      for (int i = 0; i < futures.size(); i++) {
        TierResult<byte[]> result = Rig.await(futures.get(i));
        assertThat(result.outcome()).isIn(TierOutcome.HIT, TierOutcome.BUSY);
        assertThat(Rig.version(i % 100, result)).isIn(Rig.NONE, 1);
      }
    }
  }

  /** While no write ends, all inserts do: were one to wait for the device, this would not end. */
  @Test
  void insertsDoNotWaitForTheDevice() throws Exception {
    int threads = 2;
    int inserts = Plan.times(6_000);
    ExecutorService executor = Executors.newFixedThreadPool(threads);
    try (DiskSecondaryCache tier = Rig.open(device)) {
      long writtenBefore = tier.diskStats().writtenBytes();
      device.set(hanging(Call.WRITE));
      List<Future<Integer>> all = new ArrayList<>();
      for (int thread = 0; thread < threads; thread++) {
        int owner = thread;
        all.add(executor.submit(() -> offer(tier, owner, threads, inserts)));
      }
      int accepted = 0;
      for (Future<Integer> future : all) {
        accepted += future.get(300, SECONDS);
      }
      assertFewThreads();
      assertThat(tier.diskStats().writtenBytes()).isEqualTo(writtenBefore);
      assertThat((long) accepted * VALUE).isLessThanOrEqualTo(IN_FLIGHT_LIMIT);
      gate.countDown();
    } finally {
      gate.countDown();
      executor.shutdownNow();
    }
  }

  private static int offer(DiskSecondaryCache tier, int owner, int threads, int inserts) {
    int accepted = 0;
    for (int i = 0; i < inserts; i++) {
      accepted += Rig.put(tier, i * threads + owner, 1, VALUE) ? 1 : 0;
      assertThat(tier.diskStats().inFlightBytes()).isBetween(0L, (long) IN_FLIGHT_LIMIT);
    }
    return accepted;
  }
}
