/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.loading;

import static io.hyperclock.TestLimits.WAIT_SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperclock.BlockLoadException;
import io.hyperclock.CapacityExceededException;
import io.hyperclock.PinRequiredException;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.Key128;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Who waits for a load and is served late, twice, or not at all. */
@Tag("loading")
class WaitersTest {
  private final InFlightLoads<String> flights = new InFlightLoads<>();
  private final TestForm form = new TestForm();
  private final InFlightLoad<String> flight =
      new InFlightLoad<>(new Key128(1, 2), new LoadTask(true, null), false);
  private final SharedResult<String> shared = SharedResult.of(form.entry(2, "text"));

  private FutureWaiter<String, String> waiter(CompletableFuture<String> future) {
    return new FutureWaiter<>(flights, form, future, () -> {});
  }

  @Test
  void aThreadThatLeavesWhileItIsServedGetsNothing() {
    ThreadWaiter<String, String> waiter = new ThreadWaiter<>(flight, form);
    form.sharing =
        value -> {
          waiter.abandon();
          return value;
        };
    waiter.serve(flight.key, shared);
    assertThat(form.discarded).containsExactly("text");
  }

  @Test
  void aThreadIsServedOnce() {
    ThreadWaiter<String, String> waiter = new ThreadWaiter<>(flight, form);
    waiter.serve(flight.key, shared);
    form.sharing =
        value -> {
          throw new AssertionError("served again");
        };
    waiter.serve(flight.key, shared);
    assertThat(waiter.await()).isEqualTo("text");
    assertThat(form.discarded).isEmpty();
  }

  @Test
  void aThreadThatCannotBeServedStartsAnew() {
    for (boolean fails : new boolean[] {false, true}) {
      ThreadWaiter<String, String> waiter = new ThreadWaiter<>(flight, form);
      if (fails) {
        waiter.fail();
      } else {
        waiter.startAnew();
      }
      Thread.currentThread().interrupt();
      assertThat(waiter.await()).isSameAs(SharedResult.again());
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  /** Served between its look for an answer and its leaving. */
  @Test
  void anInterruptedThreadThatIsServedAsItLeavesTakesThat() throws Exception {
    List<ThreadWaiter<String, String>> waiters = new ArrayList<>();
    FutureTask<Object> wait =
        new FutureTask<>(
            () -> {
              waiters.add(new ThreadWaiter<>(flight, form));
              return waiters.get(0).await();
            });
    Thread thread =
        new Thread(wait, "waiting") {
          @Override
          public boolean isInterrupted() {
            waiters.get(0).serve(flight.key, shared);
            return true;
          }
        };
    thread.setDaemon(true);
    thread.start();
    assertThat(wait.get(WAIT_SECONDS, TimeUnit.SECONDS)).isEqualTo("text");
    assertThat(form.discarded).isEmpty();
  }

  @Test
  void nothingIsSharedWithThoseWhoGaveUp() {
    CompletableFuture<String> future = new CompletableFuture<>();
    ThreadWaiter<String, String> thread = new ThreadWaiter<>(flight, form);
    flight.join(waiter(future));
    flight.join(thread);
    future.cancel(false);
    thread.abandon();
    List<String> given = new ArrayList<>();
    form.sharing =
        value -> {
          given.add(value);
          return value;
        };
    assertThat(flight.end()).isTrue();
    assertThat(flight.serveAll(shared, flights)).as("guests").isZero();
    assertThat(given).isEmpty();
    assertThat(future).isCancelled();
  }

  @Test
  void aMissingBlockIsNotGivenBack() {
    CompletableFuture<String> future = new CompletableFuture<>();
    future.cancel(false);
    FutureWaiter<String, String> own = waiter(future);
    own.lead();
    own.end(flight, null, null);
    assertThat(form.discarded).isEmpty();
    assertThat(LoadTask.isInsideAny()).isFalse();
  }

  /** Has no memory for its own failure once. */
  private static final class Future extends CompletableFuture<String> {
    private boolean failed;

    @Override
    public boolean completeExceptionally(Throwable failure) {
      if (!failed) {
        failed = true;
        throw new OutOfMemoryError("test");
      }
      return super.completeExceptionally(failure);
    }
  }

  @Test
  void aFutureThatCannotBeFailedIsFailedByTheNextLoad() {
    Future future = new Future();
    waiter(future).end(flight, null, new IllegalStateException("lost"));
    assertThat(future).isNotDone();
    flights.start(flight);
    assertThatThrownBy(future::join)
        .hasCauseInstanceOf(BlockLoadException.class)
        .hasMessageContaining("there must be memory")
        .hasRootCauseInstanceOf(OutOfMemoryError.class);
    flights.finish(flight, SharedResult.again());
  }

  @Test
  void eachWaiterGetsAnExceptionOfItsOwnWithTheSameMessageAndCause() {
    for (RuntimeException failure :
        List.of(
            new CapacityExceededException("no room"),
            new PinRequiredException("by lookup"),
            new IllegalStateException("closed"))) {
      SharedResult<String> threw = SharedResult.threw(failure, true);
      RuntimeException first = LoadFailures.forWaiter(threw, flight.key);
      assertThat(first)
          .isExactlyInstanceOf(failure.getClass())
          .hasMessage(failure.getMessage())
          .hasCause(failure)
          .isNotSameAs(LoadFailures.forWaiter(threw, flight.key));
    }
  }

  @Test
  void theTypeThatCannotBeLoadedIsNamed() {
    EntryType<String> type =
        EntryType.<String>named("by hand").disposer((hi, lo, value) -> {}).build();
    assertThatThrownBy(() -> new ValueResults<>(null).requireLoadable(type))
        .isInstanceOf(PinRequiredException.class)
        .hasMessageContaining("type=" + type)
        .hasMessageContaining("by hand");
  }
}
