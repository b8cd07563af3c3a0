/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.faults;

import io.hyperclock.BlockCache;
import io.hyperclock.BlockCacheBuilder;
import io.hyperclock.BlockLoader;
import io.hyperclock.CapacityMode;
import io.hyperclock.Handle;
import io.hyperclock.LeakDetection;
import io.hyperclock.MetadataCharge;
import io.hyperclock.ReadScope;
import io.hyperclock.ReplacementPolicy;
import io.hyperclock.SlotStorage;
import io.hyperclock.entry.EntryRole;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.Priority;
import io.hyperclock.internal.cache.InvariantsChecker;
import io.hyperclock.reservation.ReservationManager;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/** An operation of a {@link BlockCache} of one shard. */
final class CacheScenario implements FaultScenario {
  static final long HI = 7;
  static final long KEY = 1;
  static final long ABSENT = 2;
  static final long GUARD = 3;

  /** Entries that fit. */
  static final int ENTRIES = 40;

  /** Entries that fit into a cache that sizes itself: more than its first table has slots. */
  static final int MANY_ENTRIES = 400;

  private static final long CHARGE = 8;

  /** A piece of a scenario. */
  interface Step {
    void run(CacheScenario it) throws Exception;
  }

  /** A value freed explicitly. */
  static final class Buffer {
    private final AtomicInteger freed = new AtomicInteger();
    private final boolean isCertain;

    Buffer(boolean isCertain) {
      this.isCertain = isCertain;
    }
  }

  static final EntryType<Object> BUFFER =
      EntryType.<Object>named("buffer of a scenario")
          .role(EntryRole.DATA_BLOCK)
          .disposer((hi, lo, buffer) -> ((Buffer) buffer).freed.incrementAndGet())
          .build();

  static final EntryType<Object> TEXT = EntryType.<Object>named("text of a scenario").build();

  final BlockCache<Object> cache;
  final List<Handle<Object>> handles = new ArrayList<>();
  final List<ReadScope<Object>> scopes = new ArrayList<>();
  final List<CompletableFuture<?>> futures = new ArrayList<>();
  final Guests guests = new Guests(this);

  /** Work of loads that nobody does unless another load takes it over. */
  final Queue<Runnable> queue = new ArrayDeque<>();

  ReservationManager manager;
  private final Step arrange;
  private final Step act;
  private final List<Buffer> buffers = new ArrayList<>();
  private final List<AutoCloseable> others = new ArrayList<>();
  private Handle<Object> guard;

  /** A cache for a scenario. */
  enum Setting {
    PLAIN,

    /** Handles and scopes are tracked, hits counted; strict capacity and classic replacement. */
    TRACKED,

    /** The cache sizes itself. */
    AUTOMATIC;

    static Setting of(boolean tracked) {
      return tracked ? TRACKED : PLAIN;
    }
  }

  /** A scenario. */
  CacheScenario(Setting setting, Step arrange, Step act) {
    boolean tracked = setting == Setting.TRACKED;
    boolean automatic = setting == Setting.AUTOMATIC;
    BlockCacheBuilder<Object> builder =
        BlockCache.<Object>builder()
            .capacityBytes((automatic ? MANY_ENTRIES : ENTRIES) * CHARGE)
            .metadataCharge(MetadataCharge.NONE)
            .shards(1)
            .replacementPolicy(tracked ? ReplacementPolicy.CLASSIC : ReplacementPolicy.ADAPTIVE)
            .capacityMode(tracked ? CapacityMode.STRICT : CapacityMode.NON_STRICT)
            .storage(tracked ? SlotStorage.OFF_HEAP : SlotStorage.HEAP)
            .recordHits(tracked)
            .leakDetection(tracked ? LeakDetection.all() : LeakDetection.off());
    this.cache = (automatic ? builder : builder.estimatedEntryCharge(CHARGE)).build();
    this.arrange = arrange;
    this.act = act;
  }

  /**
   * A new buffer.
   *
   * @param isCertain whether the cache has taken it: then it must be freed in the end
   */
  synchronized Buffer buffer(boolean isCertain) {
    Buffer made = new Buffer(isCertain);
    buffers.add(made);
    return made;
  }

  /** Enters a buffer that must be freed. */
  void enter(long lo) {
    cache.insert(HI, lo, buffer(true), BUFFER, CHARGE, Priority.LOW);
  }

  /** So that the thread of the scenario has not inserted yet: it has another eviction request. */
  private void enterFromAnotherThread(long lo) throws InterruptedException {
    Thread another;
    do {
      another = new Thread(() -> enter(lo));
    } while (((another.getId() ^ Thread.currentThread().getId()) & 3) == 0);
    another.start();
    another.join();
  }

  /** Enters a value that the collector owns. */
  void enterText(long lo) {
    cache.insert(HI, lo, "text " + lo, CHARGE);
  }

  /** Fills the cache with buffers. */
  void fill() {
    for (int i = 0; i < 2 * ENTRIES; i++) {
      enter(1000 + i);
    }
  }

  /** Fills the cache with values that the collector owns. */
  void fillWithTexts() {
    for (int i = 0; i < 2 * ENTRIES; i++) {
      enterText(1000 + i);
    }
  }

  /** A loader of values that the collector owns. */
  BlockLoader<Object> textLoader() {
    return BlockLoader.of(TEXT, value -> CHARGE, (hi, lo) -> "loaded " + lo);
  }

  /** A loader of buffers. */
  BlockLoader<Object> bufferLoader() {
    return BlockLoader.of(BUFFER, value -> CHARGE, (hi, lo) -> buffer(false));
  }

  /** A loader that finds nothing. */
  BlockLoader<Object> failingLoader() {
    return BlockLoader.of(
        TEXT,
        value -> CHARGE,
        (hi, lo) -> {
          throw new IllegalArgumentException("no block " + lo);
        });
  }

  /** A loader for which others come to wait. */
  BlockLoader<Object> awaited(BlockLoader<Object> loader) {
    return BlockLoader.of(
        loader.type(),
        loader::chargeBytes,
        (hi, lo) -> {
          guests.come();
          return loader.load(hi, lo);
        });
  }

  Handle<Object> keep(Handle<Object> handle) {
    if (handle != null) {
      handles.add(handle);
    }
    return handle;
  }

  <R> CompletableFuture<R> keep(CompletableFuture<R> future) {
    futures.add(future);
    return future;
  }

  <C extends AutoCloseable> C close(C other) {
    others.add(other);
    return other;
  }

  @Override
  public void arrange() throws Exception {
    enterFromAnotherThread(GUARD);
    guard = cache.lookup(HI, GUARD);
    arrange.run(this);
  }

  @Override
  public void act() throws Exception {
    act.run(this);
  }

  @Override
  public List<String> violations() throws Exception {
    List<String> found = new ArrayList<>();
    queue.forEach(Runnable::run);
    if (((Buffer) guard.value()).freed.get() != 0) {
      found.add("a held value was freed");
    }
    loadAnother(found);
    guests.finish(found);
    for (CompletableFuture<?> future : futures) {
      if (Guests.awaitDone(future, found) instanceof Handle<?> handle && !handle.isReleased()) {
        handle.close();
      }
    }
    for (Handle<Object> handle : handles) {
      if (!handle.isReleased()) {
        if (handle.value() instanceof Buffer held && held.freed.get() != 0) {
          found.add("a held value was freed");
        }
        handle.close();
      }
    }
    guard.close();
    for (ReadScope<Object> scope : scopes) {
      scope.close();
    }
    if (manager != null) {
      checkReservation(found);
    }
    for (AutoCloseable other : others) {
      other.close();
    }
    boolean open = isOpen();
    if (open) {
      useAgain(found);
    }
    cache.close();
    InvariantsChecker.violations(cache).forEach(each -> found.add("closed: " + each));
    countFreed(found);
    return found;
  }

  /** What could not be told for want of memory is told by the next load. */
  private void loadAnother(List<String> found) {
    if (isOpen()) {
      Guests.inTime("another load", found, () -> cache.get(HI, ABSENT + 100, textLoader()));
    }
  }

  private void checkReservation(List<String> found) {
    manager.close();
    require(found, "reserved bytes", manager.reservedBytes());
  }

  private boolean isOpen() {
    try {
      cache.monitor().capacityBytes();
      return true;
    } catch (IllegalStateException e) {
      return false;
    }
  }

  private void useAgain(List<String> found) throws Exception {
    Guests.inTime("another thread", found, this::useEachWay);
    cache.eraseUnreferenced();
    InvariantsChecker.violations(cache).forEach(each -> found.add("invariant: " + each));
    require(found, "usage", cache.monitor().usageBytes());
    require(found, "pinned usage", cache.monitor().pinnedUsageBytes());
    require(found, "occupancy", cache.monitor().occupancy());
    require(found, "open scopes", cache.monitor().scopeStats().openScopes());
    require(found, "retired values", cache.monitor().scopeStats().retiredValues());
    require(found, "loads under way", cache.monitor().loadStats().underWay());
    require(found, "tracked handles", cache.monitor().longestHeld(10).size());
  }

  private static void require(List<String> found, String name, long actual) {
    if (actual != 0) {
      found.add(name + " " + actual + " != 0");
    }
  }

  private void useEachWay() {
    for (long lo : new long[] {KEY, ABSENT, GUARD, 1000, 1000 + 2 * ENTRIES - 1}) {
      Handle<Object> handle = cache.lookup(HI, lo, bufferLoader());
      if (handle == null) {
        throw new IllegalStateException("no handle: lo=" + lo);
      }
      handle.close();
      cache.put(HI, lo, "another", CHARGE);
      cache.put(HI, lo, "yet another", CHARGE);
      cache.erase(HI, lo);
      cache.get(HI, lo, textLoader());
      cache.erase(HI, lo);
      cache.insert(HI, lo, buffer(true), BUFFER, CHARGE, Priority.LOW);
      cache.openScope().close();
    }
    fill();
  }

  private synchronized void countFreed(List<String> found) {
    int lost = 0;
    for (Buffer each : buffers) {
      int freed = each.freed.get();
      if (freed > 1) {
        found.add("a value was freed twice");
      }
      lost += freed == 0 && each.isCertain ? 1 : 0;
    }
    if (lost != 0) {
      found.add("values not freed: " + lost);
    }
  }
}
