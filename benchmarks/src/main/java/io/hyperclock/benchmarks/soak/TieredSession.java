/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.soak;

import io.hyperclock.BlockLoader;
import io.hyperclock.Handle;
import io.hyperclock.entry.EntryRole;
import io.hyperclock.reservation.ReservationManager;
import io.hyperclock.secondary.AsyncLookup;
import io.hyperclock.secondary.SecondaryCache;
import io.hyperclock.secondary.TieredBlockCache;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** What one worker does to a cache with tiers below it. */
final class TieredSession implements Part.Session {
  private static final int MOST_HELD = 16;
  private static final int MOST_STARTED = 24;

  /**
   * A lookup that was started.
   *
   * @param key the key
   * @param floor oldest version allowed when it was started
   * @param lookup the lookup
   */
  private record Started(int key, long floor, AsyncLookup<SoakBlock> lookup) {}

  private final TieredPart part;
  private final SoakWorker worker;
  private final SplittableRandom random;
  private final TieredBlockCache<SoakBlock> cache;
  private final Space space;
  private final TieredWrites writes;
  private final List<Held> held = new ArrayList<>();
  private List<Started> started = new ArrayList<>();
  private long reserved;
  private long now;

  TieredSession(TieredPart part, SoakWorker worker) {
    this.part = part;
    this.worker = worker;
    this.random = worker.random;
    this.cache = part.cache();
    this.space = part.space;
    this.writes = new TieredWrites(this, part, worker);
  }

  @Override
  public void step() {
    now++;
    closeDue();
    int key = part.key(random);
    switch (random.nextInt(32)) {
      case 0, 1 -> writes.put(key);
      case 2 -> writes.putPinned(key);
      case 3 -> writes.insert(key);
      case 4 -> writes.insertPinned(key);
      case 5 -> writes.compareAndReplace(key);
      case 6, 7 -> writes.erase(key);
      case 8, 9, 10, 11 -> load(key);
      case 12, 13 -> start(key);
      case 14, 15, 16 -> startAll();
      case 17, 18, 19 -> finishStarted();
      case 20, 21, 22, 23 -> get(Space.collected(key));
      case 24 -> rarely();
      default -> lookup(key);
    }
  }

  private void lookup(int key) {
    worker.doing("tiered lookup");
    long floor = space.versions.floor(key);
    hold(key, floor, cache.lookup(space.hi, Space.lo(key), part.type(key)));
  }

  private void get(int key) {
    worker.doing("tiered get");
    long floor = space.versions.floor(key);
    check(key, floor, cache.get(space.hi, Space.lo(key), part.collectedType));
  }

  private void load(int key) {
    worker.doing("tiered lookup with a loader");
    long floor = space.versions.floor(key);
    SplittableRandom fate = random.split();
    BlockLoader<SoakBlock> loader =
        (hi, lo) -> {
          part.mishaps.throwOneIn(50, fate, "loader");
          if (part.mishaps.strikes(fate, 200)) {
            throw new Mishaps.MishapError("loader");
          }
          part.mishaps.delayOneIn(50, fate);
          return fate.nextInt(64) == 0
              ? null
              : part.blocks.make(
                  Space.isCounted(key), hi, lo, space.versions.newest(key), "loader");
        };
    hold(key, floor, cache.lookup(space.hi, Space.lo(key), part.type(key), null, loader));
  }

  private void start(int key) {
    worker.doing("startLookup");
    if (started.size() < MOST_STARTED) {
      long floor = space.versions.floor(key);
      started.add(
          new Started(key, floor, cache.startLookup(space.hi, Space.lo(key), part.type(key))));
    } else {
      finishStarted();
    }
  }

  private void startAll() {
    worker.doing("startLookups");
    if (started.size() >= MOST_STARTED) {
      finishStarted();
      return;
    }
    int count = 1 + random.nextInt(12);
    boolean isCollected = random.nextBoolean();
    long[] keys = new long[2 * count];
    long[] floors = new long[count];
    for (int i = 0; i < count; i++) {
      int key = Space.collected(part.key(random)) + (isCollected ? 0 : 1);
      key = key < space.versions.keys() ? key : isCollected ? 0 : 1;
      keys[2 * i] = space.hi;
      keys[2 * i + 1] = Space.lo(key);
      floors[i] = space.versions.floor(key);
    }
    List<AsyncLookup<SoakBlock>> lookups =
        cache.startLookups(keys, isCollected ? part.collectedType : part.countedType, null);
    for (int i = 0; i < count; i++) {
      started.add(new Started(Space.key(keys[2 * i + 1]), floors[i], lookups.get(i)));
    }
  }

  private void finishStarted() {
    worker.doing("waitAll");
    List<Started> all = started;
    started = new ArrayList<>();
    List<AsyncLookup<SoakBlock>> lookups = all.stream().map(Started::lookup).toList();
    try {
      switch (random.nextInt(3)) {
        case 0 -> cache.waitAll(lookups);
        case 1 -> cache.waitAll(lookups, Duration.ofNanos(random.nextInt(1_000_000)));
        default -> {}
      }
      worker.doing("take started lookups");
      all.forEach(this::take);
    } finally {
      lookups.forEach(AsyncLookup::close);
    }
  }

  private void take(Started one) {
    switch (random.nextInt(8)) {
      case 0 -> one.lookup().close();
      case 1 -> {
        CompletableFuture<@Nullable Handle<SoakBlock>> future = one.lookup().toFuture();
        if (!future.cancel(false)) {
          hold(one.key(), one.floor(), future.join());
        }
      }
      case 2 -> hold(one.key(), one.floor(), one.lookup().await(Duration.ZERO));
      default -> hold(one.key(), one.floor(), one.lookup().await());
    }
  }

  private void check(int key, long floor, @Nullable SoakBlock found) {
    if (found == null) {
      worker.counts.misses.increment();
      return;
    }
    worker.counts.hits.increment();
    String wrong = space.wrong(key, floor, found);
    if (!wrong.isEmpty()) {
      worker.findings.report(wrong + ": " + found + ", operation=" + worker.doing());
    }
  }

  /** Checks what was found and holds it, or closes it at once. */
  void hold(int key, long floor, @Nullable Handle<SoakBlock> handle) {
    if (handle == null) {
      worker.counts.misses.increment();
      return;
    }
    check(key, floor, handle.value());
    Held one = new Held(handle, handle.value(), now + random.nextInt(100));
    if (held.size() < MOST_HELD && random.nextInt(3) == 0) {
      held.add(one);
    } else {
      close(one);
    }
  }

  private void closeDue() {
    for (Iterator<Held> each = held.iterator(); each.hasNext(); ) {
      Held one = each.next();
      if (one.due() <= now) {
        each.remove();
        close(one);
      }
    }
  }

  private void close(Held one) {
    String damage = one.block().damage();
    if (damage != null) {
      worker.findings.report("a value that was held " + damage + ": " + one.block());
    }
    switch (random.nextInt(8)) {
      case 0 -> one.handle().discard();
      case 1 -> one.handle().eraseIfLast();
      default -> one.handle().close();
    }
  }

  private void rarely() {
    switch (random.nextInt(12)) {
      case 0, 1 -> capacity();
      case 2 -> tierCapacity();
      case 3 -> visit();
      case 4 -> {
        worker.doing("tiered stats");
        cache.stats();
        cache.states();
        cache.primary().monitor().problems();
      }
      case 5 -> reserve();
      default -> finishStarted();
    }
  }

  private void capacity() {
    worker.doing("tiered capacity");
    long most = part.capacityBytes();
    long next = most / 4 + random.nextLong(most);
    if (!part.isShared()) {
      cache.setCapacityBytes(next);
    } else if (random.nextBoolean()) {
      cache.setTotalCapacityBytes(2 * next);
    } else if (random.nextBoolean()) {
      cache.setSecondaryRatio(random.nextDouble());
    } else if (reserved > 0) {
      long back = reserved;
      reserved = 0;
      cache.release(back);
    } else {
      long bytes = random.nextLong(most / 4 + 1);
      cache.reserve(bytes);
      reserved = bytes;
    }
  }

  private void tierCapacity() {
    worker.doing("capacity of a tier");
    List<SecondaryCache> tiers = cache.tiers();
    int chosen = random.nextInt(tiers.size());
    if (!part.isShared() || chosen > 0) {
      tiers.get(chosen).setCapacity(random.nextInt(3) == 0 ? 0 : part.capacityBytes());
    }
  }

  private void visit() {
    worker.doing("tiered visit");
    cache.forEachEntry(
        (hi, lo, block, type, charge) -> {
          String damage = block.damage();
          if (damage != null || block.hi != hi || block.lo != lo) {
            worker.findings.report("visited %x:%x, whose value is %s".formatted(hi, lo, block));
          }
        });
  }

  private void reserve() {
    worker.doing("tiered reservation");
    try (ReservationManager manager =
        ReservationManager.of(cache.primary(), EntryRole.WRITE_BUFFER)) {
      manager.update(random.nextLong(part.capacityBytes() / 4 + 1));
    }
  }

  @Override
  public void finish() {
    finishStarted();
    held.forEach(this::close);
    held.clear();
    if (reserved > 0 && !part.isClosing()) {
      cache.release(reserved);
    }
  }
}
