/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.versioned;

import io.hyperclock.internal.errors.StackReserve;
import io.hyperclock.versioned.Decision;
import io.hyperclock.versioned.PrepareGroup;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Prepares with one verdict. Members and verdict are one word, so that none joins a decided group
 * and a commit knows all it commits; a member that is not yet in its slot keeps the commit off.
 */
final class Group implements PrepareGroup {
  /** Those of the cache that it is of. */
  final Leases leases;

  final AtomicReference<State> state = new AtomicReference<>(new State(Prepare.PENDING, null));

  record Member(Prepare prepare, @Nullable Member next) {}

  record State(int verdict, @Nullable Member members) {}

  /** An empty group. */
  Group(Leases leases) {
    this.leases = leases;
  }

  /** What was decided, or pending. */
  int verdict() {
    // [two-versions] acquires the verdict; the committed value is loaded after it.
    return state.get().verdict;
  }

  /**
   * Adds a prepare that is not yet in its slot.
   *
   * @return false if the group is decided
   */
  boolean join(Prepare prepare) {
    for (State now = state.get(); now.verdict == Prepare.PENDING; now = state.get()) {
      State next = new State(Prepare.PENDING, new Member(prepare, now.members));
      // [two-versions] fails if the group was decided.
      if (state.compareAndSet(now, next)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Takes a member out that came to nothing, so that the group does not grow with those who try
   * again. The caller has joined by it and has withdrawn it: no decision does anything with it, so
   * none misses it. One that is going on may have seen it still.
   */
  void leave(Prepare withdrawn) {
    for (State now = state.get(); now.verdict == Prepare.PENDING; now = state.get()) {
      State next = new State(Prepare.PENDING, without(now.members, withdrawn));
      // [two-versions] fails if a prepare has joined or left, or the group was decided.
      if (state.compareAndSet(now, next)) {
        return;
      }
    }
  }

  /** The same members but one; those who joined after it in any order. */
  private static @Nullable Member without(@Nullable Member members, Prepare left) {
    Member found = members;
    while (found != null && found.prepare != left) {
      found = found.next;
    }
    Member rest = found == null ? null : found.next;
    for (Member member = members; member != null && member != found; member = member.next) {
      rest = new Member(member.prepare, rest);
    }
    return rest;
  }

  @Override
  public Decision commit() {
    StackReserve.require();
    for (State now = state.get(); now.verdict == Prepare.PENDING; now = state.get()) {
      if (isAnyExpired(now)) {
        end(Prepare.EXPIRED);
      } else if (isAny(now, Prepare::isNew)) {
        return Decision.IN_PROGRESS;
      } else {
        // [two-versions] the one step that commits all: it fails if a prepare has joined.
        state.compareAndSet(now, new State(Prepare.COMMITTED, now.members));
      }
    }
    return settled(Prepare.COMMITTED);
  }

  @Override
  public Decision abort() {
    StackReserve.require();
    end(isAnyExpired(state.get()) ? Prepare.EXPIRED : Prepare.ABORTED);
    return settled(Prepare.ABORTED);
  }

  /** Gives a verdict, unless there is one, and ends the members by the one that is; no waiting. */
  void end(int verdict) {
    State now = state.get();
    for (; now.verdict == Prepare.PENDING; now = state.get()) {
      // [two-versions] one verdict for all.
      state.compareAndSet(now, new State(verdict, now.members));
    }
    for (Member member = now.members; member != null; member = member.next) {
      member.prepare.tryEnd(now.verdict);
    }
  }

  private Decision settled(int wanted) {
    State decided = state.get();
    for (Member member = decided.members; member != null; member = member.next) {
      member.prepare.end(decided.verdict);
    }
    return decided.verdict == wanted ? Decision.OK : Decision.STALE;
  }

  private boolean isAnyExpired(State now) {
    long nanos = leases.nanos();
    return isAny(now, prepare -> prepare.isPending() && prepare.isExpired(nanos));
  }

  private static boolean isAny(State now, Predicate<Prepare> what) {
    for (Member member = now.members; member != null; member = member.next) {
      if (what.test(member.prepare)) {
        return true;
      }
    }
    return false;
  }
}
