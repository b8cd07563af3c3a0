/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.tiered;

import io.hyperclock.Handle;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * What a read may find of each key: no version older than the last completed write or erase before
 * it began, none that nobody has begun to write, and only of its own key. One writer per key.
 */
final class TieredHistory {
  private final AtomicIntegerArray begun;
  private final AtomicIntegerArray oldestAllowed;
  private final Queue<String> wrong = new ConcurrentLinkedQueue<>();
  private final AtomicLong found = new AtomicLong();
  private final AtomicLong missed = new AtomicLong();

  TieredHistory(int keys) {
    begun = new AtomicIntegerArray(keys);
    oldestAllowed = new AtomicIntegerArray(keys);
  }

  /** A version of its own for the next write. */
  int begin(int key) {
    return begun.incrementAndGet(key);
  }

  /** The version that storage holds. */
  int stored(int key) {
    return begun.get(key);
  }

  void written(int key, int version) {
    oldestAllowed.set(key, version);
  }

  int oldestAllowed(int key) {
    return oldestAllowed.get(key);
  }

  /** Checks and releases what a read that began when {@code oldest} was noted has found. */
  void check(int key, int oldest, @Nullable Handle<Blocks.Block> handle, boolean useful) {
    if (handle == null) {
      missed.incrementAndGet();
      return;
    }
    found.incrementAndGet();
    Blocks.Block block = handle.value();
    if (block.key != key || block.version < oldest || block.version > begun.get(key)) {
      wrong.add("key=" + key + ", oldest=" + oldest + ", got=" + block.key + "/" + block.version);
    }
    if (block.isFreed()) {
      wrong.add("freed while held: key=" + key);
    }
    if (useful) {
      handle.close();
    } else {
      handle.discard();
    }
  }

  void fail(Throwable failure) {
    wrong.add(failure.toString());
  }

  Queue<String> wrong() {
    return wrong;
  }

  long found() {
    return found.get();
  }

  @Override
  public String toString() {
    return "found=" + found + ", missed=" + missed;
  }
}
