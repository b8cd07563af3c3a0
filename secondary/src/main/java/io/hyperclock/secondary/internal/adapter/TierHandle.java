/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.internal.adapter;

import io.hyperclock.Handle;
import io.hyperclock.entry.EntryType;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A handle of the primary where something must be added: the user's type in place of its twin, or
 * what it means that a value found below was of no use.
 */
final class TierHandle<V> implements Handle<V> {
  /**
   * The use that a standalone entry stands for. The mark that it left is taken back when the last
   * handle is released and none was useful: then the value was not found in any sense that counts.
   */
  static final class Touch {
    private final FoundBelowMarks marks;
    private final AtomicInteger handles = new AtomicInteger(1);
    private volatile boolean useful;

    Touch(FoundBelowMarks marks) {
      this.marks = marks;
    }

    void released(long hi, long lo, boolean wasUseful) {
      if (wasUseful) {
        useful = true;
      }
      if (handles.decrementAndGet() == 0 && !useful) {
        try {
          marks.clear(hi, lo);
        } catch (IllegalStateException closed) {
          return;
        }
      }
    }
  }

  private final Handle<V> handle;
  private final EntryType<?> type;
  private final @Nullable Touch touch;

  TierHandle(Handle<V> handle, EntryType<?> type, @Nullable Touch touch) {
    this.handle = handle;
    this.type = type;
    this.touch = touch;
  }

  @Override
  public V value() {
    return handle.value();
  }

  @Override
  public long keyHi() {
    return handle.keyHi();
  }

  @Override
  public long keyLo() {
    return handle.keyLo();
  }

  @Override
  public long chargeBytes() {
    return handle.chargeBytes();
  }

  @Override
  public EntryType<?> type() {
    handle.type();
    return type;
  }

  @Override
  public boolean isStandalone() {
    return handle.isStandalone();
  }

  @Override
  public Handle<V> ref() {
    Handle<V> another = handle.ref();
    try {
      TierHandle<V> second = new TierHandle<>(another, type, touch);
      if (touch != null) {
        touch.handles.incrementAndGet();
      }
      return second;
    } catch (Throwable noMemory) {
      another.discard();
      throw noMemory;
    }
  }

  @Override
  public boolean adjustCharge(long newChargeBytes) {
    return handle.adjustCharge(newChargeBytes);
  }

  private boolean release(Predicate<Handle<V>> release, boolean useful) {
    if (touch == null || handle.isReleased()) {
      return release.test(handle);
    }
    long hi = handle.keyHi();
    long lo = handle.keyLo();
    boolean freed = release.test(handle);
    touch.released(hi, lo, useful);
    return freed;
  }

  @Override
  public boolean isReleased() {
    return handle.isReleased();
  }

  @Override
  public void close() {
    release(
        any -> {
          any.close();
          return false;
        },
        true);
  }

  @Override
  public boolean discard() {
    return release(Handle::discard, false);
  }

  @Override
  public boolean eraseIfLast() {
    return release(Handle::eraseIfLast, false);
  }

  @Override
  public String toString() {
    return handle.toString();
  }
}
