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

  private long now = 1_000;

  /** Any time at all is longer than this. */
  private final CallWatch watch = watch(Duration.ofNanos(1));

  private CallWatch watch(Duration limit) {
    return new CallWatch("reads", limit, () -> now, fault -> {});
  }

  private void passTime() {
    now += 10;
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

  /** The place is not free before the clock was read, and then it was counted. */
  @Test
  void callThatEndsIsCountedBeforeItIsGone() {
    List<CallWatch> ending = new ArrayList<>();
    List<Long> seen = new ArrayList<>();
    CallWatch asked =
        new CallWatch(
            "reads",
            Duration.ofNanos(1),
            () -> {
              List<CallWatch> now = List.copyOf(ending);
              ending.clear();
              now.forEach(watch -> seen.add(watch.stalls()));
              return this.now;
            },
            fault -> {});
    int call = asked.begin();
    passTime();
    ending.add(asked);
    asked.end(call);
    assertThat(seen).containsExactly(1L);
    assertThat(asked.stalls()).isEqualTo(1);
  }

  @Test
  void callsWithinTheLimitAreNotStalled() {
    CallWatch patient = watch(Duration.ofSeconds(Long.MAX_VALUE));
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
    long limit = 20;
    CallWatch brief = watch(Duration.ofNanos(limit));
    assertThat(brief.isStalled()).isFalse();
    for (int round = 0; round < 3; round++) {
      long begin = now;
      int call = brief.begin();
      while (!brief.isStalled()) {
        assertThat(now - begin).isLessThanOrEqualTo(2 * limit);
        now++;
      }
      assertThat(now - begin).isGreaterThan(limit);
      assertThat(brief.stalled()).isEqualTo(1);
      brief.end(call);
      assertThat(brief.isStalled()).isFalse();
    }
  }

  private void call(CallWatch in, long nanos) {
    int call = in.begin();
    now += nanos;
    in.end(call);
  }

  /** A pause moves the average by as much as a few usual calls would. */
  @Test
  void onePauseDoesNotMakeADeviceSlow() {
    CallWatch patient = watch(Duration.ofSeconds(60));
    call(patient, 20_000_000);
    assertThat(patient.typicalNanos()).isBetween(1L, 3_000L);
    for (int i = 0; i < 40; i++) {
      call(patient, 1_000_000);
    }
    assertThat(patient.typicalNanos()).isBetween(500_000L, 1_000_000L);
    call(patient, 60_000_000_000L);
    assertThat(patient.typicalNanos()).as("after a pause").isLessThan(1_500_000);
    for (int i = 0; i < 40; i++) {
      call(patient, 5_000);
    }
    assertThat(patient.typicalNanos()).as("fast again").isBetween(1L, 20_000L);
  }

  /** What a clock says that was set back is no reason to think anything of the device. */
  @Test
  void clockThatGoesBackMakesNothingFast() {
    CallWatch patient = watch(Duration.ofSeconds(60));
    for (int i = 0; i < 40; i++) {
      call(patient, 1_000_000);
    }
    call(patient, -1_000_000_000_000L);
    assertThat(patient.typicalNanos()).isBetween(500_000L, 1_000_000L);
  }
}
