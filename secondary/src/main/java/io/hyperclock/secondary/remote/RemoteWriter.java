/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.remote;

import io.hyperclock.entry.EntryType;
import io.hyperclock.secondary.internal.tier.TierCounters;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Puts values and removes keys, and removes later what could not be removed at once. */
final class RemoteWriter {
  private static final int REMOVAL_BYTES = 64;

  private final RemoteStore store;
  private final WireFormat envelope;
  private final WriteTracker ledger;
  private final RequestWindow line;
  private final ServerHealth health;
  private final TierCounters counters;
  private final long ttlMillis;
  private final int maxBatchKeys;
  private final long pauseNanos;
  private final LongAdder unconfirmed = new LongAdder();
  private final AtomicBoolean removing = new AtomicBoolean();
  private volatile long removeAfterNanos = System.nanoTime();

  RemoteWriter(
      RemoteSecondaryCacheBuilder settings,
      RemoteStore store,
      WireFormat envelope,
      WriteTracker ledger,
      RequestWindow line,
      ServerHealth health,
      TierCounters counters) {
    this.store = store;
    this.envelope = envelope;
    this.ledger = ledger;
    this.line = line;
    this.health = health;
    this.counters = counters;
    this.ttlMillis = settings.ttl().toMillis();
    this.maxBatchKeys = settings.maxBatchKeys();
    this.pauseNanos = settings.probeInterval().toNanos();
  }

  long unconfirmed() {
    return unconfirmed.sum();
  }

  /** Sends a value; false if there is no room for it on the line. */
  boolean put(long hi, long lo, EntryType<?> type, byte[] record) {
    long bytes = envelope.sealedBytes(record);
    if (!line.tryAcquire(bytes)) {
      return false;
    }
    WriteTracker.Write write = begin(hi, lo, false, bytes);
    line.<Object>send(
        () ->
            store.psetex(
                envelope.key(hi, lo),
                ttlMillis,
                envelope.seal(hi, lo, write.number(), type, record)),
        (any, failure) -> {
          counters.dropped(failure == null ? 0 : 1);
          ended(List.of(write), failure, bytes);
        });
    return true;
  }

  /** Begins a write for which there is room; gives the room back if there is no memory. */
  private WriteTracker.Write begin(long hi, long lo, boolean removes, long bytes) {
    try {
      return ledger.begin(hi, lo, removes);
    } catch (Throwable e) {
      line.release(bytes);
      throw e;
    }
  }

  /** Removes a key now, or owes it. */
  void remove(long hi, long lo) {
    if (health.isReachable() && line.tryAcquire(REMOVAL_BYTES)) {
      remove(List.of(begin(hi, lo, true, REMOVAL_BYTES)), REMOVAL_BYTES, () -> {});
    } else {
      ledger.owe(hi, lo);
    }
  }

  private void remove(List<WriteTracker.Write> writes, long bytes, Runnable last) {
    line.<Object>send(
        () -> store.del(writes.stream().map(w -> envelope.key(w.hi(), w.lo())).toList()),
        (any, failure) -> {
          if (failure == null) {
            removeAfterNanos = System.nanoTime();
          }
          last.run();
          ended(writes, failure, bytes);
        });
  }

  private void ended(List<WriteTracker.Write> writes, @Nullable Throwable failure, long bytes) {
    WriteTracker.End end =
        failure == null
            ? WriteTracker.End.CONFIRMED
            : failure instanceof RemoteStore.Failure
                ? WriteTracker.End.NOT_DONE
                : WriteTracker.End.UNKNOWN;
    writes.forEach(write -> ledger.end(write, end));
    line.release(bytes);
    if (failure != null) {
      unconfirmed.add(writes.size());
    }
    health.written(failure, writes.get(0).removes());
    if (failure == null) {
      removeOwed();
    }
  }

  /** Removes what is owed, some keys at a time; after a failure not again for a while. */
  void removeOwed() {
    if (ledger.owed() == 0
        || !health.isReachable()
        || System.nanoTime() - removeAfterNanos < 0
        || !removing.compareAndSet(false, true)) {
      return;
    }
    int most = (int) Math.max(1, Math.min(maxBatchKeys, line.maxBytes() / REMOVAL_BYTES));
    long bytes = Math.min((long) most * REMOVAL_BYTES, line.maxBytes());
    boolean room = line.tryAcquire(bytes);
    List<WriteTracker.Write> writes;
    try {
      writes = room ? ledger.takeOwed(most) : List.of();
    } catch (Throwable e) {
      if (room) {
        line.release(bytes);
      }
      removing.set(false);
      throw e;
    }
    if (!writes.isEmpty()) {
      removeAfterNanos = System.nanoTime() + pauseNanos;
      remove(writes, bytes, () -> removing.set(false));
      return;
    }
    if (room) {
      line.release(bytes);
    }
    removing.set(false);
  }
}
