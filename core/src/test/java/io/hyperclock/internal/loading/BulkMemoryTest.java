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

import io.hyperclock.BulkLoader;
import io.hyperclock.entry.Key128;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The memory ends where a batch notes the k-th of its keys: no load stays under way, and who waited
 * for one starts anew.
 */
@Tag("loading")
@Timeout(value = TEST_SECONDS, threadMode = SEPARATE_THREAD)
class BulkMemoryTest {
  private static final int KEYS = 4;

  private final FlightMap map = new FlightMap();
  private final InFlightLoads<String> flights = new InFlightLoads<>(map);
  private final Loader<String> loads = new Loader<>(flights);
  private final AsyncLoader<String> async = new AsyncLoader<>(loads);
  private final BulkLoads<String> bulk = new BulkLoads<>(loads);
  private final TestForm form = new TestForm();
  private final List<Runnable> queue = new ArrayList<>();

  /** Takes so many elements, then there is no memory for one. */
  private static final class Flights extends ArrayList<InFlightLoad<String>> {
    private static final long serialVersionUID = 1L;
    private int left;

    Flights(int left) {
      this.left = left;
    }

    @Override
    public boolean add(InFlightLoad<String> flight) {
      if (left-- == 0) {
        throw new OutOfMemoryError("test");
      }
      return super.add(flight);
    }
  }

  /** Takes nothing: there is no memory for it. */
  private static final class Full extends ArrayDeque<Object> {
    private static final long serialVersionUID = 1L;

    @Override
    public boolean add(Object other) {
      throw new OutOfMemoryError("test");
    }
  }

  /**
   * Runs a round of all keys, which notes those that it loads, or those that it waits for, in a
   * collection of the caller.
   */
  private void run(String notes, Object collection) throws Throwable {
    Map<Key128, Integer> places = new HashMap<>();
    List<Key128> keys = new ArrayList<>();
    for (int lo = 0; lo < KEYS; lo++) {
      places.put(new Key128(1, lo), lo);
      keys.add(new Key128(1, lo));
    }
    BulkLoader<String> never =
        (asked, values) -> {
          throw new AssertionError("must not be called");
        };
    IntFunction<@Nullable String[]> arrays = String[]::new;
    Class<?> type = Class.forName(BulkLoads.class.getName() + "$Round");
    Constructor<?> constructor = type.getDeclaredConstructors()[0];
    constructor.setAccessible(true);
    Object round =
        constructor.newInstance(bulk, places, new String[KEYS], form.request(0), never, arrays);
    Field field = type.getDeclaredField(notes);
    field.setAccessible(true);
    field.set(round, collection);
    Method method = type.getDeclaredMethod("run", List.class);
    method.setAccessible(true);
    try {
      method.invoke(round, keys);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  /** A thread that has joined the load of a key. */
  private ThreadWaiter<String, String> joined(long lo) {
    ThreadWaiter<String, String> waiter = form.waiter();
    assertThat(map.get(new Key128(1, lo)).join(waiter)).isTrue();
    return waiter;
  }

  private void assertServedNothing(ThreadWaiter<String, String> waiter, long lo) {
    // So that it does not wait for ever if it was not served.
    Thread.currentThread().interrupt();
    Object answer = waiter.await();
    assertThat(Thread.interrupted()).isTrue();
    assertThat(answer).as("what a waiter for key %d gets", lo).isSameAs(SharedResult.again());
  }

  /** Another thread loads each key. */
  private void assertLoadable() throws Exception {
    assertThat(LoadTask.isInsideAny()).isFalse();
    assertThat(map).isEmpty();
    assertThat(flights.underWay()).isZero();
    assertThat(loads.stats().loads() + loads.stats().loadFailures()).isZero();
    assertThat(loads.stats().waiters()).isZero();
    FutureTask<String> other =
        new FutureTask<>(
            () -> {
              List<String> loaded = new ArrayList<>();
              for (long lo = 0; lo < KEYS; lo++) {
                loaded.add(loads.load(form.request(lo), (hi, l) -> "text " + l));
              }
              return loaded.toString();
            });
    Thread thread = new Thread(other, "other");
    thread.setDaemon(true);
    thread.start();
    assertThat(other.get(WAIT_SECONDS, TimeUnit.SECONDS))
        .isEqualTo("[text 0, text 1, text 2, text 3]");
    assertThat(loads.stats().loads()).isEqualTo(KEYS);
  }

  /** Those who wait join each flight of the batch as soon as they see it. */
  private List<ThreadWaiter<String, String>> joinEach(int keys) {
    List<ThreadWaiter<String, String>> waiters = new ArrayList<>();
    map.whenSeen.set(() -> joinWhenSeen(waiters, keys));
    return waiters;
  }

  private void joinWhenSeen(List<ThreadWaiter<String, String>> waiters, int keys) {
    waiters.add(joined(waiters.size()));
    if (waiters.size() < keys) {
      map.whenSeen.set(() -> joinWhenSeen(waiters, keys));
    }
  }

  @Test
  void noMemoryForAKeyThatItLoadsItself() throws Exception {
    for (int taken = 0; taken < KEYS; taken++) {
      BulkMemoryTest fresh = new BulkMemoryTest();
      Flights led = new Flights(taken);
      List<ThreadWaiter<String, String>> waiters = fresh.joinEach(taken + 1);
      assertThatThrownBy(() -> fresh.run("led", led)).isInstanceOf(OutOfMemoryError.class);
      assertThat(waiters).hasSize(taken + 1);
      for (int lo = 0; lo <= taken; lo++) {
        fresh.assertServedNothing(waiters.get(lo), lo);
      }
      fresh.assertLoadable();
    }
  }

  /** What it would be served has nobody to give it back. */
  @Test
  void noMemoryForAKeyThatAnotherLoads() throws Exception {
    InFlightLoad<String> other =
        new InFlightLoad<>(new Key128(1, 0), new LoadTask(true, null), false);
    assertThat(flights.start(other)).isNull();
    assertThatThrownBy(() -> run("joined", new Full())).isInstanceOf(OutOfMemoryError.class);
    assertThat(flights.finish(other, SharedResult.noBlock())).as("served").isZero();
    assertLoadable();
  }

  @Test
  void noMemoryForAKeyThatItTakesOver() throws Exception {
    for (int taken = 0; taken < KEYS; taken++) {
      new BulkMemoryTest().takesOver(taken);
    }
  }

  private void takesOver(int taken) throws Exception {
    List<CompletableFuture<String>> futures = new ArrayList<>();
    List<ThreadWaiter<String, String>> waiters = new ArrayList<>();
    for (long lo = 0; lo < KEYS; lo++) {
      futures.add(async.load(form.request(lo), queue::add, (hi, l) -> "text " + l));
      waiters.add(joined(lo));
    }
    assertThatThrownBy(() -> run("led", new Flights(taken))).isInstanceOf(OutOfMemoryError.class);
    for (int lo = 0; lo <= taken; lo++) {
      assertServedNothing(waiters.get(lo), lo);
    }
    // The futures have queued themselves anew.
    assertThat(queue).hasSize(KEYS + taken + 1);
    assertThat(map).hasSize(KEYS);
    queue.forEach(Runnable::run);
    for (int lo = 0; lo < KEYS; lo++) {
      assertThat(futures.get(lo)).isCompletedWithValue("text " + lo);
    }
    assertThat(map).isEmpty();
    assertThat(flights.underWay()).isZero();
    assertThat(loads.stats().loads()).as("each once").isEqualTo(KEYS);
    assertThat(LoadTask.isInsideAny()).isFalse();
  }
}
