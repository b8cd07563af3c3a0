/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.internal.adapter;

import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.Key128;
import io.hyperclock.internal.errors.StackReserve;
import io.hyperclock.secondary.TierRequest;
import io.hyperclock.secondary.TierResult;
import io.hyperclock.secondary.internal.adapter.ReadStep.State;
import io.hyperclock.secondary.internal.tier.LookupDisposal;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One read of a key through the tiers, nearest first, for all lookups that joined it. It moves from
 * tier to tier by itself: each answer of a tier is a {@link ReadStep}, and the thread that claims
 * the step goes on, a thread that waits anyway or the executor. So no waiting thread depends on the
 * executor.
 */
final class TierRead {
  final Key128 key;
  final EntryType<Object> type;
  final @Nullable Object context;
  private final Tiers tiers;
  private final Expiry expiry;
  private final ReadEnd atEnd;
  private volatile ReadStep step = ReadStep.beginning();

  /**
   * When it is over even if the thread that goes on with it does not come back from a tier; 0 while
   * no lookup depends on that thread. Set once; if two threads set it, the times differ little.
   */
  private volatile long endsBy;

  /** A value on its way down that serves this flight, or what must end before tiers are asked. */
  @Nullable DemotionTask putBack;

  @Nullable DemotionTask after;

  /**
   * Whether the value may go into the primary: lookups could join the flight, which has not ended,
   * and no write has begun since. Guarded by the {@link InFlightTable}, as is what follows.
   */
  boolean fresh;

  /** Whether anything of the key was offered to tiers meanwhile. */
  boolean offered;

  private List<LookupWaiter> waiters = new ArrayList<>(1);

  /** Written by the leader before it asks a tier. */
  private boolean secondTouch;

  /** Written by the thread that makes a step; the steps are one after another. */
  private boolean foundNowhere;

  private boolean doubtful;

  TierRead(
      Key128 key,
      EntryType<Object> type,
      @Nullable Object context,
      Tiers tiers,
      Expiry expiry,
      ReadEnd atEnd) {
    this.key = key;
    this.type = type;
    this.context = context;
    this.tiers = tiers;
    this.expiry = expiry;
    this.atEnd = atEnd;
  }

  boolean serves(TierRead other) {
    return type == other.type && context == other.context;
  }

  boolean isSecondTouch() {
    return secondTouch;
  }

  /**
   * Whether every tier said that it does not hold the key, and no other writer puts that in doubt.
   */
  boolean isAbsentBelow() {
    return foundNowhere && !doubtful;
  }

  /** Under the registry's lock. */
  void add(LookupWaiter waiter) {
    waiters.add(waiter);
    waiter.follow(this);
  }

  /** Under the registry's lock. */
  List<LookupWaiter> takeWaiters() {
    List<LookupWaiter> taken = waiters;
    waiters = List.of();
    return taken;
  }

  TierRequest<Object> request(boolean isSecondTouch) {
    secondTouch = isSecondTouch;
    return request();
  }

  private TierRequest<Object> request() {
    return new TierRequest<>(key.hi(), key.lo(), type, context, secondTouch);
  }

  /**
   * Begins, by the leader.
   *
   * @param asked the first tier's answer if it was asked for already
   * @param waits whether the leader does nothing else before the end
   */
  void start(
      boolean isSecondTouch, @Nullable CompletableFuture<TierResult<Object>> asked, boolean waits) {
    secondTouch = isSecondTouch;
    ReadStep begin = step;
    DemotionTask before = after;
    if (asked != null) {
      goOn(begin, 0, asked, begunAt(asked), waits);
    } else if (before != null && !before.ended.isDone()) {
      publish(begin, open(-1, before.ended, tiers.asked(), false));
    } else {
      goOn(begin, 0, null, 0, waits);
    }
  }

  /** The time; an answer that is not gone on with is freed. */
  private long begunAt(CompletableFuture<TierResult<Object>> answer) {
    try {
      return tiers.asked();
    } catch (Throwable e) {
      disposeLater(answer);
      throw e;
    }
  }

  /** Ends without asking a tier: the leader lands by itself, and lets those go who wait. */
  void skip() {
    step.done.complete(null);
  }

  private void goOn(
      ReadStep claimed,
      int from,
      @Nullable CompletableFuture<TierResult<Object>> given,
      long givenAsked,
      boolean waits) {
    CompletableFuture<TierResult<Object>> answer = given;
    try {
      long asked = givenAsked;
      for (int tier = from; tier < tiers.count(); tier++) {
        boolean isTimed = answer == null || claimed.isTimed;
        if (answer == null) {
          if (tiers.passesBy(tier, type)) {
            doubtful = true;
            continue;
          }
          asked = tiers.asked();
          answer = tiers.lookup(tier, request(), waits);
        }
        if (!answer.isDone()) {
          ReadStep next = open(tier, answer, asked, isTimed);
          answer = null;
          publish(claimed, next);
          return;
        }
        TierResult<Object> result = tiers.result(tier, answer, asked);
        if (isTimed) {
          tiers.measure(tier, type, result, asked);
        }
        if (result.isHit()) {
          answer = null;
          atEnd.finish(this, result, tier);
          return;
        }
        doubtful |= !tiers.staysAbsent(tier, result);
        answer = null;
      }
      foundNowhere = true;
      atEnd.finish(this, null, -1);
    } catch (Throwable e) {
      atEnd.fail(this);
      if (answer != null) {
        disposeLater(answer);
      }
      throw e;
    } finally {
      claimed.done.complete(null);
    }
  }

  /** Frees the value of an answer, once it is there. */
  private void disposeLater(CompletableFuture<TierResult<Object>> answer) {
    LookupDisposal.disposeLater(answer, type, key.hi(), key.lo());
  }

  private ReadStep open(int tier, CompletableFuture<?> answer, long asked, boolean isAlone) {
    return ReadStep.open(tier, answer, asked, expiry.deadline(), isAlone);
  }

  private void publish(ReadStep claimed, ReadStep next) {
    limit(next.deadline);
    step = next;
    claimed.done.complete(null);
    try {
      Runnable goOn = () -> answered(next); // Made here: who answers may have no memory.
      next.answer.whenComplete((any, failure) -> answeredBy(Thread.currentThread(), next, goOn));
    } catch (Throwable e) {
      dropUnheard(next);
      throw e;
    }
    expiry.watch();
  }

  /** Frees the answer that no callback will tell of, unless a thread that waits goes on with it. */
  private void dropUnheard(ReadStep unheard) {
    boolean isLeft =
        unheard.passes(State.OPEN, State.CLAIMED) || unheard.passes(State.EXPIRED, State.CLEARED);
    if (isLeft && unheard.tier >= 0) {
      disposeLater(unheard.tierAnswer());
    }
  }

  /**
   * On the thread that completes the answer, which may be one that serves a tier's I/O: the rest is
   * for others. A thread that completes it while it helps goes on by itself, see {@link #mark}.
   */
  private void answeredBy(Thread completing, ReadStep next, Runnable goOn) {
    HelpSession session = next.helper;
    if (session != null && session.isOf(completing)) {
      session.add(goOn);
    } else {
      expiry.runSomewhere(goOn);
    }
  }

  /** The answer is there, in time or not. */
  private void answered(ReadStep next) {
    if (next.isOpen()) {
      tryClaim(next);
    }
    if (next.passes(State.EXPIRED, State.CLEARED) && next.tier >= 0) {
      disposeLater(next.tierAnswer());
    }
  }

  private void tryClaim(ReadStep next) {
    StackReserve.require(); // Who claims a step goes on with it.
    if (!next.passes(State.OPEN, State.CLAIMED)) {
      return;
    }
    if (next.tier < 0) {
      goOn(next, 0, null, 0, false);
    } else {
      goOn(next, next.tier, next.tierAnswer(), next.asked, false);
    }
  }

  /** One more lookup waits for it, perhaps without a thread that minds the time. */
  void joined() {
    limit(expiry.deadline());
    expiry.watch();
  }

  private void limit(long firstDeadline) {
    if (endsBy == 0) {
      endsBy = expiry.lastDeadline(firstDeadline, tiers.count()) | 1;
    }
  }

  /** Whether it waits for what may take too long: an answer, or the thread that goes on. */
  boolean isPending() {
    return expiry.hasLimit() && (endsBy != 0 || step.isOpen());
  }

  /** How long that may still take. */
  long leftNanos() {
    ReadStep next = step;
    return expiry.leftNanos(next.isOpen() ? next.deadline : endsBy);
  }

  /**
   * If the time is over: goes on without the answer; or lets those go who wait for a thread that
   * does not come back. What that thread finds later is freed, as of any read that has ended.
   */
  void expire() {
    ReadStep next = step;
    if (next.isOpen()) {
      if (expiry.leftNanos(next.deadline) <= 0) {
        expire(next);
      }
    } else if (expiry.leftNanos(endsBy) <= 0) {
      atEnd.finish(this, null, -1);
    }
  }

  /**
   * A tier that gives no answer is passed by, and one that was not heard is heard now. A move that
   * does not end is a miss: the tiers may hold an older value until it has ended.
   */
  private void expire(ReadStep over) {
    StackReserve.require();
    if (over.answer.isDone()) {
      tryClaim(over); // Who gave the answer had no stack to go on with it.
      return;
    }
    if (!over.passes(State.OPEN, State.EXPIRED)) {
      return;
    }
    try {
      goOnWithout(over);
    } finally {
      if (over.answer.isDone()) {
        answered(over); // The same, just now; last, as what frees its value may throw.
      }
    }
  }

  private void goOnWithout(ReadStep over) {
    doubtful = true;
    DemotionTask before = after;
    if (over.tier >= 0) {
      tiers.timedOut(over.tier, over.asked);
      goOn(over, over.tier + 1, null, 0, false);
      return;
    }
    try {
      if (before != null) {
        tiers.timedOut(before.tier, over.asked);
      }
      atEnd.finish(this, null, -1);
    } finally {
      over.done.complete(null);
    }
  }

  /** For how long a thread waits for all steps, even if one of them never ends. */
  long patienceNanos() {
    return expiry.patienceNanos(tiers.count() + 2);
  }

  /**
   * Waits for the next step, and makes it unless another thread does; at most for a while, and not
   * beyond the waiter's outcome.
   */
  boolean help(CompletableFuture<?> outcome, long nanos) throws InterruptedException {
    ReadStep next = step;
    if (next.done.isDone() && next == step) {
      return false;
    }
    long begin = System.nanoTime();
    if (next.isOpen()) {
      long left = expiry.leftNanos(next.deadline);
      LookupWaiter.waitForEither(next.answer, outcome, Math.min(nanos, left));
      if (next.answer.isDone()) {
        tryClaim(next);
      } else {
        if (expiry.leftNanos(next.deadline) <= 0) {
          expire(next);
        }
        return true;
      }
    }
    LookupWaiter.waitForEither(next.done, outcome, nanos - (System.nanoTime() - begin));
    return true;
  }

  /** As {@link ReadStep#mark}, for the next step. */
  void mark(HelpSession session) {
    ReadStep next = step;
    next.mark(session, () -> tryClaim(next));
  }

  /** As {@link ReadStep#help}, for the next step. */
  void help(HelpSession session) {
    ReadStep next = step;
    next.help(session, expiry.leftNanos(next.deadline), () -> tryClaim(next));
  }
}
