/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.BlockCache;
import io.hyperclock.Handle;
import io.hyperclock.ReadScope;
import io.hyperclock.entry.Priority;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Threads mix scopes, handles, pin-free reads, inserts, erases, evictions and at last the close of
 * the cache, chosen by the seed. Whatever a thread reads in a scope must be of its key and not yet
 * freed for as long as the scope is open.
 */
@Tag("scope")
abstract class ScopeRaceContractTest extends CacheContract {
  private static final int THREADS = 4;
  private static final int STEPS = 3000;
  private static final int KEYS = 24;
  private static final int MAX_OPEN = 3;

  ScopeRaceContractTest(Variant variant) {
    super(variant);
  }

  /** One open scope and what was read in it. */
  private record Open(ReadScope<Object> scope, List<Block> read) {
    void check() {
      for (Block block : read) {
        assertThat(block.timesFreed()).as("read in an open scope: %s", block).isZero();
      }
    }

    void close() {
      check();
      scope.close();
    }
  }

  private final class Worker {
    private final SplittableRandom random;
    private final BlockCache<Object> cache;
    private final List<Open> scopes = new ArrayList<>();
    private final List<Handle<Object>> handles = new ArrayList<>();
    private final AtomicLong reads;

    Worker(BlockCache<Object> cache, SplittableRandom random, AtomicLong reads) {
      this.cache = cache;
      this.random = random;
      this.reads = reads;
    }

    /** Even keys are freed explicitly. */
    private long key() {
      return random.nextInt(KEYS);
    }

    void run(boolean closes) {
      try {
        for (int i = 0; i < STEPS; i++) {
          step();
          if (variant.strict()) {
            assertThat(cache.monitor().usageBytes())
                .isLessThanOrEqualTo(cache.monitor().capacityBytes());
          }
        }
        if (closes) {
          cache.close();
        }
      } catch (IllegalStateException e) {
        assertThat(e).hasMessageContaining("cache must not be closed");
      } finally {
        scopes.forEach(Open::close);
        release(handles);
      }
    }

    private void step() {
      switch (random.nextInt(14)) {
        case 0, 1 -> open();
        case 2, 3 -> closeOne();
        case 4, 5, 6, 7 -> readInScope();
        case 8, 9 -> insert();
        case 10 -> cache.erase(HI, key());
        case 11 -> {
          Handle<Object> handle = cache.lookup(HI, key());
          if (handle != null) {
            handles.add(handle);
          }
        }
        case 12 -> {
          if (!handles.isEmpty()) {
            letGo(handles.remove(random.nextInt(handles.size())), random);
          }
        }
        default -> {
          long lo = key() | 1;
          Object value = cache.get(HI, lo);
          assertThat(value == null || value.equals(text(lo))).isTrue();
        }
      }
      while (handles.size() > MAX_OPEN) {
        handles.remove(0).close();
      }
    }

    private void open() {
      if (scopes.size() < MAX_OPEN) {
        scopes.add(new Open(cache.openScope(), new ArrayList<>()));
      }
    }

    private void closeOne() {
      if (!scopes.isEmpty()) {
        scopes.remove(random.nextInt(scopes.size())).close();
      }
    }

    private void readInScope() {
      if (scopes.isEmpty()) {
        return;
      }
      Open open = scopes.get(random.nextInt(scopes.size()));
      long lo = key();
      Object value = open.scope.get(HI, lo);
      if (value instanceof Block block) {
        assertThat(block.lo).isEqualTo(lo);
        open.read.add(block);
        reads.incrementAndGet();
      } else {
        assertThat(value == null || value.equals(text(lo))).isTrue();
      }
      open.check();
    }

    private void insert() {
      long lo = key();
      if ((lo & 1) != 0) {
        CacheContract.insert(cache, lo, 1);
        return;
      }
      Block block = block(lo);
      try {
        boolean overwrites = random.nextInt(4) == 0;
        if ((overwrites
                ? cache.put(HI, lo, block, Block.TYPE, 1, Priority.LOW)
                : cache.insert(HI, lo, block, Block.TYPE, 1, Priority.LOW))
            .callerKeepsValue()) {
          blocks.keep(block);
        }
      } catch (IllegalStateException e) {
        blocks.keep(block);
        throw e;
      }
    }
  }

  private void run(BlockCache<Object> cache, boolean closes) throws Exception {
    AtomicLong reads = new AtomicLong();
    SplittableRandom[] seeds = new SplittableRandom[THREADS];
    for (int i = 0; i < THREADS; i++) {
      seeds[i] = random.split();
    }
    Crew.run(THREADS, i -> new Worker(cache, seeds[i], reads).run(closes && i == 0));
    assertThat(reads).hasPositiveValue();
    assertThat(cache.monitor().scopeStats().openScopes()).isZero();
    assertThat(cache.monitor().scopeStats().retiredValues()).isZero();
  }

  @Test
  void whatAScopeReadIsNotFreedBeforeItCloses() throws Exception {
    run(cache(12L * variant.shards(), 1), false);
  }

  @Test
  void norWhenTheCacheIsClosed() throws Exception {
    BlockCache<Object> cache = cache(12L * variant.shards(), 1);
    run(cache, true);
    close(cache);
  }
}
