/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.loading;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.entry.Key128;
import io.hyperclock.internal.observe.UserCode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("loading")
class InFlightLoadTest {
  private final InFlightLoad<String> flight =
      new InFlightLoad<>(new Key128(1, 2), new LoadTask(true, null), false);
  private final InFlightLoads<String> flights = new InFlightLoads<>();
  private final List<String> served = new ArrayList<>();

  private final class Noting extends Waiter<String> {
    final String name;
    boolean fails;

    Noting(String name, boolean thread, boolean guest) {
      super(thread);
      isGuest = guest;
      this.name = name;
    }

    @Override
    boolean isDone() {
      return false;
    }

    @Override
    void serve(Key128 key, SharedResult<String> shared) {
      assertThat(key).isSameAs(flight.key);
      assertThat(LoadTask.isInsideAny()).as("serving").isTrue();
      if (fails) {
        throw new IllegalStateException("no memory");
      }
      served.add(name);
    }

    @Override
    void fail() {
      throw new AssertionError("must not be called");
    }

    @Override
    void startAnew() {
      served.add(name + " anew");
    }
  }

  private int complete(SharedResult<String> shared) {
    assertThat(flight.end()).isTrue();
    return flight.serveAll(shared, flights);
  }

  @Test
  void threadsAreServedBeforeFutures() {
    assertThat(flight.join(new Noting("thread 1", true, true))).isTrue();
    assertThat(flight.join(new Noting("future 1", false, false))).isTrue();
    assertThat(flight.join(new Noting("thread 2", true, true))).isTrue();
    assertThat(flight.join(new Noting("future 2", false, true))).isTrue();
    assertThat(complete(SharedResult.noBlock())).as("guests").isEqualTo(3);
    assertThat(served).containsExactly("thread 2", "thread 1", "future 2", "future 1");
    assertThat(LoadTask.isInsideAny()).isFalse();
  }

  @Test
  void aFutureIsNoThreadAndAWaitingThreadIs() {
    assertThat(new TestForm().waiter().isThread).isTrue();
    assertThat(
            new FutureWaiter<>(flights, new TestForm(), new CompletableFuture<>(), () -> {})
                .isThread)
        .isFalse();
  }

  @Test
  void whoMustStartAnewIsNoGuestThatWasServed() {
    flight.join(new Noting("thread", true, true));
    assertThat(complete(SharedResult.again())).isZero();
    assertThat(served).containsExactly("thread");
  }

  @Test
  void whoCannotBeServedStartsAnewAndTheOthersAreServed() {
    flight.join(new Noting("first", true, true));
    Noting failing = new Noting("failing", true, true);
    failing.fails = true;
    flight.join(failing);
    complete(SharedResult.noBlock());
    assertThat(served).containsExactly("failing anew", "first");
  }

  @Test
  void nobodyJoinsALoadThatIsOver() {
    assertThat(complete(SharedResult.noBlock())).isZero();
    assertThat(flight.join(new Noting("late", true, true))).isFalse();
    assertThat(flight.end()).as("ended twice").isFalse();
    assertThat(served).isEmpty();
  }

  @Test
  void eraseWithinACallbackDoubtsAnInsertAndDoesNotWait() throws Exception {
    assertThat(flight.permit.beginInsert()).isTrue();
    UserCode.dispose(
        (hi, lo, v) -> assertThat(flight.permit.invalidate()).isFalse(), 1, 2, "value");
    UserCode.dispose(
        (hi, lo, v) -> assertThat(flight.permit.invalidate()).isFalse(), 1, 2, "value");
    assertThat(flight.permit.endInsert()).as("doubted").isTrue();
    UserCode.dispose((hi, lo, v) -> assertThat(flight.permit.invalidate()).isTrue(), 1, 2, "value");
  }

  @Test
  void eraseBeforeAnInsertPreventsItWhereverItComesFrom() {
    UserCode.dispose((hi, lo, v) -> assertThat(flight.permit.invalidate()).isTrue(), 1, 2, "value");
    assertThat(flight.permit.beginInsert()).isFalse();
    assertThat(flight.permit.invalidate()).isTrue();
  }

  @Test
  void eraseAfterAnInsertChangesNothing() {
    flight.permit.beginInsert();
    assertThat(flight.permit.endInsert()).isFalse();
    assertThat(flight.permit.invalidate()).isTrue();
  }

  @Test
  void onlyAQueuedLoadIsTakenOverAndOnce() {
    assertThat(flight.claim()).isFalse();
    InFlightLoad<String> queued =
        new InFlightLoad<>(new Key128(1, 2), new LoadTask(true, null), true);
    assertThat(queued.claim()).isTrue();
    assertThat(queued.claim()).isFalse();
  }

  @Test
  void futureOfABlockThatDoesNotExistIsCompletedByItsOwnLoad() {
    CompletableFuture<String> future = new CompletableFuture<>();
    FutureWaiter<String, String> own =
        new FutureWaiter<>(flights, new TestForm(), future, () -> {});
    own.lead();
    own.end(flight, null, null);
    assertThat(future).isCompletedWithValue(null);
    assertThat(LoadTask.isInsideAny()).isFalse();
  }

  @Test
  void dependentsOfALoadsOwnFutureRunWhileItServes() {
    CompletableFuture<String> future = new CompletableFuture<>();
    List<Boolean> inside = new ArrayList<>();
    future.thenRun(() -> inside.add(LoadTask.isInsideAny()));
    new FutureWaiter<>(flights, new TestForm(), future, () -> {}).end(flight, "value", null);
    assertThat(inside).containsExactly(true);
    assertThat(LoadTask.isInsideAny()).isFalse();
  }
}
