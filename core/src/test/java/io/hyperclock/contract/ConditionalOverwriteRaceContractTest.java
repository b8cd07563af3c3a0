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
import java.util.SplittableRandom;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Threads whose writes depend on what is there, and inserts against puts. */
abstract class ConditionalOverwriteRaceContractTest extends OverwriteRaceContract {
  ConditionalOverwriteRaceContractTest(Variant variant) {
    super(variant);
  }

  @Test
  void incrementsByCompareAndReplaceAreNotLost() throws Exception {
    BlockCache<Object> cache = roomy(10);
    int increments = 3000;
    for (int lo = 0; lo < KEYS; lo++) {
      cache.put(HI, lo, new Written(lo, 0), WRITTEN, 1, Priority.LOW);
    }
    Crew.run(
        THREADS,
        thread -> {
          SplittableRandom own = new SplittableRandom(seed + thread);
          for (int done = 0; done < increments; ) {
            int lo = own.nextInt(KEYS);
            Written present = (Written) cache.get(HI, lo);
            require(present != null, "must be found", lo);
            Written next = new Written(lo, present.number() + 1);
            InsertResult result = cache.compareAndReplace(HI, lo, present, next, WRITTEN, 1);
            require(
                result == InsertResult.REPLACED || result == InsertResult.NOT_EXPECTED,
                "must be there",
                result);
            done += result == InsertResult.REPLACED ? 1 : 0;
          }
        });
    int sum = 0;
    for (int lo = 0; lo < KEYS; lo++) {
      sum += ((Written) cache.get(HI, lo)).number();
    }
    assertThat(sum).isEqualTo(THREADS * increments);
    assertThat(cache.monitor().occupancy()).isEqualTo(KEYS);
    assertThat(cache.monitor().usageBytes()).isEqualTo(KEYS);
  }

  /** Of a put and an insert at the same moment, whichever is first, the value put remains. */
  @Test
  void putWinsAgainstInsert() throws Exception {
    BlockCache<Object> cache = roomy(10);
    CyclicBarrier barrier = new CyclicBarrier(3);
    InsertResult[] results = new InsertResult[2];
    Block[] offered = new Block[2];
    Crew.run(
        3,
        thread -> {
          for (int round = 0; round < 500; round++) {
            barrier.await();
            if (thread < 2) {
              Block block = block(round);
              offered[thread] = block;
              results[thread] =
                  thread == 0
                      ? cache.put(HI, round, block, Block.TYPE, 1, Priority.LOW)
                      : cache.insert(HI, round, block, Block.TYPE, 1, Priority.LOW);
            }
            barrier.await();
            if (thread == 2) {
              try (Handle<Object> handle = pin(cache, round)) {
                assertThat(handle.value()).isSameAs(offered[0]);
              }
              assertThat(offered[1].timesFreed()).isEqualTo(1);
              assertThat(results[0])
                  .isEqualTo(
                      results[1] == InsertResult.INSERTED
                          ? InsertResult.REPLACED
                          : InsertResult.INSERTED);
              assertThat(cache.monitor().occupancy()).isEqualTo(1);
              cache.erase(HI, round);
            }
          }
        });
    assertThat(cache.monitor().occupancy()).isZero();
  }

  /** Only the first thread inserts; what it has erased nobody's overwrite may bring back. */
  @Test
  void conditionalOverwritesDoNotBringBackWhatWasErased() throws Exception {
    BlockCache<Object> cache = roomy(10);
    AtomicInteger writing = new AtomicInteger(1);
    Crew.run(
        3,
        thread -> {
          SplittableRandom own = new SplittableRandom(seed + thread);
          if (thread == 0) {
            try {
              for (int epoch = 0; epoch < 15_000; epoch++) {
                Written first = new Written(epoch, 0);
                InsertResult result =
                    own.nextBoolean()
                        ? cache.put(HI, 1, first, WRITTEN, 1, Priority.LOW)
                        : cache.insert(HI, 1, first, WRITTEN, 1, Priority.LOW);
                require(result == InsertResult.INSERTED, "must insert", epoch, result);
                Written present = (Written) cache.get(HI, 1);
                require(present != null && present.epoch() == epoch, "must be new", present);
                require(cache.erase(HI, 1), "must erase", epoch);
                require(cache.get(HI, 1) == null, "must be gone", epoch);
                require(cache.peek(HI, 1) == null, "must stay gone", epoch);
              }
            } finally {
              writing.decrementAndGet();
            }
            return;
          }
          while (writing.get() > 0) {
            Written present = (Written) cache.get(HI, 1);
            if (present == null) {
              continue;
            }
            Written next = new Written(present.epoch(), present.number() + 1);
            InsertResult result = cache.compareAndReplace(HI, 1, present, next, WRITTEN, 1);
            require(
                result == InsertResult.REPLACED
                    || result == InsertResult.NOT_PRESENT
                    || result == InsertResult.NOT_EXPECTED,
                "must tell",
                result);
          }
        });
    assertThat(cache.monitor().occupancy()).isZero();
    assertThat(cache.monitor().usageBytes()).isZero();
  }
}
