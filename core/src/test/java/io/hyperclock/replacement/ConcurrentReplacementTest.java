/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.replacement;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.BlockCache;
import io.hyperclock.CapacityExceededException;
import io.hyperclock.CapacityMode;
import io.hyperclock.Handle;
import io.hyperclock.HashSeed;
import io.hyperclock.MetadataCharge;
import io.hyperclock.ReplacementPolicy;
import io.hyperclock.SlotStorage;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.FileKey;
import io.hyperclock.entry.Priority;
import io.hyperclock.internal.cache.InvariantsChecker;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Everything at once from several threads; then the cache must be whole, every entry must be able
 * to leave, and every value must have been freed once. The seed is that of system property {@code
 * hyperclock.test.seed}, random if not given.
 */
class ConcurrentReplacementTest {
  private static final long BYTES = 100;
  private static final int OPERATIONS = 40_000;
  private static final int OLD_KEYS = 1_000_000;

  /** What the policy has learned of the keys of before may keep some of them for a while. */
  private static final int SCANS = 10;

  private static final Priority[] PRIORITIES = Priority.values();

  private static final class Value {
    final AtomicInteger freed = new AtomicInteger();
  }

  private static final EntryType<Value> TYPE =
      EntryType.<Value>named("freed")
          .disposer((hi, lo, value) -> value.freed.incrementAndGet())
          .build();

  private final long seed =
      Long.getLong("hyperclock.test.seed", ThreadLocalRandom.current().nextLong(1L << 32));
  private final Queue<Value> made = new ConcurrentLinkedQueue<>();

  private BlockCache<Value> cache(int entries, CapacityMode mode, SlotStorage storage) {
    return BlockCache.<Value>builder()
        .capacityBytes(entries * BYTES)
        .estimatedEntryCharge(BYTES)
        .capacityMode(mode)
        .storage(storage)
        .shards(1)
        .metadataCharge(MetadataCharge.NONE)
        .hashSeed(HashSeed.fixed(seed))
        .replacementPolicy(ReplacementPolicy.ADAPTIVE)
        .defaultType(TYPE)
        .build();
  }

  /** What one thread does. */
  private final class Worker {
    private final BlockCache<Value> cache;
    private final SplittableRandom random;
    private final int entries;
    private final boolean changing;
    private final List<Handle<Value>> held = new ArrayList<>();
    private FileKey file;

    Worker(BlockCache<Value> cache, SplittableRandom random, int entries, boolean changing) {
      this.cache = cache;
      this.random = random;
      this.entries = entries;
      this.changing = changing;
      this.file = cache.fileKeys().open("file");
    }

    private Value value() {
      Value value = new Value();
      made.add(value);
      return value;
    }

    private void keep(Value value) {
      value.freed.incrementAndGet();
    }

    private long key() {
      return Math.min(random.nextInt(3 * entries), random.nextInt(3 * entries));
    }

    private long charge() {
      return random.nextInt(50) == 0 ? entries * BYTES / 20 : 1 + random.nextLong(2 * BYTES);
    }

    private long hi() {
      return random.nextInt(8) == 0 ? file.hi() : Replay.HI;
    }

    void run(int operations) {
      for (int i = 0; i < operations; i++) {
        step(random.nextInt(1000));
        while (held.size() > 6) {
          held.remove(random.nextInt(held.size())).close();
        }
      }
      held.forEach(Handle::close);
    }

    private void step(int dice) {
      if (dice < 350) {
        Handle<Value> handle = cache.lookup(hi(), key());
        if (handle != null) {
          assertThat(handle.value().freed.get()).isZero();
          held.add(handle);
        }
      } else if (dice < 750) {
        Value value = value();
        Priority priority = PRIORITIES[random.nextInt(PRIORITIES.length)];
        if (cache.insert(hi(), key(), value, TYPE, charge(), priority).callerKeepsValue()) {
          keep(value);
        }
      } else if (dice < 850) {
        insertPinned();
      } else if (dice < 900) {
        cache.erase(hi(), key());
      } else if (dice < 960) {
        if (!held.isEmpty()) {
          held.get(random.nextInt(held.size())).adjustCharge(charge());
        }
      } else if (dice < 990) {
        if (!held.isEmpty()) {
          end(held.remove(held.size() - 1));
        }
      } else if (changing) {
        change();
      }
    }

    private void end(Handle<Value> handle) {
      switch (random.nextInt(8)) {
        case 0, 1 -> handle.eraseIfLast();
        case 2, 3, 4 -> handle.discard();
        default -> handle.close();
      }
    }

    private void insertPinned() {
      Value value = value();
      try {
        Priority priority = PRIORITIES[random.nextInt(PRIORITIES.length)];
        held.add(cache.insertPinned(hi(), key(), value, TYPE, charge(), priority));
      } catch (CapacityExceededException e) {
        keep(value);
      }
    }

    private void change() {
      switch (random.nextInt(8)) {
        case 0, 1 -> cache.setCapacityBytes((entries / 2 + random.nextInt(entries)) * BYTES);
        case 2 -> cache.setCapacityMode(CapacityMode.values()[random.nextInt(2)]);
        case 3 -> {
          cache.fileKeys().drop(file);
          file = cache.fileKeys().open("file", random.nextInt(3));
        }
        default -> {}
      }
    }
  }

  private void together(List<Worker> workers, int operations) throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(workers.size());
    try {
      List<Future<?>> ends = new ArrayList<>();
      for (Worker worker : workers) {
        ends.add(pool.submit(() -> worker.run(operations)));
      }
      for (Future<?> end : ends) {
        end.get(60, TimeUnit.SECONDS);
      }
    } finally {
      pool.shutdownNow();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "2, 60, STRICT, HEAP, true",
    "2, 60, NON_STRICT, OFF_HEAP, false",
    "8, 60, STRICT, HEAP, false",
    "8, 60, NON_STRICT, HEAP, true",
    "2, 2000, NON_STRICT, HEAP, false",
    "8, 2000, STRICT, OFF_HEAP, false",
    "8, 2000, NON_STRICT, HEAP, true"
  })
  void endsWholeAndNothingIsStuck(
      int threads, int entries, CapacityMode mode, SlotStorage storage, boolean changing)
      throws Exception {
    SplittableRandom random = new SplittableRandom(seed);
    BlockCache<Value> cache = cache(entries, mode, storage);
    List<Worker> workers = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      workers.add(new Worker(cache, random.split(), entries, changing));
    }
    String circumstances = "hyperclock.test.seed=" + seed;
    together(workers, OPERATIONS / threads);
    assertThat(InvariantsChecker.violations(cache)).as(circumstances).isEmpty();
    assertThat(cache.monitor().pinnedUsageBytes()).as(circumstances).isZero();

    cache.setCapacityBytes(entries * BYTES);
    cache.setCapacityMode(CapacityMode.STRICT);
    for (int scan = 0; scan < SCANS && old(cache) > 0; scan++) {
      scan(cache, entries, OLD_KEYS + scan * 200 * entries);
    }
    assertThat(old(cache)).as("old entries, %s", circumstances).isZero();
    assertThat(InvariantsChecker.violations(cache)).as(circumstances).isEmpty();

    cache.setCapacityBytes(1);
    assertThat(cache.monitor().occupancy()).as(circumstances).isZero();
    assertThat(InvariantsChecker.violations(cache)).as(circumstances).isEmpty();
    cache.close();
    assertThat(made).as(circumstances).allMatch(value -> value.freed.get() == 1);
  }

  /**
   * New entries, each inserted twice and so as good as any: none of before should be there then.
   */
  private void scan(BlockCache<Value> cache, int entries, int first) {
    int distance = Math.max(1, entries / 16);
    for (int key = first; key < first + 200 * entries; key++) {
      insert(cache, key);
      insert(cache, Math.max(first, key - distance));
    }
  }

  private void insert(BlockCache<Value> cache, long key) {
    Value value = new Value();
    made.add(value);
    if (cache.insert(Replay.HI, key, value, TYPE, BYTES, Priority.HIGH).callerKeepsValue()) {
      value.freed.incrementAndGet();
    }
  }

  private static long old(BlockCache<Value> cache) {
    long[] old = new long[1];
    cache.monitor().forEachEntry((hi, lo, value, type, charge) -> old[0] += lo < OLD_KEYS ? 1 : 0);
    return old[0];
  }

  @Test
  void closeAmidInsertsFreesEverything() throws Exception {
    for (int round = 0; round < 10; round++) {
      BlockCache<Value> cache = cache(200, CapacityMode.STRICT, SlotStorage.HEAP);
      ExecutorService pool = Executors.newFixedThreadPool(3);
      List<Future<?>> ends = new ArrayList<>();
      for (int thread = 0; thread < 3; thread++) {
        Worker worker = new Worker(cache, new SplittableRandom(seed + thread), 200, false);
        ends.add(
            pool.submit(
                () -> {
                  try {
                    worker.run(Integer.MAX_VALUE);
                  } catch (IllegalStateException closed) {
                    worker.held.forEach(Handle::close);
                  }
                }));
      }
      while (made.size() < 2000 * (round + 1)) {
        Thread.onSpinWait();
      }
      cache.close();
      for (Future<?> end : ends) {
        end.get(60, TimeUnit.SECONDS);
      }
      pool.shutdown();
      assertThat(InvariantsChecker.violations(cache)).isEmpty();
      assertThat(made.stream().filter(value -> value.freed.get() > 1)).isEmpty();
      assertThat(made.stream().filter(value -> value.freed.get() == 0))
          .as("values of the inserts that came too late")
          .hasSizeLessThanOrEqualTo(3 * (round + 1));
    }
  }
}
