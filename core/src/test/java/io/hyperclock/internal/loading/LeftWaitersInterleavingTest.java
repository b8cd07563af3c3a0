/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.loading;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.entry.Key128;
import io.hyperclock.interleaving.Scenario;
import io.hyperclock.interleaving.Woven;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Waiters for whom there was no memory are left to the next load, whoever leaves another one. */
@Tag("loading")
@Woven("loading")
class LeftWaitersInterleavingTest {
  /** Two waiters, each of which hears once that it failed. */
  private static final class Left {
    final InFlightLoads<Object> flights = new InFlightLoads<>();
    final AtomicInteger served = new AtomicInteger();
    final AtomicInteger failed = new AtomicInteger();

    void leave() {
      flights.leave(new CountedWaiter(served, failed));
    }

    void load() {
      flights.start(new InFlightLoad<>(new Key128(1, 1), new LoadTask(true, null), false));
    }

    void check() {
      flights.start(new InFlightLoad<>(new Key128(1, 2), new LoadTask(true, null), false));
      assertThat(failed).hasValue(2);
    }
  }

  @Test
  void noneIsForgotten() {
    new Scenario<>("left", Left::new, Left::check, Left::leave, Left::leave, Left::load).explore(2);
  }
}
