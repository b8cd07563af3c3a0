/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.internal.adapter;

import io.hyperclock.BlockCache;
import io.hyperclock.CapacityExceededException;
import io.hyperclock.Handle;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.Priority;
import io.hyperclock.secondary.TierResult;
import io.hyperclock.secondary.internal.adapter.Counters.Event;
import io.hyperclock.secondary.internal.tier.LookupDisposal;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Moves values up: makes a handle of what a flight found, and gives one to each lookup that waits.
 *
 * <p>First touch: a standalone entry, and a mark in the primary. Second touch, or a tier that
 * cannot erase on advice: an entry of the primary. A flight that is stale or reads for one lookup
 * only leaves no trace. The mark of a key is a hint: nothing is wrong if it is lost or too much.
 */
final class Promotion implements ReadEnd {
  private final BlockCache<Object> primary;
  private final InFlightTable registry;
  private final EvictionTimestamps bounds;
  private final Tiers tiers;
  private final FoundBelowMarks marks;
  private final RetainedCopyTypes kept;
  private final Counters counters;
  private final DemotionFilter<?> descent;

  Promotion(
      BlockCache<Object> primary,
      InFlightTable registry,
      EvictionTimestamps bounds,
      Tiers tiers,
      FoundBelowMarks marks,
      RetainedCopyTypes kept,
      Counters counters,
      DemotionFilter<?> descent) {
    this.primary = primary;
    this.registry = registry;
    this.bounds = bounds;
    this.tiers = tiers;
    this.marks = marks;
    this.kept = kept;
    this.counters = counters;
    this.descent = descent;
  }

  @Override
  public void finish(TierRead flight, @Nullable TierResult<Object> hit, int tier) {
    Handle<Object> handle = null;
    try {
      handle = hit == null ? foundMeanwhile(flight) : moveUp(flight, hit, tier);
    } finally {
      serve(flight, handle);
    }
  }

  @Override
  public void fail(TierRead flight) {
    endFrom(0, registry.finish(flight));
  }

  /** Between a lookup of the primary and of the tiers, another may have moved the value up. */
  private @Nullable Handle<Object> foundMeanwhile(TierRead flight) {
    long hi = flight.key.hi();
    long lo = flight.key.lo();
    try {
      Handle<Object> handle = primary.contains(hi, lo) ? primary.lookup(hi, lo) : null;
      return handle == null ? null : kept.shown(handle);
    } catch (IllegalStateException closedOrCrowded) {
      return null;
    }
  }

  private @Nullable Handle<Object> moveUp(TierRead flight, TierResult<Object> hit, int tier) {
    boolean real = flight.isSecondTouch() || !tiers.erasesOnAdvice(tier);
    if (!real) {
      return firstTouch(flight, standalone(flight, hit), tier);
    }
    Object value = Objects.requireNonNull(hit.value());
    EntryType<Object> type = hit.kept() ? twin(flight, value, tier) : flight.type;
    if (!registry.beginPromotion(flight)) {
      return standalone(flight, hit);
    }
    Handle<Object> handle = insert(flight, value, type, hit.chargeBytes());
    if (handle != null && hit.kept()) {
      descent.found(flight, handle, tier);
    }
    return handle;
  }

  /** No other code knows of the value: it is freed if there is no twin to be had. */
  private EntryType<Object> twin(TierRead flight, Object value, int tier) {
    try {
      return kept.twin(flight.type, tier);
    } catch (Throwable e) {
      LookupDisposal.dispose(flight.type, flight.key.hi(), flight.key.lo(), value);
      throw e;
    }
  }

  /** As {@link EvictionTimestamps#enter}; if that fails, the value is freed. */
  private void enterWith(TierRead flight, Object value) {
    try {
      bounds.enter();
    } catch (Throwable e) {
      LookupDisposal.dispose(flight.type, flight.key.hi(), flight.key.lo(), value);
      throw e;
    }
  }

  /** As {@link EvictionTimestamps#exit}; if that fails, the handle is given back. */
  private void exitWith(@Nullable Handle<Object> handle) {
    try {
      bounds.exit();
    } catch (Throwable e) {
      if (handle != null) {
        handle.discard();
      }
      throw e;
    }
  }

  private @Nullable Handle<Object> firstTouch(
      TierRead flight, @Nullable Handle<Object> handle, int tier) {
    if (handle == null || !registry.isFresh(flight)) {
      return handle;
    }
    descent.found(flight, handle, tier);
    counters.count(flight.type.role(), Event.FIRST_TOUCH);
    try {
      bounds.enter();
      try {
        marks.set(flight.key.hi(), flight.key.lo());
      } finally {
        bounds.exit();
      }
      return new TierHandle<>(handle, flight.type, new TierHandle.Touch(marks));
    } catch (Throwable closedOrNoMemory) {
      return handle; // Without a mark, or with one that stays.
    }
  }

  /** Lands a flight with a value that was on its way down; the promotion has begun. */
  void putBack(TierRead flight, DemotionTask offer) {
    Handle<Object> handle = null;
    try {
      handle = insert(flight, offer.value.get(), offer.type, offer.chargeBytes);
    } finally {
      try {
        serve(flight, handle);
      } finally {
        flight.skip();
      }
    }
  }

  /** After a promotion has begun, which ends here whatever happens. */
  private @Nullable Handle<Object> insert(
      TierRead flight, Object value, EntryType<Object> type, long chargeBytes) {
    long hi = flight.key.hi();
    long lo = flight.key.lo();
    Handle<Object> handle = null;
    boolean entered = false;
    try {
      enterWith(flight, value);
      entered = true;
      handle = primary.insertPinned(hi, lo, value, type, charge(chargeBytes), Priority.LOW);
      counters.count(type.role(), Event.PROMOTION);
      clearMark(hi, lo);
    } catch (CapacityExceededException | IllegalStateException noRoomOrNoTypeOrClosed) {
      if (entered) {
        handle = standalone(flight, value, chargeBytes); // Frees the value if the cache is closed.
      }
    } finally {
      boolean ended = false;
      try {
        endPromotion(flight);
        ended = true;
      } finally {
        if (!ended && handle != null) {
          handle.discard();
        }
        if (entered) {
          exitWith(ended ? handle : null);
        }
      }
    }
    return handle == null ? null : kept.shown(handle);
  }

  private void clearMark(long hi, long lo) {
    try {
      marks.clear(hi, lo);
    } catch (Throwable closedOrNoMemory) {
      // The mark stays.
    }
  }

  private void endPromotion(TierRead flight) {
    if (!registry.endPromotion(flight, false)) {
      try {
        primary.erase(flight.key.hi(), flight.key.lo());
      } catch (IllegalStateException closed) {
        return;
      } finally {
        registry.endPromotion(flight, true);
      }
    }
  }

  private @Nullable Handle<Object> standalone(TierRead flight, TierResult<Object> hit) {
    return standalone(flight, Objects.requireNonNull(hit.value()), hit.chargeBytes());
  }

  private @Nullable Handle<Object> standalone(TierRead flight, Object value, long chargeBytes) {
    long hi = flight.key.hi();
    long lo = flight.key.lo();
    Handle<Object> handle = null;
    enterWith(flight, value);
    try {
      handle = primary.createStandalone(hi, lo, value, flight.type, charge(chargeBytes), true);
    } catch (Throwable closedOrNoMemory) { // The value is still ours.
      LookupDisposal.dispose(flight.type, hi, lo, value);
      if (!(closedOrNoMemory instanceof IllegalStateException)) {
        throw closedOrNoMemory;
      }
    } finally {
      exitWith(handle);
    }
    return handle;
  }

  /** Whatever happens, each waiter is completed, and the handle has an owner or is given back. */
  private void serve(TierRead flight, @Nullable Handle<Object> handle) {
    List<LookupWaiter> waiters = registry.finish(flight);
    Handle<Object> left = handle;
    int next = 0;
    try {
      putDependentsLast(waiters);
      while (next < waiters.size()) {
        int one = next++;
        boolean last = next == waiters.size();
        Handle<Object> own = left == null || last ? left : another(left);
        left = last ? null : left;
        counted(flight, waiters.get(one), own != null, one > 0);
        waiters.get(one).complete(own);
      }
    } finally {
      endFrom(next, waiters);
      if (left != null) {
        left.discard();
      }
    }
  }

  /** Ends waiters without a value; what one of them throws does not keep others waiting. */
  private static void endFrom(int first, List<LookupWaiter> waiters) {
    for (int i = first; i < waiters.size(); i++) {
      try {
        waiters.get(i).complete(null);
      } catch (Throwable ofItsDependents) {
        continue;
      }
    }
  }

  /** Before the lookup ends, so that who has waited for it finds it counted. */
  private void counted(TierRead flight, LookupWaiter waiter, boolean found, boolean shared) {
    counters.count(flight.type.role(), Event.LOOKUP);
    if (found && !waiter.isDone()) {
      counters.count(flight.type.role(), Event.HIT);
      if (shared) {
        counters.count(flight.type.role(), Event.SHARED);
      }
    }
  }

  /**
   * Dependents run while their lookup is completed, and may take their time. Each waiter is asked
   * once, since owners take their futures meanwhile.
   */
  private static void putDependentsLast(List<LookupWaiter> waiters) {
    int free = 0;
    for (int i = 0; i < waiters.size(); i++) {
      if (!waiters.get(i).isTaken()) {
        Collections.swap(waiters, i, free++);
      }
    }
  }

  /** Null if the entry has too many pins, or there is no memory for one more. */
  private static @Nullable Handle<Object> another(Handle<Object> handle) {
    try {
      return handle.ref();
    } catch (Throwable noPinOrNoMemory) {
      return null;
    }
  }

  private static long charge(long chargeBytes) {
    return Math.min(chargeBytes, BlockCache.MAX_CHARGE_BYTES);
  }
}
