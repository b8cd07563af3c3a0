/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.disk.promises;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Timeout.ThreadMode.SEPARATE_THREAD;

import io.hyperclock.LogLines;
import io.hyperclock.secondary.TierState;
import io.hyperclock.secondary.TierState.Mode;
import io.hyperclock.secondary.disk.DiskSecondaryCache;
import io.hyperclock.secondary.disk.FileDevice;
import io.hyperclock.secondary.disk.promises.FaultDevice.Call;
import io.hyperclock.secondary.disk.promises.FaultDevice.Fault;
import io.hyperclock.secondary.disk.promises.FaultDevice.Verdict;
import io.hyperclock.secondary.testing.DiskWriters;
import io.hyperclock.secondary.testing.TierTestLimits;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A close whose device is too slow, or has failed, for it. */
@Timeout(value = Plan.PATIENCE_SECONDS, threadMode = SEPARATE_THREAD)
class LateCloseTest {
  private static final int KEYS = 20;
  private static final int VALUE = 2_000;

  private final MemoryDevice memory = MemoryDevice.forgetful();
  private final FaultDevice device = new FaultDevice(memory, Fault.NONE);
  @RegisterExtension final DiskWriters writers = new DiskWriters();
  private final CountDownLatch gate = new CountDownLatch(1);

  @AfterEach
  void openGate() {
    gate.countDown();
  }

  private Fault hanging(Call which) {
    return (call, number) -> {
      while (call == which && gate.getCount() > 0) {
        try {
          gate.await();
        } catch (InterruptedException e) {
          // A device that hangs does not listen.
        }
      }
      return Verdict.PASS;
    };
  }

  private static void fill(DiskSecondaryCache tier) {
    for (int key = 0; key < KEYS; key++) {
      assertThat(Rig.put(tier, key, key + 1, VALUE)).isTrue();
    }
  }

  private static void assertWarm(MemoryDevice device) {
    try (DiskSecondaryCache tier = Rig.open(device)) {
      assertThat(tier.diskStats().start()).isEqualTo("warm");
      for (int key = 0; key < KEYS; key++) {
        assertThat(Rig.versionNow(tier, key)).isEqualTo(key + 1);
      }
    }
  }

  /** As much data as the system has taken may need longer than a close waits. */
  @Test
  void theSnapshotDoesNotWaitForTheData() {
    DiskSecondaryCache tier = Rig.open(device);
    fill(tier);
    device.set(hanging(Call.FORCE));
    CompletableFuture<Void> closing = CompletableFuture.runAsync(tier::close);
    await().atMost(TierTestLimits.TIME).until(() -> memory.snapshot() != null);
    assertWarm(memory.copy());
    gate.countDown();
    Rig.await(closing);
  }

  @Test
  void aLateCloseIsLoggedOnce() {
    try (LogLines lines = new LogLines(DiskSecondaryCache.class.getName())) {
      DiskSecondaryCache tier =
          Rig.builder().device(device).closeLimit(Duration.ofMillis(100)).build();
      fill(tier);
      device.set(hanging(Call.WRITE_SNAPSHOT));
      tier.close();
      tier.close();
      assertThat(lines.with("close"))
          .containsExactly(
              "WARNING tier=disk, state=CLOSED, close must end in time: closeLimit=PT0.1S,"
                  + " snapshotWritten=false, next start is cold if the process ends before it has");
    }
  }

  /** As a large tier does, whose snapshot takes long. */
  @Test
  void whatIsClosedSaysThatItStillWrites(@TempDir Path directory) {
    FaultDevice slow = new FaultDevice(FileDevice.open(directory), Fault.NONE);
    DiskSecondaryCache tier = Rig.builder().device(slow).closeLimit(Duration.ofMillis(100)).build();
    fill(tier);
    slow.set(hanging(Call.WRITE_SNAPSHOT));
    tier.close();
    assertThat(tier.state())
        .isEqualTo(new TierState(Mode.CLOSED, "closed, but still writing: closeLimit=PT0.1S"));
    assertThatIllegalStateException()
        .isThrownBy(() -> Rig.open(directory))
        .withMessageContaining("directory must not be in use");
    gate.countDown();
    await().atMost(TierTestLimits.TIME).until(() -> tier.state().equals(TierState.CLOSED));
    try (DiskSecondaryCache next = Rig.open(directory)) {
      assertThat(next.diskStats().start()).isEqualTo("warm");
    }
    writers.awaitEnd();
  }

  @Test
  void aLongerLimitIsWaitedFor() {
    DiskSecondaryCache tier =
        Rig.builder().device(device).closeLimit(Duration.ofSeconds(Long.MAX_VALUE)).build();
    fill(tier);
    device.set(hanging(Call.WRITE_SNAPSHOT));
    CompletableFuture<Void> closing = CompletableFuture.runAsync(tier::close);
    await().atMost(TierTestLimits.TIME).until(() -> tier.state().mode() == Mode.CLOSED);
    assertThatExceptionOfType(TimeoutException.class)
        .isThrownBy(() -> closing.get(100, TimeUnit.MILLISECONDS));
    gate.countDown();
    Rig.await(closing);
    assertThat(tier.state()).isEqualTo(TierState.CLOSED);
    assertWarm(memory.reopened());
  }

  @Test
  void theLimitMustBePositive() {
    for (Duration limit : List.of(Duration.ZERO, Duration.ofNanos(-1))) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> DiskSecondaryCache.builder().closeLimit(limit))
          .withMessage("closeLimit must be > 0: closeLimit=" + limit);
    }
  }

  /** The writer would try it again much later. */
  @Test
  void aDeviceThatHasFailedIsTriedOnceMore() {
    DiskSecondaryCache tier =
        Rig.builder().device(device).probeInterval(Duration.ofHours(1)).build();
    Fault hangsFirst = hanging(Call.WRITE);
    device.set(
        (call, number) -> {
          Verdict verdict = hangsFirst.before(call, number);
          if (call == Call.WRITE) {
            throw new IOException("No space left");
          }
          return verdict;
        });
    fill(tier);
    gate.countDown();
    await().atMost(TierTestLimits.TIME).until(() -> tier.state().mode() == Mode.READ_ONLY);
    device.set(Fault.NONE);
    tier.close();
    assertWarm(memory.reopened());
  }
}
