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
import io.hyperclock.secondary.TierState;
import io.hyperclock.secondary.disk.DiskSecondaryCache;
import io.hyperclock.secondary.disk.promises.FaultDevice.Call;
import io.hyperclock.secondary.disk.promises.FaultDevice.Fault;
import io.hyperclock.secondary.disk.promises.FaultDevice.Verdict;
import io.hyperclock.secondary.testing.TierTestLimits;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** P9: close is idempotent and bounded, and every future that was pending completes. */
@Timeout(value = Plan.PATIENCE_SECONDS, threadMode = SEPARATE_THREAD)
class CloseTest {
  private static final int KEYS = 100;
  private static final int VALUE = 2_000;

  /** So small that all the workers may put pushes nothing out, however late the close comes. */
  private static final int SMALL_VALUE = 100;

  /** What closing may take where a device hangs, five seconds, and room for a busy machine. */
  private static final Duration BOUND = Duration.ofSeconds(90);

  /** A close below it has the time to write the snapshot, again if a call overlaps it. */
  private static final Duration QUICK = Duration.ofSeconds(1);

  /** So many that they would exceed the bound if each waited for the device again. */
  private static final int SECOND_CLOSES = 30;

  private final CountDownLatch gate = new CountDownLatch(1);
  private final Set<Thread> threadsBefore = Thread.getAllStackTraces().keySet();

  @AfterEach
  void openGate() {
    gate.countDown();
  }

  private Fault hanging(Set<Call> which) {
    return (call, number) -> {
      while (which.contains(call) && gate.getCount() > 0) {
        try {
          gate.await();
        } catch (InterruptedException e) {
          // A device that hangs does not listen.
        }
      }
      return Verdict.PASS;
    };
  }

  private void assertNoThreadsLeft() {
    await()
        .atMost(TierTestLimits.TIME)
        .untilAsserted(
            () -> {
              List<Thread> left = new ArrayList<>(Thread.getAllStackTraces().keySet());
              left.removeAll(threadsBefore);
              left.removeIf(thread -> !thread.getName().contains("disk"));
              assertThat(left).as("threads left").isEmpty();
            });
  }

  private static void assertClosed(DiskSecondaryCache tier) {
    tier.close();
    assertThat(tier.state().mode()).isEqualTo(TierState.Mode.CLOSED);
    assertThat(Rig.put(tier, 1, 9, VALUE)).isFalse();
    assertThat(Rig.find(tier, 1).outcome()).isEqualTo(TierOutcome.CLOSED);
    assertThat(tier.lookupNow(Rig.request(1)).outcome()).isEqualTo(TierOutcome.CLOSED);
    for (CompletableFuture<TierResult<byte[]>> future :
        tier.lookupAll(List.of(Rig.request(1), Rig.request(2)))) {
      assertThat(Rig.await(future).outcome()).isEqualTo(TierOutcome.CLOSED);
    }
    Rig.erase(tier, 1);
    tier.setCapacity(Rig.CAPACITY);
    tier.setCapacity(0);
    assertThat(tier.state().mode()).isEqualTo(TierState.Mode.CLOSED);
    assertThat(tier.stats()).isNotNull();
    assertThat(tier.diskStats()).isNotNull();
  }

  private static MemoryDevice filled() {
    MemoryDevice device = MemoryDevice.forgetful();
    try (DiskSecondaryCache tier = Rig.open(device)) {
      for (int key = 0; key < KEYS; key++) {
        assertThat(Rig.put(tier, key, 1, VALUE)).isTrue();
      }
    }
    return device.reopened();
  }

  @Test
  void closedStaysClosed() {
    MemoryDevice device = filled();
    DiskSecondaryCache tier = Rig.open(device);
    tier.close();
    device.awaitClosed();
    assertClosed(tier);
    assertNoThreadsLeft();
    assertThat(tier.state()).isEqualTo(TierState.CLOSED);
  }

  /** Readers and writers go on, several close at once; the next life is warm and right. */
  @Test
  void underLoad() throws Exception {
    long seed = Plan.seed();
    System.out.println("CloseTest: -Ddisk.seed=" + seed);
    int allHits = 0;
    for (int round = 0; round < Plan.times(10); round++) {
      MemoryDevice device = filled();
      DiskSecondaryCache tier = Rig.open(device);
      int workers = 3;
      int closers = 2;
      long tookNanos = 0;
      CyclicBarrier barrier = new CyclicBarrier(workers + closers);
      ExecutorService executor = Executors.newFixedThreadPool(workers + closers);
      try {
        List<Future<List<CompletableFuture<TierResult<byte[]>>>>> pending = new ArrayList<>();
        for (int worker = 0; worker < workers; worker++) {
          Random random = new Random(seed + worker + round * workers);
          pending.add(
              executor.submit(
                  () -> {
                    barrier.await();
                    return work(tier, random);
                  }));
        }
        List<Future<Long>> closing = new ArrayList<>();
        for (int closer = 0; closer < closers; closer++) {
          closing.add(
              executor.submit(
                  () -> {
                    barrier.await();
                    long begin = System.nanoTime();
                    tier.close();
                    return System.nanoTime() - begin;
                  }));
        }
        for (Future<Long> one : closing) {
          tookNanos = Math.max(tookNanos, one.get(TierTestLimits.SECONDS, SECONDS));
        }
        for (Future<List<CompletableFuture<TierResult<byte[]>>>> futures : pending) {
          for (CompletableFuture<TierResult<byte[]>> future :
              futures.get(TierTestLimits.SECONDS, SECONDS)) {
            assertThat(Rig.await(future).outcome())
                .isIn(TierOutcome.HIT, TierOutcome.ABSENT, TierOutcome.CLOSED, TierOutcome.BUSY);
          }
        }
        assertClosed(tier);
      } finally {
        executor.shutdownNow();
      }
      int hits = 0;
      device.awaitClosed();
      try (DiskSecondaryCache warm = Rig.open(device.copy())) {
        for (int key = 0; key < KEYS; key++) {
          hits += Rig.versionNow(warm, key) == 1 ? 1 : 0;
        }
      }
      assertThat(hits > 0 || tookNanos > QUICK.toNanos())
          .as("hits after a close under load, round=%d", round)
          .isTrue();
      allHits += hits;
    }
    assertThat(allHits).as("hits after closes under load").isPositive();
    assertNoThreadsLeft();
  }

  private static List<CompletableFuture<TierResult<byte[]>>> work(
      DiskSecondaryCache tier, Random random) {
    List<CompletableFuture<TierResult<byte[]>>> futures = new ArrayList<>();
    for (int i = 0; i < 2_000; i++) {
      int key = random.nextInt(KEYS);
      if (random.nextInt(8) == 0) {
        Rig.put(tier, KEYS + random.nextInt(20), 1, SMALL_VALUE);
      } else {
        futures.add(tier.lookup(Rig.request(key)));
      }
    }
    return futures;
  }

  /** What is erased before close returns is not found again, however late it is. */
  @Test
  void erasedWhileTheSnapshotIsWritten() {
    int slow = 0;
    while (!isErasedWhileTheSnapshotIsWritten()) {
      assertThat(++slow).as("closes that took longer than %s", QUICK).isLessThan(5);
    }
  }

  /** False if the close took so long that it may have had to do without a snapshot. */
  private static boolean isErasedWhileTheSnapshotIsWritten() {
    MemoryDevice memory = filled();
    FaultDevice device = new FaultDevice(memory, Fault.NONE);
    DiskSecondaryCache tier = Rig.open(device);
    device.set(
        (call, number) -> {
          if (call == Call.WRITE_SNAPSHOT) {
            CompletableFuture.runAsync(
                    () -> {
                      Rig.erase(tier, 1);
                      Rig.put(tier, 2, 2, VALUE);
                    })
                .join();
          }
          return Verdict.PASS;
        });
    long begin = System.nanoTime();
    tier.close();
    if (System.nanoTime() - begin > QUICK.toNanos()) {
      return false;
    }
    try (DiskSecondaryCache next = Rig.open(memory.reopened())) {
      assertThat(Rig.versionNow(next, 1)).isEqualTo(Rig.NONE);
      assertThat(Rig.versionNow(next, 2)).isIn(Rig.NONE, 2);
      assertThat(Rig.versionNow(next, 3)).as("the rest is warm").isEqualTo(1);
    }
    return true;
  }

  /** A snapshot that holds what was erased is not left behind when the next one fails. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void erasedBeforeTheSecondSnapshotFails(boolean canDelete) {
    MemoryDevice memory = filled();
    FaultDevice device = new FaultDevice(memory, Fault.NONE);
    DiskSecondaryCache tier = Rig.open(device);
    AtomicInteger snapshots = new AtomicInteger();
    device.set(
        (call, number) -> {
          if (call == Call.WRITE_SNAPSHOT && snapshots.incrementAndGet() == 1) {
            CompletableFuture.runAsync(() -> Rig.erase(tier, 1)).join();
          } else if (call == Call.WRITE_SNAPSHOT || call == Call.DELETE_SNAPSHOT && !canDelete) {
            throw new IOException("No space left");
          }
          return Verdict.PASS;
        });
    tier.close();
    await().atMost(TierTestLimits.SECONDS, SECONDS).until(memory::isClosed);
    assertThat(memory.snapshot() == null).as("the first is deleted").isEqualTo(canDelete);
    try (DiskSecondaryCache next = Rig.open(memory.reopened())) {
      assertThat(Rig.versionNow(next, 1)).isEqualTo(Rig.NONE);
      assertThat(next.diskStats().warmStart()).isFalse();
    }
  }

  /** The new incarnation must be on the device, not only in its memory. */
  @Test
  void whatMakesTheSnapshotUselessIsForced() {
    MemoryDevice memory = filled();
    FaultDevice device = new FaultDevice(memory, Fault.NONE);
    DiskSecondaryCache tier = Rig.open(device);
    List<Call> calls = new CopyOnWriteArrayList<>();
    device.set(
        (call, number) -> {
          calls.add(call);
          if (call == Call.WRITE_SNAPSHOT || call == Call.DELETE_SNAPSHOT) {
            throw new IOException("No space left");
          }
          return Verdict.PASS;
        });
    tier.close();
    await().atMost(TierTestLimits.SECONDS, SECONDS).until(memory::isClosed);
    assertThat(calls)
        .endsWith(Call.WRITE_SNAPSHOT, Call.DELETE_SNAPSHOT, Call.WRITE, Call.FORCE, Call.CLOSE);
  }

  /** Devices that hang, each in one way, are closed side by side. */
  @Test
  void whileTheDeviceHangs() throws Exception {
    List<Set<Call>> ways =
        List.of(
            EnumSet.of(Call.READ),
            EnumSet.of(Call.WRITE),
            EnumSet.of(Call.FORCE),
            EnumSet.of(Call.WRITE_SNAPSHOT),
            EnumSet.of(Call.CLOSE),
            EnumSet.allOf(Call.class));
    ExecutorService executor = Executors.newCachedThreadPool();
    try {
      List<Future<Void>> all = new ArrayList<>();
      List<MemoryDevice> devices = new ArrayList<>();
      for (Set<Call> way : ways) {
        MemoryDevice memory = filled();
        devices.add(memory);
        all.add(
            executor.submit(
                () -> {
                  closeHanging(memory, way);
                  return null;
                }));
      }
      for (Future<Void> one : all) {
        one.get(TierTestLimits.TEST_SECONDS, SECONDS);
      }
      gate.countDown();
      assertNoThreadsLeft();
      for (MemoryDevice memory : devices) {
        await()
            .atMost(TierTestLimits.SECONDS, SECONDS)
            .untilAsserted(() -> assertThat(memory.isClosed()).as("device closed").isTrue());
        try (DiskSecondaryCache next = Rig.open(memory.copy())) {
          for (int key = 0; key < KEYS; key++) {
            assertThat(Rig.versionNow(next, key)).isIn(Rig.NONE, key == 0 ? 2 : 1);
          }
        }
      }
    } finally {
      gate.countDown();
      executor.shutdownNow();
    }
  }

  private void closeHanging(MemoryDevice memory, Set<Call> way) {
    FaultDevice device = new FaultDevice(memory, Fault.NONE);
    DiskSecondaryCache tier = Rig.open(device);
    device.set(hanging(way));
    for (int key = KEYS; key < 2 * KEYS; key++) {
      Rig.put(tier, key, 1, VALUE);
    }
    Rig.put(tier, 0, 2, VALUE);
    List<CompletableFuture<TierResult<byte[]>>> pending = new ArrayList<>();
    for (int key = 0; key < KEYS; key++) {
      pending.add(tier.lookup(Rig.request(key)));
    }
    long begin = System.nanoTime();
    tier.close();
    Duration took = Duration.ofNanos(System.nanoTime() - begin);
    System.out.println("CloseTest: hanging=" + way + ", close took ms=" + took.toMillis());
    assertThat(took).as("close, %s", way).isLessThan(BOUND);
    begin = System.nanoTime();
    for (int i = 0; i < SECOND_CLOSES; i++) {
      tier.close();
    }
    assertThat(Duration.ofNanos(System.nanoTime() - begin))
        .as("%d more closes, %s", SECOND_CLOSES, way)
        .isLessThan(BOUND);
    for (CompletableFuture<TierResult<byte[]>> future : pending) {
      assertThat(future).as("done when close returns, %s", way).isDone();
      assertThat(Rig.await(future).outcome())
          .isIn(TierOutcome.HIT, TierOutcome.ABSENT, TierOutcome.CLOSED, TierOutcome.BUSY);
    }
    assertClosed(tier);
  }
}
