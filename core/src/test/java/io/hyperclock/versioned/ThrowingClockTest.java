/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.versioned;

import static io.hyperclock.versioned.PrepareMode.PLAIN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperclock.SlotStorage;
import io.hyperclock.internal.versioned.VersionedInvariants;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a clock that throws leaves behind: nothing. */
@Tag("versioned")
class ThrowingClockTest {
  private static final long HI = 7;

  /** The next reading of the clock that throws, counted from one; none if it is zero. */
  private int throwsAt;

  private final VersionedCache<String> cache =
      VersionedCaches.forContract(SlotStorage.HEAP, this::read);
  private PrepareToken pending;

  private long read() {
    if (throwsAt > 0 && --throwsAt == 0) {
      throw new IllegalStateException("clock");
    }
    return 0;
  }

  @BeforeEach
  void prepareOne() {
    cache.put(HI, 1, "c", 10);
    pending = cache.prepare(HI, 1, "p", 20, PLAIN).orThrow();
  }

  private void assertThrowsAt(int reading, ThrowingCallable call) {
    throwsAt = reading;
    assertThatThrownBy(call).isInstanceOf(IllegalStateException.class).hasMessage("clock");
  }

  @AfterEach
  void nothingIsLeft() {
    assertThat(VersionedInvariants.violations(cache)).isEmpty();
    assertThat(cache.commit(pending)).isEqualTo(Decision.OK);
    assertThat(cache.erase(HI, 1)).isEqualTo(WriteResult.ERASED);
    assertThat(cache.monitor().stats().prepares()).isZero();
    assertThat(cache.monitor().stats().occupancy()).isZero();
    assertThat(cache.monitor().stats().usageBytes()).isZero();
    assertThat(VersionedInvariants.violations(cache)).isEmpty();
  }

  @Test
  void prepareGivesBackWhatItTook() {
    assertThrowsAt(2, () -> cache.prepare(HI, 1, "q", 5000, PLAIN));
    assertThat(cache.monitor().stats().prepares()).isEqualTo(1);
    assertThat(cache.monitor().stats().usageBytes()).isEqualTo(30);
  }

  @Test
  void prepareLeavesItsGroup() {
    PrepareGroup group = cache.newGroup();
    cache.prepare(HI, 2, "o", 5, PLAIN, group).orThrow();
    assertThrowsAt(2, () -> cache.prepare(HI, 1, "q", 5000, PLAIN, group));
    assertThat(group.commit()).isEqualTo(Decision.OK);
    assertThat(cache.get(HI, 2)).isEqualTo("o");
    assertThat(cache.erase(HI, 2)).isEqualTo(WriteResult.ERASED);
  }

  @Test
  void readsOfBothVersionsEndTheirPins() {
    assertThrowsAt(1, () -> cache.readVersions(HI, 1));
    assertThrowsAt(1, () -> cache.readVersions(HI, 1).prepared());
    assertThrowsAt(1, () -> cache.monitor().forEach((hi, lo, versions) -> {}));
  }
}
