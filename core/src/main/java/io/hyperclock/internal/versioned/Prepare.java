/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.versioned;

import io.hyperclock.internal.slot.WriterLatch;
import io.hyperclock.versioned.PrepareMode;
import io.hyperclock.versioned.PrepareToken;
import io.hyperclock.versioned.PreparedVersion;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A prepared version: what is prepared, and how far it is. The thread that moves it from pending to
 * a verdict writes the result into the slot, alone; then it is done.
 */
final class Prepare implements PrepareToken {
  /** Verdicts, and the states in which they are being written down. */
  static final int COMMITTED = 2;

  static final int ABORTED = 3;
  static final int EXPIRED = 4;

  /** Neither verdict: also of a group that is not decided. */
  static final int PENDING = 1;

  private static final int NEW = 0;
  private static final int WITHDRAWN = 5;
  private static final int DONE = 8;

  /** What a key without a value shows. */
  static final Object NOTHING = new Object();

  /** What a key in doubt shows. */
  static final Object IN_DOUBT = new Object();

  final VersionedShard site;
  private final long keyHi;
  private final long keyLo;
  private final long id;
  final @Nullable Object value;
  final long chargeBytes;
  final int namespace;
  final long deadline;
  final @Nullable Group group;
  private final AtomicInteger state = new AtomicInteger(NEW);
  private volatile boolean inDoubt;

  /** Where it is, and whether it came to a key without a value; published with it. */
  int slot;

  boolean isAlone;

  /** A committed value that was brought in after it; {@link #CLOSED} once that is too late. */
  private final AtomicReference<@Nullable Beneath> beneath = new AtomicReference<>();

  /**
   * A committed value that the slot does not have yet: the thread that writes the verdict down puts
   * it there.
   */
  record Beneath(Object value, long chargeBytes) {}

  private static final Beneath CLOSED = new Beneath(new Object(), 0);

  Prepare(
      VersionedShard site,
      long keyHi,
      long keyLo,
      long id,
      @Nullable Object value,
      long chargeBytes,
      int namespace,
      PrepareMode mode,
      long deadline,
      @Nullable Group group) {
    this.site = site;
    this.keyHi = keyHi;
    this.keyLo = keyLo;
    this.id = id;
    this.value = value;
    this.chargeBytes = chargeBytes;
    this.namespace = namespace;
    this.inDoubt = mode == PrepareMode.IN_DOUBT;
    this.deadline = deadline;
    this.group = group;
  }

  @Override
  public long keyHi() {
    return keyHi;
  }

  @Override
  public long keyLo() {
    return keyLo;
  }

  @Override
  public long id() {
    return id;
  }

  /** Whether reads of its key need not look at it. */
  boolean isPlain() {
    return group == null && !inDoubt;
  }

  boolean isInDoubt() {
    return inDoubt;
  }

  void markInDoubt() {
    // [two-versions] after R was taken off: no read that follows one that sees the mark goes
    // without it.
    inDoubt = true;
  }

  /** The committed value that was brought in after it, or null. */
  @Nullable Beneath beneath() {
    // [two-versions] acquires the value; loaded after the verdict, as the value of the slot is.
    Beneath found = beneath.get();
    return found == CLOSED ? null : found;
  }

  /** Whether its key has no committed value. */
  boolean isOnlyVersion() {
    return isAlone && beneath() == null;
  }

  /**
   * Brings a committed value in; the caller has seen it undecided.
   *
   * @return false if there is one, or the verdict is being written down
   */
  boolean bringIn(Beneath committed) {
    // [two-versions] publishes the value; one of several, and none after the thread with the
    // verdict came.
    return beneath.compareAndSet(null, committed);
  }

  /** Ends the time in which a committed value can be brought in, and returns that value. */
  @Nullable Beneath close() {
    // [two-versions] fails if a value was brought in before.
    beneath.compareAndSet(null, CLOSED);
    return beneath();
  }

  boolean isNew() {
    return state.get() == NEW;
  }

  boolean isPending() {
    return state.get() == PENDING;
  }

  boolean isExpired(long now) {
    return now - deadline >= 0;
  }

  /**
   * It is in its slot.
   *
   * @return false if its group was ended meanwhile
   */
  boolean publish() {
    return state.compareAndSet(NEW, PENDING);
  }

  /**
   * Whether its group was ended before it came to a slot. To be asked after the key was found
   * without a prepare: one of the same group may have been there until then, and only one of the
   * two can be in the group.
   */
  boolean isGroupEnded() {
    return group != null && group.verdict() != PENDING;
  }

  /** It will never be in a slot. */
  void discard() {
    state.set(WITHDRAWN);
  }

  /** The verdict that it, or its group, was given, or {@link #PENDING}. */
  int verdict() {
    if (group != null) {
      return group.verdict();
    }
    int verdict = state.get() & ~DONE;
    return verdict == NEW ? PENDING : verdict;
  }

  /**
   * What a read of its key finds: a value, {@link #NOTHING}, {@link #IN_DOUBT}, or null for the
   * committed value, which must be loaded after this.
   */
  @Nullable Object shown() {
    if (isUndecided()) {
      return inDoubt ? IN_DOUBT : null;
    }
    return settled();
  }

  boolean isUndecided() {
    return verdict() == PENDING;
  }

  /** The value that a verdict has given the key, or null for the committed one. */
  @Nullable Object settled() {
    int verdict = verdict();
    if (verdict == COMMITTED) {
      return prepared();
    }
    return verdict == EXPIRED && inDoubt ? NOTHING : null;
  }

  /** What a write of its key would be based on; null for the committed value. */
  @Nullable Object shownToWriter() {
    return isUndecided() ? prepared() : settled();
  }

  private Object prepared() {
    return value == null ? NOTHING : value;
  }

  @SuppressWarnings("unchecked")
  <V> PreparedVersion<V> view() {
    PrepareMode mode = inDoubt ? PrepareMode.IN_DOUBT : PrepareMode.PLAIN;
    return new PreparedVersion<>((V) value, chargeBytes, mode, group != null, id);
  }

  /**
   * Gives it a verdict and writes that down, unless it has one. The caller has made sure of the
   * stack: a group whose verdict is known must not end in the middle of its members.
   *
   * @return whether it is done, by whomever
   */
  boolean tryEnd(int verdict) {
    int now = state.get();
    if (now == NEW && state.compareAndSet(NEW, WITHDRAWN)) {
      return true;
    }
    if (now == PENDING && verdict == COMMITTED) {
      site.gate.divertReads(slot);
    }
    // [two-versions] the verdict, after R was taken off: no read that follows one that sees it goes
    // without.
    if (now == PENDING && state.compareAndSet(PENDING, verdict)) {
      try {
        site.writeDown(this, verdict);
        site.leases.ended(verdict);
      } finally {
        state.set(verdict | DONE);
      }
      return true;
    }
    return (now & DONE) != 0 || now == WITHDRAWN;
  }

  /** Ends this prepare; waits for another thread that is writing the verdict down. */
  void end(int verdict) {
    for (int waits = 0; !tryEnd(verdict); waits++) {
      WriterLatch.mayWait(waits);
    }
  }
}
