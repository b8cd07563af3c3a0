/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.accumulo;

import io.hyperclock.entry.Key128;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Lets one thread load a key while others that want the same key wait for it. Loads of different
 * keys never wait for each other. Thread-safe.
 *
 * <p>A load that fails throws to its own caller alone: each waiter then loads for itself, with its
 * own open file. A load that asks for its own key again, on the same thread, runs at once.
 */
final class SingleFlight {
  private static final class Flight extends CompletableFuture<@Nullable CachedBlock> {
    private final Thread pilot = Thread.currentThread();
  }

  private final ConcurrentMap<Key128, Flight> flights = new ConcurrentHashMap<>();

  /**
   * Loads a key or waits for the load that is under way. Waiting is not ended by an interrupt,
   * which stays pending.
   *
   * @param key what to load
   * @param load loads it; called at most once, on this thread
   * @return what was loaded here or by the thread waited for; null if that was null
   */
  @Nullable CachedBlock run(Key128 key, Supplier<@Nullable CachedBlock> load) {
    Flight own = new Flight();
    Flight other = flights.putIfAbsent(key, own);
    if (other == null) {
      return fly(key, own, load);
    }
    if (other.pilot == own.pilot) {
      return load.get();
    }
    try {
      return other.join();
    } catch (CompletionException e) {
      return load.get();
    }
  }

  private @Nullable CachedBlock fly(
      Key128 key, Flight flight, Supplier<@Nullable CachedBlock> load) {
    try {
      CachedBlock block = load.get();
      flights.remove(key, flight);
      flight.complete(block);
      return block;
    } catch (Throwable e) {
      flights.remove(key, flight);
      flight.completeExceptionally(e);
      throw e;
    }
  }
}
