/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.CacheObserver;
import io.hyperclock.LeakDetection;
import io.hyperclock.internal.policy.EvictionRequest;
import io.hyperclock.stats.Problem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ObserverNotifierTest {
  private static final long LONG_NANOS = CacheObserver.LONG_SWEEP.toNanos();

  private final List<Object> told = new ArrayList<>();
  private final IncidentLog failures = new IncidentLog("an observer threw on purpose");

  private final CacheObserver observer =
      new CacheObserver() {
        @Override
        public void onLongSweep(Sweep sweep) {
          told.add(sweep);
        }

        @Override
        public void onProblem(Problem problem) {
          told.add(problem);
        }
      };

  private ObserverNotifier notifier(@Nullable CacheObserver of) {
    return new ObserverNotifier(
        new ObserverNotifier.Settings(of, LeakDetection.off(), Duration.ofDays(1)), failures);
  }

  private static EvictionRequest request(long looks) {
    EvictionRequest request = new EvictionRequest(1);
    request.ask(100, 1, 2);
    request.looked(looks);
    request.sawPinned();
    request.sawPinned();
    request.sawPinned();
    request.sawPinned();
    request.freed(9);
    assertThat(request.exceedsEffort()).isTrue();
    return request;
  }

  @Test
  void aSweepIsLongFromItsTimeOrItsSlotsOn() {
    ObserverNotifier notifier = notifier(observer);
    notifier.swept(request(CacheObserver.LONG_SWEEP_SLOTS - 1), LONG_NANOS - 1);
    assertThat(told).isEmpty();
    notifier.swept(request(7), LONG_NANOS);
    notifier.swept(request(CacheObserver.LONG_SWEEP_SLOTS), 5);
    assertThat(told)
        .containsExactly(
            new CacheObserver.Sweep(CacheObserver.LONG_SWEEP, 7, 4, 1, 9, true),
            new CacheObserver.Sweep(
                Duration.ofNanos(5), CacheObserver.LONG_SWEEP_SLOTS, 4, 1, 9, true));
    assertThat(failures.count()).isZero();
  }

  @Test
  void withoutAnObserverNothingFailsAndNoSweepIsTimed() {
    ObserverNotifier notifier = notifier(null);
    assertThat(notifier.isOn()).isFalse();
    notifier.swept(request(CacheObserver.LONG_SWEEP_SLOTS), LONG_NANOS);
    assertThat(failures.count()).isZero();
    assertThat(notifier(observer).isOn()).isTrue();
  }

  @Test
  void problemsOfAnySeverityAreToldInTheirOrder() {
    List<Problem> problems =
        List.of(
            new Problem(Problem.Severity.INFO, "could be better", 0),
            new Problem(Problem.Severity.WARN, "costs", 0));
    assertThat(notifier(observer).problems(problems)).isSameAs(problems);
    assertThat(told).isEqualTo(problems);
  }
}
