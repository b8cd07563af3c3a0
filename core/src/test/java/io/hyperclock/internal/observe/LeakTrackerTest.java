/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperclock.LeakDetection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Looks at what is open, with a clock that the test moves. */
class LeakTrackerTest {
  private static final int CELL = 7;
  private static final Duration LONG = Duration.ofNanos(100);
  private static final long LOOK_NANOS = Duration.ofMillis(100).toNanos();

  /** Open from the beginning, lost when the test says so. */
  private static final class Thing extends LeakTracker.Tracked {
    private boolean lost;
    private int questions;

    Thing(long nowNanos) {
      super(nowNanos);
      opened(CELL);
    }

    @Override
    public boolean isLost() {
      questions++;
      return lost;
    }
  }

  /** Notes what it is told. */
  private final class Things extends LeakTracker<Thing> {
    private final List<Integer> ended = new ArrayList<>();
    private final List<Thing> lost = new ArrayList<>();
    private final List<Thing> openForLong = new ArrayList<>();
    private boolean endThrows;
    private long nanosToReport;

    Things(LeakDetection detection) {
      super(
          new ObserverNotifier.Settings(null, detection, LONG),
          "lost on purpose",
          "open for long on purpose",
          () -> nanos);
    }

    @Override
    protected void end(int cell) {
      if (endThrows) {
        throw new IllegalStateException("cannot end");
      }
      ended.add(cell);
    }

    @Override
    protected void lost(Thing thing, long nowNanos) {
      assertThat(nowNanos).isEqualTo(nanos);
      lost.add(thing);
    }

    @Override
    protected void openForLong(Thing thing, long nowNanos) {
      assertThat(nowNanos).isEqualTo(nanos);
      openForLong.add(thing);
      nanos += nanosToReport;
    }

    Thing open() {
      Thing thing = new Thing(now());
      add(thing);
      return thing;
    }

    private List<Long> ages(long max) {
      return oldest(max, (thing, now) -> thing.age(now).toNanos());
    }
  }

  private long nanos = Long.MAX_VALUE - 5;
  private final Things things = new Things(LeakDetection.all());

  @Test
  void aLostOneIsEndedReportedAndForgotten() {
    Thing lost = things.open();
    Thing kept = things.open();
    lost.lost = true;
    things.look();
    things.look();
    assertThat(things.ended).containsExactly(CELL);
    assertThat(things.lost).containsExactly(lost);
    assertThat(things.leaked()).isEqualTo(1);
    assertThat(lost.isOpen()).isFalse();
    assertThat(lost.questions).as("looked at once").isEqualTo(1);
    assertThat(kept.isOpen()).isTrue();
    assertThat(kept.questions).isEqualTo(2);
    assertThat(things.openForLong).isEmpty();
  }

  @Test
  void oneThatWasEndedBeforeItWasLostIsForgottenAndNotReported() {
    Thing thing = things.open();
    assertThat(thing.end(things)).isTrue();
    assertThat(thing.end(things)).as("again").isFalse();
    thing.lost = true;
    things.look();
    things.look();
    assertThat(things.ended).containsExactly(CELL);
    assertThat(things.lost).isEmpty();
    assertThat(things.leaked()).isZero();
    assertThat(thing.questions).isEqualTo(1);
  }

  @Test
  void oneThatCannotBeEndedStaysOpenAndIsEndedByALaterLook() {
    Thing thing = things.open();
    thing.lost = true;
    things.endThrows = true;
    assertThatThrownBy(things::look).hasMessage("cannot end");
    assertThat(thing.isOpen()).isTrue();
    assertThat(things.leaked()).isZero();
    things.endThrows = false;
    things.look();
    assertThat(things.lost).containsExactly(thing);
    assertThat(things.ended).containsExactly(CELL);
  }

  @Test
  void onlyTheOneWhoKnowsItsCellTakesIt() {
    Thing thing = things.open();
    assertThat(thing.take(CELL + 1)).isFalse();
    assertThat(thing.isOpen()).isTrue();
    assertThat(thing.take(CELL)).isTrue();
    assertThat(thing.take(CELL)).isFalse();
    assertThat(thing.isOpen()).isFalse();
  }

  /** Its owner has ended it and is about to say so. */
  @Test
  void oneThatWasEndedIsNotReportedAsOpenForLong() {
    Thing thing = things.open();
    nanos += LONG.toNanos();
    assertThat(thing.take(CELL)).isTrue();
    things.look();
    assertThat(things.openForLong).isEmpty();
    assertThat(things.ages(9)).isEmpty();
    thing.opened(CELL);
    things.look();
    assertThat(things.openForLong).as("it could not be ended").containsExactly(thing);
    assertThat(things.openForLong()).isEqualTo(1);
  }

  @Test
  void theOldestAreListedAfterALookWithTheirAges() {
    Thing first = things.open();
    nanos += 10;
    things.open();
    nanos += 20;
    Thing third = things.open();
    assertThat(things.ages(2)).containsExactly(30L, 20L);
    assertThat(things.ages(9)).containsExactly(30L, 20L, 0L);
    first.lost = true;
    assertThat(things.ages(9)).containsExactly(20L, 0L);
    things.remove(third);
    assertThat(things.ages(9)).containsExactly(20L);
  }

  @Test
  void looksAreATenthOfASecondApart() {
    Thing thing = things.open();
    things.lookNowAndThen();
    assertThat(thing.questions).as("the first one").isEqualTo(1);
    looksAgainAt(nanos + LOOK_NANOS, thing);
  }

  private void looksAgainAt(long time, Thing thing) {
    nanos = time - 1;
    things.lookNowAndThen();
    assertThat(thing.questions).isEqualTo(1);
    nanos = time;
    things.lookNowAndThen();
    assertThat(thing.questions).isEqualTo(2);
  }

  @Test
  void looksThatTakeLongTakeAHundredthOfTheTime() {
    Thing thing = things.open();
    nanos += LONG.toNanos();
    things.nanosToReport = LOOK_NANOS / 10;
    long begun = nanos;
    things.lookNowAndThen();
    assertThat(things.openForLong).hasSize(1);
    assertThat(thing.questions).isEqualTo(1);
    looksAgainAt(begun + 10 * LOOK_NANOS, thing);
  }

  /** Else each opening would fail until it can be ended. */
  @Test
  void aLookThatFailedIsTriedAgainATenthOfASecondLater() {
    Thing thing = things.open();
    thing.lost = true;
    things.endThrows = true;
    assertThatThrownBy(things::lookNowAndThen).hasMessage("cannot end");
    things.endThrows = false;
    looksAgainAt(nanos + LOOK_NANOS, thing);
    assertThat(things.lost).containsExactly(thing);
  }

  /** Those that are not chosen cost no look. */
  @Test
  void allAreChosenOrAShareOfThem() {
    for (int i = 0; i < 100; i++) {
      assertThat(things.isChosen()).isTrue();
    }
    Things sampled = new Things(LeakDetection.sampled(10));
    int chosen = 0;
    for (int i = 0; i < 10_000; i++) {
      chosen += sampled.isChosen() ? 1 : 0;
    }
    assertThat(chosen).isBetween(700, 1300);
  }

  @Test
  void whatIsRememberedTellsThreadAndPlace() {
    Thing thing = things.open();
    assertThat(thing).hasToString("thread=" + Thread.currentThread().getName());
    assertThat(thing.place()).hasMessage("opened here");
    assertThat(thing.callers())
        .isNotEmpty()
        .noneMatch(frame -> frame.getClassName().startsWith("io.hyperclock.internal."));
  }
}
