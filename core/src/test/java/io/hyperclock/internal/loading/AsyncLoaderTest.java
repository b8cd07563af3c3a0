/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.loading;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperclock.AsyncBlockLoader;
import io.hyperclock.BlockLoadException;
import io.hyperclock.PinRequiredException;
import io.hyperclock.entry.Key128;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("loading")
class AsyncLoaderTest {
  private static final Executor DIRECT = Runnable::run;

  private final InFlightLoads<String> flights = new InFlightLoads<>();
  private final Loader<String> loader = new Loader<>(flights);
  private final AsyncLoader<String> loads = new AsyncLoader<>(loader);
  private final AtomicInteger calls = new AtomicInteger();

  /** Loaded values are never shared, as if each had been erased while it was inserted. */
  private static TestForm erased() {
    TestForm form = new TestForm();
    form.landing = entry -> SharedResult.again();
    return form;
  }

  private String value(long lo) {
    assertThat(calls.incrementAndGet()).as("calls").isEqualTo(1);
    return "text " + lo;
  }

  @Test
  void ownValueIsGivenIfItCannotBeShared() {
    CompletableFuture<String> future =
        loads.load(erased().request(1), DIRECT, (hi, lo) -> value(lo));
    assertThat(future).isCompletedWithValue("text 1");
    assertThat(flights.underWay()).isZero();
  }

  @Test
  void valueOfAStageIsGivenIfItCannotBeShared() {
    CompletableFuture<String> stage = new CompletableFuture<>();
    CompletableFuture<String> future =
        loads.load(
            erased().request(1),
            (hi, lo) -> {
              value(lo);
              return stage;
            });
    stage.complete("by stage");
    assertThat(future).isCompletedWithValue("by stage");
    assertThat(flights.underWay()).isZero();
  }

  @Test
  void valueThatNobodyTakesIsDiscarded() {
    TestForm form = erased();
    CompletableFuture<String> stage = new CompletableFuture<>();
    CompletableFuture<String> future = loads.load(form.request(1), (hi, lo) -> stage);
    future.cancel(false);
    stage.complete("by stage");
    assertThat(form.discarded).containsExactly("by stage");
  }

  private static AsyncBlockLoader<String> staged(CompletableFuture<String> stage) {
    return (hi, lo) -> stage;
  }

  @Test
  void guestOfAStageGetsItsFailureWithoutWrapping() {
    IOException cause = new IOException("disk");
    for (Exception wrapped :
        List.of(
            new CompletionException(cause),
            new CompletionException("no cause", null),
            new IOException("not wrapped", cause))) {
      CompletableFuture<String> stage = new CompletableFuture<>();
      CompletableFuture<String> leader = loads.load(new TestForm().request(1), staged(stage));
      CompletableFuture<String> guest = loads.load(new TestForm().request(1), staged(stage));
      stage.completeExceptionally(wrapped);
      boolean isWrapped = wrapped instanceof CompletionException && wrapped.getCause() != null;
      Throwable expected = isWrapped ? cause : wrapped;
      assertThat(guest).isCompletedExceptionally();
      assertThatThrownBy(guest::join).hasCauseInstanceOf(BlockLoadException.class);
      assertThatThrownBy(guest::join).cause().cause().isSameAs(expected);
      assertThat(leader).isCompletedExceptionally();
    }
    assertThat(loader.stats().loadFailures()).isEqualTo(3);
    assertThat(loader.stats().loads()).isZero();
    assertThat(loader.stats().waiters()).isEqualTo(3);
  }

  @Test
  void guestOfAStageWhoseValueTheCacheRefusesIsTold() {
    IllegalStateException closed = new IllegalStateException("closed");
    TestForm form = new TestForm();
    form.landing =
        entry -> {
          throw closed;
        };
    CompletableFuture<String> stage = new CompletableFuture<>();
    CompletableFuture<String> leader = loads.load(form.request(1), staged(stage));
    CompletableFuture<String> guest = loads.load(new TestForm().request(1), staged(stage));
    stage.complete("by stage");
    assertThatThrownBy(leader::join).hasRootCause(closed);
    assertThatThrownBy(guest::join).hasCauseInstanceOf(IllegalStateException.class);
    assertThat(loader.stats().loads()).as("the loader returned").isEqualTo(1);
    assertThat(loader.stats().loadFailures()).isZero();
    assertThat(LoadTask.isInsideAny()).isFalse();
  }

  @Test
  void guestOfAValueThatNeedsAPinLoadsItself() {
    TestForm form = new TestForm();
    form.landing =
        entry -> {
          throw new PinRequiredException("by lookup");
        };
    CompletableFuture<String> stage = new CompletableFuture<>();
    CompletableFuture<String> leader = loads.load(form.request(1), staged(stage));
    CompletableFuture<String> guest =
        loads.load(
            new TestForm().request(1), staged(CompletableFuture.completedFuture("by guest")));
    stage.complete("by stage");
    assertThatThrownBy(leader::join).hasCauseInstanceOf(PinRequiredException.class);
    assertThat(guest).isCompletedWithValue("by guest");
  }

  @Test
  void aLookThatThrowsBeforeTheLoaderIsCalledIsNoFailedLoad() {
    TestForm form = new TestForm();
    int[] looks = {0};
    form.present =
        lo -> {
          if (looks[0]++ == 0) {
            return null;
          }
          throw new IllegalStateException("closed");
        };
    CompletableFuture<String> future =
        loads.load(form.request(1), (hi, lo) -> CompletableFuture.completedFuture(value(lo)));
    assertThatThrownBy(future::join).hasCauseInstanceOf(IllegalStateException.class);
    assertThat(calls).hasValue(0);
    assertThat(loader.stats().loadFailures()).isZero();
    assertThat(flights.underWay()).isZero();
    assertThat(LoadTask.isInsideAny()).isFalse();
  }

  @Test
  void aLoaderOfStagesIsCalledWithTheKeyInsideItsTask() {
    TestForm form = new TestForm();
    CompletableFuture<String> future =
        loads.load(
            form.request(5),
            (hi, lo) -> {
              assertThat(hi).isEqualTo(1);
              assertThat(lo).isEqualTo(5);
              assertThat(LoadTask.isInsideAny()).isTrue();
              CompletableFuture<String> own =
                  loads.load(form.request(5), staged(new CompletableFuture<>()));
              assertThatThrownBy(own::join).hasMessageContaining("its own key");
              return CompletableFuture.completedFuture("text");
            });
    assertThat(future).isCompletedWithValue("text");
    assertThat(LoadTask.isInsideAny()).isFalse();
  }

  @Test
  void rulesOfALandingValueAreAskedInsideATask() {
    TestForm form = new TestForm();
    form.landing =
        entry -> {
          assertThat(LoadTask.isInsideAny()).as("inside a task").isTrue();
          return SharedResult.of(entry);
        };
    for (boolean later : new boolean[] {false, true}) {
      CompletableFuture<String> stage = new CompletableFuture<>();
      if (!later) {
        stage.complete("text");
      }
      CompletableFuture<String> future = loads.load(form.request(1), staged(stage));
      stage.complete("text");
      assertThat(future).isCompletedWithValue("text");
      assertThat(LoadTask.isInsideAny()).isFalse();
    }
  }

  @Test
  void whatIsPresentByNowIsNotLoaded() {
    TestForm form = new TestForm();
    form.present = lo -> "present " + lo;
    assertThat(loads.load(form.request(3), DIRECT, (hi, lo) -> value(lo)))
        .isCompletedWithValue("present 3");
    int[] looks = {0};
    form.present = lo -> looks[0]++ == 0 ? null : "late " + lo;
    assertThat(
            loads.load(form.request(4), (hi, lo) -> CompletableFuture.completedFuture(value(lo))))
        .isCompletedWithValue("late 4");
    assertThat(calls).hasValue(0);
    assertThat(loader.stats().loads()).isZero();
    assertThat(flights.underWay()).isZero();
  }

  @Test
  void timeOfAStageIsCounted() {
    long start = System.nanoTime();
    CompletableFuture<String> stage = new CompletableFuture<>();
    loads.load(new TestForm().request(1), staged(stage));
    stage.complete("text");
    assertThat(loader.stats().totalLoadNanos()).isBetween(0L, System.nanoTime() - start);
  }

  @Test
  void cancelledGuestDoesNotStartAnew() {
    Queue<Runnable> queue = new ArrayDeque<>();
    CompletableFuture<String> stage = new CompletableFuture<>();
    loads.load(erased().request(1), staged(stage));
    CompletableFuture<String> guest =
        loads.load(new TestForm().request(1), queue::add, (hi, lo) -> value(lo));
    guest.cancel(false);
    stage.complete("text");
    assertThat(queue).isEmpty();
    assertThat(flights.underWay()).isZero();
  }

  /** What it was given cannot be given back either, so that it would start anew. */
  @Test
  void guestThatIsCancelledWhileItIsServedDoesNotStartAnew() {
    Queue<Runnable> queue = new ArrayDeque<>();
    CompletableFuture<String> stage = new CompletableFuture<>();
    loads.load(new TestForm().request(1), staged(stage));
    TestForm form = new TestForm();
    CompletableFuture<String> guest =
        loads.load(form.request(1), queue::add, (hi, lo) -> value(lo));
    form.sharing =
        value -> {
          guest.cancel(false);
          return value;
        };
    form.whenDiscarded =
        () -> {
          throw new IllegalStateException("cannot be given back");
        };
    stage.complete("text");
    assertThat(form.discarded).containsExactly("text");
    assertThat(queue).isEmpty();
    assertThat(flights.underWay()).isZero();
  }

  @Test
  void aQueuedLoadThatAnotherHasRunIsNotRunAgain() {
    Queue<Runnable> queue = new ArrayDeque<>();
    CompletableFuture<String> future =
        loads.load(new TestForm().request(1), queue::add, (hi, lo) -> value(lo));
    String other = loader.load(new TestForm().request(1), (hi, lo) -> value(lo));
    assertThat(other).isEqualTo("text 1");
    assertThat(future).isCompletedWithValue("text 1");
    queue.remove().run();
    assertThat(calls).hasValue(1);
    assertThat(loader.stats().loads()).isEqualTo(1);
  }

  @Test
  void anExecutorThatRefusesWhatAnotherHasTakenOverFailsNobody() {
    List<InFlightLoad<String>> taken = new ArrayList<>();
    Executor refusing =
        task -> {
          taken.add(
              flights.start(new InFlightLoad<>(new Key128(1, 1), new LoadTask(true, null), false)));
          assertThat(taken.get(0).claim()).isTrue();
          throw new RejectedExecutionException("full");
        };
    TestForm form = new TestForm();
    CompletableFuture<String> future = loads.load(form.request(1), refusing, (hi, lo) -> value(lo));
    assertThat(future).isNotDone();
    assertThat(flights.underWay()).isEqualTo(1);
    flights.finish(taken.get(0), SharedResult.of(form.entry(1, "by another")));
    assertThat(future).isCompletedWithValue("by another");
  }

  @Test
  void guestsOfABlockThatDoesNotExistGetNull() {
    CompletableFuture<String> stage = new CompletableFuture<>();
    CompletableFuture<String> leader = loads.load(new TestForm().request(1), staged(stage));
    CompletableFuture<String> guest = loads.load(new TestForm().request(1), staged(stage));
    stage.complete(null);
    assertThat(leader).isCompletedWithValue(null);
    assertThat(guest).isCompletedWithValue(null);
  }

  @Test
  void guestWhoseShareFailsIsTold() {
    TestForm form = new TestForm();
    form.sharing =
        value -> {
          throw new IllegalStateException("no room");
        };
    CompletableFuture<String> stage = new CompletableFuture<>();
    loads.load(new TestForm().request(1), staged(stage));
    CompletableFuture<String> guest = loads.load(form.request(1), staged(stage));
    stage.complete("text");
    assertThatThrownBy(guest::join).hasCauseInstanceOf(IllegalStateException.class);
  }

  @Test
  void guestWhoCannotStartAnewIsTold() {
    TestForm form = new TestForm();
    CompletableFuture<String> stage = new CompletableFuture<>();
    loads.load(erased().request(1), staged(stage));
    CompletableFuture<String> guest = loads.load(form.request(1), DIRECT, (hi, lo) -> value(lo));
    form.present =
        lo -> {
          throw new IllegalStateException("closed");
        };
    stage.complete("text");
    assertThatThrownBy(guest::join).hasCauseInstanceOf(IllegalStateException.class);
  }
}
