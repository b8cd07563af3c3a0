/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.disk;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CallWatchTest {
  private static final int PLACES = 64;

  /** Any time at all is longer than this. */
  private final CallWatch watch = new CallWatch("reads", Duration.ofNanos(1));

  private static void passTime() {
    long begin = System.nanoTime();
    while (System.nanoTime() - begin < 10) {
      Thread.onSpinWait();
    }
  }

  @Test
  void callIsStalledUntilItEndsAndCountedOnce() {
    assertThat(watch.fault()).isEmpty();
    int call = watch.begin();
    passTime();
    assertThat(watch.stalled()).isEqualTo(1);
    assertThat(watch.stalls()).isEqualTo(1);
    assertThat(watch.fault()).startsWith("reads must end within stallLimit: ").endsWith("=1");
    watch.end(call);
    assertThat(watch.isStalled()).isFalse();
    assertThat(watch.stalls()).isEqualTo(1);
    assertThat(watch.fault()).isEmpty();
  }

  @Test
  void callsWithinTheLimitAreNotStalled() {
    CallWatch patient = new CallWatch("reads", Duration.ofSeconds(Long.MAX_VALUE));
    int call = patient.begin();
    passTime();
    assertThat(patient.isStalled()).isFalse();
    patient.end(call);
    assertThat(patient.stalls()).isZero();
  }

  /** More calls than places: some are not noted, and all ends well. */
  @Test
  void placesAreUsedAgain() {
    for (int round = 1; round <= 3; round++) {
      List<Integer> calls = new ArrayList<>();
      for (int i = 0; i < 2 * PLACES; i++) {
        calls.add(watch.begin());
      }
      passTime();
      assertThat(watch.stalled()).isEqualTo(PLACES);
      calls.forEach(watch::end);
      assertThat(watch.stalled()).isZero();
      assertThat(watch.stalls()).isEqualTo(round * PLACES);
    }
  }
}
