/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.loading;

import static io.hyperclock.TestLimits.TEST_SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Timeout.ThreadMode.SEPARATE_THREAD;

import io.hyperclock.BlockLoadException;
import io.hyperclock.BulkLoader;
import io.hyperclock.entry.Key128;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Loads of one key and of many, whose flights the test ends itself. */
@Tag("loading")
@Timeout(value = TEST_SECONDS, threadMode = SEPARATE_THREAD)
class BulkLoadsTest {
  private final ConcurrentHashMap<Key128, InFlightLoad<String>> map = new ConcurrentHashMap<>();
  private final InFlightLoads<String> flights = new InFlightLoads<>(map);
  private final Loader<String> loads = new Loader<>(flights);
  private final BulkLoads<String> bulk = new BulkLoads<>(loads);
  private final TestForm form = new TestForm();
  private final List<Long> asked = new ArrayList<>();

  /** Loads texts, and does something before. */
  private BulkLoader<String> texts(Runnable before) {
    return (keys, values) -> {
      before.run();
      for (int i = 0; i < values.length; i++) {
        assertThat(keys[2 * i]).isEqualTo(1);
        asked.add(keys[2 * i + 1]);
        values[i] = "text " + keys[2 * i + 1];
      }
    };
  }

  private String[] fill(BulkLoader<String> loader, long... los) {
    long[] keys = Arrays.stream(los).flatMap(lo -> Arrays.stream(new long[] {1, lo})).toArray();
    String[] values = new String[los.length];
    bulk.fill(keys, values, form.request(0), loader, String[]::new);
    return values;
  }

  /** A load of another thread. */
  private InFlightLoad<String> other(long lo, boolean threaded) {
    InFlightLoad<String> flight =
        new InFlightLoad<>(new Key128(1, lo), new LoadTask(threaded, null), false);
    assertThat(flights.start(flight)).isNull();
    return flight;
  }

  private SharedResult<String> shared(long lo) {
    return SharedResult.of(form.entry(lo, "other " + lo));
  }

  private void assertIdle() {
    assertThat(flights.underWay()).isZero();
    assertThat(map).isEmpty();
    assertThat(LoadTask.isInsideAny()).isFalse();
  }

  @Test
  void onlyWhatIsMissingByNowIsLoaded() {
    form.present = lo -> lo == 2 ? "present" : null;
    assertThat(fill(texts(() -> {}), 1, 2, 3, 1))
        .containsExactly("text 1", "present", "text 3", "text 1");
    assertThat(asked).containsExactlyInAnyOrder(1L, 3L);
    form.present = lo -> "late " + lo;
    assertThat(fill(texts(() -> {}), 4)).containsExactly("late 4");
    assertThat(asked).hasSize(2);
    assertIdle();
  }

  @Test
  void whoJoinsALoadThatIsNotNeededStartsAnew() {
    ThreadWaiter<String, String> waiter = form.waiter();
    form.present =
        lo -> {
          assertThat(map.get(new Key128(1, lo)).join(waiter)).isTrue();
          return "late";
        };
    assertThat(fill(texts(() -> {}), 4)).containsExactly("late");
    Object answer = waiter.await();
    assertThat(answer).isSameAs(SharedResult.again());
    assertIdle();
  }

  @Test
  void placesThatAreFilledStay() {
    String[] values = {"there", null};
    bulk.fill(new long[] {1, 1, 1, 2}, values, form.request(0), texts(() -> {}), String[]::new);
    assertThat(values).containsExactly("there", "text 2");
    assertThat(asked).containsExactly(2L);
  }

  @Test
  void whatOthersLoadIsTakenFromThem() {
    InFlightLoad<String> other = other(1, true);
    assertThat(fill(texts(() -> flights.finish(other, shared(1))), 1, 2))
        .containsExactly("other 1", "text 2");
    assertThat(form.discarded).isEmpty();
    InFlightLoad<String> absent = other(1, true);
    assertThat(fill(texts(() -> flights.finish(absent, SharedResult.noBlock())), 1, 2))
        .containsExactly(null, "text 2");
    Queue<InFlightLoad<String>> stale = new ArrayDeque<>(List.of(other(1, true)));
    Runnable finish =
        () -> {
          if (!stale.isEmpty()) {
            flights.finish(stale.remove(), SharedResult.again());
          }
        };
    assertThat(fill(texts(finish), 1, 2))
        .as("the second call loads it")
        .containsExactly("text 1", "text 2");
    assertIdle();
  }

  @Test
  void failureOfAnotherLoadFailsTheBatch() {
    InFlightLoad<String> other = other(1, true);
    IOException failure = new IOException("disk");
    assertThatThrownBy(
            () ->
                fill(texts(() -> flights.finish(other, SharedResult.threw(failure, false))), 1, 2))
        .isInstanceOf(BlockLoadException.class)
        .hasMessageContaining("keyHi=1, keyLo=1")
        .hasCause(failure);
    assertIdle();
  }

  @Test
  void aFailedBatchGivesBackWhatOthersServedIt() {
    for (boolean servedBefore : new boolean[] {true, false}) {
      form.discarded.clear();
      InFlightLoad<String> other = other(1, true);
      BulkLoader<String> failing =
          (keys, values) -> {
            if (servedBefore) {
              flights.finish(other, shared(1));
            }
            throw new IOException("disk");
          };
      assertThatThrownBy(() -> fill(failing, 1, 2)).isInstanceOf(BlockLoadException.class);
      if (!servedBefore) {
        flights.finish(other, shared(1));
      }
      assertThat(form.discarded)
          .as("served before: %b", servedBefore)
          .hasSize(servedBefore ? 1 : 0);
      assertIdle();
    }
    assertThat(loads.stats().loadFailures()).isEqualTo(2);
  }

  @Test
  void whatABatchHasTakenFromOthersIsItsCallersWhenALaterOneFails() {
    InFlightLoad<String> served = other(1, true);
    InFlightLoad<String> failed = other(2, true);
    IOException failure = new IOException("disk");
    BulkLoader<String> ending =
        (keys, values) -> {
          flights.finish(served, shared(1));
          flights.finish(failed, SharedResult.threw(failure, false));
        };
    String[] values = new String[3];
    assertThatThrownBy(
            () ->
                bulk.fill(
                    new long[] {1, 1, 1, 2, 1, 3}, values, form.request(0), ending, String[]::new))
        .hasCause(failure);
    assertThat(values).containsExactly("other 1", null, null);
    assertThat(form.discarded).as("given back although the caller has it").isEmpty();
    assertIdle();
  }

  @Test
  void aBatchThatMustNotWaitAndFailsGivesBackOnce() {
    InFlightLoad<String> stage = other(1, false);
    LoadTask task = new LoadTask(true, null);
    task.enter();
    BulkLoader<String> failing =
        (keys, values) -> {
          if (keys[1] == 1) {
            throw new IOException("disk");
          }
          flights.finish(stage, shared(1));
          values[0] = "text 2";
        };
    assertThatThrownBy(() -> fill(failing, 1, 2)).isInstanceOf(BlockLoadException.class);
    task.exit();
    assertThat(form.discarded).containsExactly("other 1");
    assertIdle();
  }

  @Test
  void aBatchThatMustNotWaitRefusesArraysOfAnotherLength() {
    InFlightLoad<String> stage = other(1, false);
    LoadTask task = new LoadTask(true, null);
    task.enter();
    assertThatThrownBy(
            () ->
                bulk.fill(
                    new long[] {1, 1},
                    new String[1],
                    form.request(0),
                    texts(() -> {}),
                    length -> new String[length + 1]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("asked=1, length=2");
    task.exit();
    assertThat(asked).isEmpty();
    flights.finish(stage, SharedResult.noBlock());
    assertIdle();
  }

  @Test
  void anAbandonedWaiterWithoutAResultGivesNothingBack() {
    InFlightLoad<String> other = other(1, true);
    BulkLoader<String> failing =
        (keys, values) -> {
          flights.finish(other, SharedResult.noBlock());
          throw new IOException("disk");
        };
    assertThatThrownBy(() -> fill(failing, 1, 2)).isInstanceOf(BlockLoadException.class);
    assertThat(form.discarded).isEmpty();
  }

  @Test
  void aLoaderThatAsksForItsOwnKeyAmongOthersLeavesNoFlight() {
    BulkLoader<String> never =
        (k, v) -> {
          throw new AssertionError("must not be called");
        };
    String value =
        loads.load(
            form.request(3),
            (hi, lo) -> {
              for (long other = 10; other < 40; other++) {
                long one = other;
                assertThatThrownBy(() -> fill(never, one, 3)).hasMessageContaining("its own key");
                assertThat(map).hasSize(1);
                assertThat(flights.underWay()).isEqualTo(1);
              }
              return "text";
            });
    assertThat(value).isEqualTo("text");
    assertIdle();
  }

  @Test
  void aLoaderOfABatchAsksForNoneOfItsKeys() {
    BulkLoader<String> asking =
        (keys, values) -> {
          for (int i = 0; i < values.length; i++) {
            long lo = keys[2 * i + 1];
            assertThatThrownBy(() -> loads.load(form.request(lo), (h, l) -> "own"))
                .hasMessageContaining("its own key");
            values[i] = "text";
          }
        };
    InFlightLoad<String> queued =
        new InFlightLoad<>(new Key128(1, 2), new LoadTask(true, null), true);
    flights.start(queued);
    assertThat(fill(asking, 1, 2)).containsExactly("text", "text");
    assertIdle();
  }

  @Test
  void aBatchThatMustNotWaitLoadsByItself() {
    InFlightLoad<String> stage = other(1, false);
    LoadTask task = new LoadTask(true, null);
    task.enter();
    assertThat(fill(texts(() -> {}), 1)).containsExactly("text 1");
    task.exit();
    assertThat(asked).containsExactly(1L);
    flights.finish(stage, SharedResult.noBlock());
    assertIdle();
  }

  @Test
  void aLoadByItselfIsOfOneKeyOnce() {
    InFlightLoad<String> stage = other(1, false);
    LoadTask task = new LoadTask(true, null);
    task.enter();
    String value =
        loads.load(
            form.request(1),
            (hi, lo) -> {
              assertThatThrownBy(() -> loads.load(form.request(1), (h, l) -> "inner"))
                  .hasMessageContaining("its own key: keyHi=1, keyLo=1");
              return "by itself";
            });
    assertThat(value).isEqualTo("by itself");
    assertThat(loads.<String>load(form.request(1), (hi, lo) -> null)).isNull();
    assertThatThrownBy(
            () ->
                loads.load(
                    form.request(1),
                    (hi, lo) -> {
                      throw new IOException("disk");
                    }))
        .isInstanceOf(BlockLoadException.class)
        .hasMessageContaining("keyHi=1, keyLo=1");
    assertThat(task.isInside()).isTrue();
    task.exit();
    flights.finish(stage, SharedResult.noBlock());
    assertIdle();
  }

  @Test
  void theFirstFailureOfABatchIsThrown() {
    form.landing =
        entry -> {
          throw new IllegalStateException("refused " + entry.lo());
        };
    assertThatThrownBy(() -> fill(texts(() -> {}), 1, 2, 3))
        .isInstanceOf(IllegalStateException.class)
        .satisfies(e -> assertThat(e).hasMessage("refused " + asked.get(0)));
    assertIdle();
  }

  @Test
  void timeInLoadersIsCounted() {
    long start = System.nanoTime();
    fill(texts(() -> {}), 1);
    loads.load(form.request(2), (hi, lo) -> "text");
    assertThat(loads.stats().totalLoadNanos()).isBetween(0L, System.nanoTime() - start);
    assertThat(loads.stats().loads()).isEqualTo(2);
  }
}
