/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.disk.promises;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Timeout.ThreadMode.SEPARATE_THREAD;

import io.hyperclock.secondary.MuteException;
import io.hyperclock.secondary.TierState;
import io.hyperclock.secondary.TierState.Mode;
import io.hyperclock.secondary.disk.DiskSecondaryCache;
import io.hyperclock.secondary.disk.promises.FaultDevice.Call;
import io.hyperclock.secondary.disk.promises.FaultDevice.Fault;
import io.hyperclock.secondary.disk.promises.FaultDevice.Verdict;
import io.hyperclock.secondary.testing.TierTestLimits;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** P4: a full or dying disk shows in the state, costs misses only, and is left again. */
@Timeout(value = Plan.PATIENCE_SECONDS, threadMode = SEPARATE_THREAD)
class DyingDiskTest {
  private static final int KEYS = 100;
  private static final int VALUE = 2_000;

  private final MemoryDevice memory = MemoryDevice.forgetful();
  private final FaultDevice device = new FaultDevice(memory, Fault.NONE);
  private final AtomicInteger versions = new AtomicInteger();

  private static Fault failing(String message, Call... which) {
    return (call, number) -> {
      if (List.of(which).contains(call)) {
        throw new IOException(message);
      }
      return Verdict.PASS;
    };
  }

  private static Fault failingMutely(Call... which) {
    return (call, number) -> {
      if (List.of(which).contains(call)) {
        throw new MuteException();
      }
      return Verdict.PASS;
    };
  }

  /** A warm tier, all values on the device. */
  private DiskSecondaryCache warm() {
    try (DiskSecondaryCache tier = Rig.open(device)) {
      for (int key = 0; key < KEYS; key++) {
        assertThat(Rig.put(tier, key, versions.incrementAndGet(), VALUE)).isTrue();
      }
    }
    memory.reopened();
    DiskSecondaryCache tier = Rig.open(device);
    assertThat(hits(tier)).isEqualTo(KEYS);
    return tier;
  }

  private static int hits(DiskSecondaryCache tier) {
    int hits = 0;
    for (int key = 0; key < KEYS; key++) {
      hits += Rig.versionNow(tier, key) == key + 1 ? 1 : 0;
    }
    return hits;
  }

  /** Puts keys that nobody asks for until the state says {@code mode}. */
  private void writeUntil(DiskSecondaryCache tier, Mode mode) {
    await()
        .atMost(TierTestLimits.TIME)
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(2))
        .untilAsserted(
            () -> {
              Rig.put(tier, KEYS + versions.incrementAndGet(), 1, VALUE);
              assertThat(tier.state().mode()).isEqualTo(mode);
            });
  }

  private static void assertUsable(DiskSecondaryCache tier) {
    assertThat(tier.state()).isEqualTo(TierState.OPEN);
    // A value is declined while no region is free.
    await().atMost(TierTestLimits.TIME).until(() -> Rig.put(tier, 7, 1_000_000, VALUE));
    assertThat(Rig.versionNow(tier, 7)).isEqualTo(1_000_000);
  }

  @Test
  void fullDiskIsReadOnlyUntilThereIsSpace() {
    try (DiskSecondaryCache tier = warm()) {
      device.set(failing("No space left on device", Call.WRITE, Call.FORCE));
      writeUntil(tier, Mode.READ_ONLY);
      assertThat(tier.state().reason()).contains("No space left on device");
      assertThat(hits(tier)).as("values read while the disk is full").isGreaterThan(KEYS / 2);
      Rig.erase(tier, 3);
      assertThat(Rig.put(tier, 4, 2_000_000, VALUE)).isFalse();
      assertThat(Rig.versionNow(tier, 3)).isEqualTo(Rig.NONE);
      assertThat(Rig.versionNow(tier, 4)).isEqualTo(Rig.NONE);
      device.set(Fault.NONE);
      writeUntil(tier, Mode.OPEN);
      assertUsable(tier);
      assertThat(Rig.versionNow(tier, 3)).isEqualTo(Rig.NONE);
      assertThat(Rig.versionNow(tier, 4)).isEqualTo(Rig.NONE);
    }
    memory.reopened();
    try (DiskSecondaryCache tier = Rig.open(device)) {
      assertThat(Rig.versionNow(tier, 3)).isEqualTo(Rig.NONE);
      assertThat(Rig.versionNow(tier, 4)).isEqualTo(Rig.NONE);
      assertThat(Rig.versionNow(tier, 7)).isIn(Rig.NONE, 1_000_000);
    }
  }

  /** What fails with an error, and may be only one kind of call. */
  enum Dying {
    READS(Call.READ),
    WRITES(Call.WRITE),
    ALL(Call.values());

    private final Call[] calls;

    Dying(Call... calls) {
      this.calls = calls;
    }
  }

  private void useUntil(DiskSecondaryCache tier, Predicate<TierState> state) {
    await()
        .atMost(TierTestLimits.TIME)
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(2))
        .until(
            () -> {
              hits(tier);
              Rig.put(tier, KEYS + versions.incrementAndGet(), 1, VALUE);
              return state.test(tier.state());
            });
  }

  @ParameterizedTest
  @EnumSource
  void diskIsLeftAloneThoughItsFailuresCannotBeShown(Dying dying) {
    Mode mode = dying == Dying.WRITES ? Mode.READ_ONLY : Mode.BYPASS;
    try (DiskSecondaryCache tier = warm()) {
      device.set(failingMutely(dying.calls));
      useUntil(tier, state -> state.mode() == mode);
      assertThat(tier.state().reason()).endsWith("error=" + MuteException.class.getName());
      device.set(Fault.NONE);
      writeUntil(tier, Mode.OPEN);
      assertUsable(tier);
    }
  }

  @Test
  void startIsColdThoughTheFailuresOfTheDiskCannotBeShown() {
    warm().close();
    memory.reopened();
    device.set(failingMutely(Call.values()));
    try (DiskSecondaryCache tier = Rig.open(device)) {
      String failure = MuteException.class.getName();
      assertThat(tier.diskStats().start()).isEqualTo("snapshot cannot be read: " + failure);
      assertThat(tier.state().mode()).isEqualTo(Mode.READ_ONLY);
      assertThat(tier.state().reason()).isEqualTo("writes must succeed: error=" + failure);
      device.set(Fault.NONE);
      writeUntil(tier, Mode.OPEN);
      assertUsable(tier);
    }
  }

  @ParameterizedTest
  @EnumSource
  void dyingDiskIsLeftAloneUntilItIsWell(Dying dying) {
    try (DiskSecondaryCache tier = warm()) {
      device.set(failing("Input/output error", dying.calls));
      useUntil(tier, state -> state.mode() != Mode.OPEN);
      TierState state = tier.state();
      if (state.mode() != Mode.OPEN) {
        assertThat(state.reason()).contains("Input/output error");
      }
      Rig.erase(tier, 3);
      Rig.put(tier, 4, 2_000_000, VALUE);
      device.set(Fault.NONE);
      writeUntil(tier, Mode.OPEN);
      assertThat(Rig.versionNow(tier, 3)).isEqualTo(Rig.NONE);
      assertThat(Rig.versionNow(tier, 4)).isIn(Rig.NONE, 2_000_000);
      for (int key = 5; key < KEYS; key++) {
        assertThat(Rig.versionNow(tier, key)).isIn(Rig.NONE, key + 1);
      }
      assertUsable(tier);
    }
  }

  /** A disk that is dead when the tier is opened. */
  @Test
  void deadFromTheStart() {
    device.set(failing("Input/output error", Call.values()));
    try (DiskSecondaryCache tier = Rig.open(device)) {
      Rig.put(tier, 1, 1, VALUE);
      assertThat(Rig.versionNow(tier, 1)).isIn(Rig.NONE, 1);
      await()
          .atMost(TierTestLimits.TIME)
          .until(
              () -> {
                Rig.put(tier, versions.incrementAndGet(), 1, VALUE);
                return tier.state().mode() != Mode.OPEN;
              });
      device.set(Fault.NONE);
      writeUntil(tier, Mode.OPEN);
      assertUsable(tier);
    }
  }

  /** A tier whose head could not be written, closed before that is tried again. */
  private DiskSecondaryCache withoutHead(Call... failing) {
    warm().close();
    memory.reopened();
    device.set(failing("Input/output error", failing));
    DiskSecondaryCache tier =
        Rig.builder().device(device).probeInterval(Duration.ofHours(1)).build();
    device.set(Fault.NONE);
    assertThat(tier.state().mode()).isEqualTo(Mode.READ_ONLY);
    return tier;
  }

  @Test
  void anOldSnapshotIsNotUsedAfterADeviceThatWasWellAgainAtTheClose() {
    try (DiskSecondaryCache tier = withoutHead(Call.WRITE, Call.DELETE_SNAPSHOT)) {
      assertThat(tier.diskStats().start()).isEqualTo("snapshot cannot be used up");
      Rig.erase(tier, 3);
      assertThat(Rig.put(tier, 4, 2_000_000, VALUE)).isFalse();
    }
    memory.reopened();
    try (DiskSecondaryCache tier = Rig.open(device)) {
      assertThat(Rig.versionNow(tier, 3)).isEqualTo(Rig.NONE);
      assertThat(Rig.versionNow(tier, 4)).isEqualTo(Rig.NONE);
    }
  }

  @Test
  void theStartAfterADeviceThatWasWellAgainAtTheCloseIsWarm() {
    try (DiskSecondaryCache tier = withoutHead(Call.WRITE)) {
      assertThat(tier.diskStats().start()).isEqualTo("warm");
      Rig.erase(tier, 3);
    }
    memory.reopened();
    try (DiskSecondaryCache tier = Rig.open(device)) {
      assertThat(tier.diskStats().start()).isEqualTo("warm");
      assertThat(Rig.versionNow(tier, 3)).isEqualTo(Rig.NONE);
      assertThat(Rig.versionNow(tier, 5)).isEqualTo(6);
    }
  }

  /** Flickers: every third call fails, whatever it is. */
  @Test
  void unreliableDiskGivesNothingWrong() {
    device.set(
        (call, number) -> {
          if (number % 3 == 0) {
            throw new IOException("Input/output error");
          }
          return Verdict.PASS;
        });
    Script script = new Script(KEYS);
    Random random = new Random(Plan.seed());
    try (DiskSecondaryCache tier = Rig.open(device)) {
      for (int step = 0; step < Plan.times(2_000); step++) {
        script.random(tier, memory, random, VALUE);
        if (step % 100 == 0) {
          script.check(tier, "unreliable");
        }
      }
    }
  }
}
