/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.BlockCache;
import io.hyperclock.CapacityExceededException;
import io.hyperclock.Handle;
import io.hyperclock.InsertResult;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.Priority;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.junit.jupiter.api.Test;

/** Several threads on few slots. What is asserted holds whatever the schedule. */
abstract class RaceContractTest extends CacheContract {
  private static final int THREADS = 4;

  RaceContractTest(Variant variant) {
    super(variant);
  }

  @Test
  void valuesLiveWhileHeldAndAreFreedOnceWhateverEndsThem() throws Exception {
    BlockCache<Object> cache = cache(24L * variant.shards(), 1);
    Crew.run(THREADS, thread -> mixedOperations(cache, new SplittableRandom(seed + thread)));
    assertThat(cache.monitor().pinnedUsageBytes()).isZero();
    assertThat(cache.monitor().stats().doubleCloses()).isZero();
    assertThat(cache.monitor().stats().callbackFailures()).isZero();
    cache.eraseUnreferenced();
    assertThat(cache.monitor().occupancy()).isZero();
    assertThat(cache.monitor().usageBytes()).isZero();
  }

  private void mixedOperations(BlockCache<Object> cache, SplittableRandom own) {
    int keys = 32 * variant.shards();
    List<Handle<Object>> held = new ArrayList<>();
    for (int step = 0; step < 10_000; step++) {
      long lo = own.nextInt(keys);
      int operation = own.nextInt(100);
      if (operation < 30) {
        insertBlock(cache, lo, 1 + own.nextInt(2), Priority.LOW);
      } else if (operation < 40) {
        try {
          held.add(insertPinned(cache, lo, 1));
        } catch (CapacityExceededException full) {
          assertThat(variant.strict()).isTrue();
        }
      } else if (operation < 70) {
        Handle<Object> handle = cache.lookup(HI, lo);
        if (handle != null) {
          assertThat(((Block) handle.value()).lo).isEqualTo(lo);
          held.add(handle);
        }
      } else if (operation < 80) {
        cache.erase(HI, lo);
      } else if (operation < 82 && !held.isEmpty()) {
        held.add(held.get(own.nextInt(held.size())).ref());
      } else if (operation == 82) {
        cache.eraseUnreferenced();
      } else if (operation == 83) {
        cache.setCapacityBytes((12 + own.nextInt(12)) * (long) variant.shards());
      } else if (operation == 84) {
        cache.monitor().forEachEntry((hi, low, value, type, charge) -> assertAlive(low, value));
      }
      while (held.size() > 6 || !held.isEmpty() && own.nextInt(3) == 0) {
        Handle<Object> handle = held.remove(own.nextInt(held.size()));
        assertAlive(handle.keyLo(), handle.value());
        letGo(handle, own);
      }
    }
    release(held);
  }

  /** What cannot be evicted exceeds it, and others insert all the time. */
  @Test
  void smallerCapacityIsSetWhileOthersInsert() throws Exception {
    BlockCache<Object> cache = cache(20_000L * variant.shards(), 1);
    Handle<Object> alone =
        cache.createStandalone(HI, 0, "alone", EntryType.of("alone"), 10_000, true);
    assertThat(alone).isNotNull();
    AtomicInteger left = new AtomicInteger(1);
    Crew.run(
        3,
        thread -> {
          if (thread == 0) {
            for (int i = 0; i < 100; i++) {
              cache.setCapacityBytes(1_000L * variant.shards());
              cache.setCapacityBytes(20_000L * variant.shards());
            }
            cache.setCapacityBytes(1_000L * variant.shards());
            left.set(0);
          }
          for (long lo = 1; left.get() != 0; lo++) {
            insert(cache, 2 * lo + thread, 1);
          }
        });
    alone.close();
    for (long lo = -1_000L * variant.shards(); lo < 0; lo++) {
      insert(cache, lo, 1);
    }
    assertThat(cache.monitor().usageBytes()).isLessThanOrEqualTo(1_000L * variant.shards());
  }

  private static void assertAlive(long lo, Object value) {
    Block block = (Block) value;
    assertThat(block.timesFreed()).isZero();
    assertThat(block.lo).isEqualTo(lo);
  }

  @Test
  void pinFreeReadsNeverReturnTheValueOfAnotherKey() throws Exception {
    BlockCache<Object> cache = cache(16L * variant.shards(), 1);
    int keys = 48 * variant.shards();
    EntryType<Long> type = EntryType.of("boxed key");
    AtomicInteger writing = new AtomicInteger(2);
    Crew.run(
        THREADS,
        thread -> {
          SplittableRandom own = new SplittableRandom(seed + thread);
          if (thread < 2) {
            try {
              for (int step = 0; step < 30_000; step++) {
                long lo = own.nextInt(keys);
                if (own.nextInt(4) == 0) {
                  cache.erase(HI, lo);
                } else {
                  cache.insert(HI, lo, new Long[] {lo}[0], type, 1, Priority.LOW);
                }
              }
            } finally {
              writing.decrementAndGet();
            }
            return;
          }
          long[] batch = new long[32];
          Object[] values = new Object[16];
          while (writing.get() > 0) {
            long lo = own.nextInt(keys);
            Object value = own.nextBoolean() ? cache.get(HI, lo) : cache.peek(HI, lo);
            if (value != null && (Long) value != lo) {
              throw new AssertionError("key " + lo + " gave " + value);
            }
            for (int i = 0; i < 16; i++) {
              batch[2 * i] = HI;
              batch[2 * i + 1] = own.nextInt(keys);
            }
            cache.getAll(batch, values);
            for (int i = 0; i < 16; i++) {
              if (values[i] != null && (Long) values[i] != batch[2 * i + 1]) {
                throw new AssertionError("key " + batch[2 * i + 1] + " gave " + values[i]);
              }
            }
          }
        });
    assertThat(cache.monitor().pinnedUsageBytes()).isZero();
  }

  @Test
  void twoInsertsOfOneKeyAtOnceLeaveNothingBehindAfterErase() throws Exception {
    for (int round = 0; round < 100; round++) {
      BlockCache<Object> cache = roomy(10);
      AtomicInteger insertedCount = new AtomicInteger();
      Crew.run(
          2,
          thread -> {
            if (insertBlock(cache, 1, 1, Priority.LOW) == InsertResult.INSERTED) {
              insertedCount.incrementAndGet();
            }
          });
      assertThat(insertedCount.get()).isBetween(1, 2);
      assertThat(cache.monitor().occupancy()).isEqualTo(insertedCount.get());
      assertThat(has(cache, 1)).isTrue();
      assertThat(cache.erase(HI, 1)).isTrue();
      assertThat(cache.lookup(HI, 1)).isNull();
      assertThat(cache.monitor().occupancy()).isZero();
      close(cache);
    }
  }

  @Test
  void ofSeveralErasesOfOneEntryOneRemovesIt() throws Exception {
    BlockCache<Object> cache = roomy(10);
    int rounds = 500;
    AtomicInteger[] removed = new AtomicInteger[rounds];
    for (int round = 0; round < rounds; round++) {
      removed[round] = new AtomicInteger();
    }
    CyclicBarrier barrier = new CyclicBarrier(2);
    List<Block> all = new ArrayList<>();
    Crew.run(
        2,
        thread -> {
          for (int round = 0; round < rounds; round++) {
            if (thread == 0) {
              all.add(inserted(cache, round, 1));
            }
            barrier.await();
            if (cache.erase(HI, round)) {
              removed[round].incrementAndGet();
            }
            barrier.await();
            if (thread == 0) {
              assertThat(cache.monitor().occupancy()).as("freed by the last eraser").isZero();
            }
          }
        });
    assertThat(removed).allSatisfy(count -> assertThat(count).hasValue(1));
    assertThat(all).allSatisfy(block -> assertThat(block.timesFreed()).isEqualTo(1));
  }

  @Test
  void erasedEntriesAreNeverShownToTheListener() throws Exception {
    Set<Long> evicted = ConcurrentHashMap.newKeySet();
    BlockCache<Object> cache =
        track(
            builder(4L * variant.shards(), 1)
                .evictionListener(
                    (hi, lo, value, type, charge, wasHit) -> {
                      evicted.add(lo);
                      return false;
                    })
                .build());
    int rounds = 400;
    AtomicReferenceArray<Handle<Object>> handed = new AtomicReferenceArray<>(rounds);
    Set<Long> erased = ConcurrentHashMap.newKeySet();
    CyclicBarrier barrier = new CyclicBarrier(3);
    Crew.run(
        3,
        thread -> {
          for (int round = 0; round < rounds; round++) {
            if (thread == 0) {
              handed.set(round, pinnedIfRoom(cache, round));
            }
            barrier.await();
            Handle<Object> handle = handed.get(round);
            if (thread == 0 && cache.erase(HI, round)) {
              erased.add((long) round);
            } else if (thread == 1 && handle != null) {
              handle.close();
            } else if (thread == 2) {
              for (long i = 0; i < 8; i++) {
                insertBlock(cache, 100_000L + 8L * round + i, 1, Priority.BOTTOM);
              }
            }
          }
        });
    assertThat(erased).isNotEmpty();
    assertThat(evicted).isNotEmpty().doesNotContainAnyElementsOf(erased);
  }

  private Handle<Object> pinnedIfRoom(BlockCache<Object> cache, long lo) {
    try {
      return insertPinned(cache, lo, 1);
    } catch (CapacityExceededException full) {
      return null;
    }
  }

  @Test
  void lookupsRacingWithEraseKeepTheValueAliveAndFreeItAtTheEnd() throws Exception {
    BlockCache<Object> cache = roomy(10);
    int rounds = 300;
    CyclicBarrier barrier = new CyclicBarrier(3);
    Crew.run(
        3,
        thread -> {
          for (int round = 0; round < rounds; round++) {
            if (thread == 0) {
              inserted(cache, round, 1);
            }
            barrier.await();
            if (thread == 0) {
              assertThat(cache.erase(HI, round)).isTrue();
            } else {
              try (Handle<Object> handle = cache.lookup(HI, round)) {
                if (handle != null) {
                  assertAlive(round, handle.value());
                }
              }
            }
            barrier.await();
            if (thread == 0) {
              assertThat(cache.monitor().occupancy()).isZero();
              assertThat(cache.monitor().usageBytes()).isZero();
            }
          }
        });
  }
}
