/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.disk;

import io.hyperclock.secondary.TierRequest;
import io.hyperclock.secondary.TierResult;
import io.hyperclock.secondary.internal.tier.HelpedFuture;
import io.hyperclock.secondary.internal.tier.LookupDisposal;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A lookup that waits for the device or for its codec. It ends once: with its result, or when the
 * tier is closed before. A value that no caller gets is freed.
 */
final class DiskLookup<V> {
  /** What a lookup's future asks for that is helped. */
  interface Help {
    <W> void help(DiskLookup<W> lookup, long nanos, Runnable afterEach);
  }

  final TierRequest<V> request;
  final HelpedFuture<TierResult<V>> future;

  /** What the index said when it began, where to read first. */
  final long slot;

  final long countedBytes;

  /** Those that it began with, null if it began alone. */
  final @Nullable ReadBatch batch;

  private final long began = System.nanoTime();
  private final AtomicBoolean ended = new AtomicBoolean();
  private final AtomicBoolean claimed = new AtomicBoolean();

  DiskLookup(
      TierRequest<V> request, long slot, long countedBytes, @Nullable ReadBatch batch, Help help) {
    this.future =
        new HelpedFuture<>() {
          @Override
          public void help(long nanos, Runnable afterEach) {
            help.help(DiskLookup.this, nanos, afterEach);
          }
        };
    this.request = request;
    this.batch = batch;
    this.slot = slot;
    this.countedBytes = countedBytes;
  }

  /** True for the one who is to complete it. */
  boolean end() {
    return ended.compareAndSet(false, true);
  }

  /** True for the one thread that is to read for it. */
  boolean claim() {
    return !claimed.get() && claimed.compareAndSet(false, true);
  }

  boolean isOlderThan(long nanos) {
    return System.nanoTime() - began > nanos;
  }

  boolean hasEnded() {
    return ended.get();
  }

  /** Hands a result to the future, which its owner may have completed. */
  void complete(TierResult<V> result) {
    if (!future.complete(result)) {
      free(result);
    }
  }

  /** Frees the value of a result that no caller gets. */
  void free(TierResult<V> result) {
    LookupDisposal.dispose(result, request);
  }
}
