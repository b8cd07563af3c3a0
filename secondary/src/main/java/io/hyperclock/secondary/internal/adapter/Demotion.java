/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.internal.adapter;

import io.hyperclock.internal.errors.StackReserve;
import io.hyperclock.secondary.internal.adapter.Counters.Event;
import io.hyperclock.secondary.internal.tier.LookupDisposal;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Moves values down. An offer is accepted within bounds, without waiting, by the evicting thread;
 * it is carried out by one task of the executor at a time. What does not fit is dropped and
 * counted. If a tier keeps the task too long another one takes over, and passes that tier by until
 * it returns.
 *
 * <p>The bytes of an offer count until its value is released; its place in the queue until the task
 * has passed it, so that cancelled offers cannot pile up.
 */
final class Demotion {
  private final InFlightTable registry;
  private final EvictionTimestamps bounds;
  private final Tiers tiers;
  private final Counters counters;
  private final Executor executor;
  private final Watch watch;
  private final long maxBytes;
  private final int maxEntries;
  private final Queue<DemotionTask> queue;
  private final AtomicLong bytes = new AtomicLong();
  private final AtomicInteger places = new AtomicInteger();
  private final AtomicInteger pending = new AtomicInteger();
  private final AtomicReference<@Nullable Mover> mover = new AtomicReference<>();
  private volatile boolean closed;

  Demotion(
      InFlightTable registry,
      EvictionTimestamps bounds,
      Tiers tiers,
      Counters counters,
      Executor executor,
      Watch watch,
      long maxBytes,
      int maxEntries,
      Queue<DemotionTask> queue) {
    this.registry = registry;
    this.bounds = bounds;
    this.tiers = tiers;
    this.counters = counters;
    this.executor = executor;
    this.watch = watch;
    this.maxBytes = maxBytes;
    this.maxEntries = maxEntries;
    this.queue = queue;
  }

  int pending() {
    return pending.get();
  }

  long pendingBytes() {
    return bytes.get();
  }

  /**
   * Takes an offer on.
   *
   * @param bound see {@link EvictionTimestamps}
   * @return false if it was dropped; the value is still the caller's
   */
  boolean offer(DemotionTask offer, long bound) {
    StackReserve.require();
    counters.count(offer.type.role(), Event.OFFERED);
    if (closed) {
      counters.count(offer.type.role(), Event.SUPERSEDED);
      return false;
    }
    if (!reserve(offer.chargeBytes)) {
      counters.count(offer.type.role(), Event.OVERFLOWED);
      watch.dropped(offer.key.hi(), offer.key.lo(), offer.type.role(), offer.chargeBytes);
      return false;
    }
    boolean fresh;
    try {
      fresh = registry.register(offer, bound);
      if (fresh) {
        queue.add(offer);
      }
    } catch (Throwable noMemory) {
      return isTakenMeanwhile(offer);
    }
    if (!fresh) {
      places.decrementAndGet();
      unreserve(offer);
      counters.count(offer.type.role(), Event.SUPERSEDED);
      return false;
    }
    getCarriedOut();
    return true;
  }

  /** Undoes an offer that could not be queued, unless another thread has its value by now. */
  private boolean isTakenMeanwhile(DemotionTask offer) {
    places.decrementAndGet();
    if (!registry.withdraw(offer)) {
      return true;
    }
    unreserve(offer);
    counters.count(offer.type.role(), Event.OVERFLOWED);
    return false;
  }

  /** Throws nothing: the value that has been queued is not the caller's any more. */
  private void getCarriedOut() {
    try {
      if (closed) {
        dropQueued();
      } else {
        schedule();
      }
    } catch (Throwable e) {
      // What is still queued is carried out with the next offer, or dropped by the close.
    }
  }

  /** Whether an offer would not overflow just now. */
  boolean hasRoom(long chargeBytes) {
    return places.get() < maxEntries && bytes.get() + chargeBytes <= maxBytes;
  }

  private boolean reserve(long chargeBytes) {
    if (places.incrementAndGet() > maxEntries) {
      places.decrementAndGet();
      return false;
    }
    if (bytes.addAndGet(chargeBytes) > maxBytes) {
      bytes.addAndGet(-chargeBytes);
      places.decrementAndGet();
      return false;
    }
    pending.incrementAndGet();
    return true;
  }

  private void unreserve(DemotionTask offer) {
    bytes.addAndGet(-offer.chargeBytes);
    pending.decrementAndGet();
  }

  private void schedule() {
    Mover present = mover.get();
    if (present != null && !present.isStuck()) {
      return;
    }
    Mover next = null;
    try {
      next = new Mover();
      if (mover.compareAndSet(present, next)) {
        executor.execute(next);
      }
    } catch (Throwable refused) {
      mover.compareAndSet(next, null);
      dropQueued();
    }
  }

  /**
   * Carries offers out until there are none, or until another takes over, because a tier keeps it.
   * One that only waits for a thread, or makes its way past a tier that keeps another, is not
   * stuck: else movers could take over from each other for ever.
   */
  private final class Mover implements Runnable {
    /** When the insert that it makes began, 0 if it makes none. */
    private volatile long inserting;

    /** Whether it has ended; told without a call, since the stack may have ended. */
    private volatile boolean ended;

    boolean isStuck() {
      return ended || tiers.isOverdue(inserting);
    }

    @Override
    public void run() {
      try {
        while (mover.get() == this) {
          DemotionTask offer = poll();
          if (offer == null) {
            break;
          }
          move(offer, this);
        }
      } finally {
        ended = true;
        mover.compareAndSet(this, null);
      }
      if (!queue.isEmpty()) {
        schedule();
      }
    }
  }

  private void move(DemotionTask offer, Mover self) {
    if (!registry.startMoving(offer)) {
      return;
    }
    boolean accepted = false;
    try {
      bounds.enter();
      try {
        accepted = !closed && insert(offer, self);
      } finally {
        bounds.exit();
      }
    } finally {
      end(offer, accepted);
    }
  }

  private boolean insert(DemotionTask offer, Mover self) {
    Object value = decoded(offer);
    if (value == null) {
      return false;
    }
    boolean accepted = false;
    for (int tier = offer.fromTier; tier < offer.toTier && !accepted; tier++) {
      offer.tier = tier;
      if (closed) {
        break; // Read after the tier was noted: what Leftovers finds there is the last tier.
      }
      self.inserting = Tiers.begin();
      accepted = tiers.insert(tier, offer.key, value, offer.type, offer.force);
      self.inserting = 0;
    }
    if (offer.source == DemotionTask.Source.DROPPED) {
      LookupDisposal.dispose(offer.type, offer.key.hi(), offer.key.lo(), value);
    }
    return accepted;
  }

  private static @Nullable Object decoded(DemotionTask offer) {
    try {
      return offer.value.get();
    } catch (Throwable e) {
      return null;
    }
  }

  private void end(DemotionTask offer, boolean accepted) {
    boolean stale = !registry.endMoving(offer, false);
    try {
      if (stale) {
        tiers.erase(offer.key);
      }
      counters.count(
          offer.type.role(), stale ? Event.SUPERSEDED : accepted ? Event.ACCEPTED : Event.DECLINED);
    } finally {
      if (stale) {
        registry.endMoving(offer, true);
      }
      offer.ended.complete(null);
      release(offer);
    }
  }

  private void release(DemotionTask offer) {
    unreserve(offer);
    offer.release.run();
  }

  /** Releases an offer that has been taken out of the registry. */
  void cancelled(@Nullable DemotionTask offer) {
    if (offer != null) {
      counters.count(offer.type.role(), Event.SUPERSEDED);
      release(offer);
    }
  }

  /** An offer whose value goes back into the primary instead. */
  void putBack(DemotionTask offer) {
    unreserve(offer);
    counters.count(offer.type.role(), Event.PUT_BACK);
  }

  /** The next offer in the queue, which the caller moves or drops. */
  private @Nullable DemotionTask poll() {
    StackReserve.require(); // What is taken from the queue is gone from there.
    DemotionTask offer = queue.poll();
    if (offer != null) {
      places.decrementAndGet();
    }
    return offer;
  }

  private void dropQueued() {
    for (DemotionTask offer = poll(); offer != null; offer = poll()) {
      if (registry.withdraw(offer)) {
        cancelled(offer);
      }
    }
  }

  /** Drops what is queued, and whatever comes; an offer being carried out ends by itself. */
  void close() {
    closed = true;
    dropQueued();
  }
}
