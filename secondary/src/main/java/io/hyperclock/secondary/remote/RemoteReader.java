/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.remote;

import io.hyperclock.secondary.TierOutcome;
import io.hyperclock.secondary.TierRequest;
import io.hyperclock.secondary.TierResult;
import io.hyperclock.secondary.internal.record.Records;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Asks the server for batches of values, and makes ours of what it answers. */
final class RemoteReader implements Batch.Reader {
  final LongAdder batches = new LongAdder();
  final LongAdder batchedKeys = new LongAdder();

  /** Values that were not given because of writes of this instance. */
  final LongAdder untrusted = new LongAdder();

  private final Executor executor;
  private final RemoteStore store;
  private final WireFormat envelope;
  private final Codecs codecs;
  private final WriteTracker ledger;
  private final RequestWindow line;
  private final ServerHealth health;
  private final RemoteWriter writer;
  private final int maxValueBytes;
  private final int maxBatchKeys;
  private final int maxBatchBytes;

  /** Average size of values read; racy updates only lose one. */
  private volatile int expectedBytes = 4 << 10;

  RemoteReader(
      RemoteSecondaryCacheBuilder settings,
      Executor executor,
      RemoteStore store,
      WireFormat envelope,
      Codecs codecs,
      WriteTracker ledger,
      RequestWindow line,
      ServerHealth health,
      RemoteWriter writer) {
    this.executor = executor;
    this.store = store;
    this.envelope = envelope;
    this.codecs = codecs;
    this.ledger = ledger;
    this.line = line;
    this.health = health;
    this.writer = writer;
    this.maxValueBytes = settings.maxValueBytes;
    this.maxBatchKeys = settings.maxBatchKeys;
    this.maxBatchBytes = settings.maxBatchBytes;
  }

  /** How many keys a batch is to have at most, by the size of the values read so far. */
  int keysPerBatch() {
    return Math.max(1, Math.min(maxBatchKeys, maxBatchBytes / Math.max(1, expectedBytes)));
  }

  /** Asks for a batch, or ends it if there is no room for it on the line. */
  <V> void send(Batch<V> batch) {
    long bytes = Math.min((long) batch.size() * expectedBytes, maxBatchBytes);
    Question<V> question = new Question<>(batch, bytes);
    if (!line.tryAcquire(bytes)) {
      batch.endAll(TierOutcome.BUSY);
      return;
    }
    try {
      batches.increment();
      batchedKeys.add(batch.size());
      batch.begin();
    } catch (Throwable e) {
      question.run();
      batch.endAll(TierOutcome.UNAVAILABLE);
      return;
    }
    line.send(question, question);
  }

  /**
   * The command that asks for a batch, and what is done with its answer. Made before there is room
   * for it, which it gives back once, before or without anything that may find no memory.
   */
  private final class Question<V>
      implements Supplier<CompletionStage<? extends List<byte @Nullable []>>>,
          BiConsumer<@Nullable List<byte @Nullable []>, @Nullable Throwable>,
          Runnable {
    private final Batch<V> batch;
    private final AtomicBoolean isOver = new AtomicBoolean();
    private long bytes;

    Question(Batch<V> batch, long bytes) {
      this.batch = batch;
      this.bytes = bytes;
    }

    @Override
    public CompletionStage<? extends List<byte @Nullable []>> get() {
      return store.mget(batch.keys(envelope));
    }

    @Override
    public void accept(@Nullable List<byte @Nullable []> values, @Nullable Throwable failure) {
      if (failure == null) {
        answered(values);
        return;
      }
      run();
      try {
        health.answered(failure);
      } finally {
        batch.failed(reason(failure), executor);
      }
    }

    private void answered(@Nullable List<byte @Nullable []> values) {
      health.answered(null);
      long more = Math.max(0, bytes(values) - bytes);
      if (line.tryGrow(more)) {
        bytes += more;
        try {
          batch.answered(values, RemoteReader.this, executor, this);
        } catch (Throwable e) {
          run();
          throw e;
        }
      } else {
        run();
        batch.failed(TierOutcome.BUSY, executor);
      }
      writer.removeOwed();
    }

    /** Gives its room back. */
    @Override
    public void run() {
      if (isOver.compareAndSet(false, true)) {
        line.release(bytes);
      }
    }
  }

  /** What an answer holds; a list that throws holds what it pleases, and is met again later. */
  private static long bytes(@Nullable List<byte @Nullable []> values) {
    long bytes = 0;
    try {
      if (values != null) {
        for (byte[] value : values) {
          bytes += value == null ? 0 : value.length;
        }
      }
    } catch (Throwable e) {
      return 0;
    }
    return bytes;
  }

  private static TierOutcome reason(Throwable failure) {
    return failure instanceof TimeoutException
        ? TierOutcome.TIMED_OUT
        : failure instanceof RequestWindow.ClosedException
            ? TierOutcome.CLOSED
            : TierOutcome.UNAVAILABLE;
  }

  @Override
  public <V> TierResult<V> read(TierRequest<V> request, long required, byte[] value) {
    if (value.length > (long) maxValueBytes + WireFormat.MOST_ADDED_BYTES) {
      return TierResult.miss(TierOutcome.CORRUPT); // From a store that heeds no limits.
    }
    expectedBytes += (value.length - expectedBytes) / 8;
    long hi = request.keyHi();
    long lo = request.keyLo();
    WireFormat.Opened opened = envelope.open(hi, lo, request.type(), value);
    if (opened == null) {
      return TierResult.miss(TierOutcome.CORRUPT);
    }
    if (!ledger.trusts(hi, lo, required, opened.own(), opened.number())) {
      untrusted.increment();
      return TierResult.miss(TierOutcome.ABSENT);
    }
    Records records = codecs.reading(opened.record());
    return records.restore(opened.record(), request, true);
  }
}
