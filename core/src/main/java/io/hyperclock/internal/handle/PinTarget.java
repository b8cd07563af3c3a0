/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.handle;

import io.hyperclock.Handle;
import io.hyperclock.entry.EntryType;

/** What a handle pins: an entry of a shard, named by its slot, or a standalone entry. */
public interface PinTarget {
  long keyHi(int slot);

  long keyLo(int slot);

  long chargeBytes(int slot);

  /** As {@link #chargeBytes}, but waits for no thread: 0 if the charge is not there in a moment. */
  default long chargeBytesSoon(int slot) {
    return chargeBytes(slot);
  }

  EntryType<?> type(int slot);

  boolean isStandalone();

  /** Takes one more reference; throws if there are too many. */
  void ref(int slot);

  /** A handle on a pin taken before, tracked or not; if this throws, the pin has ended. */
  <V> Handle<V> handle(int slot, V value);

  boolean adjustCharge(int slot, long newChargeBytes);

  /** Ends a pin; if this throws, the pin has not ended. */
  boolean release(int slot, boolean useful, boolean eraseIfLast);

  void reportDoubleClose(int slot);
}
