/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.disk.promises;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Timeout.ThreadMode.SEPARATE_THREAD;

import io.hyperclock.secondary.TierOutcome;
import io.hyperclock.secondary.TierState.Mode;
import io.hyperclock.secondary.disk.Device;
import io.hyperclock.secondary.disk.DiskSecondaryCache;
import io.hyperclock.secondary.disk.DiskSecondaryCacheBuilder;
import io.hyperclock.secondary.testing.ForwardingDevice;
import io.hyperclock.secondary.testing.TierTestLimits;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** P4: a part of the device that can never be read again does not close the rest. */
@Timeout(value = Plan.PATIENCE_SECONDS, threadMode = SEPARATE_THREAD)
class BadStretchTest {
  private static final int REGION = 1 << 20;
  private static final int VALUE = 16 << 10;

  /** They fill three regions and begin a fourth. */
  private static final int KEYS = 200;

  private static final int HEAD_BYTES = 4 << 10;
  private static final int BAD_KEYS = 8;

  /** In the third region, and so more than 1 MiB from the bad stretch. */
  private static final int FAR_KEY = 150;

  private final MemoryDevice memory = MemoryDevice.forgetful();

  /** Reads of bytes from the first up to the second fail. */
  private volatile long badFrom;

  private volatile long badUpTo;

  /** Thrown by reads. */
  private volatile @Nullable Error error;

  private final AtomicLong errors = new AtomicLong();

  /** How many of them fail before the device is well again. */
  private final AtomicLong failures = new AtomicLong(Long.MAX_VALUE);

  private final Device device =
      new ForwardingDevice(memory) {
        @Override
        public int read(ByteBuffer target, long position) throws IOException {
          Error thrown = error;
          if (thrown != null) {
            errors.incrementAndGet();
            throw thrown;
          }
          boolean isBad = position < badUpTo && position + target.remaining() > badFrom;
          if (isBad && failures.getAndDecrement() > 0) {
            throw new IOException("Input/output error");
          }
          return super.read(target, position);
        }
      };

  private DiskSecondaryCache tier;

  @AfterEach
  void close() {
    tier.close();
  }

  private DiskSecondaryCacheBuilder builder() {
    return Rig.builder()
        .device(device)
        .capacityBytes(8 * REGION)
        .regionBytes(REGION)
        .maxInFlightBytes(8 * REGION);
  }

  /** All values on the device. */
  private void open(int firstBytes) {
    try (DiskSecondaryCache filled = builder().build()) {
      for (int key = 0; key < KEYS; key++) {
        assertThat(Rig.put(filled, key, 1, key == 0 ? firstBytes : VALUE)).isTrue();
      }
    }
    memory.reopened();
    tier = builder().build();
  }

  /** The first ones cannot be read, and have been asked for. */
  private void openBad(long bytes) {
    open(VALUE);
    badUpTo = bytes;
    for (int key = 0; key < BAD_KEYS; key++) {
      assertThat(tier.lookupNow(Rig.request(key)).outcome()).isEqualTo(TierOutcome.UNAVAILABLE);
    }
  }

  private void awaitOpen() {
    await().atMost(TierTestLimits.TIME).until(() -> tier.state().mode() == Mode.OPEN);
  }

  @Test
  void oneIsForgotten() {
    openBad((4 << 10) + BAD_KEYS * VALUE);
    awaitOpen();
    for (int key = 0; key < BAD_KEYS; key++) {
      assertThat(tier.lookupNow(Rig.request(key)).outcome()).isEqualTo(TierOutcome.ABSENT);
    }
    for (int key = FAR_KEY; key < KEYS; key++) {
      assertThat(Rig.versionNow(tier, key)).isEqualTo(1);
    }
    assertThat(tier.stats().dropped()).isEqualTo(KEYS - tier.stats().entries()).isPositive();
    assertThat(Rig.put(tier, 0, 2, VALUE)).isTrue();
    assertThat(Rig.versionNow(tier, 0)).isEqualTo(2);
  }

  /** It may be well again later: nothing is forgotten. */
  @Test
  void aDeviceThatCannotBeReadAtAllKeepsItsRecords() {
    openBad(Long.MAX_VALUE);
    long tries = tier.diskStats().readErrors() + 8;
    await().atMost(TierTestLimits.TIME).until(() -> tier.diskStats().readErrors() >= tries);
    assertThat(tier.state().mode()).isEqualTo(Mode.BYPASS);
    badUpTo = 0;
    awaitOpen();
    for (int key = 0; key < KEYS; key++) {
      assertThat(Rig.versionNow(tier, key)).isEqualTo(1);
    }
  }

  /** It is well again when the probe has tried the bad place, before it tries another one. */
  @Test
  void aDeviceThatIsWellAgainDuringTheProbeKeepsItsRecords() {
    failures.set(BAD_KEYS + 1);
    openBad(Long.MAX_VALUE);
    awaitOpen();
    assertThat(tier.diskStats().readErrors()).as("lookups and one probe").isEqualTo(BAD_KEYS + 1);
    for (int key = 0; key < KEYS; key++) {
      assertThat(Rig.versionNow(tier, key)).isEqualTo(1);
    }
  }

  /** One sector, anywhere in what is read for a record. */
  @ParameterizedTest
  @ValueSource(ints = {64, VALUE / 2, VALUE, 300_000})
  void oneWithinARecordIsForgotten(int bytes) {
    open(bytes);
    badUpTo = HEAD_BYTES + bytes;
    badFrom = badUpTo - 1;
    for (int read = 0; read < BAD_KEYS; read++) {
      assertThat(tier.lookupNow(Rig.request(0)).outcome()).isEqualTo(TierOutcome.UNAVAILABLE);
    }
    awaitOpen();
    assertThat(tier.lookupNow(Rig.request(0)).outcome()).isEqualTo(TierOutcome.ABSENT);
    for (int key = FAR_KEY; key < KEYS; key++) {
      assertThat(Rig.versionNow(tier, key)).isEqualTo(1);
    }
  }

  /** As one whose file is mapped throws for what cannot be read. */
  @Test
  void aDeviceThatThrowsErrorsIsTriedWithPauses() {
    open(VALUE);
    error = new InternalError("a fault occurred in an unsafe memory access operation");
    for (int key = 0; key < BAD_KEYS; key++) {
      assertThat(Rig.find(tier, key).outcome()).isEqualTo(TierOutcome.UNAVAILABLE);
    }
    assertThat(tier.state().mode()).isEqualTo(Mode.BYPASS);
    long begin = System.nanoTime();
    long tries = errors.get() + 100;
    await()
        .atMost(TierTestLimits.TIME)
        .pollInterval(Duration.ofMillis(1))
        .until(() -> errors.get() >= tries);
    assertThat(System.nanoTime() - begin).as("50 intervals").isGreaterThan(500_000_000);
    assertThat(tier.diskStats().writeErrors()).isZero();
    error = null;
    awaitOpen();
    for (int key = 0; key < KEYS; key++) {
      assertThat(Rig.versionNow(tier, key)).isEqualTo(1);
    }
  }
}
