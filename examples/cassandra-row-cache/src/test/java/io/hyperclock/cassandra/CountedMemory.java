/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.cassandra;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.cassandra.io.util.Memory;

/** Memory that counts how often it is freed, and is overwritten first: late readers are seen. */
final class CountedMemory extends Memory {
  /** Of all memory that it gave: what is out, and what came back more than once. */
  static final class Ledger {
    final AtomicLong given = new AtomicLong();
    final AtomicLong freed = new AtomicLong();
    final AtomicLong freedAgain = new AtomicLong();

    Memory give(long bytes) {
      Memory memory = new CountedMemory(bytes, this);
      given.incrementAndGet();
      return memory;
    }
  }

  private final Ledger ledger;
  private final AtomicInteger frees = new AtomicInteger();

  private CountedMemory(long bytes, Ledger ledger) {
    super(bytes);
    this.ledger = ledger;
  }

  @Override
  public void free() {
    if (frees.incrementAndGet() > 1) {
      ledger.freedAgain.incrementAndGet();
      return;
    }
    setMemory(0, size(), (byte) 0xdd);
    super.free();
    ledger.freed.incrementAndGet();
  }
}
