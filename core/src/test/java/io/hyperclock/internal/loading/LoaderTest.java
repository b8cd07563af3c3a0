/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.loading;

import static io.hyperclock.TestLimits.TEST_SECONDS;
import static io.hyperclock.TestLimits.WAIT_SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Timeout.ThreadMode.SEPARATE_THREAD;

import io.hyperclock.BlockLoadException;
import io.hyperclock.BlockLoader;
import io.hyperclock.BulkLoader;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.Key128;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Loads that meet others at one certain step. */
@Tag("loading")
@Timeout(value = TEST_SECONDS, threadMode = SEPARATE_THREAD)
class LoaderTest {
  private static final Key128 KEY = new Key128(1, 2);

  private final FlightMap map = new FlightMap();
  private final InFlightLoads<String> flights = new InFlightLoads<>(map);
  private final Loader<String> loads = new Loader<>(flights);
  private final AsyncLoader<String> async = new AsyncLoader<>(loads);
  private final BulkLoads<String> bulk = new BulkLoads<>(loads);
  private final TestForm form = new TestForm();
  private final List<Runnable> work = new ArrayList<>();
  private final InFlightLoad<String> other =
      new InFlightLoad<>(KEY, new LoadTask(true, null), false);

  private String load(long lo, BlockLoader<String> loader) {
    return loads.load(form.request(lo), loader);
  }

  private static String never(long hi, long lo) {
    throw new AssertionError("must not be called");
  }

  private void assertIdle() {
    assertIdleBut(0);
  }

  /** The load of another thread is over as soon as this thread has seen it. */
  private void startWhatEndsWhenSeen() {
    assertThat(flights.start(other)).isNull();
    map.whenSeen.set(() -> flights.finish(other, SharedResult.noBlock()));
  }

  @Test
  void aThreadThatComesTooLateToALoadStartsAnew() {
    startWhatEndsWhenSeen();
    List<String> landed = new ArrayList<>();
    form.landing =
        entry -> {
          landed.add(entry.value());
          return SharedResult.of(entry);
        };
    assertThat(load(2, (hi, lo) -> "text")).isEqualTo("text");
    assertThat(landed).as("values for the cache").containsExactly("text");
    assertIdle();
  }

  @Test
  void aFutureThatComesTooLateToALoadStartsAnew() {
    startWhatEndsWhenSeen();
    assertThat(async.load(form.request(2), Runnable::run, (hi, lo) -> "text"))
        .isCompletedWithValue("text");
    assertIdle();
  }

  /** Key 3 has nothing to share, key 2 is over when the batch sees it. */
  @Test
  void whatABatchCameTooLateToIsLoadedInTheOrderAskedFor() {
    InFlightLoad<String> third =
        new InFlightLoad<>(new Key128(1, 3), new LoadTask(true, null), false);
    assertThat(flights.start(third)).isNull();
    assertThat(flights.start(other)).isNull();
    Runnable over = () -> flights.finish(other, SharedResult.noBlock());
    map.whenSeen.set(() -> map.whenSeen.set(over));
    List<Long> asked = new ArrayList<>();
    BulkLoader<String> loader =
        (keys, values) -> {
          for (int i = 0; i < values.length; i++) {
            asked.add(keys[2 * i + 1]);
            values[i] = "text " + keys[2 * i + 1];
          }
          flights.finish(third, SharedResult.again());
        };
    String[] values = new String[3];
    bulk.fill(new long[] {1, 3, 1, 2, 1, 4}, values, form.request(0), loader, String[]::new);
    assertThat(values).containsExactly("text 3", "text 2", "text 4");
    assertThat(asked).containsExactly(4L, 3L, 2L);
    assertIdle();
  }

  /** Those who joined while the leader looked again. */
  private ThreadWaiter<String, String> joinedByTheSecondLook(int look) {
    ThreadWaiter<String, String> waiter = form.waiter();
    int[] looks = {0};
    form.present =
        lo -> {
          if (++looks[0] != look) {
            return null;
          }
          assertThat(map.get(KEY).join(waiter)).isTrue();
          return "present";
        };
    return waiter;
  }

  @Test
  void whoJoinsALeaderThatFindsAValueStartsAnew() {
    ThreadWaiter<String, String> waiter = joinedByTheSecondLook(1);
    assertThat(load(2, LoaderTest::never)).isEqualTo("present");
    assertThat(waiter.await()).isSameAs(SharedResult.again());
    assertIdle();
  }

  @Test
  void whoJoinsAStageThatFindsAValueStartsAnew() {
    ThreadWaiter<String, String> waiter = joinedByTheSecondLook(2);
    CompletableFuture<String> future =
        async.load(form.request(2), (hi, lo) -> CompletableFuture.completedFuture(never(hi, lo)));
    assertThat(future).isCompletedWithValue("present");
    assertThat(waiter.await()).isSameAs(SharedResult.again());
    assertIdle();
  }

  @Test
  void whoJoinsABatchThatAsksForItsOwnKeyStartsAnew() {
    ThreadWaiter<String, String> waiter = form.waiter();
    String value =
        load(
            3,
            (hi, lo) -> {
              map.whenSeen.set(() -> map.get(KEY).join(waiter));
              BulkLoader<String> never = (keys, values) -> never(0, 0);
              assertThatThrownBy(
                      () ->
                          bulk.fill(
                              new long[] {1, 2, 1, 3},
                              new String[2],
                              form.request(0),
                              never,
                              String[]::new))
                  .hasMessageContaining("its own key");
              return "text";
            });
    assertThat(value).isEqualTo("text");
    assertThat(waiter.await()).isSameAs(SharedResult.again());
    assertIdle();
  }

  @Test
  void aValueIsGivenBackIfTheLoadCannotBeEnded() {
    OutOfMemoryError error = new OutOfMemoryError("test");
    map.whenRemoved.set(
        () -> {
          throw error;
        });
    assertThatThrownBy(() -> load(2, (hi, lo) -> "text")).isSameAs(error);
    assertThat(form.discarded).containsExactly("text");
    map.whenRemoved.set(
        () -> {
          throw error;
        });
    assertThatThrownBy(() -> load(4, (hi, lo) -> null)).isSameAs(error);
    assertThat(form.discarded).containsExactly("text");
    assertThat(LoadTask.isInsideAny()).isFalse();
  }

  @Test
  void aLoadThatCannotBeRemovedServesAllAndIsPassedBy() {
    OutOfMemoryError error = new OutOfMemoryError("test");
    map.whenRemoved.set(
        () -> {
          throw error;
        });
    ThreadWaiter<String, String> waiter = form.waiter();
    BlockLoader<String> joined =
        (hi, lo) -> {
          assertThat(map.get(KEY).join(waiter)).isTrue();
          return "text";
        };
    assertThatThrownBy(() -> load(2, joined)).isSameAs(error);
    assertThat(waiter.isDone()).isTrue();
    assertThat(waiter.await()).isEqualTo("text");
    assertThat(map).containsKey(KEY);
    assertThat(load(2, (hi, lo) -> "another")).isEqualTo("another");
    assertIdle();
  }

  @Test
  void aBatchEndsAllItsLoadsThoughNoneCanBeRemoved() {
    OutOfMemoryError error = new OutOfMemoryError("test");
    for (boolean fails : new boolean[] {false, true}) {
      long last = fails ? 6 : 3;
      ThreadWaiter<String, String> waiter = form.waiter();
      BulkLoader<String> loader =
          (keys, values) -> {
            assertThat(map.get(new Key128(1, last)).join(waiter)).isTrue();
            map.whenRemoved.set(() -> neverRemoved(error));
            Arrays.fill(values, "text");
            if (fails) {
              throw new IllegalStateException("test");
            }
          };
      String[] results = new String[3];
      long[] keys = {1, last - 2, 1, last - 1, 1, last};
      assertThatThrownBy(() -> bulk.fill(keys, results, form.request(0), loader, String[]::new))
          .isSameAs(error);
      map.whenRemoved.set(null);
      assertThat(waiter.isDone()).isTrue();
      assertThat(flights.underWay()).isZero();
      assertThat(results).containsOnly(fails ? null : "text");
      assertThat(LoadTask.isInsideAny()).isFalse();
    }
  }

  private void neverRemoved(Error error) {
    map.whenRemoved.set(() -> neverRemoved(error));
    throw error;
  }

  @Test
  void aPresentValueIsGivenBackIfTheLoadOfAStageCannotBeEnded() {
    StackOverflowError error = new StackOverflowError("test");
    int[] looks = {0};
    form.present = lo -> ++looks[0] == 2 ? "present" : null;
    map.whenRemoved.set(() -> neverRemoved(error));
    CompletableFuture<String> future =
        async.load(form.request(2), (hi, lo) -> CompletableFuture.completedFuture(never(hi, lo)));
    assertThatThrownBy(future::join).hasCause(error);
    assertThat(form.discarded).containsExactly("present");
    assertThat(flights.underWay()).isZero();
    assertThat(LoadTask.isInsideAny()).isFalse();
  }

  @Test
  void aStageWhoseLoadCannotBeRemovedCompletesAllFutures() {
    CompletableFuture<String> stage = new CompletableFuture<>();
    CompletableFuture<String> future = async.load(form.request(2), (hi, lo) -> stage);
    CompletableFuture<String> guest = async.load(form.request(2), (hi, lo) -> stage);
    map.whenRemoved.set(
        () -> {
          throw new OutOfMemoryError("test");
        });
    stage.complete("text");
    assertThat(future).isCompletedWithValue("text");
    assertThat(guest).isCompletedWithValue("text");
    assertThat(flights.underWay()).isZero();
  }

  @Test
  void loadsByThemselvesOfTwoKeysMayBeNested() {
    String value =
        loads.alone(
            form.request(1),
            (hi, lo) -> "one with " + loads.alone(form.request(2), (h, l) -> "two"));
    assertThat(value).isEqualTo("one with two");
    assertThat(LoadTask.isInsideAny()).isFalse();
  }

  @Test
  void aMissingBlockThatIsLoadedByItselfIsNotMadeAResult() {
    assertThat(loads.alone(form.request(1), (hi, lo) -> null)).isNull();
    assertThat(LoadTask.isInsideAny()).isFalse();
  }

  /** Whether a thread inside the task of the other load may wait for this one. */
  private boolean otherMayWaitFor(LoadTask task) throws Exception {
    FutureTask<Boolean> wait =
        new FutureTask<>(
            () -> {
              other.task.enter();
              try {
                return task.startWaiting();
              } finally {
                other.task.exit();
              }
            });
    Thread thread = new Thread(wait, "other");
    thread.setDaemon(true);
    thread.start();
    return wait.get(WAIT_SECONDS, TimeUnit.SECONDS);
  }

  @Test
  void whoHasWaitedIsNoLongerInTheGraph() throws Exception {
    for (boolean interrupted : new boolean[] {false, true}) {
      LoadTask task = new LoadTask(true, null);
      ThreadWaiter<String, String> waiter = new ThreadWaiter<>(other, form);
      task.enter();
      if (interrupted) {
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> waiter.await()).isInstanceOf(BlockLoadException.class);
        assertThat(Thread.interrupted()).isTrue();
      } else {
        waiter.startAnew();
        assertThat(waiter.await()).isSameAs(SharedResult.again());
      }
      assertThat(otherMayWaitFor(task)).as("interrupted: %b", interrupted).isTrue();
      task.exit();
    }
  }

  @Test
  void whoWaitsIsInTheGraph() throws Exception {
    LoadTask task = new LoadTask(true, null);
    task.enter();
    assertThat(other.task.startWaiting()).isTrue();
    assertThat(otherMayWaitFor(task)).isFalse();
    LoadTask.stopWaiting();
    task.exit();
  }

  /** No thread enters a task until the next flight is removed, as if there were no memory. */
  @SuppressWarnings("unchecked")
  private void breakTasks() {
    try {
      Field field = LoadTask.class.getDeclaredField("CURRENT");
      field.setAccessible(true);
      ThreadLocal<Object[]> current = (ThreadLocal<Object[]>) field.get(null);
      Object[] place = current.get();
      current.set(new Object[0]);
      map.whenRemoved.set(() -> current.set(place));
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aValueOfAStageThatCannotLandEndsItsLoad() {
    CompletableFuture<String> stage = new CompletableFuture<>();
    CompletableFuture<String> future = async.load(form.request(2), (hi, lo) -> stage);
    CompletableFuture<String> guest = async.load(form.request(2), (hi, lo) -> stage);
    breakTasks();
    stage.complete("text");
    assertThatThrownBy(future::join).hasRootCauseInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(guest::join).hasRootCauseInstanceOf(IndexOutOfBoundsException.class);
    assertIdle();
    assertThat(load(2, (hi, lo) -> "another")).isEqualTo("another");
  }

  @Test
  void aValueOfAStageThatCannotLandIsDisposed() {
    List<String> disposed = new ArrayList<>();
    EntryType<String> type =
        EntryType.<String>named("text").disposer((hi, lo, value) -> disposed.add(value)).build();
    LoadRequest<String, String> request = form.request(2);
    request = new LoadRequest<>(request.key(), form, type, request.rules(), request.terms());
    CompletableFuture<String> stage = new CompletableFuture<>();
    CompletableFuture<String> future = async.load(request, (hi, lo) -> stage);
    breakTasks();
    stage.complete("text");
    assertThat(future).isCompletedExceptionally();
    assertThat(disposed).containsExactly("text");
    assertIdle();
  }

  @Test
  void aLoadWhoseTaskCannotBeEnteredIsOver() {
    CompletableFuture<String> queued = async.load(form.request(4), work::add, (hi, lo) -> "text");
    map.whenSeen.set(this::breakTasks);
    assertThatThrownBy(() -> load(2, LoaderTest::never))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertIdleBut(1);
    map.whenSeen.set(this::breakTasks);
    assertThatThrownBy(() -> load(4, LoaderTest::never))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertIdle();
    assertThatThrownBy(queued::join).hasRootCauseInstanceOf(IndexOutOfBoundsException.class);
    work.forEach(Runnable::run);
    assertThat(load(2, (hi, lo) -> "text")).isEqualTo("text");
    assertIdle();
  }

  private void assertIdleBut(int underWay) {
    assertThat(flights.underWay()).isEqualTo(underWay);
    assertThat(map).hasSize(underWay);
    assertThat(LoadTask.isInsideAny()).isFalse();
  }
}
