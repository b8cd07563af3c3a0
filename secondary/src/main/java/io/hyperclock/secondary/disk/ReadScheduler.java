/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.disk;

import io.hyperclock.internal.errors.StackReserve;
import io.hyperclock.secondary.TierOutcome;
import io.hyperclock.secondary.TierRequest;
import io.hyperclock.secondary.TierResult;
import io.hyperclock.secondary.internal.record.Records;
import io.hyperclock.secondary.internal.tier.TierCounters;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Lookups on the calling thread, and those that wait for others: some threads read, others decode.
 *
 * <p>What waits is bounded by the bytes that it will hold, from the call to its end, so a slow
 * codec makes lookups {@code BUSY} and never fills memory; nor does it hold up a thread that reads.
 * A lookup that a codec makes is done there at once: waiting could be waiting for oneself.
 */
final class ReadScheduler {
  private static final long LEAST_COUNTED_BYTES = 16 << 10;
  private static final int DECODERS = Math.max(2, Runtime.getRuntime().availableProcessors());

  private final RegionLog log;
  private final Storage storage;
  private final RecordReader finder;
  private final DiskHealth health;
  private final Records records;
  private final TierCounters counters;
  private final ReadBuffers buffers;
  private final Readers readers;
  private final ThreadPoolExecutor decoders;
  private final PendingLookups pending;
  final LongAdder busy = new LongAdder();
  private final long stallNanos;
  private final StallTimer stallTimer;
  private volatile boolean closed;

  ReadScheduler(
      DiskSecondaryCacheBuilder settings,
      RegionLog log,
      Storage storage,
      RecordReader finder,
      DiskHealth health,
      Records records,
      TierCounters counters,
      ReadBuffers buffers) {
    this.log = log;
    this.storage = storage;
    this.finder = finder;
    this.health = health;
    this.records = records;
    this.counters = counters;
    this.buffers = buffers;
    this.pending = new PendingLookups(counters, settings.maxPendingReadBytes);
    String name = "hyperclock-" + settings.name;
    this.readers =
        new Readers(
            PoolThread.pool(this, 1, name + "-reader-"), health.reads, settings.readThreads);
    this.decoders = PoolThread.pool(this, DECODERS, name + "-decoder-");
    this.stallNanos = Nanos.of(settings.stallLimit);
    this.stallTimer = new StallTimer(settings.stallLimit, decoders, this::endStalled);
  }

  /** A lookup on the calling thread. */
  <V> TierResult<V> now(TierRequest<V> request) {
    StackReserve.require(); // What is read and decoded is to be given to the caller.
    TierResult<V> result = here(request);
    counters.lookedUp(request.type().role(), result.outcome());
    return result;
  }

  private <V> TierResult<V> here(TierRequest<V> request) {
    ReadBuffer buffer = buffers.take();
    try {
      return restore(find(request, buffer), request);
    } finally {
      buffers.giveBack(buffer);
    }
  }

  private <V> TierResult<V> restore(RecordReader.Found found, TierRequest<V> request) {
    ByteBuffer payload = found.payload();
    if (payload == null) {
      return TierResult.miss(closed ? TierOutcome.CLOSED : found.outcome());
    }
    TierResult<V> result;
    try {
      ByteBuffer verified =
          log.signing.verified(request.keyHi(), request.keyLo(), request.type(), payload);
      result =
          verified == null
              ? TierResult.miss(TierOutcome.CORRUPT)
              : records.restore(verified, request, true);
    } catch (RuntimeException | OutOfMemoryError e) {
      return TierResult.miss(TierOutcome.UNAVAILABLE);
    }
    if (Records.isUseless(result.outcome())) {
      log.forget(found.position(), found.slot());
    }
    return result;
  }

  <V> List<CompletableFuture<TierResult<V>>> start(List<TierRequest<V>> requests) {
    StackReserve.require(); // What is begun is to be ended.
    List<DiskLookup<V>> begun = new ArrayList<>(requests.size());
    try {
      List<CompletableFuture<TierResult<V>>> futures = new ArrayList<>(requests.size());
      ReadBatch batch = new ReadBatch();
      for (TierRequest<V> request : requests) {
        DiskLookup<V> lookup = begin(request, batch);
        begun.add(lookup);
        futures.add(lookup.future);
      }
      List<DiskLookup<V>> toRead = new ArrayList<>(begun);
      toRead.removeIf(DiskLookup::hasEnded);
      read(toRead);
      return futures;
    } catch (Throwable e) {
      begun.forEach(pending::abandon);
      throw e;
    }
  }

  <V> CompletableFuture<TierResult<V>> start(TierRequest<V> request) {
    StackReserve.require();
    List<DiskLookup<V>> toRead = new ArrayList<>(1); // Before the lookup is counted.
    DiskLookup<V> lookup = begin(request, null);
    if (!lookup.hasEnded()) {
      toRead.add(lookup);
      submit(toRead);
    }
    return lookup.future;
  }

  /** Ended if no read is needed. */
  private <V> DiskLookup<V> begin(TierRequest<V> request, @Nullable ReadBatch batch) {
    if (PoolThread.isOf(this)) {
      DiskLookup<V> lookup = new DiskLookup<>(request, 0, 0, batch, this::help);
      pending.end(lookup, here(request));
      return lookup;
    }
    long slot = finder.candidate(request.keyHi(), request.keyLo());
    long bytes = slot == 0 ? 0 : Math.max(LEAST_COUNTED_BYTES, storage.bytes(slot));
    DiskLookup<V> lookup = new DiskLookup<>(request, slot, bytes, batch, this::help);
    boolean hasRoom = pending.reserve(bytes);
    try {
      pending.add(lookup);
      endIfNoRead(lookup, hasRoom);
    } catch (Throwable e) {
      pending.end(lookup, TierResult.miss(TierOutcome.UNAVAILABLE));
      throw e;
    }
    return lookup;
  }

  private <V> void endIfNoRead(DiskLookup<V> lookup, boolean hasRoom) {
    if (closed) {
      pending.end(lookup, TierResult.miss(TierOutcome.CLOSED));
    } else if (!health.readFault().isEmpty()) {
      pending.end(lookup, TierResult.miss(TierOutcome.UNAVAILABLE));
    } else if (lookup.slot == 0) {
      pending.end(lookup, TierResult.miss(TierOutcome.ABSENT));
    } else {
      TierResult<V> result = fromMemory(lookup.request);
      if (result != null) {
        pending.end(lookup, result);
      } else if (health.reads.isStalled()) {
        pending.end(lookup, TierResult.miss(TierOutcome.UNAVAILABLE));
      } else if (!hasRoom) {
        busy.increment();
        pending.end(lookup, TierResult.miss(TierOutcome.BUSY));
      }
    }
  }

  /** Lets threads read, each from neighbouring places; as many as that is worth. */
  private <V> void read(List<DiskLookup<V>> lookups) {
    lookups.sort(Comparator.comparingLong(lookup -> storage.position(lookup.slot)));
    int size = lookups.size();
    int parts = readers.partsOf(size);
    for (int part = 0; part < parts && size > 0; part++) {
      submit(List.copyOf(lookups.subList(size * part / parts, size * (part + 1) / parts)));
    }
  }

  /**
   * Works for a lookup on a thread that waits for it. Where reads are from memory, as far as the
   * last ones tell, it reads and decodes what no thread has begun to read. A thread that is in a
   * slow device could not be called back: so there it decodes what others have read.
   */
  private <V> void help(DiskLookup<V> lookup, long nanos, Runnable afterEach) {
    if (lookup.hasEnded()) {
      return;
    }
    StackReserve.require(); // What this thread claims, or takes from a batch, no other ends.
    ReadBatch batch = lookup.batch;
    if (!readers.areFast()) {
      if (batch != null && !PoolThread.isOf(this)) {
        batch.help(lookup, nanos, afterEach);
      }
    } else if (lookup.claim()) {
      end(lookup, null);
      afterEach.run();
    }
  }

  /**
   * Ends lookups that have waited too long for a device that hangs, on a thread that decodes;
   * whether others are pending.
   */
  private boolean endStalled() {
    if (health.reads.isStalled()) {
      pending.endOlderThan(stallNanos);
    }
    return !pending.isEmpty();
  }

  private <V> void submit(List<DiskLookup<V>> lookups) {
    try {
      stallTimer.arm();
      readers.adapt();
      readers.execute(() -> readRuns(lookups));
    } catch (RejectedExecutionException e) {
      lookups.forEach(lookup -> pending.end(lookup, TierResult.miss(TierOutcome.CLOSED)));
    } catch (Throwable noThread) {
      lookups.forEach(lookup -> pending.end(lookup, TierResult.miss(TierOutcome.UNAVAILABLE)));
    }
  }

  /** On a thread that reads: those that no other thread has begun to read for. */
  private <V> void readRuns(List<DiskLookup<V>> lookups) {
    try {
      readNear(lookups);
    } catch (Throwable e) {
      try {
        long slot = lookups.get(0).slot;
        health.readFailed(e, storage.position(slot), storage.bytes(slot));
      } finally {
        lookups.forEach(this::giveUp);
      }
    }
  }

  /** Of a thread that reads and can do no more for it. */
  private <V> void giveUp(DiskLookup<V> lookup) {
    if (!lookup.hasEnded()) {
      try {
        decode(lookup, RecordReader.Found.none(TierOutcome.UNAVAILABLE));
      } catch (Throwable e) {
        pending.end(lookup, TierResult.miss(TierOutcome.UNAVAILABLE));
      }
    }
  }

  private <V> void readNear(List<DiskLookup<V>> lookups) {
    List<DiskLookup<V>> run = new ArrayList<>();
    for (DiskLookup<V> lookup : lookups) {
      if (!run.isEmpty()
          && !storage.areNear(run.get(0).slot, run.get(run.size() - 1).slot, lookup.slot)) {
        readRun(run);
        run.clear();
      }
      if (lookup.claim()) {
        run.add(lookup);
      }
    }
    readRun(run);
  }

  private <V> void readRun(List<DiskLookup<V>> run) {
    if (run.size() < 2 || !readTogether(run)) {
      run.forEach(lookup -> decode(lookup, findDetached(lookup.request)));
    }
  }

  /** One read for all; what is not found in it is looked for by itself. False if it failed. */
  private <V> boolean readTogether(List<DiskLookup<V>> run) {
    DiskLookup<V> first = run.get(0);
    DiskLookup<V> last = run.get(run.size() - 1);
    long start = storage.position(first.slot);
    int length = (int) (storage.position(last.slot) + storage.bytes(last.slot) - start);
    long firstSequence = finder.firstSequence(first.slot);
    ReadBuffer buffer = buffers.take();
    try {
      ByteBuffer bytes = storage.read(start, length, buffer);
      for (DiskLookup<V> lookup : run) {
        int at = (int) (storage.position(lookup.slot) - start);
        RecordReader.Found found = in(bytes, at, firstSequence, lookup);
        decode(lookup, found == null ? findDetached(lookup.request) : found);
      }
    } catch (IOException | OutOfMemoryError e) {
      return false;
    } finally {
      buffers.giveBack(buffer);
    }
    return true;
  }

  private RecordReader.@Nullable Found in(
      ByteBuffer bytes, int at, long firstSequence, DiskLookup<?> lookup) {
    int length = Math.min(bytes.limit() - at, storage.bytes(lookup.slot));
    if (length <= 0) {
      return null;
    }
    try {
      ByteBuffer own = bytes.slice(at, length).order(ByteOrder.LITTLE_ENDIAN);
      TierRequest<?> of = lookup.request;
      var found = finder.in(own, firstSequence, lookup.slot, of.keyHi(), of.keyLo());
      return found == null ? null : found.detached();
    } catch (OutOfMemoryError e) {
      return null;
    }
  }

  /** What is found, in memory of its own: for another thread. */
  private RecordReader.Found findDetached(TierRequest<?> request) {
    ReadBuffer buffer = buffers.take();
    try {
      return find(request, buffer).detached();
    } catch (OutOfMemoryError e) {
      return RecordReader.Found.none(TierOutcome.UNAVAILABLE);
    } finally {
      buffers.giveBack(buffer);
    }
  }

  private RecordReader.Found find(TierRequest<?> request, ReadBuffer into) {
    if (closed) {
      return RecordReader.Found.none(TierOutcome.CLOSED);
    }
    try {
      return finder.find(request.keyHi(), request.keyLo(), into);
    } catch (RuntimeException | OutOfMemoryError e) {
      return RecordReader.Found.none(TierOutcome.UNAVAILABLE);
    }
  }

  private <V> @Nullable TierResult<V> fromMemory(TierRequest<V> request) {
    ReadBuffer buffer = buffers.take();
    try {
      RecordReader.Found found = finder.inMemory(request.keyHi(), request.keyLo(), buffer);
      return found == null ? null : restore(found, request);
    } catch (OutOfMemoryError e) {
      return TierResult.miss(TierOutcome.UNAVAILABLE);
    } finally {
      buffers.giveBack(buffer);
    }
  }

  /** Ends a lookup elsewhere: even the dependents of a miss are foreign code. */
  private <V> void decode(DiskLookup<V> lookup, RecordReader.Found found) {
    ReadBatch batch = lookup.batch;
    try {
      Runnable work = () -> end(lookup, found);
      if (batch == null || !batch.offer(work)) {
        decoders.execute(work);
      }
    } catch (RejectedExecutionException e) {
      // Closed: the closing thread ends it.
    } catch (OutOfMemoryError noThread) {
      pending.end(lookup, TierResult.miss(TierOutcome.UNAVAILABLE));
    }
  }

  /** Ends a lookup by what was found for it, or, if that is null, by what this thread reads. */
  private <V> void end(DiskLookup<V> lookup, RecordReader.@Nullable Found found) {
    if (!lookup.hasEnded()) {
      TierResult<V> result;
      try {
        result = found == null ? here(lookup.request) : restore(found, lookup.request);
      } catch (RuntimeException | Error e) {
        result = TierResult.miss(TierOutcome.UNAVAILABLE); // Others may wait for it too.
      }
      pending.end(lookup, result);
    }
  }

  /** Ends all lookups; those that come later find the tier closed. */
  void close() {
    closed = true;
    stallTimer.close();
    decoders.shutdown();
    readers.close();
    decoders.getQueue().clear();
    pending.endAll(TierOutcome.CLOSED);
  }
}
