/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.remote;

import io.hyperclock.secondary.TierOutcome;
import io.hyperclock.secondary.TierRequest;
import io.hyperclock.secondary.TierResult;
import io.hyperclock.secondary.internal.tier.LookupDisposal;
import io.hyperclock.secondary.internal.tier.TierCounters;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Lookups that are sent as one command. Each ends once: by what the server answered, by the time
 * limit, or when the tier is closed; a value that comes too late is disposed of.
 */
final class Batch<V> implements Runnable {
  /** What makes a value of the server's bytes. */
  interface Reader {
    <V> TierResult<V> read(TierRequest<V> request, long required, byte[] value);
  }

  private final List<TierRequest<V>> requests = new ArrayList<>();
  private final List<Long> required = new ArrayList<>();
  private final List<CompletableFuture<TierResult<V>>> futures = new ArrayList<>();
  private final TierCounters counters;
  private final RequestWindow line;

  /** Guarded by itself. */
  private final BitSet ended = new BitSet();

  private @Nullable Future<?> timer;

  Batch(TierCounters counters, RequestWindow line) {
    this.counters = counters;
    this.line = line;
  }

  int size() {
    return requests.size();
  }

  /** What the server calls the keys. */
  List<byte[]> keys(WireFormat envelope) {
    return requests.stream().map(one -> envelope.key(one.keyHi(), one.keyLo())).toList();
  }

  CompletableFuture<TierResult<V>> add(TierRequest<V> request, long least) {
    CompletableFuture<TierResult<V>> future = new CompletableFuture<>();
    requests.add(request);
    required.add(least);
    futures.add(future);
    return future;
  }

  /** From now on the lookups end in time. */
  void begin() {
    line.onClose(this);
    timer = line.after(line.timeout(), () -> endAll(TierOutcome.TIMED_OUT));
  }

  /**
   * The tier was closed. Ends also the lookups that other threads are about to complete, which may
   * take a while to get there.
   */
  @Override
  public void run() {
    endAll(TierOutcome.CLOSED);
    futures.forEach(future -> future.complete(TierResult.miss(TierOutcome.CLOSED)));
  }

  void endAll(TierOutcome reason) {
    for (int i = 0; i < size(); i++) {
      end(i, TierResult.miss(reason));
    }
    Future<?> running = timer;
    if (running != null) {
      running.cancel(false);
    }
    line.forget(this);
  }

  /**
   * The server's values, which the executor makes ours. Then {@code last} runs, once, also if the
   * executor both runs and rejects: before the last lookup ends, unless the time limit has ended
   * it, so that who waited for it finds room for another.
   */
  void answered(
      @Nullable List<byte @Nullable []> values, Reader reader, Executor executor, Runnable last) {
    AtomicBoolean isOver = new AtomicBoolean();
    Runnable once =
        () -> {
          if (isOver.compareAndSet(false, true)) {
            last.run();
          }
        };
    Runnable end =
        () -> {
          once.run();
          endAll(TierOutcome.UNAVAILABLE);
        };
    Runnable decoding =
        () -> {
          try {
            decode(values, reader, once);
          } catch (Throwable e) {
            // A list that throws, or no memory: what has not ended yet ends now.
          }
          end.run();
        };
    runOn(executor, decoding, end);
  }

  /** No values, for a reason; what depends on the lookups is not for this thread. */
  void failed(TierOutcome reason, Executor executor) {
    runOn(executor, () -> endAll(reason), () -> endAll(TierOutcome.UNAVAILABLE));
  }

  private void runOn(Executor executor, Runnable task, Runnable end) {
    try {
      executor.execute(task);
    } catch (Throwable rejected) {
      line.soon(end);
    }
  }

  private void decode(
      @Nullable List<byte @Nullable []> values, Reader reader, Runnable beforeLast) {
    if (values == null || values.size() != size()) {
      beforeLast.run();
      endAll(TierOutcome.CORRUPT);
      return;
    }
    for (int i = 0; i < size(); i++) {
      byte[] value = values.get(i);
      TierResult<V> result =
          value == null || hasEnded(i)
              ? TierResult.miss(TierOutcome.ABSENT)
              : reader.read(requests.get(i), required.get(i), value);
      if (i == size() - 1) {
        beforeLast.run();
      }
      end(i, result);
    }
  }

  private boolean hasEnded(int index) {
    synchronized (ended) {
      return ended.get(index);
    }
  }

  private void end(int index, TierResult<V> result) {
    TierRequest<V> request = requests.get(index);
    boolean first;
    synchronized (ended) {
      first = !ended.get(index);
      ended.set(index);
    }
    if (first) {
      counters.lookedUp(request.type().role(), result.outcome());
    }
    if (!first || !futures.get(index).complete(result)) {
      LookupDisposal.dispose(result, request);
    }
  }
}
