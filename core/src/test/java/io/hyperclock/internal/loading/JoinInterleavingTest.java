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

/** Who joins a load is served by it, whoever joins or ends it at the same moment. */
@Tag("loading")
@Woven("loading")
class JoinInterleavingTest {
  /** A load that some join while it ends. */
  private static final class Joined {
    final InFlightLoad<Object> flight =
        new InFlightLoad<>(new Key128(1, 1), new LoadTask(true, null), false);
    final AtomicInteger joined = new AtomicInteger();
    final AtomicInteger served = new AtomicInteger();
    final AtomicInteger failed = new AtomicInteger();
    final AtomicInteger ended = new AtomicInteger();

    void join() {
      if (flight.join(new CountedWaiter(served, failed))) {
        joined.incrementAndGet();
      }
    }

    void end() {
      if (flight.end()) {
        ended.incrementAndGet();
        flight.serveAll(SharedResult.noBlock(), waiter -> {});
      }
    }

    void check() {
      end();
      assertThat(ended).hasValue(1);
      assertThat(served).hasValue(joined.get());
    }
  }

  @Test
  void allWhoJoinAreServed() {
    new Scenario<>("joins", Joined::new, Joined::check, Joined::join, Joined::join).explore(2);
  }

  @Test
  void whoJoinsALoadThatEndsIsServedOrRefused() {
    new Scenario<>(
            "end", Joined::new, Joined::check, Joined::join, Joined::join, Joined::end, Joined::end)
        .explore(1);
  }
}
