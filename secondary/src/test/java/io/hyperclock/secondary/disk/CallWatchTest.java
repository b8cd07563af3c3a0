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

  /** It looks again when the oldest call that it saw can be stalled, or a younger one. */
  @Test
  void callIsStalledAsSoonAsItHasTakenTooLong() {
    Duration limit = Duration.ofMillis(20);
    CallWatch brief = new CallWatch("reads", limit);
    assertThat(brief.isStalled()).isFalse();
    for (int round = 0; round < 3; round++) {
      long begin = System.nanoTime();
      int call = brief.begin();
      boolean isStalled;
      do {
        long before = System.nanoTime();
        isStalled = brief.isStalled();
        assertThat(isStalled || before - begin <= 2 * limit.toNanos()).isTrue();
      } while (!isStalled);
      assertThat(System.nanoTime() - begin).isGreaterThanOrEqualTo(limit.toNanos());
      assertThat(brief.stalled()).isEqualTo(1);
      brief.end(call);
      assertThat(brief.isStalled()).isFalse();
    }
  }

  /** A pause moves the average by as much as a few usual calls would. */
  @Test
  void onePauseDoesNotMakeADeviceSlow() throws InterruptedException {
    CallWatch patient = new CallWatch("reads", Duration.ofSeconds(60));
    int call = patient.begin();
    Thread.sleep(20);
    patient.end(call);
    assertThat(patient.typicalNanos()).isBetween(1L, 3_000L);
    for (int i = 0; i < 40; i++) {
      call = patient.begin();
      Thread.sleep(1);
      patient.end(call);
    }
    assertThat(patient.typicalNanos()).isGreaterThan(500_000L);
  }
}
