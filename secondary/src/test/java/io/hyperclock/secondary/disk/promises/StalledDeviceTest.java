/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.disk.promises;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Timeout.ThreadMode.SEPARATE_THREAD;

import io.hyperclock.secondary.TierOutcome;
import io.hyperclock.secondary.TierResult;
import io.hyperclock.secondary.TierState;
import io.hyperclock.secondary.TierState.Mode;
import io.hyperclock.secondary.disk.DiskSecondaryCache;
import io.hyperclock.secondary.disk.promises.FaultDevice.Call;
import io.hyperclock.secondary.disk.promises.FaultDevice.Fault;
import io.hyperclock.secondary.disk.promises.FaultDevice.Verdict;
import io.hyperclock.secondary.testing.DiskWriters;
import io.hyperclock.secondary.testing.TierTestLimits;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** P4 where the device neither does nor fails: the state says so, and later calls do not hang. */
@Timeout(value = TierTestLimits.TEST_SECONDS, threadMode = SEPARATE_THREAD)
class StalledDeviceTest {
  private static final int KEYS = 40;
  private static final int VALUE = 2_000;
  private static final Duration LIMIT = Duration.ofSeconds(1);
  private static final Pattern SINCE = Pattern.compile("stalledSince=([^,]+), stalled=(\\d+)");

  private final Instant begin = Instant.now();
  private final DiskWriters writers = new DiskWriters();
  private volatile CountDownLatch gate = new CountDownLatch(1);
  private final MemoryDevice memory = MemoryDevice.forgetful();
  private final FaultDevice device = new FaultDevice(memory, Fault.NONE);

  /** How many calls have hung. */
  private final AtomicInteger hanging = new AtomicInteger();

  @AfterEach
  void openGate() {
    gate.countDown();
  }

  private DiskSecondaryCache openWarm(Duration limit) {
    try (DiskSecondaryCache tier = Rig.open(device)) {
      for (int key = 0; key < KEYS; key++) {
        assertThat(Rig.put(tier, key, 1, VALUE)).isTrue();
      }
    }
    writers.awaitEnd();
    memory.reopened();
    return Rig.builder().device(device).stallLimit(limit).build();
  }

  private void hang(Call which) {
    device.set(
        (call, number) -> {
          if (call == which) {
            hanging.incrementAndGet();
            awaitGate();
          }
          return Verdict.PASS;
        });
  }

  private void awaitGate() {
    CountDownLatch present = gate;
    while (present.getCount() > 0) {
      try {
        present.await();
      } catch (InterruptedException e) {
        // A device that hangs does not listen.
      }
    }
  }

  private void awaitState(DiskSecondaryCache tier, Mode mode, String calls) {
    await().atMost(TierTestLimits.TIME).until(() -> tier.state().mode() == mode);
    TierState state = tier.state();
    assertThat(state.reason())
        .startsWith(calls + " must end within stallLimit: stallLimit=" + LIMIT);
    Matcher since = SINCE.matcher(state.reason());
    assertThat(since.find()).as(state.reason()).isTrue();
    assertThat(Instant.parse(since.group(1)))
        .isBetween(begin.minusSeconds(1), Instant.now().plusSeconds(10));
    assertThat(Integer.parseInt(since.group(2))).isPositive();
    assertThat(tier.diskStats().stalled()).isPositive();
    assertThat(tier.diskStats().stalls()).isPositive();
  }

  private void awaitOpen(DiskSecondaryCache tier) {
    await().atMost(TierTestLimits.TIME).until(() -> tier.state().equals(TierState.OPEN));
    await().atMost(TierTestLimits.TIME).until(() -> tier.diskStats().stalled() == 0);
    assertThat(tier.diskStats().stalls()).isPositive();
  }

  /** A thread of the tier that finds no processor for long is stalled for a moment too. */
  private static void awaitPut(DiskSecondaryCache tier, int key, int version) {
    await().atMost(TierTestLimits.TIME).until(() -> Rig.put(tier, key, version, VALUE));
  }

  /** A lookup that waits for a thread ends too where that finds no processor for the limit. */
  private static void awaitFound(DiskSecondaryCache tier, int key) {
    await()
        .pollDelay(Duration.ZERO)
        .atMost(TierTestLimits.TIME)
        .until(() -> Rig.version(key, Rig.find(tier, key)) == 1);
  }

  /** Waits until so many calls hang, or the lookup whose call is to be the last has ended. */
  private void awaitHanging(int calls, CompletableFuture<?> lookup) {
    await()
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(1))
        .atMost(TierTestLimits.TIME)
        .until(() -> hanging.get() >= calls || lookup.isDone());
  }

  @Test
  void readsThatHangAreABypassUntilTheyReturn() throws Exception {
    try (DiskSecondaryCache tier = openWarm(LIMIT)) {
      awaitPut(tier, 1, 2);
      CompletableFuture<TierResult<byte[]>> hung;
      CompletableFuture<TierResult<byte[]>> waiting;
      while (true) {
        hanging.set(0);
        hang(Call.READ);
        hung = CompletableFuture.supplyAsync(() -> tier.lookupNow(Rig.request(2)));
        // The other one's read may be the first that hangs for too long otherwise.
        awaitHanging(1, hung);
        CompletableFuture<TierResult<byte[]>> second = tier.lookup(Rig.request(3));
        waiting = second;
        awaitHanging(2, second);
        if (hanging.get() >= 2) {
          break;
        }
        // After a pause the first read was stalled before the second began, which then did not.
        assertThat(second.join().outcome()).isIn(TierOutcome.UNAVAILABLE, TierOutcome.TIMED_OUT);
        gate.countDown();
        hung.get(TierTestLimits.SECONDS, SECONDS);
        awaitOpen(tier);
        gate = new CountDownLatch(1);
      }
      awaitState(tier, Mode.BYPASS, "reads");
      for (int key = 2; key < KEYS; key++) {
        assertThat(tier.lookupNow(Rig.request(key)).outcome()).isEqualTo(TierOutcome.UNAVAILABLE);
        assertThat(tier.lookup(Rig.request(key)))
            .as("at once")
            .isCompletedWithValueMatching(it -> it.outcome() == TierOutcome.UNAVAILABLE);
      }
      tier.lookupAll(List.of(Rig.request(4), Rig.request(5)))
          .forEach(it -> assertThat(it).isDone());
      assertThat(Rig.versionNow(tier, 1)).as("in memory").isEqualTo(2);
      assertThat(tier.lookupNow(Rig.request(KEYS)).outcome()).isEqualTo(TierOutcome.ABSENT);
      assertThat(Rig.put(tier, 1, 3, VALUE)).isFalse();
      assertThat(Rig.versionNow(tier, 1)).isEqualTo(Rig.NONE);
      assertThat(Rig.await(waiting).outcome()).as("in time").isEqualTo(TierOutcome.TIMED_OUT);
      assertThat(hung).isNotDone();
      assertThat(tier.diskStats().readErrors()).isZero();
      gate.countDown();
      assertThat(Rig.version(2, hung.get(TierTestLimits.SECONDS, SECONDS))).isEqualTo(1);
      awaitOpen(tier);
      for (int key = 2; key < KEYS; key++) {
        assertThat(Rig.versionNow(tier, key)).isEqualTo(1);
      }
      awaitPut(tier, 1, 4);
    }
  }

  /** The writer cannot ask whether reads work again; it waits, and does not spin. */
  @Test
  void aReadThatHangsBesideOthersThatFailCostsNoProcessor() throws Exception {
    Duration limit = Duration.ofSeconds(1);
    try (DiskSecondaryCache tier = openWarm(limit)) {
      AtomicInteger reads = new AtomicInteger();
      device.set(
          (call, number) -> {
            if (call != Call.READ) {
              return Verdict.PASS;
            }
            if (reads.getAndIncrement() == 0) {
              awaitGate();
              return Verdict.PASS;
            }
            throw new IOException("for this test");
          });
      CompletableFuture<TierResult<byte[]>> hung =
          CompletableFuture.supplyAsync(() -> tier.lookupNow(Rig.request(2)));
      await().atMost(TierTestLimits.TIME).until(() -> reads.get() > 0);
      for (int key = 3; key < KEYS && tier.state().mode() != Mode.BYPASS; key++) {
        tier.lookupNow(Rig.request(key));
      }
      await()
          .atMost(TierTestLimits.TIME)
          .until(() -> tier.state().reason().startsWith("reads must end within"));
      ThreadMXBean processor = ManagementFactory.getThreadMXBean();
      assertThat(writers.living()).hasSize(1);
      long writer = writers.living().get(0).getId();
      long before = processor.getThreadCpuTime(writer);
      long begin = System.nanoTime();
      await().atMost(TierTestLimits.TIME).until(() -> System.nanoTime() - begin > 500_000_000L);
      long took = processor.getThreadCpuTime(writer) - before;
      assertThat(took).as("processor time of the writer").isLessThan(250_000_000L);
      gate.countDown();
      device.set(Fault.NONE);
      hung.get(TierTestLimits.SECONDS, SECONDS);
      awaitOpen(tier);
    }
  }

  @Test
  void writesThatHangAreReadOnlyUntilTheyReturn() {
    try (DiskSecondaryCache tier = openWarm(LIMIT)) {
      hang(Call.WRITE);
      int key = KEYS;
      while (tier.state().mode() == Mode.OPEN) {
        Rig.put(tier, key++, 1, VALUE);
      }
      awaitState(tier, Mode.READ_ONLY, "writes");
      assertThat(Rig.put(tier, 1, 2, VALUE)).isFalse();
      assertThat(Rig.versionNow(tier, 1)).as("nothing older").isEqualTo(Rig.NONE);
      assertThat(Rig.versionNow(tier, 2)).isEqualTo(1);
      assertThat(tier.diskStats().writeErrors()).isZero();
      gate.countDown();
      awaitOpen(tier);
      awaitPut(tier, 1, 3);
      assertThat(Rig.versionNow(tier, 1)).isEqualTo(3);
    }
  }

  @Test
  void closeOfAStalledTierIsBounded() {
    DiskSecondaryCache tier = openWarm(LIMIT);
    hang(Call.READ);
    CompletableFuture<TierResult<byte[]>> waiting = tier.lookup(Rig.request(3));
    awaitState(tier, Mode.BYPASS, "reads");
    tier.close();
    assertThat(tier.state().mode()).isEqualTo(Mode.CLOSED);
    assertThat(waiting).isDone();
    assertThat(waiting.join().outcome()).isIn(TierOutcome.CLOSED, TierOutcome.TIMED_OUT);
    assertThat(tier.diskStats().stalls()).isPositive();
  }

  /** Lookups that wait for readers behind one that hangs: all end, and what they held is free. */
  @Test
  void waitingLookupsEndInTime() {
    try (DiskSecondaryCache tier = openWarm(LIMIT)) {
      hang(Call.READ);
      List<CompletableFuture<TierResult<byte[]>>> waiting = new ArrayList<>();
      for (int key = 0; key < KEYS; key++) {
        waiting.add(tier.lookup(Rig.request(key)));
      }
      for (CompletableFuture<TierResult<byte[]>> one : waiting) {
        assertThat(Rig.await(one).outcome()).isIn(TierOutcome.TIMED_OUT, TierOutcome.UNAVAILABLE);
      }
      assertThat(waiting).anyMatch(it -> it.join().outcome() == TierOutcome.TIMED_OUT);
      assertThat(gate.getCount()).as("the device still hangs").isEqualTo(1);
      gate.countDown();
      awaitOpen(tier);
      for (int key = 0; key < KEYS; key++) {
        awaitFound(tier, key);
      }
      assertThat(tier.diskStats().busy()).isZero();
    }
  }

  /** A device that is only slow is not stalled. */
  @Test
  void callsBelowTheLimitAreNotCounted() {
    try (DiskSecondaryCache tier = openWarm(Duration.ofSeconds(Long.MAX_VALUE))) {
      hang(Call.READ);
      CompletableFuture<TierResult<byte[]>> waiting = tier.lookup(Rig.request(3));
      assertThat(tier.state()).isEqualTo(TierState.OPEN);
      gate.countDown();
      assertThat(Rig.version(3, Rig.await(waiting))).isEqualTo(1);
      assertThat(tier.diskStats().stalls()).isZero();
    }
  }

  @Test
  void limitMustBePositive() {
    for (Duration limit : List.of(Duration.ZERO, Duration.ofNanos(-1))) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> DiskSecondaryCache.builder().stallLimit(limit))
          .withMessage("stallLimit must be > 0: stallLimit=" + limit);
    }
  }
}
