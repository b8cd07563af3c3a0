/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.shard;

import io.hyperclock.HeldHandle;
import io.hyperclock.entry.EntryType;
import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/** What is remembered of a tracked handle; keeps neither the handle nor the value reachable. */
final class TrackedPin extends PhantomReference<TrackedHandle<?>> {
  private static final String OURS = "io.hyperclock.internal.";

  private final long keyHi;
  private final long keyLo;
  private final EntryType<?> type;
  private final long takenNanos;
  private final String thread = Thread.currentThread().getName();
  private final Throwable place = new Throwable("taken here");
  private final AtomicBoolean ended = new AtomicBoolean();
  private final AtomicBoolean reported = new AtomicBoolean();
  private volatile long chargeBytes;

  TrackedPin(
      TrackedHandle<?> handle,
      PinnedHandle<?> pinned,
      ReferenceQueue<TrackedHandle<?>> queue,
      long takenNanos) {
    super(handle, queue);
    this.keyHi = pinned.keyHi();
    this.keyLo = pinned.keyLo();
    this.type = pinned.type();
    this.chargeBytes = pinned.chargeBytes();
    this.takenNanos = takenNanos;
  }

  void setChargeBytes(long chargeBytes) {
    this.chargeBytes = chargeBytes;
  }

  boolean isEnded() {
    return ended.get();
  }

  /** True for the first caller only. */
  boolean end() {
    return ended.compareAndSet(false, true);
  }

  /** It could not be ended. */
  void goOn() {
    ended.set(false);
  }

  /** True for the first caller only, and not once the pin has ended. */
  boolean claimLongPinReport() {
    return !isEnded() && reported.compareAndSet(false, true);
  }

  long heldNanos(long now) {
    return now - takenNanos;
  }

  /** A stack trace that is not an error. */
  Throwable place() {
    return place;
  }

  HeldHandle toHeldHandle(long now) {
    List<StackTraceElement> callers =
        Arrays.stream(place.getStackTrace())
            .dropWhile(frame -> frame.getClassName().startsWith(OURS))
            .toList();
    Duration held = Duration.ofNanos(heldNanos(now));
    return new HeldHandle(keyHi, keyLo, type, chargeBytes, held, thread, callers);
  }

  @Override
  public String toString() {
    return "key=" + keyHi + ":" + keyLo + ", type=" + type + ", thread=" + thread;
  }
}
