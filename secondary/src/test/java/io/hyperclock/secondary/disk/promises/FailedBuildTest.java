/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.disk.promises;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.junit.jupiter.api.Timeout.ThreadMode.SEPARATE_THREAD;

import io.hyperclock.secondary.disk.Device;
import io.hyperclock.secondary.disk.DiskSecondaryCache;
import io.hyperclock.secondary.disk.DiskSecondaryCacheBuilder;
import io.hyperclock.secondary.testing.ForwardingDevice;
import io.hyperclock.secondary.testing.ThreadShortage;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A build that finds no memory or no thread leaves the device as it was: the next one is warm. */
@Timeout(value = Plan.PATIENCE_SECONDS, threadMode = SEPARATE_THREAD)
class FailedBuildTest {
  private static final int KEYS = 20;
  private static final long LARGEST_INDEX_BYTES = 8L << 28; // of any tier

  private final MemoryDevice memory = new MemoryDevice();
  private List<Change> before;

  @BeforeEach
  void fill() {
    try (DiskSecondaryCache tier = Rig.open(memory)) {
      for (int key = 0; key < KEYS; key++) {
        assertThat(Rig.put(tier, key, key + 1, 1_000)).isTrue();
      }
    }
    memory.reopened();
    before = memory.changes();
  }

  /** Whether a build ends by an error; the test framework ends at such an error. */
  private static boolean findsNoMemory(DiskSecondaryCacheBuilder settings) {
    try {
      settings.build().close();
      return false;
    } catch (OutOfMemoryError e) {
      return true;
    }
  }

  private void assertAsItWas() {
    assertThat(memory.isClosed()).as("the device is given back").isTrue();
    assertThat(memory.changes()).as("what was changed").isEqualTo(before);
    try (DiskSecondaryCache tier = Rig.open(memory.reopened())) {
      assertThat(tier.diskStats().start()).isEqualTo("warm");
      for (int key = 0; key < KEYS; key++) {
        assertThat(Rig.versionNow(tier, key)).isEqualTo(key + 1);
      }
    }
  }

  @Test
  void noThreadToWrite() {
    try (ThreadShortage shortage = ThreadShortage.open()) {
      shortage.begin(Thread.currentThread().getName());
      assertThat(findsNoMemory(Rig.builder().device(memory))).isTrue();
    }
    assertAsItWas();
  }

  @Test
  void noMemoryForTheReads() {
    Device narrow =
        new ForwardingDevice(memory) {
          @Override
          public boolean readsDirectly() {
            throw new OutOfMemoryError("on purpose");
          }
        };
    assertThat(findsNoMemory(Rig.builder().device(narrow))).isTrue();
    assertAsItWas();
  }

  /** It is a little smaller than the heap, in which other things are too. */
  @Test
  void noMemoryForTheIndex() {
    long index = Runtime.getRuntime().maxMemory() - (64 << 10);
    assumeThat(index).isLessThan(LARGEST_INDEX_BYTES);
    int recordBytes = 64;
    long capacity = (long) (index / 8 * 0.7 * recordBytes);
    DiskSecondaryCacheBuilder settings =
        Rig.builder().device(memory).capacityBytes(capacity).estimatedRecordBytes(recordBytes);
    assertThatIllegalArgumentException()
        .isThrownBy(settings::build)
        .withMessageContaining("index must fit into the heap")
        .withCauseInstanceOf(OutOfMemoryError.class);
    assertAsItWas();
  }
}
