/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.loading;

import io.hyperclock.BlockLoader;
import io.hyperclock.BulkLoader;
import io.hyperclock.entry.Key128;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Loads the missing ones of many keys: those that no other caller is loading (queued ones included)
 * by one call of the loader, and only then waits for the others. So a batch never waits while
 * another thread may wait for it.
 */
final class BulkLoads<V> {
  private final Loader<V> loads;

  BulkLoads(Loader<V> loads) {
    this.loads = loads;
  }

  /**
   * Fills the empty places of {@code results}. If it throws, those that it has filled are the
   * caller's to give back.
   *
   * @param <T> type of what the loader loads
   * @param arrays makes the arrays that the loader fills
   * @return how many places are not empty
   */
  <T extends V, R> int fill(
      long[] keys,
      @Nullable R[] results,
      LoadRequest<V, R> request,
      BulkLoader<T> loader,
      IntFunction<@Nullable T[]> arrays) {
    // In the order asked for: loaders read what follows in one sweep.
    Map<Key128, Integer> missing = new LinkedHashMap<>();
    int pairs = keys.length >>> 1;
    int[] firstPlace = new int[pairs];
    for (int i = 0; i < pairs; i++) {
      Integer first = null;
      if (results[i] == null) {
        first = missing.putIfAbsent(new Key128(keys[2 * i], keys[2 * i + 1]), i);
      }
      firstPlace[i] = first == null ? i : first;
    }
    List<Key128> left = new ArrayList<>(missing.keySet());
    while (!left.isEmpty()) {
      left = new Round<>(missing, results, request, loader, arrays).run(left);
    }
    int there = 0;
    for (int i = 0; i < pairs; i++) {
      R first = results[firstPlace[i]];
      if (firstPlace[i] != i && first != null) {
        results[i] = request.form().another(first);
      }
      there += first == null ? 0 : 1;
    }
    return there;
  }

  /** One call of the loader at most. */
  private final class Round<T extends V, R> {
    private final Map<Key128, Integer> places;
    private final @Nullable R[] results;
    private final LoadRequest<V, R> request;
    private final BulkLoader<T> loader;
    private final IntFunction<@Nullable T[]> arrays;
    private final LoadTask task = new LoadTask(true, null);

    private final List<InFlightLoad<V>> led = new ArrayList<>();

    /** For flights of other callers, those that have not waited yet. */
    private final Deque<ThreadWaiter<V, R>> joined = new ArrayDeque<>();

    private final List<Key128> left = new ArrayList<>();
    private int finished;

    /** The first failure of landing or ending one that it leads. */
    private @Nullable Throwable failure;

    private int failedAt;

    Round(
        Map<Key128, Integer> places,
        @Nullable R[] results,
        LoadRequest<V, R> request,
        BulkLoader<T> loader,
        IntFunction<@Nullable T[]> arrays) {
      this.places = places;
      this.results = results;
      this.request = request;
      this.loader = loader;
      this.arrays = arrays;
    }

    private void put(Key128 key, @Nullable R result) {
      results[Objects.requireNonNull(places.get(key))] = result;
    }

    /** Returns the keys that are still to be loaded. */
    List<Key128> run(List<Key128> keys) {
      try {
        leadAll(keys);
        // Those before have their results in their places, which are the caller's to give back.
        for (; !joined.isEmpty(); joined.remove()) {
          await(joined.element());
        }
        left.sort(Comparator.comparing(places::get));
        return left;
      } catch (Throwable e) {
        joined.forEach(ThreadWaiter::abandon);
        throw e;
      }
    }

    private void leadAll(List<Key128> keys) {
      try {
        task.enter();
        for (Key128 key : keys) {
          start(key);
        }
        if (!led.isEmpty()) {
          landAll(call());
        }
      } finally {
        // The tasks of flights that it has claimed are within its own.
        task.exit();
        finishAll(SharedResult.again());
      }
    }

    /** Ends all that are left, though some cannot be removed; then throws the first failure. */
    private void finishAll(SharedResult<V> shared) {
      while (finished < led.size()) {
        finishNext(shared);
      }
      if (failure != null) {
        throw LoadFailures.forLeader(failure, led.get(failedAt).key);
      }
    }

    private void finishNext(SharedResult<V> shared) {
      try {
        loads.finish(led.get(finished++), shared);
      } catch (Throwable e) {
        failure = failure == null ? e : failure;
      }
    }

    private void start(Key128 key) {
      InFlightLoad<V> mine = new InFlightLoad<>(key, task, false);
      InFlightLoad<V> other = loads.flights.start(mine);
      if (other == null || other.claim()) {
        lead(other == null ? mine : other);
        return;
      }
      if (other.task.isInside()) {
        throw LoadFailures.ownKey(key);
      }
      ThreadWaiter<V, R> waiter = new ThreadWaiter<>(other, request.form());
      // Noted first: what it is served must be given back if there is no memory for the note.
      joined.add(waiter);
      if (!other.join(waiter)) {
        joined.removeLast();
        left.add(key);
      }
    }

    /**
     * Adds a flight that this batch has started or claimed, unless its key is in the cache now. One
     * that was claimed has a task of its own, which this thread enters.
     */
    private void lead(InFlightLoad<V> flight) {
      try {
        if (flight.task != task) {
          flight.task.enter();
        }
        led.add(flight);
      } catch (Throwable e) {
        loads.finish(flight, SharedResult.again());
        throw e;
      }
      R present = request.form().lookAgain(flight.key.hi(), flight.key.lo());
      if (present != null) {
        put(flight.key, present);
        led.remove(led.size() - 1);
        loads.finish(flight, SharedResult.again());
      }
    }

    private @Nullable T[] call() {
      long[] wanted = new long[2 * led.size()];
      for (int i = 0; i < led.size(); i++) {
        wanted[2 * i] = led.get(i).key.hi();
        wanted[2 * i + 1] = led.get(i).key.lo();
      }
      @Nullable T[] loaded = array(led.size());
      long start = System.nanoTime();
      boolean failed = true;
      try {
        try {
          loader.load(wanted, loaded);
          failed = false;
        } finally {
          loads.loaded(led.size(), failed, start);
        }
      } catch (Throwable e) {
        disposeAll(loaded);
        finishAll(LoadFailures.shared(e, true));
        throw LoadFailures.forLeader(e, led.get(0).key);
      }
      return loaded;
    }

    private @Nullable T[] array(int length) {
      @Nullable T[] made =
          Objects.requireNonNull(arrays.apply(length), "what arrays makes must not be null");
      if (made.length != length) {
        throw new IllegalArgumentException(
            "arrays must make arrays of the length asked for: asked="
                + length
                + ", length="
                + made.length);
      }
      for (int i = 0; i < length; i++) {
        // It would be taken for what the loader has loaded, and be freed once more.
        if (made[i] != null) {
          throw new IllegalArgumentException("arrays must make empty arrays: index=" + i);
        }
      }
      return made;
    }

    /** Frees values that a loader has put into the array before it throws. */
    private void disposeAll(@Nullable V[] loaded) {
      for (int i = 0; i < led.size(); i++) {
        Key128 key = led.get(i).key;
        request.dispose(key.hi(), key.lo(), loaded[i]);
      }
    }

    private void landAll(@Nullable V[] loaded) {
      for (V value : loaded) {
        InFlightLoad<V> flight = led.get(finished);
        try {
          put(flight.key, Loader.land(flight, request, value));
        } catch (Throwable e) {
          // The values that are left have no other owner: they land all the same.
          if (failure == null) {
            failure = e;
            failedAt = finished;
          }
          flight.outcome = LoadFailures.shared(e, false);
        }
        finishNext(flight.outcome);
      }
    }

    private void await(ThreadWaiter<V, R> waiter) {
      Key128 key = waiter.flight.key;
      // Made first: what it is served must be given back if there is no memory for these.
      LoadRequest<V, R> wanted = request.at(key);
      BlockLoader<T> single = single();
      Object answer = waiter.await();
      if (answer == SharedResult.again()) {
        left.add(key);
      } else {
        put(key, loads.taken(answer, wanted, single));
      }
    }

    private BlockLoader<T> single() {
      return (hi, lo) -> {
        @Nullable T[] loaded = array(1);
        try {
          loader.load(new long[] {hi, lo}, loaded);
        } catch (Throwable e) {
          request.dispose(hi, lo, loaded[0]);
          throw e;
        }
        return loaded[0];
      };
    }
  }
}
