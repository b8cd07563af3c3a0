/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.remote;

import io.hyperclock.entry.EntryType;
import io.hyperclock.internal.errors.StackReserve;
import io.hyperclock.secondary.internal.tier.TierCounters;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
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
    this.ttlMillis = settings.ttl.toMillis();
    this.maxBatchKeys = settings.maxBatchKeys;
    this.pauseNanos = settings.probeInterval.toNanos();
  }

  long unconfirmed() {
    return unconfirmed.sum();
  }

  /**
   * Sends a value; false if there is no room for it on the line. All that it takes is made before
   * it begins, so that no lack of memory leaves it half begun.
   */
  boolean put(long hi, long lo, EntryType<?> type, byte[] record) {
    StackReserve.require(); // What is begun is to be ended.
    WriteTracker.Write write = new WriteTracker.Write(hi, lo, false);
    List<WriteTracker.Write> writes = List.of(write);
    long bytes = envelope.sealedBytes(record);
    Supplier<CompletionStage<?>> command =
        () ->
            store.psetex(
                envelope.key(hi, lo),
                ttlMillis,
                envelope.seal(hi, lo, write.number(), type, record));
    BiConsumer<@Nullable Object, @Nullable Throwable> done =
        (any, failure) -> ended(writes, failure, bytes);
    if (!line.tryAcquire(bytes)) {
      return false;
    }
    begin(write, bytes);
    line.send(command, done);
    return true;
  }

  /** Begins a write for which there is room; gives the room back if there is no memory. */
  private void begin(WriteTracker.Write write, long bytes) {
    try {
      ledger.begin(write);
    } catch (Throwable e) {
      line.release(bytes);
      throw e;
    }
  }

  /** Removes a key now, or owes it. */
  void remove(long hi, long lo) {
    StackReserve.requireLittle();
    if (health.isReachable()) {
      WriteTracker.Write write = new WriteTracker.Write(hi, lo, true);
      Removal removal = new Removal(List.of(write), REMOVAL_BYTES, false);
      if (line.tryAcquire(REMOVAL_BYTES)) {
        begin(write, REMOVAL_BYTES);
        line.send(removal, removal);
        return;
      }
    }
    ledger.owe(hi, lo);
  }

  /** The command that removes keys, and what is done with its answer. */
  private final class Removal
      implements Supplier<CompletionStage<?>>, BiConsumer<@Nullable Object, @Nullable Throwable> {
    private final List<WriteTracker.Write> writes;
    private final long bytes;
    private final boolean isOwed;

    Removal(List<WriteTracker.Write> writes, long bytes, boolean isOwed) {
      this.writes = writes;
      this.bytes = bytes;
      this.isOwed = isOwed;
    }

    @Override
    public CompletionStage<?> get() {
      return store.del(writes.stream().map(w -> envelope.key(w.hi(), w.lo())).toList());
    }

    @Override
    public void accept(@Nullable Object any, @Nullable Throwable failure) {
      if (failure == null) {
        removeAfterNanos = System.nanoTime();
      }
      if (isOwed) {
        removing.set(false);
      }
      ended(writes, failure, bytes);
    }
  }

  /** Of a command; what may find no memory comes after its room is given back. */
  private void ended(List<WriteTracker.Write> writes, @Nullable Throwable failure, long bytes) {
    WriteTracker.End end =
        failure == null
            ? WriteTracker.End.CONFIRMED
            : failure instanceof RemoteStore.Failure
                ? WriteTracker.End.NOT_DONE
                : WriteTracker.End.UNKNOWN;
    boolean removes = writes.get(0).removes();
    try {
      for (int i = 0; i < writes.size(); i++) {
        ledger.end(writes.get(i), end);
      }
    } finally {
      line.release(bytes);
    }
    if (end == WriteTracker.End.UNKNOWN) {
      unconfirmed.add(writes.size());
    }
    if (failure != null) {
      counters.dropped(removes ? 0 : writes.size());
    }
    health.written(failure, removes);
    if (failure == null) {
      removeOwed();
    }
  }

  /** Removes what is owed, some keys at a time; after a failure not again for a while. */
  void removeOwed() {
    int owed = ledger.owed();
    if (owed == 0
        || !health.isReachable()
        || System.nanoTime() - removeAfterNanos < 0
        || removing.get()) {
      return;
    }
    int most = (int) Math.max(1, Math.min(maxBatchKeys, line.maxBytes() / REMOVAL_BYTES));
    most = Math.min(most, owed);
    long bytes = Math.min((long) most * REMOVAL_BYTES, line.maxBytes());
    List<WriteTracker.Write> writes = new ArrayList<>(most);
    Removal removal = new Removal(writes, bytes, true);
    StackReserve.require(); // The caller may be at the end of its own command.
    if (!removing.compareAndSet(false, true)) {
      return;
    }
    boolean room = line.tryAcquire(bytes);
    if (room) {
      ledger.takeOwed(writes, most);
    }
    if (!writes.isEmpty()) {
      removeAfterNanos = System.nanoTime() + pauseNanos;
      line.send(removal, removal);
      return;
    }
    if (room) {
      line.release(bytes);
    }
    removing.set(false);
  }
}
