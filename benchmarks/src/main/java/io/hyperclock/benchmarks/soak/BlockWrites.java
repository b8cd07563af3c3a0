/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.soak;

import io.hyperclock.BlockCache;
import io.hyperclock.Handle;
import io.hyperclock.InsertResult;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.Priority;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Inserts, overwrites and erases of one worker. */
final class BlockWrites {
  /** What a write does to older values of its key, beside that in its slot. */
  private enum Kind {
    /** Adds where there is none; a load that is under way may bring an older one. */
    INSERT,
    /** The same, but loads that are under way are kept out first. */
    OUTDATING_INSERT,
    /** Takes the place of all. */
    PUT
  }

  private final BlockSession session;
  private final BlockPart part;
  private final SoakWorker worker;
  private final SplittableRandom random;
  private final BlockCache<SoakBlock> cache;

  BlockWrites(BlockSession session, BlockPart part, SoakWorker worker) {
    this.session = session;
    this.part = part;
    this.worker = worker;
    this.random = worker.random;
    this.cache = part.cache();
  }

  void step() {
    Space space = part.file(random);
    int key = part.key(random);
    switch (random.nextInt(16)) {
      case 0, 1, 2, 3 -> insert(space, key);
      case 4 -> insertPinned(space, key);
      case 5, 6, 7 -> put(space, key);
      case 8 -> putPinned(space, key);
      case 9 -> putIfAbsent(space, Space.collected(key));
      case 10 -> replace(space, key);
      case 11, 12 -> compareAndReplace(space, key);
      case 13 -> standalone(space, key);
      default -> erase(space, key);
    }
  }

  /**
   * Writes a new version.
   *
   * @param kind whether older values are gone once it has added its own
   * @param write gives the value to the cache
   */
  private void write(Space space, int key, Kind kind, Function<SoakBlock, InsertResult> write) {
    SoakVersions.Write begun = space.versions.begin(key);
    boolean hidesOlder = false;
    boolean isTaken = false;
    SoakBlock block =
        part.blocks.make(
            Space.isCounted(key), space.hi, Space.lo(key), begun.version(), worker.doing());
    try {
      if (kind == Kind.OUTDATING_INSERT) {
        cache.invalidateLoad(space.hi, Space.lo(key));
      }
      InsertResult result = write.apply(block);
      isTaken = !result.callerKeepsValue();
      hidesOlder =
          switch (result) {
            case REPLACED -> true;
            case INSERTED -> kind != Kind.INSERT;
            case DROPPED -> kind == Kind.PUT;
            default -> false;
          };
    } finally {
      space.versions.end(begun, hidesOlder);
      if (!isTaken) {
        part.blocks.free(block);
      }
    }
  }

  private Priority priority() {
    return Priority.values()[random.nextInt(3)];
  }

  private void insert(Space space, int key) {
    worker.doing("insert");
    EntryType<SoakBlock> type = part.type(key);
    Priority priority = priority();
    write(
        space,
        key,
        random.nextBoolean() ? Kind.INSERT : Kind.OUTDATING_INSERT,
        block ->
            type == part.collectedType && priority == Priority.LOW
                ? cache.insert(block.hi, block.lo, block, SoakBlocks.chargeBytes(block))
                : cache.insert(
                    block.hi, block.lo, block, type, SoakBlocks.chargeBytes(block), priority));
  }

  private void insertPinned(Space space, int key) {
    worker.doing("insertPinned");
    EntryType<SoakBlock> type = part.type(key);
    Priority priority = priority();
    hold(
        space,
        key,
        random.nextBoolean() ? Kind.INSERT : Kind.OUTDATING_INSERT,
        InsertResult.KEPT_EXISTING,
        block ->
            cache.insertPinned(
                block.hi, block.lo, block, type, SoakBlocks.chargeBytes(block), priority));
  }

  private void putPinned(Space space, int key) {
    worker.doing("putPinned");
    EntryType<SoakBlock> type = part.type(key);
    Priority priority = priority();
    hold(
        space,
        key,
        Kind.PUT,
        InsertResult.DROPPED,
        block ->
            cache.putPinned(
                block.hi, block.lo, block, type, SoakBlocks.chargeBytes(block), priority));
  }

  /**
   * Writes a new version and holds it.
   *
   * @param alone what a standalone handle stands for
   * @param write gives the value to the cache
   */
  private void hold(
      Space space,
      int key,
      Kind kind,
      InsertResult alone,
      Function<SoakBlock, Handle<SoakBlock>> write) {
    AtomicReference<@Nullable Handle<SoakBlock>> taken = new AtomicReference<>();
    write(
        space,
        key,
        kind,
        block -> {
          Handle<SoakBlock> handle = write.apply(block);
          taken.set(handle);
          if (handle.value() != block) {
            worker.findings.report("a pinned write must give a handle on its value: " + block);
          }
          return handle.isStandalone() ? alone : InsertResult.INSERTED;
        });
    session.hold(space, key, 0, taken.get());
  }

  private void put(Space space, int key) {
    worker.doing("put");
    EntryType<SoakBlock> type = part.type(key);
    Priority priority = priority();
    write(
        space,
        key,
        Kind.PUT,
        block ->
            type == part.collectedType && priority == Priority.LOW
                ? cache.put(block.hi, block.lo, block, SoakBlocks.chargeBytes(block))
                : cache.put(
                    block.hi, block.lo, block, type, SoakBlocks.chargeBytes(block), priority));
  }

  private void putIfAbsent(Space space, int key) {
    worker.doing("putIfAbsent");
    long floor = space.versions.floor(key);
    write(
        space,
        key,
        random.nextBoolean() ? Kind.INSERT : Kind.OUTDATING_INSERT,
        block -> {
          SoakBlock present =
              cache.putIfAbsent(block.hi, block.lo, block, SoakBlocks.chargeBytes(block));
          session.checkRead(space, key, floor, present);
          return InsertResult.KEPT_EXISTING;
        });
  }

  private void replace(Space space, int key) {
    worker.doing("replace");
    write(
        space,
        key,
        Kind.PUT,
        block ->
            cache.replace(
                block.hi, block.lo, block, part.type(key), SoakBlocks.chargeBytes(block)));
  }

  private void compareAndReplace(Space space, int key) {
    worker.doing("compareAndReplace");
    long floor = space.versions.floor(key);
    Handle<SoakBlock> seen = cache.lookup(space.hi, Space.lo(key));
    if (seen == null) {
      return;
    }
    try {
      write(
          space,
          key,
          Kind.PUT,
          block ->
              cache.compareAndReplace(
                  block.hi,
                  block.lo,
                  seen.value(),
                  block,
                  part.type(key),
                  SoakBlocks.chargeBytes(block)));
    } finally {
      session.hold(space, key, floor, seen);
    }
  }

  private void standalone(Space space, int key) {
    worker.doing("createStandalone");
    SoakBlock block =
        part.blocks.counted(space.hi, Space.lo(key), space.versions.newest(key), worker.doing());
    Handle<SoakBlock> handle = null;
    try {
      handle =
          cache.createStandalone(
              block.hi,
              block.lo,
              block,
              part.countedTypes.get(0),
              SoakBlocks.chargeBytes(block),
              random.nextBoolean());
    } finally {
      if (handle == null) {
        part.blocks.free(block);
      }
    }
    session.hold(space, key, 0, handle);
  }

  private void erase(Space space, int key) {
    worker.doing("erase");
    SoakVersions.Write begun = space.versions.begin(key);
    boolean isDone = false;
    try {
      cache.erase(space.hi, Space.lo(key));
      isDone = true;
    } finally {
      space.versions.end(begun, isDone);
    }
  }
}
