/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.CacheObserver;
import io.hyperclock.LeakDetection;
import io.hyperclock.LogLines;
import io.hyperclock.stats.Problem;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is logged of leaks and problems, and whether an observer wants to hear of sweeps. */
class ReportsTest {
  private static final String OURS = "on purpose";

  private final LogLines lines = new LogLines("io.hyperclock", OURS);
  private final IncidentLog failures = new IncidentLog("an observer threw on purpose");
  private boolean lost;

  /** Open, and lost when the test says so. */
  private final class Thing extends LeakTracker.Tracked {
    Thing() {
      super(0);
      opened(0);
    }

    @Override
    public boolean isLost() {
      return lost;
    }
  }

  private final LeakTracker<Thing> tracker =
      new LeakTracker<>(settings(null), "lost " + OURS, "open for long " + OURS, () -> 1) {
        @Override
        protected void lost(Thing thing, long nowNanos) {}
      };

  private static ObserverNotifier.Settings settings(CacheObserver observer) {
    return new ObserverNotifier.Settings(observer, LeakDetection.all(), Duration.ofNanos(1));
  }

  private boolean isOn(BooleanSupplier wanted) {
    CacheObserver observer =
        new CacheObserver() {
          @Override
          public boolean observesSweeps() {
            return wanted.getAsBoolean();
          }
        };
    return new ObserverNotifier(settings(observer), failures).isOn();
  }

  @AfterEach
  void leave() {
    lines.close();
  }

  @Test
  void whatIsOpenForLongOrLostIsLoggedWithThePlaceWhereItWasOpened() {
    Thing thing = new Thing();
    tracker.add(thing);
    tracker.look();
    lost = true;
    tracker.look();
    assertThat(lines.causesWith("")).containsExactly(thing.place(), thing.place());
    assertThat(lines.with("").get(0))
        .startsWith("WARNING open for long on purpose: still open, thread=");
    assertThat(lines.with("").get(1)).startsWith("WARNING lost on purpose: tracked, thread=");
  }

  @Test
  void problemsThatCostLittleAreNotLogged() {
    ObserverNotifier notifier = new ObserverNotifier(settings(null), failures);
    notifier.problems(List.of(new Problem(Problem.Severity.INFO, "could be better on purpose", 0)));
    assertThat(lines.with("")).isEmpty();
    notifier.problems(List.of(new Problem(Problem.Severity.WARN, "costs on purpose", 0)));
    assertThat(lines.with("")).singleElement().asString().contains("WARN costs on purpose");
  }

  @Test
  void sweepsAreTimedOnlyForAnObserverThatWantsItAndDoesNotThrow() {
    assertThat(isOn(() -> true)).isTrue();
    assertThat(isOn(() -> false)).isFalse();
    assertThat(failures.count()).isZero();
    assertThat(
            isOn(
                () -> {
                  throw new IllegalStateException("on purpose");
                }))
        .isFalse();
    assertThat(failures.count()).isEqualTo(1);
  }
}
