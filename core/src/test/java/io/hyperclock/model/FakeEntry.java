/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.model;

import io.hyperclock.PinRequiredException;
import io.hyperclock.entry.Disposer;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.Key128;

/** An entry of a {@link FakeCache}, guarded by the cache's lock. */
final class FakeEntry {
  final long hi;
  final long lo;
  final ModelValue value;
  final EntryType<?> type;
  long charge;
  int pins;
  boolean standalone;
  boolean evicted;
  boolean freedEarly;
  boolean hit;

  FakeEntry(long hi, long lo, ModelValue value, EntryType<?> type, long charge) {
    this.hi = hi;
    this.lo = lo;
    this.value = value;
    this.type = type;
    this.charge = charge;
  }

  Key128 key() {
    return new Key128(hi, lo);
  }

  ModelValue pinFreeValue() {
    if (type.disposer() != null) {
      throw new PinRequiredException("value must be read through a handle: type=" + type);
    }
    return value;
  }

  @SuppressWarnings("unchecked")
  void dispose() {
    Disposer<ModelValue> disposer = (Disposer<ModelValue>) type.disposer();
    if (disposer != null) {
      disposer.dispose(hi, lo, value);
    }
  }
}
