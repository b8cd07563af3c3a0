/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.capacity;

import io.hyperclock.internal.errors.Figure;
import io.hyperclock.internal.observe.ObserverNotifier;
import io.hyperclock.internal.policy.EvictableEntries;
import io.hyperclock.internal.policy.EvictionRequest;
import io.hyperclock.internal.policy.Replacement;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The evictions by a shard's replacement policy, and by that of the table before as long as entries
 * are there.
 */
final class Sweeps {
  /** What the table before has left, in 64ths, as long as it has to make room first. */
  private static final int SHARE_OF_OLD = 16;

  private final Replacement replacement;
  private final EvictableEntries residents;
  private final Figure effortExceeded;
  private final @Nullable ObserverNotifier watch;
  private volatile @Nullable Predecessor before;

  /** The table whose entries are being moved to this one's, and what is left there in 64ths. */
  private record Predecessor(Consumer<EvictionRequest> assistant, IntSupplier share) {}

  /**
   * Sweeps of one table.
   *
   * @param effortExceeded counts sweeps given up
   * @param watch notified of each sweep, or null
   */
  Sweeps(
      Replacement replacement,
      EvictableEntries residents,
      Figure effortExceeded,
      @Nullable ObserverNotifier watch) {
    this.replacement = replacement;
    this.residents = residents;
    this.effortExceeded = effortExceeded;
    this.watch = watch;
  }

  void countEffort(EvictionRequest request) {
    if (request.isEffortExceeded()) {
      effortExceeded.increment();
    }
  }

  /**
   * Evicts for one charge or slot.
   *
   * @param cap pinned entries to pass per freed one
   */
  void run(EvictionRequest request, long bytes, boolean needSlot, int cap) {
    request.ask(bytes, needSlot ? 1 : 0, cap);
    if (watch == null || !watch.isOn()) {
      makeRoom(request);
    } else {
      long start = System.nanoTime();
      makeRoom(request);
      watch.swept(request, System.nanoTime() - start);
    }
    countEffort(request);
  }

  private void makeRoom(EvictionRequest request) {
    Predecessor left = before;
    if (left == null) {
      replacement.makeRoom(residents, request);
      return;
    }
    boolean isOldsTurn = left.share.getAsInt() >= SHARE_OF_OLD;
    if (isOldsTurn) {
      left.assistant.accept(request);
    }
    if (!request.isFulfilled()) {
      replacement.makeRoom(residents, request);
    }
    if (!isOldsTurn && !request.isFulfilled()) {
      left.assistant.accept(request);
    }
  }

  /**
   * Room is made in the table before too, as long as entries are there.
   *
   * @param assistant frees there what a request misses
   * @param left share of that table that is still to be moved, in 64ths
   */
  void comesAfter(Consumer<EvictionRequest> assistant, IntSupplier left) {
    before = new Predecessor(assistant, left);
  }

  /** The table before is drained. */
  void comesFirst() {
    before = null;
  }
}
