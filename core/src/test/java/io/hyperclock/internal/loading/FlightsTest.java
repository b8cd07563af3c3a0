/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.loading;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.entry.Key128;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("loading")
class FlightsTest {
  private static final Key128 KEY = new Key128(1, 2);

  /** Does something as soon as others can see a flight. */
  private static final class Map extends ConcurrentHashMap<Key128, Flight<String>> {
    private static final long serialVersionUID = 1L;

    final transient AtomicReference<@Nullable Runnable> whenSeen = new AtomicReference<>();

    @Override
    public @Nullable Flight<String> putIfAbsent(Key128 key, Flight<String> flight) {
      Flight<String> other = super.putIfAbsent(key, flight);
      Runnable action = whenSeen.getAndSet(null);
      if (action != null) {
        action.run();
      }
      return other;
    }
  }

  private final Map map = new Map();
  private final Flights<String> flights = new Flights<>(map);

  private static Flight<String> flight() {
    return new Flight<>(KEY, new LoadTask(true, null), true);
  }

  @Test
  void eraseMeetsALoadAsSoonAsOthersCanRunIt() {
    Flight<String> flight = flight();
    map.whenSeen.set(
        () -> {
          assertThat(flight.claim()).isTrue();
          assertThat(flights.underWay()).isEqualTo(1);
          flights.invalidate(KEY.hi(), KEY.lo());
        });
    assertThat(flights.start(flight)).isNull();
    assertThat(flight.beginInsert()).as("stale value may be cached").isFalse();
    flights.finish(flight, Shared.again());
    assertThat(flights.underWay()).isZero();
  }

  @Test
  void flightThatFindsAnotherIsNotCounted() {
    Flight<String> first = flight();
    assertThat(flights.start(first)).isNull();
    assertThat(flights.start(flight())).isSameAs(first);
    assertThat(flights.underWay()).isEqualTo(1);
    flights.finish(first, Shared.again());
    assertThat(flights.underWay()).isZero();
    assertThat(map).isEmpty();
  }

  @Test
  void anInterruptedThreadWaitsForTheEndOfAnInsertWithoutSpinning() throws Exception {
    Flight<String> flight = flight();
    assertThat(flights.start(flight)).isNull();
    assertThat(flight.beginInsert()).isTrue();
    AtomicBoolean interrupted = new AtomicBoolean();
    Thread eraser =
        new Thread(
            () -> {
              Thread.currentThread().interrupt();
              flights.invalidate(KEY.hi(), KEY.lo());
              interrupted.set(Thread.currentThread().isInterrupted());
            });
    eraser.start();
    try {
      Awaitility.await()
          .atMost(Duration.ofSeconds(60))
          .pollInterval(Duration.ofNanos(1))
          .until(() -> eraser.getState() == Thread.State.TIMED_WAITING);
    } finally {
      flight.endInsert();
      flights.finish(flight, Shared.again());
      eraser.join(60_000);
    }
    assertThat(eraser.isAlive()).isFalse();
    assertThat(interrupted).isTrue();
  }

  @Test
  void anInsertOvertakesWhatIsBeingLoadedOnly() {
    Flight<String> flight = flight();
    assertThat(flights.start(flight)).isNull();
    flights.overtake(KEY.hi(), KEY.lo());
    assertThat(flight.isOvertaken()).isTrue();
    assertThat(flight.beginInsert()).isFalse();
    assertThat(map).isEmpty();
    flights.finish(flight, Shared.again());

    Flight<String> inserting = flight();
    assertThat(flights.start(inserting)).isNull();
    assertThat(inserting.beginInsert()).isTrue();
    flights.overtake(KEY.hi(), KEY.lo());
    assertThat(inserting.isOvertaken()).isFalse();
    assertThat(map).containsKey(KEY);
    assertThat(inserting.endInsert()).isFalse();
    flights.finish(inserting, Shared.again());
    assertThat(flights.underWay()).isZero();
  }

  @Test
  void eraseWithinATaskLeavesAFlightThatInsertsInTheMap() {
    Flight<String> flight = flight();
    flights.start(flight);
    assertThat(flight.beginInsert()).isTrue();
    LoadTask task = new LoadTask(true, null);
    task.enter();
    flights.invalidate(KEY.hi(), KEY.lo());
    task.exit();
    assertThat(map).as("who comes now must meet the flight").containsValue(flight);
    assertThat(flight.endInsert()).as("the value must be erased again").isTrue();
    flights.invalidate(KEY.hi(), KEY.lo());
    assertThat(map).as("who comes now must load anew").isEmpty();
  }
}
