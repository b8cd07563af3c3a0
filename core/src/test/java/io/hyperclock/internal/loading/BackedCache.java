/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.loading;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.BlockCache;
import io.hyperclock.BlockLoader;
import io.hyperclock.BulkLoader;
import io.hyperclock.Handle;
import io.hyperclock.HashSeed;
import io.hyperclock.MetadataCharge;
import io.hyperclock.entry.EntryType;
import io.hyperclock.interleaving.SwitchPoints;
import io.hyperclock.internal.cache.InvariantsChecker;
import java.lang.reflect.Field;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A cache before a store of pages that are overwritten: each page says which version of its key it
 * is, and how often it was freed. All for one run of a scenario.
 */
final class BackedCache {
  static final long HI = 1;
  private static final int KEYS = 4;

  /** One version of one key. */
  static final class Page {
    final long lo;
    final int version;
    final AtomicInteger freed = new AtomicInteger();

    Page(long lo, int version) {
      this.lo = lo;
      this.version = version;
    }

    @Override
    public String toString() {
      return "page " + lo + " version " + version + " freed " + freed;
    }
  }

  private static final EntryType<Page> COLLECTED = EntryType.<Page>named("collected").build();
  private static final EntryType<Page> FREED =
      EntryType.<Page>named("freed")
          .disposer((hi, lo, page) -> page.freed.incrementAndGet())
          .build();

  final BlockCache<Page> cache =
      BlockCache.<Page>builder()
          .capacityBytes(100)
          .estimatedEntryCharge(1)
          .shards(1)
          .metadataCharge(MetadataCharge.NONE)
          .hashSeed(HashSeed.fixed(7))
          .defaultType(COLLECTED)
          .build();

  final AtomicInteger calls = new AtomicInteger();

  /** Work of asynchronous loads that a thread has yet to do. */
  final Queue<Runnable> queue = new ConcurrentLinkedQueue<>();

  /** A thread that may be interrupted while it waits. */
  volatile @Nullable Thread waiting;

  private final Queue<CompletableFuture<?>> futures = new ConcurrentLinkedQueue<>();

  /** In the store. */
  private final int[] versions = new int[KEYS];

  private boolean closed;

  /** Of which no older one may be had: the cache was told. */
  private final int[] told = new int[KEYS];

  private final Queue<Page> pages = new ConcurrentLinkedQueue<>();

  /** Reads a page from the store; others may overwrite it there before it is in the cache. */
  private Page read(long lo) {
    SwitchPoints.access();
    Page page = new Page(lo, versions[(int) lo]);
    SwitchPoints.access();
    return page;
  }

  /** Loads values that the collector owns. */
  BlockLoader<Page> collected() {
    return (hi, lo) -> {
      calls.incrementAndGet();
      return read(lo);
    };
  }

  /** Loads pages that must be freed. */
  BlockLoader<Page> freed() {
    return BlockLoader.of(
        FREED,
        page -> 1,
        (hi, lo) -> {
          calls.incrementAndGet();
          Page page = read(lo);
          pages.add(page);
          return page;
        });
  }

  /** Loads many values that the collector owns. */
  BulkLoader<Page> bulk() {
    return (keys, values) -> {
      calls.incrementAndGet();
      for (int i = 0; i < values.length; i++) {
        values[i] = read(keys[2 * i + 1]);
      }
    };
  }

  /** Gets a page and looks whether it is as new as what the cache knew when this began. */
  Page get(long lo, BlockLoader<Page> loader) {
    int before = told[(int) lo];
    Page page = cache.get(HI, lo, loader);
    requireSince(before, page);
    return page;
  }

  /** Gets two pages, as {@link #get} does. */
  void getAll(long one, long other) {
    int[] before = told.clone();
    Page[] found = new Page[2];
    assertThat(cache.getAll(new long[] {HI, one, HI, other}, found, bulk())).isEqualTo(2);
    assertThat(found[0].lo).isEqualTo(one);
    assertThat(found[1].lo).isEqualTo(other);
    for (Page page : found) {
      requireSince(before[(int) page.lo], page);
    }
  }

  /** Gets a page later; a thread that calls {@link #work} loads it. */
  void getLater(long lo) {
    int before = told[(int) lo];
    futures.add(
        cache
            .getAsync(HI, lo, queue::add, collected())
            .thenAccept(page -> requireSince(before, page)));
  }

  /** Pins a page later. */
  void lookupLater(long lo) {
    int before = told[(int) lo];
    futures.add(
        cache
            .lookupAsync(HI, lo, queue::add, freed())
            .thenAccept(
                handle -> {
                  requireSince(before, handle.value());
                  handle.close();
                }));
  }

  /** Gets a page whose load another thread ends by {@link #work}. */
  void getStaged(long lo) {
    int before = told[(int) lo];
    futures.add(
        cache
            .getAsync(
                HI,
                lo,
                (hi, l) -> {
                  calls.incrementAndGet();
                  CompletableFuture<Page> stage = new CompletableFuture<>();
                  Page page = read(l);
                  queue.add(() -> stage.complete(page));
                  return stage;
                })
            .thenAccept(page -> requireSince(before, page)));
  }

  /** Pins a page, looks at it and lets go. */
  void lookup(long lo, BlockLoader<Page> loader) {
    int before = told[(int) lo];
    try (Handle<Page> handle = cache.lookup(HI, lo, loader)) {
      requireSince(before, handle.value());
      SwitchPoints.access();
      assertThat(handle.value().freed).as("freed while pinned").hasValue(0);
    }
  }

  /** Overwrites a page in the store, then erases the older version from the cache. */
  void overwrite(long lo) {
    SwitchPoints.access();
    int version = ++versions[(int) lo];
    cache.erase(HI, lo);
    told[(int) lo] = version;
  }

  /** Overwrites a page in the store, then in the cache. */
  void overwriteByPut(long lo) {
    SwitchPoints.access();
    int version = ++versions[(int) lo];
    cache.put(HI, lo, new Page(lo, version), 1);
    told[(int) lo] = version;
  }

  private void requireSince(int before, Page page) {
    assertThat(page.version).as("%s after version %d", page, before).isGreaterThanOrEqualTo(before);
  }

  /** Does the work of asynchronous loads. */
  void work() {
    for (Runnable next = queue.poll(); next != null; next = queue.poll()) {
      next.run();
    }
  }

  /** Closes the cache among what the other threads do. */
  void closeEarly() {
    closed = true;
    cache.close();
  }

  /** Looks whether all is as it must be when no thread is inside; closes the cache. */
  void close() {
    work();
    assertThat(futures)
        .allSatisfy(future -> assertThat(future).isCompletedWithValueMatching(x -> true));
    assertThat(cache.monitor().loadStats().underWay()).as("loads under way").isZero();
    assertThat(flights()).as("flights left").isEmpty();
    assertThat(LoadTask.isInsideAny()).isFalse();
    if (!closed) {
      for (long lo = 0; lo < KEYS; lo++) {
        requireNewest(lo);
      }
      assertThat(cache.monitor().pinnedUsageBytes()).isZero();
      assertThat(InvariantsChecker.violations(cache)).isEmpty();
      cache.close();
    }
    assertThat(InvariantsChecker.violations(cache)).isEmpty();
    assertThat(pages).allSatisfy(page -> assertThat(page.freed).as("%s", page).hasValue(1));
  }

  private void requireNewest(long lo) {
    try (Handle<Page> handle = cache.lookup(HI, lo)) {
      if (handle != null) {
        assertThat(handle.value().version).as("%s", handle.value()).isEqualTo(versions[(int) lo]);
      }
    }
  }

  private Map<?, ?> flights() {
    try {
      Field flights = LoadingFacade.class.getDeclaredField("flights");
      flights.setAccessible(true);
      Field map = InFlightLoads.class.getDeclaredField("flights");
      map.setAccessible(true);
      return (Map<?, ?>) map.get(flights.get(cache));
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }
}
