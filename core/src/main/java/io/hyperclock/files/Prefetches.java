/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.files;

import io.hyperclock.Handle;
import io.hyperclock.internal.errors.StackReserve;
import io.hyperclock.memory.PooledBuffer;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Loads of blocks that no thread waits for, a bounded number at a time. */
final class Prefetches {
  private final @Nullable Executor executor;
  private final Semaphore room;

  Prefetches(@Nullable Executor executor, int most) {
    this.executor = executor;
    this.room = new Semaphore(most);
  }

  /** Starts to load what is missing of a range, as far as there is room in the queue. */
  boolean start(CachedFile file, long position, long end) {
    if (executor == null || position >= end) {
      return false;
    }
    boolean started = false;
    // Counted down: a position behind the last block may be none.
    for (long left = end - position + file.offsetInBlock(position); left > 0; ) {
      long at = end - left;
      int blocks = file.loads.missing(at, end, file.files.maxWindow);
      if (blocks > 0) {
        if (!submit(executor, file, at, blocks)) {
          return started;
        }
        started = true;
      }
      left -= (long) Math.max(1, blocks) * file.files.blockBytes();
    }
    return started;
  }

  private boolean submit(Executor threads, CachedFile file, long from, int blocks) {
    // Given back once: an executor may throw what the load has thrown.
    AtomicInteger permit = new AtomicInteger(1);
    StackReserve.require(); // What is acquired is to be released.
    if (!room.tryAcquire()) {
      file.counters.prefetchesRefused.increment();
      return false;
    }
    try {
      threads.execute(() -> load(file, from, blocks, permit));
      return true;
    } catch (Throwable e) {
      int held = permit.getAndSet(0);
      if (held == 0) {
        // It ran on this thread, and this is what it has thrown.
        throw e;
      }
      room.release(held);
      // Such as one that can start no more threads: readers do not fail by a hint.
      file.counters.prefetchesRefused.increment();
      return false;
    }
  }

  private void load(CachedFile file, long from, int blocks, AtomicInteger permit) {
    int blockBytes = file.files.blockBytes();
    long left = Math.min((long) blocks * blockBytes, file.length() - from);
    long end = from + left;
    boolean done = false;
    try {
      // Readers may have brought some meanwhile.
      while (left > 0) {
        // It may have waited in the queue; a source that is closed is not to be read.
        file.requireOpen();
        long at = end - left;
        int count = file.loads.missing(at, end, blocks);
        if (count > 0) {
          Handle<PooledBuffer> handle = file.loads.load(at, count);
          if (handle == null) {
            return;
          }
          handle.discard();
          file.counters.blocksAhead.increment();
          if (!file.loads.contains(at + (count - 1L) * blockBytes)) {
            // The memory ended before the last one.
            return;
          }
        }
        left -= (long) Math.max(1, count) * blockBytes;
      }
      done = true;
    } catch (Exception e) {
      // Who needs the block will meet the failure; it is counted below.
    } finally {
      room.release(permit.getAndSet(0));
      if (!done) {
        file.counters.prefetchesFailed.increment();
      }
    }
  }
}
