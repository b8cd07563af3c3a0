/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.soak;

import io.hyperclock.AsyncBlockLoader;
import io.hyperclock.BlockCache;
import io.hyperclock.BlockLoader;
import io.hyperclock.BulkLoader;
import io.hyperclock.Handle;
import io.hyperclock.entry.EntryType;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Loading reads of one worker: on its thread, on an executor, without a thread, and in bulk. */
final class SoakLoads {
  private static final int MOST_PENDING = 16;

  /**
   * A load that was started.
   *
   * @param space file of the key
   * @param key the key
   * @param floor oldest version allowed when it was started
   * @param value future of a value, or null
   * @param handle future of a handle, or null
   */
  private record Pending(
      Space space,
      int key,
      long floor,
      @Nullable CompletableFuture<@Nullable SoakBlock> value,
      @Nullable CompletableFuture<@Nullable Handle<SoakBlock>> handle) {}

  private final BlockSession session;
  private final BlockPart part;
  private final SoakWorker worker;
  private final SplittableRandom random;
  private final BlockCache<SoakBlock> cache;
  private final Deque<Pending> pending = new ArrayDeque<>();

  SoakLoads(BlockSession session, BlockPart part, SoakWorker worker) {
    this.session = session;
    this.part = part;
    this.worker = worker;
    this.random = worker.random;
    this.cache = part.cache();
  }

  void step() {
    if (pending.size() >= MOST_PENDING || random.nextInt(6) == 0) {
      take();
      return;
    }
    Space space = part.file(random);
    int key = part.key(random);
    switch (random.nextInt(10)) {
      case 0, 1 -> get(space, Space.collected(key));
      case 2, 3, 4 -> lookup(space, key);
      case 5, 6 -> getAsync(space, Space.collected(key));
      case 7, 8 -> lookupAsync(space, key);
      default -> getAll(space);
    }
  }

  private void get(Space space, int key) {
    worker.doing("get with a loader");
    long floor = space.versions.floor(key);
    session.checkRead(
        space, key, floor, cache.get(space.hi, Space.lo(key), new Loader(space, key, true)));
  }

  private void lookup(Space space, int key) {
    worker.doing("lookup with a loader");
    long floor = space.versions.floor(key);
    session.hold(
        space, key, floor, cache.lookup(space.hi, Space.lo(key), new Loader(space, key, true)));
  }

  private void getAsync(Space space, int key) {
    worker.doing("getAsync");
    long floor = space.versions.floor(key);
    Loader loader = new Loader(space, key, true);
    CompletableFuture<@Nullable SoakBlock> future =
        random.nextBoolean()
            ? cache.getAsync(space.hi, Space.lo(key), part.executor, loader)
            : cache.getAsync(space.hi, Space.lo(key), new AsyncLoader(loader));
    if (random.nextInt(8) == 0) {
      Space other = part.file(random);
      int wanted = part.key(random);
      Loader nested = new Loader(other, wanted, false);
      future.whenComplete((block, failure) -> readOther(other, wanted, nested));
    }
    pending.add(new Pending(space, key, floor, future, null));
  }

  /** Reads a key on the thread that completes the load of another. */
  private void readOther(Space other, int wanted, Loader loader) {
    long floor = other.versions.floor(wanted);
    try (Handle<SoakBlock> handle = cache.lookup(other.hi, Space.lo(wanted), loader)) {
      if (handle != null) {
        session.checkRead(other, wanted, floor, handle.value());
      }
    } catch (Throwable t) {
      if (!Mishaps.isExpected(t, part.isClosing())) {
        part.findings.report("a dependent of a future may read any key", t);
      }
    }
  }

  private void lookupAsync(Space space, int key) {
    worker.doing("lookupAsync");
    long floor = space.versions.floor(key);
    Loader loader = new Loader(space, key, true);
    CompletableFuture<@Nullable Handle<SoakBlock>> future =
        random.nextBoolean()
            ? cache.lookupAsync(space.hi, Space.lo(key), part.executor, loader)
            : cache.lookupAsync(space.hi, Space.lo(key), new AsyncLoader(loader));
    pending.add(new Pending(space, key, floor, null, future));
  }

  private void getAll(Space space) {
    worker.doing("getAll with a loader");
    int count = 1 + random.nextInt(12);
    long[] keys = new long[2 * count];
    long[] floors = new long[count];
    for (int i = 0; i < count; i++) {
      int key = Space.collected(part.key(random));
      keys[2 * i] = space.hi;
      keys[2 * i + 1] = Space.lo(key);
      floors[i] = space.versions.floor(key);
    }
    SoakBlock[] values = new SoakBlock[count];
    Loader loader = new Loader(space, 0, true);
    BulkLoader<SoakBlock> bulk =
        new BulkLoader<>() {
          @Override
          public void load(long[] missing, @Nullable SoakBlock[] loaded) throws Exception {
            loader.trouble();
            for (int i = 0; i < loaded.length; i++) {
              loaded[i] = loader.read(Space.key(missing[2 * i + 1]));
            }
          }

          @Override
          public long chargeBytes(SoakBlock value) {
            return SoakBlocks.chargeBytes(value);
          }
        };
    int found = cache.getAll(keys, values, bulk);
    session.checkAll(space, keys, floors, values, found);
  }

  /** Takes the oldest load that was started, or cancels it. */
  private void take() {
    Pending one = pending.poll();
    if (one == null) {
      return;
    }
    worker.doing("take a future");
    CompletableFuture<@Nullable SoakBlock> value = one.value();
    if (value != null) {
      if (random.nextInt(8) != 0 || !value.cancel(true)) {
        session.checkRead(one.space(), one.key(), one.floor(), value.join());
      }
    }
    CompletableFuture<@Nullable Handle<SoakBlock>> handle = one.handle();
    if (handle != null) {
      if (random.nextInt(8) != 0 || !handle.cancel(true)) {
        session.hold(one.space(), one.key(), one.floor(), handle.join());
      }
    }
  }

  void finish() {
    while (!pending.isEmpty()) {
      try {
        take();
      } catch (RuntimeException e) {
        if (!Mishaps.isExpected(e, part.isClosing())) {
          throw e;
        }
      }
    }
  }

  /** Reads the newest version of a key, as storage would; or fails. */
  private final class Loader implements BlockLoader<SoakBlock> {
    private final Space space;
    private final int key;

    /** Whether it may use the cache. */
    private final boolean isOuter;

    private final SplittableRandom fate = random.split();

    Loader(Space space, int key, boolean isOuter) {
      this.space = space;
      this.key = key;
      this.isOuter = isOuter;
    }

    @Override
    public @Nullable SoakBlock load(long keyHi, long keyLo) throws Exception {
      if (keyHi != space.hi || keyLo != Space.lo(key)) {
        part.findings.report("a loader must be asked for its key: %x:%x".formatted(keyHi, keyLo));
      }
      trouble();
      if (isOuter && fate.nextInt(16) == 0) {
        useCache();
      }
      return fate.nextInt(64) == 0 ? null : read(key);
    }

    SoakBlock read(int wanted) {
      return part.blocks.make(
          Space.isCounted(wanted),
          space.hi,
          Space.lo(wanted),
          space.versions.newest(wanted),
          "loader");
    }

    void trouble() throws Exception {
      part.mishaps.throwOneIn(50, fate, "loader");
      if (part.mishaps.strikes(fate, 100)) {
        throw new Mishaps.MishapException("loader");
      }
      if (part.mishaps.strikes(fate, 200)) {
        throw new Mishaps.MishapError("loader");
      }
      if (part.mishaps.strikes(fate, 500)) {
        throw new InterruptedException("injected");
      }
      part.mishaps.delayOneIn(50, fate);
    }

    private void useCache() {
      Space other = part.file(fate);
      int wanted = part.key(fate);
      if (other == space && wanted == key) {
        return;
      }
      readOther(other, wanted, new Loader(other, wanted, false));
    }

    @Override
    public EntryType<SoakBlock> type() {
      return part.type(key);
    }

    @Override
    public long chargeBytes(SoakBlock value) {
      return SoakBlocks.chargeBytes(value);
    }
  }

  /** Reads at once, or on the executor; or fails in one of three ways. */
  private final class AsyncLoader implements AsyncBlockLoader<SoakBlock> {
    private final Loader loader;
    private final SplittableRandom fate = random.split();

    AsyncLoader(Loader loader) {
      this.loader = loader;
    }

    @Override
    public CompletionStage<? extends @Nullable SoakBlock> load(long keyHi, long keyLo)
        throws Exception {
      part.mishaps.throwOneIn(50, fate, "start of a load");
      if (part.mishaps.strikes(fate, 50)) {
        return CompletableFuture.failedFuture(new Mishaps.MishapException("load"));
      }
      SoakBlock block = loader.read(loader.key);
      if (fate.nextInt(4) == 0) {
        return CompletableFuture.completedFuture(block);
      }
      return CompletableFuture.supplyAsync(
          () -> {
            part.mishaps.delayOneIn(50, fate);
            return block;
          },
          part.executor);
    }

    @Override
    public EntryType<SoakBlock> type() {
      return loader.type();
    }

    @Override
    public long chargeBytes(SoakBlock value) {
      return SoakBlocks.chargeBytes(value);
    }
  }
}
