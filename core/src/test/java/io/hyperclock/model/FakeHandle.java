/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.model;

import io.hyperclock.Handle;
import io.hyperclock.entry.EntryType;

/** A handle of a {@link FakeCache}. */
final class FakeHandle implements Handle<ModelValue> {
  final FakeEntry entry;
  private final FakeCache cache;
  private boolean released;

  FakeHandle(FakeCache cache, FakeEntry entry) {
    this.cache = cache;
    this.entry = entry;
    synchronized (cache) {
      entry.pins++;
    }
  }

  private FakeEntry open() {
    if (released) {
      throw new IllegalStateException("handle must not be released");
    }
    return entry;
  }

  @Override
  public ModelValue value() {
    return open().value;
  }

  @Override
  public long keyHi() {
    return open().hi;
  }

  @Override
  public long keyLo() {
    return open().lo;
  }

  @Override
  public long chargeBytes() {
    return open().charge;
  }

  @Override
  public EntryType<?> type() {
    return open().type;
  }

  @Override
  public boolean isStandalone() {
    return open().standalone;
  }

  @Override
  public FakeHandle ref() {
    return new FakeHandle(cache, open());
  }

  @Override
  public boolean adjustCharge(long newChargeBytes) {
    return cache.adjust(open(), newChargeBytes);
  }

  private boolean release(boolean eraseIfLast) {
    if (released) {
      cache.counters.doubleClosed();
      return false;
    }
    released = true;
    return cache.release(entry, eraseIfLast);
  }

  @Override
  public boolean isReleased() {
    return released;
  }

  @Override
  public void close() {
    release(false);
  }

  @Override
  public boolean discard() {
    return release(false);
  }

  @Override
  public boolean eraseIfLast() {
    return release(true);
  }
}
