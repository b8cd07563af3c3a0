/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.tiered;

import static io.hyperclock.secondary.tiered.TieredRig.HI;
import static io.hyperclock.secondary.tiered.TieredRig.awaitLatch;
import static java.time.Duration.ZERO;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hyperclock.Handle;
import io.hyperclock.secondary.AdmissionPolicy;
import io.hyperclock.secondary.SecondaryCache;
import io.hyperclock.secondary.TierRequest;
import io.hyperclock.secondary.TierResult;
import io.hyperclock.secondary.disk.DiskSecondaryCache;
import io.hyperclock.secondary.testing.DiskWriters;
import io.hyperclock.secondary.testing.MapSecondaryCache;
import io.hyperclock.secondary.testing.TierTestLimits;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A disk tier that is closed and opened again has lost values at most: it has no older ones. */
@Timeout(value = TierTestLimits.TEST_SECONDS, threadMode = ThreadMode.SEPARATE_THREAD)
class WarmRestartTest {
  private static final Duration SHORT = Duration.ofMillis(50);
  private static final int OLD = 17;
  private static final int NEW = 18;
  private static final long KEY = 1;

  /** A key of which nothing is under way. */
  private static final long OTHER = 2;

  @TempDir Path directory;
  @RegisterExtension final DiskWriters writers = new DiskWriters();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final CountDownLatch letGo = new CountDownLatch(1);
  private final CountDownLatch stopped = new CountDownLatch(1);

  /** The insert that stops on its way into the disk tier, and stops again when it is there. */
  private final CountDownLatch mayArrive = new CountDownLatch(1);

  private final CountDownLatch arrived = new CountDownLatch(1);
  private final AtomicBoolean tierCloses = new AtomicBoolean();
  private HookedTier disk;
  private TieredRig rig;

  @BeforeEach
  void open() {
    disk = new HookedTier(openDisk());
    disk.beforeClose = () -> tierCloses.set(true);
  }

  private DiskSecondaryCache openDisk() {
    return DiskSecondaryCache.builder()
        .directory(directory)
        .capacityBytes(16 << 16)
        .regionBytes(1 << 16)
        .stallLimit(TierTestLimits.TIME)
        .build();
  }

  private void cache(AdmissionPolicy policy, Duration limit, SecondaryCache... tiers) {
    rig =
        new TieredRig(
            builder -> builder.admission(policy).tierTimeout(limit).executor(threads::execute),
            tiers);
  }

  @AfterEach
  void end() {
    mayArrive.countDown();
    letGo.countDown();
    threads.shutdown();
  }

  /** Stops the first thread that comes, until it is let go. */
  private Runnable stop() {
    AtomicBoolean first = new AtomicBoolean(true);
    return () -> {
      if (first.getAndSet(false)) {
        stopped.countDown();
        awaitLatch(letGo);
      }
    };
  }

  private void awaitMoved() {
    await()
        .pollDelay(ZERO)
        .atMost(TierTestLimits.SECONDS, SECONDS)
        .until(() -> rig.cache.stats().pendingOffers() == 0);
  }

  /** Gets a version of a key onto the disk. */
  private void keep(AdmissionPolicy policy, long key, int version) {
    rig.put(key, version);
    if (policy != AdmissionPolicy.THREE_QUEUES) {
      rig.evictAll();
    }
    awaitMoved();
  }

  /** From now on the next insert stops twice, before and after it. */
  private void stopInsert() {
    disk.beforeInsert =
        () -> {
          stopped.countDown();
          awaitLatch(mayArrive);
        };
    disk.afterInsert =
        () -> {
          arrived.countDown();
          awaitLatch(letGo);
        };
  }

  /** Gets the old version to where its insert stops first. */
  private void move(AdmissionPolicy policy) {
    rig.put(KEY, OLD);
    if (policy != AdmissionPolicy.THREE_QUEUES) {
      rig.evictAll();
    }
    awaitLatch(stopped);
  }

  private void arrive() {
    mayArrive.countDown();
    awaitLatch(arrived);
  }

  private void assertFreed() {
    mayArrive.countDown();
    letGo.countDown();
    await()
        .pollDelay(ZERO)
        .atMost(TierTestLimits.SECONDS, SECONDS)
        .until(() -> rig.blocks.live() == 0);
    await().pollDelay(ZERO).atMost(TierTestLimits.SECONDS, SECONDS).until(this::isClosed);
    rig.blocks.assertSound();
  }

  /** On a busy machine a close may take longer than the cache waits. */
  private boolean isClosed() {
    return rig.cache.states().stream()
        .noneMatch(state -> state.reason().startsWith("close has not returned"));
  }

  /** Version that the disk has after a restart, -1 if none. */
  private int reopened(long key) {
    writers.awaitEnd();
    Blocks blocks = new Blocks();
    try (DiskSecondaryCache again = openDisk()) {
      TierResult<Blocks.Block> found = again.lookupNow(TierRequest.of(HI, key, blocks.data));
      return found.isHit() ? found.value().version : -1;
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = AdmissionPolicy.class,
      names = {"ALL", "THREE_QUEUES"})
  void whatIsMovedWhileItIsOverwrittenIsErasedFirst(AdmissionPolicy policy) throws Exception {
    cache(policy, Duration.ofSeconds(40), disk);
    keep(policy, OTHER, 3);
    stopInsert();
    move(policy);
    rig.erase(KEY);
    arrive();
    Thread[] closer = new Thread[1];
    Future<?> closing =
        threads.submit(
            () -> {
              closer[0] = Thread.currentThread();
              rig.cache.close();
            });
    await()
        .pollDelay(ZERO)
        .atMost(TierTestLimits.SECONDS, SECONDS)
        .until(
            () ->
                closing.isDone()
                    || closer[0] != null && closer[0].getState() == Thread.State.TIMED_WAITING);
    assertThat(tierCloses).as("waits for the move").isFalse();
    letGo.countDown();
    closing.get(TierTestLimits.SECONDS, SECONDS);
    assertFreed();
    assertThat(reopened(KEY)).isEqualTo(-1);
    assertThat(reopened(OTHER)).as("a warm start").isEqualTo(3);
  }

  @ParameterizedTest
  @CsvSource({"ALL, true", "ALL, false", "THREE_QUEUES, true", "THREE_QUEUES, false"})
  void whatIsMovedForTooLongMakesTheStartCold(AdmissionPolicy policy, boolean hasArrived) {
    cache(policy, SHORT, disk);
    keep(policy, OTHER, 3);
    stopInsert();
    move(policy);
    rig.put(KEY, NEW);
    if (hasArrived) {
      arrive();
    }
    rig.cache.close();
    assertFreed();
    assertThat(reopened(KEY)).isEqualTo(-1);
    assertThat(reopened(OTHER)).isEqualTo(-1);
  }

  /** Nothing newer hides it, so there is nothing to wait for. */
  @Test
  void whatIsMovedAndNotOverwrittenHoldsUpNothing() {
    cache(AdmissionPolicy.ALL, Duration.ofSeconds(40), disk);
    keep(AdmissionPolicy.ALL, OTHER, 3);
    stopInsert();
    move(AdmissionPolicy.ALL);
    arrive();
    rig.cache.close();
    assertFreed();
    assertThat(reopened(KEY)).isEqualTo(OLD);
    assertThat(reopened(OTHER)).isEqualTo(3);
  }

  /** The value is found in the deeper tier, and offered to the disk. */
  @Test
  void whatMovesUpForTooLongMakesTheStartCold() {
    MapSecondaryCache deep = new MapSecondaryCache(1 << 20);
    cache(AdmissionPolicy.THREE_QUEUES, SHORT, disk, deep);
    Blocks.Block old = rig.blocks.make(KEY, OLD);
    deep.insert(HI, KEY, old, rig.blocks.data, true);
    rig.blocks.giveUp(old);
    stopInsert();
    await()
        .pollDelay(ZERO)
        .atMost(TierTestLimits.SECONDS, SECONDS)
        .until(() -> rig.version(KEY) == OLD);
    awaitLatch(stopped);
    rig.erase(KEY);
    arrive();
    rig.cache.close();
    assertFreed();
    assertThat(reopened(KEY)).isEqualTo(-1);
  }

  /** It has not come to the disk yet: another tier keeps the thread that writes. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aWriteUnderWayIsErasedByClose(boolean erases) throws Exception {
    ScriptedTier near = new ScriptedTier();
    cache(AdmissionPolicy.ALL, SHORT, near, disk);
    keep(AdmissionPolicy.ALL, OTHER, 3);
    keep(AdmissionPolicy.ALL, KEY, OLD);
    near.onErase = stop();
    Future<?> writing =
        threads.submit(() -> erases ? rig.erase(KEY) : rig.put(KEY, NEW).callerKeepsValue());
    awaitLatch(stopped);
    rig.cache.close();
    letGo.countDown();
    writing.get(TierTestLimits.SECONDS, SECONDS);
    assertFreed();
    assertThat(reopened(KEY)).isEqualTo(-1);
    assertThat(reopened(OTHER)).as("a warm start").isEqualTo(3);
  }

  /** The thread that writes is in the erase of the disk tier itself. */
  @Test
  void anEraseUnderWayIsDoneByClose() throws Exception {
    cache(AdmissionPolicy.ALL, SHORT, disk);
    keep(AdmissionPolicy.ALL, KEY, OLD);
    disk.beforeErase = stop();
    Future<?> writing = threads.submit(() -> rig.put(KEY, NEW));
    awaitLatch(stopped);
    rig.cache.close();
    letGo.countDown();
    writing.get(TierTestLimits.SECONDS, SECONDS);
    assertFreed();
    assertThat(reopened(KEY)).isEqualTo(-1);
  }

  /** Every erase hangs, that of close too: then close goes on without the cache. */
  @Test
  void noSnapshotIsWrittenBeforeTheEraseHasReturned() throws Exception {
    cache(AdmissionPolicy.ALL, SHORT, disk);
    keep(AdmissionPolicy.ALL, KEY, OLD);
    disk.beforeErase =
        () -> {
          stopped.countDown();
          awaitLatch(letGo);
        };
    Future<?> writing = threads.submit(() -> rig.put(KEY, NEW));
    awaitLatch(stopped);
    rig.cache.close();
    assertThat(rig.cache.states().get(0).reason())
        .isEqualTo("close has not returned: tierTimeout=" + SHORT);
    assertThat(tierCloses).isFalse();
    letGo.countDown();
    writing.get(TierTestLimits.SECONDS, SECONDS);
    assertFreed();
    assertThat(reopened(KEY)).isEqualTo(-1);
  }

  @Test
  void aTierThatFailedToEraseStartsCold() {
    cache(AdmissionPolicy.ALL, SHORT, disk);
    keep(AdmissionPolicy.ALL, KEY, OLD);
    keep(AdmissionPolicy.ALL, OTHER, 3);
    disk.beforeErase =
        () -> {
          throw new IllegalStateException("planted");
        };
    rig.put(KEY, NEW);
    rig.cache.close();
    assertFreed();
    assertThat(reopened(KEY)).isEqualTo(-1);
    assertThat(reopened(OTHER)).isEqualTo(-1);
  }

  /** What it will load is newer than what a tier that did not answer has. */
  @Test
  void aLoadUnderWayIsErasedByClose() throws Exception {
    cache(AdmissionPolicy.ALL, Duration.ofSeconds(40), disk);
    keep(AdmissionPolicy.ALL, KEY, OLD);
    disk.isBusy = true;
    Future<?> loading = threads.submit(this::load);
    awaitLatch(stopped);
    rig.cache.close();
    letGo.countDown();
    loading.get(TierTestLimits.SECONDS, SECONDS);
    assertFreed();
    assertThat(reopened(KEY)).isEqualTo(-1);
  }

  private void load() {
    try (Handle<Blocks.Block> handle =
        rig.cache.lookup(
            HI,
            KEY,
            rig.blocks.data,
            null,
            (hi, lo) -> {
              stop().run();
              return rig.blocks.make(lo, NEW);
            })) {
      assertThat(handle.value().version).isEqualTo(NEW);
    } catch (IllegalStateException closed) {
      assertThat(closed).hasMessageContaining("closed");
    }
  }

  /** A thread that moves cannot wait for itself. */
  @Test
  void closesFromWithinAnInsert() throws Exception {
    cache(AdmissionPolicy.ALL, Duration.ofSeconds(40), disk);
    CountDownLatch closed = new CountDownLatch(1);
    stopInsert();
    disk.afterInsert =
        () -> {
          rig.cache.close();
          closed.countDown();
        };
    move(AdmissionPolicy.ALL);
    rig.erase(KEY);
    mayArrive.countDown();
    assertThat(closed.await(TierTestLimits.SECONDS, SECONDS))
        .as("closed without waiting for the limit")
        .isTrue();
    assertFreed();
    assertThat(reopened(KEY)).isEqualTo(-1);
  }
}
