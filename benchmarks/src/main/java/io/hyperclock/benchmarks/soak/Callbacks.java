/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.soak;

import io.hyperclock.BlockCache;
import io.hyperclock.CacheObserver;
import io.hyperclock.EvictionListener;
import io.hyperclock.Handle;
import io.hyperclock.InsertResult;
import io.hyperclock.entry.Disposer;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.Priority;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * What a block cache calls: its disposer, listener and observer. They call back into the cache,
 * take values over, and throw.
 */
final class Callbacks implements Disposer<SoakBlock>, EvictionListener<SoakBlock>, CacheObserver {
  private static final int KEYS = 64;

  private final BlockPart part;
  private final long file;
  private final ThreadLocal<Boolean> inside = ThreadLocal.withInitial(() -> false);

  Callbacks(BlockPart part, long file) {
    this.part = part;
    this.file = file;
  }

  /** After a value has been freed. */
  @Override
  public void dispose(long keyHi, long keyLo, SoakBlock value) {
    SplittableRandom random = part.mishaps.random();
    callBack(random);
    part.mishaps.throwOneIn(200, random, "disposer");
    part.mishaps.delayOneIn(5000, random);
  }

  @Override
  public boolean onEviction(
      long keyHi,
      long keyLo,
      SoakBlock value,
      EntryType<?> type,
      long chargeBytes,
      boolean wasHit) {
    part.counts.evictions.increment();
    String damage = value.damage();
    if (damage != null || value.hi != keyHi || value.lo != keyLo) {
      part.findings.report("evicted %x:%x, whose value is %s".formatted(keyHi, keyLo, value));
    }
    SplittableRandom random = part.mishaps.random();
    callBack(random);
    part.mishaps.throwOneIn(200, random, "listener");
    part.mishaps.delayOneIn(5000, random);
    if (value.counted && random.nextInt(8) == 0) {
      part.blocks.free(value);
      return true;
    }
    return false;
  }

  @Override
  public void onRefusal(Refusal refusal) {
    part.mishaps.throwOneIn(100, part.mishaps.random(), "observer");
  }

  @Override
  public void onLongSweep(Sweep sweep) {
    part.mishaps.throwOneIn(100, part.mishaps.random(), "observer");
  }

  private void callBack(SplittableRandom random) {
    if (random.nextInt(8) != 0 || inside.get() || part.isClosing()) {
      return;
    }
    inside.set(true);
    try {
      use(part.cache(), random);
    } catch (IllegalStateException e) {
      if (!part.isClosing()) {
        throw e;
      }
    } finally {
      inside.set(false);
    }
  }

  private void use(@Nullable BlockCache<SoakBlock> cache, SplittableRandom random) {
    if (cache == null) {
      return;
    }
    Space space = part.file(random);
    int key = part.key(random);
    long lo = Space.lo(key);
    switch (random.nextInt(5)) {
      case 0 -> {
        long floor = space.versions.floor(key);
        try (Handle<SoakBlock> handle = cache.lookup(space.hi, lo)) {
          if (handle != null) {
            check(space, key, floor, handle.value());
          }
        }
      }
      case 1 -> {
        int near = Space.collected(key);
        long floor = space.versions.floor(near);
        SoakBlock found = cache.get(space.hi, Space.lo(near));
        if (found != null) {
          check(space, near, floor, found);
        }
      }
      case 2 -> {
        SoakVersions.Write write = space.versions.begin(key);
        try {
          cache.erase(space.hi, lo);
        } finally {
          space.versions.end(write, false);
        }
      }
      default -> insert(cache, Space.lo(random.nextInt(KEYS)));
    }
  }

  private void check(Space space, int key, long floor, SoakBlock found) {
    String wrong = space.wrong(key, floor, found);
    if (!wrong.isEmpty()) {
      part.findings.report("inside of a callback " + wrong + ": " + found);
    }
  }

  private void insert(BlockCache<SoakBlock> cache, long lo) {
    SoakBlock block = part.blocks.counted(file, lo, 1, "callback");
    boolean taken = false;
    try {
      InsertResult result =
          cache.insert(
              file,
              lo,
              block,
              part.countedTypes.get(0),
              SoakBlocks.chargeBytes(block),
              Priority.BOTTOM);
      taken = !result.callerKeepsValue();
    } finally {
      if (!taken) {
        part.blocks.free(block);
      }
    }
  }
}
