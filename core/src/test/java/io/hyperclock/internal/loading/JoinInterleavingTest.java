/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.loading;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.entry.Key128;
import io.hyperclock.interleaving.Scenario;
import io.hyperclock.interleaving.Scenario.Part;
import io.hyperclock.interleaving.Woven;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Who joins a load is served by it, whoever joins, gives up or ends it at the same moment. */
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
        flight.serveAll(SharedResult.noBlock(), new InFlightLoads<>());
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

  /** A load that has so many waiters that the next to join takes those out who gave up. */
  private static final class Crowded {
    private static final int WAITERS = 8;

    final InFlightLoads<Object> flights = new InFlightLoads<>();
    final InFlightLoad<Object> flight = newFlight(1);
    final List<CountedWaiter> waiters = new CopyOnWriteArrayList<>();
    final AtomicInteger served = new AtomicInteger();
    final AtomicInteger failed = new AtomicInteger();
    final AtomicInteger guests = new AtomicInteger();
    final int missing;

    /** The places of those for whom there is no memory leave this rest by 3; none: 3. */
    Crowded(int missing) {
      this.missing = missing;
      assertThat(flights.start(flight)).isNull();
      for (int i = 0; i < WAITERS; i++) {
        join();
        waiters.get(i).gaveUp = i == 1 || i == 3 || i == 4 || i == 7;
      }
      assertThat(CountedWaiter.linked(flight)).as("nobody was taken out so far").isEqualTo(WAITERS);
    }

    private static InFlightLoad<Object> newFlight(long lo) {
      return new InFlightLoad<>(new Key128(1, lo), new LoadTask(true, null), false);
    }

    void join() {
      AtomicInteger own = new AtomicInteger();
      CountedWaiter waiter = new CountedWaiter(own, own);
      waiter.cannotBeServed = waiters.size() % 3 == missing;
      if (flight.join(waiter)) {
        waiters.add(waiter);
      }
    }

    void giveUp(int which) {
      waiters.get(which).gaveUp = true;
    }

    void end() {
      guests.addAndGet(flights.finish(flight, SharedResult.noBlock()));
    }

    void check() {
      end();
      // Fails those for whom there was no memory.
      flights.start(newFlight(2));
      for (CountedWaiter waiter : waiters) {
        assertThat(waiter.heard()).isBetween(waiter.gaveUp ? 0 : 1, 1);
      }
      long waiting = waiters.stream().filter(waiter -> !waiter.gaveUp).count();
      assertThat((long) guests.get()).isBetween(waiting, waiting + 1);
    }
  }

  private static void explore(int preemptions, int missing, Part<Crowded>[] parts) {
    new Scenario<>("crowd", () -> new Crowded(missing), Crowded::check, parts).explore(preemptions);
  }

  @SafeVarargs
  private static void exploreAll(int preemptions, Part<Crowded>... parts) {
    explore(preemptions, 3, parts);
  }

  @Test
  void whoGaveUpIsTakenOutAndNobodyElse() {
    Part<Crowded> twice =
        crowded -> {
          crowded.join();
          crowded.join();
        };
    exploreAll(2, Crowded::join, Crowded::join);
    exploreAll(2, twice, crowded -> crowded.giveUp(2));
    exploreAll(1, twice, twice, crowded -> crowded.giveUp(6));
  }

  @Test
  void whoJoinsWhileTheOthersAreServedTakesNoneOut() {
    exploreAll(2, Crowded::join, Crowded::end);
    exploreAll(1, Crowded::join, Crowded::join, Crowded::end, crowded -> crowded.giveUp(2));
  }

  /** A waiter is on the stack of those who are left while somebody still looks at its old place. */
  @Test
  @SuppressWarnings("unchecked")
  void whoIsLeftWithoutMemoryStaysLeft() {
    for (int missing = 0; missing < 3; missing++) {
      Part<Crowded>[] parts =
          new Part[] {(Part<Crowded>) Crowded::join, (Part<Crowded>) Crowded::end};
      explore(2, missing, parts);
    }
  }
}
