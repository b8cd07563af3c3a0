/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.contract;

import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Remembers every block made for a test, and which of them the cache never took over. */
final class BlockLedger {
  private final Queue<Block> made = new ConcurrentLinkedQueue<>();
  private final Set<Block> callersOwn = ConcurrentHashMap.newKeySet();

  Block make(long lo) {
    Block block = new Block(lo);
    made.add(block);
    return block;
  }

  /** The cache refused the block or a listener took it over: nobody else may free it. */
  void keep(Block block) {
    callersOwn.add(block);
  }

  /** What is wrong once all caches are closed and all handles are released. */
  List<String> violations() {
    return made.stream()
        .filter(b -> b.freedUnderWrongKey() || b.timesFreed() != (callersOwn.contains(b) ? 0 : 1))
        .map(b -> (callersOwn.contains(b) ? "not the cache's: " : "the cache's: ") + b)
        .limit(20)
        .toList();
  }
}
