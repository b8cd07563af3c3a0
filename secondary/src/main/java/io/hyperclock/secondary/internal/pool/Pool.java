/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.internal.pool;

import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a few objects that are costly to make, for any number of threads, virtual ones included:
 * twice as many as there are processors. Where all are taken new ones are made, and what comes back
 * to a full pool is discarded. Lock-free.
 */
public final class Pool<T> {
  /** How many are kept at most. */
  public static final int SIZE =
      Math.max(4, 2 * Integer.highestOneBit(Runtime.getRuntime().availableProcessors()));

  /** References between two that are kept: threads that use different ones share no cache line. */
  private static final int STRIDE = 32;

  private final AtomicReferenceArray<@Nullable T> kept = new AtomicReferenceArray<>(SIZE * STRIDE);
  private final Supplier<? extends T> maker;
  private final Consumer<? super T> discard;

  /** Empty. */
  public Pool(Supplier<? extends T> maker, Consumer<? super T> discard) {
    this.maker = maker;
    this.discard = discard;
  }

  /** An object of which the caller is the only owner until it gives it back. */
  public T take() {
    int start = start();
    for (int i = 0; i < SIZE; i++) {
      int index = (start + i & SIZE - 1) * STRIDE;
      if (kept.get(index) != null) {
        T taken = kept.getAndSet(index, null);
        if (taken != null) {
          return taken;
        }
      }
    }
    return maker.get();
  }

  /** Takes an object over. */
  public void giveBack(T object) {
    int start = start();
    for (int i = 0; i < SIZE; i++) {
      int index = (start + i & SIZE - 1) * STRIDE;
      if (kept.get(index) == null && kept.compareAndSet(index, null, object)) {
        return;
      }
    }
    discard.accept(object);
  }

  private static int start() {
    return (int) Thread.currentThread().getId();
  }
}
