/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.BlockCache;
import io.hyperclock.Handle;
import io.hyperclock.InsertResult;
import io.hyperclock.entry.Priority;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;

/** Several threads that overwrite few keys. What is asserted holds whatever the schedule. */
abstract class OverwriteRaceContractTest extends OverwriteRaceContract {
  OverwriteRaceContractTest(Variant variant) {
    super(variant);
  }

  /** One writer, one thread whose keys come and go in the same slots, two readers. */
  @Test
  void readersOfOverwrittenKeysNeverMissNorGoBack() throws Exception {
    BlockCache<Object> cache = roomy(24);
    for (int lo = 0; lo < KEYS; lo++) {
      cache.put(HI, lo, new Written(lo, 0), WRITTEN, 1, Priority.LOW);
    }
    AtomicInteger writing = new AtomicInteger(1);
    Crew.run(
        THREADS,
        thread -> {
          SplittableRandom own = new SplittableRandom(seed + thread);
          int[] last = new int[KEYS];
          if (thread == 0) {
            try {
              for (int step = 0; step < 30_000; step++) {
                int lo = own.nextInt(KEYS);
                Written next = new Written(lo, ++last[lo]);
                InsertResult result =
                    own.nextBoolean()
                        ? cache.put(HI, lo, next, WRITTEN, 1, Priority.LOW)
                        : cache.replace(HI, lo, next, WRITTEN, 1);
                require(result == InsertResult.REPLACED, "must replace", lo, next, result);
              }
            } finally {
              writing.decrementAndGet();
            }
          } else if (thread == 1) {
            while (writing.get() > 0) {
              long lo = 100 + own.nextInt(8);
              cache.insert(HI, lo, text(lo), 1);
              cache.erase(HI, 100 + own.nextInt(8));
            }
          } else {
            long[] keys = {HI, 0, HI, 1, HI, 2};
            Object[] values = new Object[KEYS];
            while (writing.get() > 0) {
              int lo = own.nextInt(KEYS);
              seen(last, lo, own.nextBoolean() ? cache.get(HI, lo) : cache.peek(HI, lo));
              try (Handle<Object> handle = cache.lookup(HI, lo)) {
                seen(last, lo, handle == null ? null : handle.value());
              }
              cache.getAll(keys, values);
              for (int i = 0; i < KEYS; i++) {
                seen(last, i, values[i]);
              }
            }
          }
        });
    assertThat(cache.monitor().occupancy()).isEqualTo(KEYS + countPresent(cache, 100, 108));
  }

  private static void seen(int[] last, int lo, Object value) {
    require(value != null, "must be found", lo, last[lo]);
    Written written = (Written) value;
    require(written.epoch() == lo, "must be of the key", lo, written);
    require(written.number() >= last[lo], "must not be older", last[lo], written);
    last[lo] = written.number();
  }

  @Test
  void holdersOfOverwrittenBlocksNeverMissNorHoldAFreedOne() throws Exception {
    BlockCache<Object> cache = roomy(24);
    inserted(cache, 0, 1);
    AtomicInteger writing = new AtomicInteger(2);
    Crew.run(
        THREADS,
        thread -> {
          if (thread < 2) {
            try {
              for (int step = 0; step < 10_000; step++) {
                InsertResult result =
                    cache.put(HI, 0, block(0), Block.TYPE, 1 + step % 2, Priority.LOW);
                require(result == InsertResult.REPLACED, "must replace", result);
              }
            } finally {
              writing.decrementAndGet();
            }
            return;
          }
          List<Handle<Object>> held = new ArrayList<>();
          while (writing.get() > 0) {
            Handle<Object> handle = cache.lookup(HI, 0);
            require(handle != null, "must be found");
            held.add(handle);
            if (held.size() == 3) {
              for (Handle<Object> old : held) {
                require(((Block) old.value()).timesFreed() == 0, "must be alive", old.value());
              }
              release(held);
            }
          }
          release(held);
        });
    assertThat(cache.monitor().occupancy()).isEqualTo(1);
    assertThat(cache.monitor().usageBytes()).isBetween(1L, 2L);
  }

  @Test
  void ofManyWritersOfANewKeyOneInsertsAndTheOthersReplace() throws Exception {
    BlockCache<Object> cache = roomy(10);
    int rounds = 300;
    CyclicBarrier barrier = new CyclicBarrier(THREADS);
    AtomicIntegerArray insertedOnce = new AtomicIntegerArray(rounds);
    Block[][] last = new Block[rounds][THREADS];
    Crew.run(
        THREADS,
        thread -> {
          for (int round = 0; round < rounds; round++) {
            barrier.await();
            for (int i = 0; i < 5; i++) {
              last[round][thread] = block(round);
              InsertResult result =
                  cache.put(HI, round, last[round][thread], Block.TYPE, 1, Priority.LOW);
              if (result == InsertResult.INSERTED) {
                insertedOnce.incrementAndGet(round);
              } else {
                require(result == InsertResult.REPLACED, "must replace", result);
              }
            }
            barrier.await();
            if (thread == 0) {
              try (Handle<Object> handle = pin(cache, round)) {
                assertThat(last[round]).contains((Block) handle.value());
              }
              assertThat(cache.monitor().occupancy()).isEqualTo(1);
              assertThat(cache.monitor().usageBytes()).isEqualTo(1);
              for (Block block : last[round]) {
                assertThat(block.timesFreed()).isLessThanOrEqualTo(1);
              }
              assertThat(cache.erase(HI, round)).isTrue();
              for (Block block : last[round]) {
                assertThat(block.timesFreed()).isEqualTo(1);
              }
            }
          }
        });
    for (int round = 0; round < rounds; round++) {
      assertThat(insertedOnce.get(round)).isEqualTo(1);
    }
  }

  /** What came and what went is what is there, key by key. */
  @Test
  void everyMixOfWritesKeepsTheBalanceOfEachKey() throws Exception {
    BlockCache<Object> cache = roomy(16);
    AtomicIntegerArray balance = new AtomicIntegerArray(KEYS);
    Crew.run(
        THREADS,
        thread -> {
          SplittableRandom own = new SplittableRandom(seed + thread);
          List<Handle<Object>> held = new ArrayList<>();
          for (int step = 0; step < 8_000; step++) {
            int lo = own.nextInt(KEYS);
            int operation = own.nextInt(100);
            if (operation < 25) {
              if (cache.erase(HI, lo)) {
                balance.decrementAndGet(lo);
              }
            } else if (operation < 40) {
              Handle<Object> handle = cache.lookup(HI, lo);
              if (handle != null) {
                require(((Block) handle.value()).timesFreed() == 0, "must be alive");
                held.add(handle);
              }
              if (held.size() > 2) {
                release(held);
              }
            } else {
              Block block = block(lo);
              InsertResult result = write(cache, operation, block, held);
              if (result == InsertResult.INSERTED) {
                balance.incrementAndGet(lo);
              } else if (result.callerKeepsValue()) {
                require(result != InsertResult.REFUSED, "must have room");
                blocks.keep(block);
              } else {
                require(result != InsertResult.DROPPED, "must have room");
              }
            }
          }
          release(held);
        });
    for (int lo = 0; lo < KEYS; lo++) {
      assertThat(balance.get(lo)).as("key %d", lo).isEqualTo(has(cache, lo) ? 1 : 0);
    }
    long present = countPresent(cache, 0, KEYS);
    assertThat(cache.monitor().occupancy()).isEqualTo(present);
    assertThat(cache.monitor().usageBytes()).isEqualTo(present);
  }

  private static InsertResult write(
      BlockCache<Object> cache, int operation, Block block, List<Handle<Object>> held) {
    if (operation < 60) {
      return cache.put(HI, block.lo, block, Block.TYPE, 1, Priority.LOW);
    }
    if (operation < 75) {
      return cache.insert(HI, block.lo, block, Block.TYPE, 1, Priority.LOW);
    }
    if (operation < 85 || held.isEmpty()) {
      return cache.replace(HI, block.lo, block, Block.TYPE, 1);
    }
    Object expected = held.get(0).value();
    return cache.compareAndReplace(HI, block.lo, expected, block, Block.TYPE, 1);
  }

  @Test
  void puttingAgainstEvictionKeepsWithinCapacityAndFreesOnce() throws Exception {
    long capacity = 12L * variant.shards();
    BlockCache<Object> cache = cache(capacity, 1);
    int keys = 20 * variant.shards();
    AtomicInteger writing = new AtomicInteger(3);
    Crew.run(
        THREADS,
        thread -> {
          SplittableRandom own = new SplittableRandom(seed + thread);
          if (thread == 3) {
            while (writing.get() > 0) {
              long usage = cache.monitor().usageBytes();
              require(!variant.strict() || usage <= capacity, "must fit", usage, capacity);
            }
            return;
          }
          try {
            for (int step = 0; step < 8_000; step++) {
              Block block = block(own.nextInt(keys));
              InsertResult result =
                  own.nextInt(4) == 0
                      ? cache.replace(HI, block.lo, block, Block.TYPE, 1 + own.nextInt(3))
                      : cache.put(
                          HI, block.lo, block, Block.TYPE, 1 + own.nextInt(3), Priority.LOW);
              if (result.callerKeepsValue()) {
                blocks.keep(block);
              }
              try (Handle<Object> handle = cache.lookup(HI, own.nextInt(keys))) {
                if (handle != null) {
                  require(((Block) handle.value()).timesFreed() == 0, "must be alive");
                }
              }
            }
          } finally {
            writing.decrementAndGet();
          }
        });
    cache.eraseUnreferenced();
    assertThat(cache.monitor().occupancy()).isZero();
    assertThat(cache.monitor().usageBytes()).isZero();
  }
}
