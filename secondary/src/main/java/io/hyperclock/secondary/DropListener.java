/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary;

import io.hyperclock.entry.EntryType;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Is notified of values that a tier drops for space, so that they can move to the next tier.
 *
 * <p>The tier MUST call it only for entries that it no longer gives to any caller, and never for
 * entries erased or replaced. It SHOULD call it on the thread whose call needed the room; the
 * thread MUST NOT have used the cache above since the entry was given up, but for what runs inside
 * of other calls of this listener: an older value could move down else. The listener returns at
 * once and throws nothing; it may call {@code value} on another thread later.
 */
public interface DropListener {
  /**
   * Called once per dropped entry.
   *
   * @param type the type it was inserted with
   * @param heldBytes memory that {@code value} holds on to, in bytes
   * @param value decodes the value, without a reader's context, once at most; gives null if that
   *     fails. The value is the caller's
   * @param <T> type of the value
   */
  <T> void onDrop(
      long keyHi, long keyLo, EntryType<T> type, long heldBytes, Supplier<@Nullable T> value);
}
