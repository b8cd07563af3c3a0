/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.compressed;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.secondary.TierState;
import io.hyperclock.secondary.testing.TestValues;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A tier that was disabled, and finds no memory for its tables when it may serve again. */
class NoTablesTest {
  private static final long CAPACITY = 1 << 20;

  private boolean hasMemory = true;
  private final CompressedSecondaryCache tier =
      new CompressedSecondaryCache(
          CompressedSecondaryCache.builder().capacityBytes(CAPACITY),
          (maxBytes, entryCharge, listener) -> {
            if (!hasMemory) {
              throw new OutOfMemoryError("on purpose");
            }
            return new CompressedStore(maxBytes, entryCharge, listener);
          });

  @AfterEach
  void close() {
    tier.close();
  }

  /** Whether a call ends by an error; the test framework ends at such an error. */
  private static boolean findsNoMemory(Runnable call) {
    try {
      call.run();
      return false;
    } catch (OutOfMemoryError e) {
      return true;
    }
  }

  private void assertIsOff() {
    assertThat(tier.state().mode()).isEqualTo(TierState.Mode.BYPASS);
    assertThat(tier.stats().capacityBytes()).as("what is there").isZero();
  }

  private void assertServes() {
    assertThat(tier.state()).isEqualTo(TierState.OPEN);
    assertThat(tier.stats().capacityBytes()).isEqualTo(CAPACITY);
    assertThat(tier.insert(1, 1, new byte[100], TestValues.BYTES, true)).isTrue();
  }

  @Test
  void triesAgainWhenTheCapacityIsSetAgain() {
    tier.setCapacity(0);
    hasMemory = false;
    assertThat(findsNoMemory(() -> tier.setCapacity(CAPACITY))).isTrue();
    assertIsOff();
    assertThat(findsNoMemory(() -> tier.setCapacity(CAPACITY))).isTrue();
    assertIsOff();
    hasMemory = true;
    tier.setCapacity(CAPACITY);
    assertServes();
  }

  @Test
  void triesAgainWhenWhatWasTakenIsGivenBackAgain() {
    tier.deflate(CAPACITY);
    hasMemory = false;
    assertThat(findsNoMemory(() -> tier.inflate(CAPACITY))).isTrue();
    assertIsOff();
    hasMemory = true;
    tier.inflate(CAPACITY);
    assertServes();
  }
}
