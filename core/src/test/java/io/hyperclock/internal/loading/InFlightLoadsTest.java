/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.loading;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperclock.entry.Key128;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("loading")
class InFlightLoadsTest {
  private static final Key128 KEY = new Key128(1, 2);

  private final FlightMap map = new FlightMap();
  private final InFlightLoads<String> flights = new InFlightLoads<>(map);

  private static InFlightLoad<String> flight() {
    return new InFlightLoad<>(KEY, new LoadTask(true, null), true);
  }

  @Test
  void eraseMeetsALoadAsSoonAsOthersCanRunIt() {
    InFlightLoad<String> flight = flight();
    map.whenSeen.set(
        () -> {
          assertThat(flight.claim()).isTrue();
          assertThat(flights.underWay()).isEqualTo(1);
          flights.invalidate(KEY.hi(), KEY.lo());
        });
    assertThat(flights.start(flight)).isNull();
    assertThat(flight.permit.beginInsert()).as("stale value may be cached").isFalse();
    flights.finish(flight, SharedResult.again());
    assertThat(flights.underWay()).isZero();
  }

  @Test
  void flightThatFindsAnotherIsNotCounted() {
    InFlightLoad<String> first = flight();
    assertThat(flights.start(first)).isNull();
    assertThat(flights.start(flight())).isSameAs(first);
    assertThat(flights.underWay()).isEqualTo(1);
    flights.finish(first, SharedResult.again());
    assertThat(flights.underWay()).isZero();
    assertThat(map).isEmpty();
  }

  @Test
  void anInterruptedThreadWaitsForTheEndOfAnInsertWithoutSpinning() throws Exception {
    InFlightLoad<String> flight = flight();
    assertThat(flights.start(flight)).isNull();
    assertThat(flight.permit.beginInsert()).isTrue();
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
          .until(() -> eraser.getState() == Thread.State.TIMED_WAITING && !eraser.isInterrupted());
    } finally {
      flight.permit.endInsert();
      flights.finish(flight, SharedResult.again());
      eraser.join(60_000);
    }
    assertThat(eraser.isAlive()).isFalse();
    assertThat(interrupted).isTrue();
  }

  @Test
  void whoWaitsForAnInsertAndIsNotInterruptedStaysSo() throws Exception {
    InFlightLoad<String> flight = flight();
    assertThat(flights.start(flight)).isNull();
    assertThat(flight.permit.beginInsert()).isTrue();
    AtomicBoolean interrupted = new AtomicBoolean(true);
    Thread eraser =
        new Thread(
            () -> {
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
      flight.permit.endInsert();
      eraser.join(60_000);
    }
    assertThat(eraser.isAlive()).isFalse();
    assertThat(interrupted).isFalse();
    flights.finish(flight, SharedResult.again());
  }

  @Test
  void aFlightIsFinishedOnce() {
    InFlightLoad<String> flight = flight();
    assertThat(flights.start(flight)).isNull();
    int[] served = {0};
    TestForm form = new TestForm();
    form.sharing =
        value -> {
          served[0]++;
          return value;
        };
    flight.join(form.waiter());
    SharedResult<String> shared = SharedResult.of(form.entry(2, "text"));
    assertThat(flights.finish(flight, shared)).isEqualTo(1);
    assertThat(flights.finish(flight, shared)).isZero();
    assertThat(flights.underWay()).isZero();
    assertThat(served[0]).isEqualTo(1);
  }

  /** The map has taken it nevertheless, and another thread has joined. */
  @Test
  void aFlightForWhichTheMapHasNoMemoryIsFinished() {
    InFlightLoad<String> flight = flight();
    ThreadWaiter<String, String> waiter = new TestForm().waiter();
    OutOfMemoryError error = new OutOfMemoryError("test");
    map.whenSeen.set(
        () -> {
          flight.join(waiter);
          throw error;
        });
    assertThatThrownBy(() -> flights.start(flight)).isSameAs(error);
    assertThat(map).isEmpty();
    assertThat(flights.underWay()).isZero();
    assertThat(waiter.await())
        .isInstanceOfSatisfying(
            SharedResult.class, shared -> assertThat(shared.failure()).isSameAs(error));
  }

  /** Waits, cannot be served and cannot start anew. */
  private static final class Left extends Waiter<String> {
    int failed;
    boolean failsAgain;

    Left() {
      super(true);
    }

    @Override
    boolean isDone() {
      return false;
    }

    @Override
    void serve(Key128 key, SharedResult<String> shared) {
      throw new OutOfMemoryError("test");
    }

    @Override
    void startAnew() {
      throw new OutOfMemoryError("test");
    }

    @Override
    void fail() {
      failed++;
      if (failsAgain) {
        failsAgain = false;
        throw new OutOfMemoryError("test");
      }
    }
  }

  private void startAndFinish(Left... waiters) {
    InFlightLoad<String> flight = flight();
    assertThat(flights.start(flight)).isNull();
    for (Left waiter : waiters) {
      assertThat(flight.join(waiter)).isTrue();
    }
    flights.finish(flight, SharedResult.noBlock());
  }

  @Test
  void whoCouldNotBeServedIsToldByTheNextLoadThatCan() {
    List<Left> waiters = List.of(new Left(), new Left(), new Left());
    waiters.get(1).failsAgain = true;
    startAndFinish(waiters.toArray(new Left[0]));
    assertThat(waiters).allSatisfy(waiter -> assertThat(waiter.failed).isZero());
    startAndFinish();
    assertThat(waiters).allSatisfy(waiter -> assertThat(waiter.failed).isEqualTo(1));
    startAndFinish();
    assertThat(waiters).extracting(waiter -> waiter.failed).containsExactly(1, 2, 1);
    startAndFinish();
    assertThat(waiters).extracting(waiter -> waiter.failed).containsExactly(1, 2, 1);
  }

  @Test
  void anInsertOvertakesWhatIsBeingLoadedOnly() {
    InFlightLoad<String> flight = flight();
    assertThat(flights.start(flight)).isNull();
    flights.overtake(KEY.hi(), KEY.lo());
    assertThat(flight.permit.isOvertaken()).isTrue();
    assertThat(flight.permit.beginInsert()).isFalse();
    assertThat(map).isEmpty();
    flights.finish(flight, SharedResult.again());

    InFlightLoad<String> inserting = flight();
    assertThat(flights.start(inserting)).isNull();
    assertThat(inserting.permit.beginInsert()).isTrue();
    flights.overtake(KEY.hi(), KEY.lo());
    assertThat(inserting.permit.isOvertaken()).isFalse();
    assertThat(map).containsKey(KEY);
    assertThat(inserting.permit.endInsert()).isFalse();
    flights.finish(inserting, SharedResult.again());
    assertThat(flights.underWay()).isZero();
  }

  /** Who has outdated the flight is held up before it takes it out of the map. */
  @Test
  void anInsertTakesAFlightOutOfTheMapThatAnotherHasOutdated() {
    List<Consumer<InsertPermit>> others =
        List.of(
            InsertPermit::overtake,
            InsertPermit::invalidate,
            permit -> {
              assertThat(permit.beginInsert()).isTrue();
              assertThat(permit.endInsert()).isFalse();
            });
    for (Consumer<InsertPermit> other : others) {
      InFlightLoad<String> flight = flight();
      assertThat(flights.start(flight)).isNull();
      other.accept(flight.permit);
      flights.overtake(KEY.hi(), KEY.lo());
      assertThat(map).as("who comes now must not get the older value").isEmpty();
      flights.finish(flight, SharedResult.again());
    }
  }

  @Test
  void eraseWithinATaskLeavesAFlightThatInsertsInTheMap() {
    InFlightLoad<String> flight = flight();
    flights.start(flight);
    assertThat(flight.permit.beginInsert()).isTrue();
    LoadTask task = new LoadTask(true, null);
    task.enter();
    flights.invalidate(KEY.hi(), KEY.lo());
    task.exit();
    assertThat(map).as("who comes now must meet the flight").containsValue(flight);
    assertThat(flight.permit.endInsert()).as("the value must be erased again").isTrue();
    flights.invalidate(KEY.hi(), KEY.lo());
    assertThat(map).as("who comes now must load anew").isEmpty();
  }
}
