/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.internal.adapter;

import io.hyperclock.entry.Key128;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What is under way for which key: writes, offers to tiers, reads of tiers, promotions. Its steps
 * are the only order between them; see the table in {@code tiering.md}.
 *
 * <p>Memory is bounded by what is under way. Locks are held for a few steps on a map and never
 * while other code runs; only {@link #beginWrite} waits, for the insert of a promotion.
 *
 * <p><b>Stamps.</b> The end of a write, or of a stale move, takes a stamp of the clock. Each stripe
 * remembers the stamp of the key written last, and of all its other keys the newest: that one is
 * too new for some, and only costs offers.
 */
final class InFlightTable {
  private static final int STRIPES = 256;
  private static final int NOTES = 16;

  private static final class Stripe {
    private final Map<Key128, InFlight> keys = new HashMap<>();
    private final @Nullable Key128[] absent = new Key128[NOTES];
    private @Nullable Key128 lastKey;
    private long lastStamp;
    private long otherStamp;

    /** Needs memory only for a key of which nothing is under way. */
    private InFlight of(Key128 key) {
      InFlight present = keys.get(key);
      return present == null ? keys.computeIfAbsent(key, any -> new InFlight()) : present;
    }

    private void tidy(Key128 key, InFlight inFlight) {
      if (inFlight.isIdle()) {
        keys.remove(key);
      }
    }

    private boolean forgetAbsence(Key128 key) {
      int note = note(key);
      boolean known = key.equals(absent[note]);
      if (known) {
        absent[note] = null;
      }
      return known;
    }

    private static int note(Key128 key) {
      return Long.hashCode(key.lo() * 31 + key.hi()) & NOTES - 1;
    }

    private void written(Key128 key, long stamp) {
      if (!key.equals(lastKey)) {
        otherStamp = lastStamp;
        lastKey = key;
      }
      lastStamp = stamp;
    }

    private long lastWrite(Key128 key) {
      return key.equals(lastKey) ? lastStamp : otherStamp;
    }
  }

  private final Stripe[] stripes = new Stripe[STRIPES];
  private final AtomicLong clock = new AtomicLong();

  InFlightTable() {
    for (int i = 0; i < STRIPES; i++) {
      stripes[i] = new Stripe();
    }
  }

  private Stripe stripe(Key128 key) {
    long mixed = (key.hi() * 0x9e3779b97f4a7c15L + key.lo()) * 0x9e3779b97f4a7c15L;
    return stripes[(int) (mixed >>> Long.SIZE - 8)];
  }

  /** The clock, which each end of a write or of a stale move advances. */
  long now() {
    return clock.get();
  }

  /**
   * From now on, what is under way for the key is stale, and nothing new begins until the write
   * ends. Waits for a promotion that is inserting, unless nested.
   *
   * @return a queued offer that the caller must release, or null
   */
  @Nullable DemotionTask beginWrite(Key128 key, boolean nested) {
    Stripe stripe = stripe(key);
    boolean interrupted = false;
    DemotionTask cancelled;
    synchronized (stripe) {
      InFlight inFlight = stripe.of(key);
      cancelled = inFlight.makeStale(); // First: it may need memory.
      inFlight.writers++;
      while (inFlight.promoting > 0 && !nested) {
        try {
          stripe.wait();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return cancelled;
  }

  /**
   * During a write: whether no tier holds the key, because the last read of the tiers found it
   * nowhere and nothing was offered since. Says so once.
   */
  boolean isAbsentBelow(Key128 key) {
    Stripe stripe = stripe(key);
    synchronized (stripe) {
      return stripe.forgetAbsence(key);
    }
  }

  /** Returns the stamp of the write. */
  long endWrite(Key128 key) {
    Stripe stripe = stripe(key);
    synchronized (stripe) {
      InFlight inFlight = stripe.of(key);
      inFlight.writers--;
      long stamp = clock.incrementAndGet();
      stripe.written(key, stamp);
      stripe.tidy(key, inFlight);
      return stamp;
    }
  }

  /** Whether the offer may go ahead: no stamp since the bound, no write, no other offer. */
  boolean register(DemotionTask offer, long bound) {
    Key128 key = offer.key;
    Stripe stripe = stripe(key);
    synchronized (stripe) {
      InFlight inFlight = stripe.of(key);
      boolean fresh =
          inFlight.writers == 0 && inFlight.offer == null && stripe.lastWrite(key) <= bound;
      if (fresh) {
        inFlight.offer = offer;
        stripe.forgetAbsence(key);
        if (inFlight.flight != null) {
          inFlight.flight.offered = true;
        }
      }
      stripe.tidy(key, inFlight);
      return fresh;
    }
  }

  /** Whether the caller has the value of a queued offer back; false if another took or freed it. */
  boolean withdraw(DemotionTask offer) {
    Stripe stripe = stripe(offer.key);
    synchronized (stripe) {
      InFlight inFlight = stripe.keys.get(offer.key);
      if (inFlight != null && inFlight.takeOut(offer)) {
        stripe.tidy(offer.key, inFlight);
        return true;
      }
      return offer.state == DemotionTask.State.QUEUED;
    }
  }

  /** Whether the caller is to carry the offer out; false if it was cancelled or put back. */
  boolean startMoving(DemotionTask offer) {
    synchronized (stripe(offer.key)) {
      if (offer.state != DemotionTask.State.QUEUED) {
        return false;
      }
      offer.state = DemotionTask.State.MOVING;
      offer.mover = Thread.currentThread();
      return true;
    }
  }

  /**
   * Ends an offer that has been carried out.
   *
   * @param cleaned whether the tiers have been rid of a stale value
   * @return false if the offer is stale: rid the tiers of it and call again
   */
  boolean endMoving(DemotionTask offer, boolean cleaned) {
    Key128 key = offer.key;
    Stripe stripe = stripe(key);
    synchronized (stripe) {
      if (offer.stale && !cleaned) {
        return false;
      }
      if (offer.stale) { // A tier may have dropped the value before it was erased there.
        stripe.written(key, clock.incrementAndGet());
      }
      InFlight inFlight = stripe.of(key);
      offer.state = DemotionTask.State.ENDED;
      inFlight.offer = null;
      stripe.tidy(key, inFlight);
      return true;
    }
  }

  /** How a lookup that found nothing in the primary goes on. */
  enum Role {
    /** A write is under way: a miss. */
    MISS,
    /** Another lookup's read will serve it. */
    JOINED,
    /** It reads the tiers for all who join. */
    LEADER,
    /** It puts back a value that was on its way down. */
    PUTS_BACK,
    /** It reads for itself only: it wants another type or context, or must not wait. */
    ALONE
  }

  /**
   * Enters a lookup; the flight is the caller's if it is to lead, else another takes its place.
   *
   * @param mayJoin whether the lookup may be served by another's read
   */
  Role join(TierRead flight, LookupWaiter waiter, boolean mayJoin) {
    Key128 key = flight.key;
    Stripe stripe = stripe(key);
    synchronized (stripe) {
      InFlight inFlight = stripe.of(key);
      if (inFlight.writers > 0) {
        return Role.MISS;
      }
      DemotionTask offer = inFlight.offer;
      if (offer != null && offer.state == DemotionTask.State.MOVING) {
        flight.after = offer;
      }
      TierRead present = inFlight.flight;
      if (present != null) {
        boolean same = mayJoin && present.serves(flight);
        (same ? present : flight).add(waiter);
        if (!same) {
          inFlight.addApart(flight);
        }
        return same ? Role.JOINED : Role.ALONE;
      }
      flight.add(waiter);
      inFlight.flight = flight;
      flight.fresh = true;
      flight.offered = offer != null;
      if (offer != null
          && offer.canBePutBack()
          && offer.type == flight.type
          && inFlight.takeOut(offer)) {
        inFlight.promoting++;
        flight.putBack = offer;
        return Role.PUTS_BACK;
      }
      return Role.LEADER;
    }
  }

  /** Whether the value of a flight may go into the primary; if so, writes wait for its end. */
  boolean beginPromotion(TierRead flight) {
    Stripe stripe = stripe(flight.key);
    synchronized (stripe) {
      if (!flight.fresh) {
        return false;
      }
      stripe.of(flight.key).promoting++;
      return true;
    }
  }

  /**
   * As {@link #endMoving}: false if a nested write or the end of the flight came between, and the
   * key must be erased.
   */
  boolean endPromotion(TierRead flight, boolean cleaned) {
    Stripe stripe = stripe(flight.key);
    synchronized (stripe) {
      if (!flight.fresh && !cleaned) {
        return false;
      }
      InFlight inFlight = stripe.of(flight.key);
      inFlight.promoting--;
      stripe.notifyAll();
      stripe.tidy(flight.key, inFlight);
      return true;
    }
  }

  /**
   * No lookup joins the flight any more, and what it finds from now on stays out of the primary,
   * because writes do not see it any more. Needs no memory.
   *
   * @return those who joined
   */
  List<LookupWaiter> finish(TierRead flight) {
    Stripe stripe = stripe(flight.key);
    synchronized (stripe) {
      flight.fresh = false;
      InFlight inFlight = stripe.keys.get(flight.key);
      if (inFlight != null) {
        if (inFlight.flight == flight) {
          inFlight.flight = null;
          if (flight.isAbsentBelow() && !flight.offered && inFlight.offer == null) {
            stripe.absent[Stripe.note(flight.key)] = flight.key;
          }
        }
        inFlight.removeApart(flight);
        stripe.tidy(flight.key, inFlight);
      }
      return flight.takeWaiters();
    }
  }

  /** Whether the flight goes on, and no write has begun since it was entered. */
  boolean isFresh(TierRead flight) {
    synchronized (stripe(flight.key)) {
      return flight.fresh;
    }
  }

  /** Whether nothing is under way. */
  boolean isIdle() {
    return collect((key, inFlight) -> inFlight.isIdle() ? Stream.empty() : Stream.of(key))
        .isEmpty();
  }

  /** All flights. */
  List<TierRead> flights() {
    return collect((key, inFlight) -> inFlight.flights());
  }

  /** Keys that are being written. */
  List<Key128> written() {
    return collect((key, inFlight) -> inFlight.writers > 0 ? Stream.of(key) : Stream.empty());
  }

  /** Offers that are moving although a write has begun since. */
  List<DemotionTask> staleMoves() {
    return collect(
        (key, inFlight) -> Stream.ofNullable(inFlight.offer).filter(offer -> offer.stale));
  }

  private <T> List<T> collect(BiFunction<Key128, InFlight, Stream<T>> what) {
    List<T> all = new ArrayList<>();
    for (Stripe stripe : stripes) {
      synchronized (stripe) {
        if (!stripe.keys.isEmpty()) {
          stripe.keys.forEach((key, inFlight) -> what.apply(key, inFlight).forEach(all::add));
        }
      }
    }
    return all;
  }
}
