/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.internal.adapter;

import io.hyperclock.secondary.TierResult;
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

  /** Ends when the thread that claimed the step has published the next, or landed. */
  final CompletableFuture<Void> done = new CompletableFuture<>();

  private final AtomicReference<State> state;

  /** What does the tier's work now and will look at the answer afterwards, or null. */
  volatile @Nullable HelpSession helper;

  ReadStep(int tier, CompletableFuture<?> answer, long asked, long deadline, State state) {
    this.tier = tier;
    this.asked = asked;
    this.answer = answer;
    this.deadline = deadline;
    this.state = new AtomicReference<>(state);
  }

  boolean passes(State from, State to) {
    return state.compareAndSet(from, to);
  }

  boolean isOpen() {
    return state.get() == State.OPEN;
  }

  /** The session is the helper from now on, unless there is one. */
  void leaveTo(HelpSession session) {
    HELPER.compareAndSet(this, null, session);
  }

  /** The session is not the helper any more. */
  void leave(HelpSession session) {
    HELPER.compareAndSet(this, session, null);
  }

  /** The answer, if a tier gives it. */
  @SuppressWarnings("unchecked")
  CompletableFuture<TierResult<Object>> tierAnswer() {
    return (CompletableFuture<TierResult<Object>>) answer;
  }
}
