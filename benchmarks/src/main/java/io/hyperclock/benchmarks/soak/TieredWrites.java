/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.soak;

import io.hyperclock.Handle;
import io.hyperclock.InsertResult;
import io.hyperclock.entry.Priority;
import io.hyperclock.secondary.TieredBlockCache;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Inserts, overwrites and erases of one worker in a cache with tiers below it. */
final class TieredWrites {
  private final TieredSession session;
  private final TieredPart part;
  private final SoakWorker worker;
  private final SplittableRandom random;
  private final TieredBlockCache<SoakBlock> cache;
  private final Space space;

  TieredWrites(TieredSession session, TieredPart part, SoakWorker worker) {
    this.session = session;
    this.part = part;
    this.worker = worker;
    this.random = worker.random;
    this.cache = part.cache();
    this.space = part.space;
  }

  /**
   * Writes a new version.
   *
   * @param isPut whether older values are gone also where the new one is dropped
   * @param write gives the value to the cache
   */
  private void write(int key, boolean isPut, Function<SoakBlock, InsertResult> write) {
    SoakVersions.Write begun = space.versions.begin(key);
    boolean hidesOlder = false;
    boolean isTaken = false;
    SoakBlock block =
        part.blocks.make(
            Space.isCounted(key), space.hi, Space.lo(key), begun.version(), worker.doing());
    try {
      InsertResult result = write.apply(block);
      isTaken = !result.callerKeepsValue();
      hidesOlder =
          result == InsertResult.INSERTED
              || result == InsertResult.REPLACED
              || result == InsertResult.DROPPED && isPut;
    } finally {
      space.versions.end(begun, hidesOlder && !part.isClosing());
      if (!isTaken) {
        part.blocks.free(block);
      }
    }
  }

  void put(int key) {
    worker.doing("tiered put");
    Priority priority = Priority.values()[random.nextInt(3)];
    write(
        key,
        true,
        block ->
            cache.put(
                block.hi,
                block.lo,
                block,
                part.type(key),
                SoakBlocks.chargeBytes(block),
                priority));
  }

  void insert(int key) {
    worker.doing("tiered insert");
    Priority priority = Priority.values()[random.nextInt(3)];
    write(
        key,
        false,
        block ->
            cache.insert(
                block.hi,
                block.lo,
                block,
                part.type(key),
                SoakBlocks.chargeBytes(block),
                priority));
  }

  void insertPinned(int key) {
    worker.doing("tiered insertPinned");
    hold(
        key,
        InsertResult.KEPT_EXISTING,
        block ->
            cache.insertPinned(
                block.hi,
                block.lo,
                block,
                part.type(key),
                SoakBlocks.chargeBytes(block),
                Priority.LOW));
  }

  void putPinned(int key) {
    worker.doing("tiered putPinned");
    hold(
        key,
        InsertResult.REPLACED,
        block ->
            cache.putPinned(
                block.hi,
                block.lo,
                block,
                part.type(key),
                SoakBlocks.chargeBytes(block),
                Priority.LOW));
  }

  private void hold(int key, InsertResult result, Function<SoakBlock, Handle<SoakBlock>> write) {
    AtomicReference<@Nullable Handle<SoakBlock>> taken = new AtomicReference<>();
    write(
        key,
        false,
        block -> {
          taken.set(write.apply(block));
          return result;
        });
    session.hold(key, 0, taken.get());
  }

  void compareAndReplace(int key) {
    worker.doing("tiered compareAndReplace");
    long floor = space.versions.floor(key);
    Handle<SoakBlock> seen = cache.lookup(space.hi, Space.lo(key), part.type(key));
    if (seen == null) {
      return;
    }
    try {
      write(
          key,
          false,
          block ->
              cache.compareAndReplace(
                  block.hi,
                  block.lo,
                  seen.value(),
                  block,
                  part.type(key),
                  SoakBlocks.chargeBytes(block)));
    } finally {
      session.hold(key, floor, seen);
    }
  }

  void erase(int key) {
    worker.doing("tiered erase");
    SoakVersions.Write begun = space.versions.begin(key);
    boolean isDone = false;
    try {
      cache.erase(space.hi, Space.lo(key));
      isDone = !part.isClosing();
    } finally {
      space.versions.end(begun, isDone);
    }
  }
}
