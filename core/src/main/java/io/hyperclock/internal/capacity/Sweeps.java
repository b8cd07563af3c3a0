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
import io.hyperclock.internal.slot.SlotProtocol;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The evictions of one shard: by its replacement policy, and by that of the table before as long as
 * entries are there; and those of short sweeps, which ask no policy.
 */
final class Sweeps {
  /** What the table before has left, in 64ths, as long as it has to make room first. */
  private static final int SHARE_OF_OLD = 16;

  private final Replacement replacement;
  private final EvictableEntries residents;
  private final ShortSweep shortSweep;
  private final Figure effortExceeded;
  private final @Nullable ObserverNotifier watch;

  /** Looks to be made up for. Plain: it steers what a call costs, and a lost step does no harm. */
  private long debt;

  /** The table before, as long as entries are there. */
  volatile @Nullable Predecessor before;

  /**
   * The table whose entries are being moved to this one's.
   *
   * @param assistant frees there what a request misses
   * @param share what is still to be moved of it, in 64ths
   */
  record Predecessor(Consumer<EvictionRequest> assistant, IntSupplier share) {}

  /**
   * Sweeps of one table.
   *
   * @param effortExceeded counts sweeps given up
   * @param watch notified of each sweep, or null
   */
  Sweeps(
      Replacement replacement,
      EvictableEntries residents,
      SlotProtocol slots,
      Figure effortExceeded,
      @Nullable ObserverNotifier watch) {
    this.replacement = replacement;
    this.residents = residents;
    this.shortSweep = new ShortSweep(slots);
    this.effortExceeded = effortExceeded;
    this.watch = watch;
  }

  private void countEffort(EvictionRequest request) {
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

  /** Looks at a few slots for one charge or slot, as {@link #run}. */
  void runShortly(EvictionRequest request, long bytes, boolean needSlot, int cap) {
    request.ask(bytes, needSlot ? 1 : 0, cap);
    shortSweep.run(residents, request);
    countEffort(request);
  }

  /**
   * Evicts a little although there may be room. Where a sweep finds too little because all is
   * pinned, those after it look at a few slots each, until together they have looked at as many as
   * it has, or have found that pins have ended.
   *
   * @param request of no insert
   * @param leastBytes charge to free at least
   * @param share charge to free where a sweep is made
   * @return whether an entry has left
   */
  boolean runEarly(EvictionRequest request, long leastBytes, long share, int cap) {
    if (debt > 0) {
      debt -= ShortSweep.LOOKS;
      runShortly(request, leastBytes, false, EvictionRequest.NO_EFFORT_CAP);
      if (request.isFulfilled()) {
        debt = 0;
      }
    } else {
      request.takeTime();
      run(request, Math.max(leastBytes, share), false, cap);
      if (!request.isFulfilled()) {
        debt = request.looks() - ShortSweep.LOOKS;
      }
    }
    return request.freedEntries() > 0;
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
}
