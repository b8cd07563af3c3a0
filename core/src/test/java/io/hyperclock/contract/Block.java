/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.contract;

import io.hyperclock.entry.EntryRole;
import io.hyperclock.entry.EntryType;
import java.util.concurrent.atomic.AtomicInteger;

/** A value freed explicitly that counts how often it was freed. */
final class Block {
  static final EntryType<Block> TYPE =
      EntryType.<Block>named("freed explicitly")
          .role(EntryRole.INDEX_BLOCK)
          .disposer((hi, lo, block) -> block.free(hi, lo))
          .build();

  final long lo;
  private final AtomicInteger freed = new AtomicInteger();
  private volatile boolean wrongKey;

  Block(long lo) {
    this.lo = lo;
  }

  void free(long keyHi, long keyLo) {
    wrongKey |= keyHi != CacheContract.HI || keyLo != lo;
    freed.incrementAndGet();
  }

  int timesFreed() {
    return freed.get();
  }

  boolean freedUnderWrongKey() {
    return wrongKey;
  }

  @Override
  public String toString() {
    return "Block[lo=" + lo + ", freed=" + freed + (wrongKey ? ", wrong key]" : "]");
  }
}
