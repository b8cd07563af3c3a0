/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.model;

import io.hyperclock.entry.EntryType;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A value that follows from its key and its version, knows who owns it, and is scribbled over when
 * it is freed. Each is offered to a cache successfully at most once.
 */
final class ModelValue {
  /** Who has the duty to free it. */
  enum Owner {
    CALLER,
    CACHE,
    LISTENER,
    NOBODY
  }

  private static final long SCRIBBLE = 0xDEAD_F4EE_DEAD_F4EEL;

  private final long keyHi;
  private final long keyLo;
  private final long version;
  private final long chargeBytes;
  private final EntryType<ModelValue> type;
  private final AtomicReference<Owner> owner = new AtomicReference<>(Owner.CALLER);

  /** Only every other value counts its readers: counting orders memory and could hide a race. */
  private final @Nullable AtomicInteger readers;

  /** Plain on purpose: what a reader sees here is what the cache's own ordering makes it see. */
  private long payload;

  private volatile boolean recharged;

  ModelValue(long keyHi, long keyLo, long version, EntryType<ModelValue> type, long chargeBytes) {
    this.keyHi = keyHi;
    this.keyLo = keyLo;
    this.version = version;
    this.type = type;
    this.chargeBytes = chargeBytes;
    readers = (version & 1) == 0 ? null : new AtomicInteger();
    payload = wholePayload();
  }

  private long wholePayload() {
    long x = keyHi * 0x9E3779B97F4A7C15L + keyLo;
    x = (x ^ (x >>> 29)) * 0xBF58476D1CE4E5B9L + version;
    return x ^ (x >>> 32);
  }

  boolean isFor(long hi, long lo) {
    return keyHi == hi && keyLo == lo;
  }

  boolean isWhole() {
    return payload == wholePayload();
  }

  boolean isDisposable() {
    return type.disposer() != null;
  }

  EntryType<ModelValue> type() {
    return type;
  }

  long chargeBytes() {
    return chargeBytes;
  }

  long keyHi() {
    return keyHi;
  }

  long keyLo() {
    return keyLo;
  }

  Owner owner() {
    return owner.get();
  }

  /** Passes the duty to free it on; false if {@code from} did not have it. */
  boolean pass(Owner from, Owner to) {
    boolean passed = owner.compareAndSet(from, to);
    if (passed && to == Owner.NOBODY && isDisposable()) {
      payload = SCRIBBLE;
    }
    return passed;
  }

  void startReading() {
    if (readers != null) {
      readers.incrementAndGet();
    }
  }

  void endReading() {
    if (readers != null) {
      readers.decrementAndGet();
    }
  }

  /** Readers known of; 0 does not mean that there are none. */
  int knownReaders() {
    return readers == null ? 0 : readers.get();
  }

  /** Says that the charge of its entry is about to be changed. */
  void recharge() {
    recharged = true;
  }

  boolean wasRecharged() {
    return recharged;
  }

  @Override
  public String toString() {
    return String.format(
        "value[key=%x:%x, version=%x, %s, owner=%s%s, charge=%d%s]",
        keyHi,
        keyLo,
        version,
        type.name(),
        owner.get(),
        isWhole() ? "" : ", scribbled",
        chargeBytes,
        recharged ? " changed" : "");
  }
}
