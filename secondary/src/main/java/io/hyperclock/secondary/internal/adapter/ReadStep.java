/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.internal.adapter;

import io.hyperclock.secondary.TierResult;
import io.hyperclock.secondary.internal.tier.HelpedFuture;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/** What a {@link TierRead} waits for next: the answer of a tier, or the end of a move. */
final class ReadStep {
  enum State {
    /** Waits for its answer. */
    OPEN,
    /** Has its answer; one thread goes on with it. */
    CLAIMED,
    /** Had no answer in time; one thread goes on without. */
    EXPIRED,
    /** The answer came after that, and what it held has been freed. */
    CLEARED
  }

  private static final AtomicReferenceFieldUpdater<ReadStep, @Nullable HelpSession> HELPER =
      AtomicReferenceFieldUpdater.newUpdater(ReadStep.class, HelpSession.class, "helper");

  /** Who answers; -1 for a move. */
  final int tier;

  final CompletableFuture<?> answer;
  final long asked;
  final long deadline;

  /**
   * Whether the answer will tell how long the tier takes for a value: it is that to one question
   * alone, and its work waits for no thread of a caller.
   */
  final boolean isTimed;

  /** Ends when the thread that claimed the step has published the next, or landed. */
  final CompletableFuture<Void> done = new CompletableFuture<>();

  private final AtomicReference<State> state;

  /** What does the tier's work now and will look at the answer afterwards, or null. */
  volatile @Nullable HelpSession helper;

  private ReadStep(
      int tier,
      CompletableFuture<?> answer,
      long asked,
      long deadline,
      boolean isTimed,
      State state) {
    this.tier = tier;
    this.asked = asked;
    this.answer = answer;
    this.deadline = deadline;
    this.isTimed = isTimed;
    this.state = new AtomicReference<>(state);
  }

  /** The one before all others, which is made already. */
  static ReadStep beginning() {
    return new ReadStep(-1, CompletableFuture.completedFuture(null), 0, 0, false, State.CLAIMED);
  }

  /**
   * One that waits.
   *
   * @param isAlone whether the tier was asked for nothing else by the same call
   */
  static ReadStep open(
      int tier, CompletableFuture<?> answer, long asked, long deadline, boolean isAlone) {
    boolean isTimed = isAlone && !(answer instanceof HelpedFuture<?>);
    return new ReadStep(tier, answer, asked, deadline, isTimed, State.OPEN);
  }

  boolean passes(State from, State to) {
    return state.compareAndSet(from, to);
  }

  boolean isOpen() {
    return state.get() == State.OPEN;
  }

  /**
   * Leaves the step to a session, if a tier's work for it may be done by a thread that waits.
   *
   * <p>The mark is there only while that thread is in {@code waitAll}: it is set from null when the
   * session knows of it, which takes it back. So a callback that finds its own thread in the mark
   * is inside of that call, which goes on with the answer afterwards; one that finds another, or
   * none, hands the step to the executor: none is left by both.
   *
   * @param goOn claims the step, if there is an answer
   */
  void mark(HelpSession session, Runnable goOn) {
    if (isOpen() && answer instanceof HelpedFuture<?> && helper == null) {
      session.marked(
          () -> HELPER.compareAndSet(this, session, null),
          () -> {
            if (answer.isDone()) {
              goOn.run();
            }
          });
      HELPER.compareAndSet(this, null, session);
    }
  }

  /**
   * Does the tier's work if it can be done on this thread.
   *
   * @param goOn claims the step, if there is an answer then
   */
  void help(HelpSession session, long leftNanos, Runnable goOn) {
    if (isOpen() && answer instanceof HelpedFuture<?> helped) {
      if (!helped.isDone()) {
        helped.help(leftNanos, session);
      }
      if (helped.isDone()) {
        goOn.run();
      }
    }
  }

  /** The answer, if a tier gives it. */
  @SuppressWarnings("unchecked")
  CompletableFuture<TierResult<Object>> tierAnswer() {
    return (CompletableFuture<TierResult<Object>>) answer;
  }
}
