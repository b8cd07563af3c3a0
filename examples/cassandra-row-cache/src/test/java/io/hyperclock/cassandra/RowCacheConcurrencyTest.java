/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.cassandra;

import static io.hyperclock.cassandra.TestTable.key;
import static io.hyperclock.cassandra.TestTable.partition;
import static io.hyperclock.cassandra.TestTable.textOf;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.IntStream;
import org.apache.cassandra.cache.ICache;
import org.apache.cassandra.cache.IRowCacheEntry;
import org.apache.cassandra.cache.RowCacheKey;
import org.apache.cassandra.cache.RowCacheSentinel;
import org.apache.cassandra.db.partitions.CachedPartition;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class RowCacheConcurrencyTest {
  private static final int THREADS = 4;
  private static final int STEPS = 8_000;

  private final CountedMemory.Ledger ledger = new CountedMemory.Ledger();

  @BeforeAll
  static void schema() {
    assertThat(TestTable.METADATA).isNotNull();
  }

  private static void inThreads(Runnable step) throws Exception {
    ExecutorService executor = Executors.newFixedThreadPool(THREADS);
    try {
      List<Future<?>> ends = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        ends.add(executor.submit(() -> IntStream.range(0, STEPS).forEach(at -> step.run())));
      }
      for (Future<?> end : ends) {
        end.get(60, TimeUnit.SECONDS);
      }
    } finally {
      executor.shutdownNow();
    }
  }

  private void checkAllFreedOnce(ICache<RowCacheKey, IRowCacheEntry> cache) {
    cache.clear();
    assertThat(cache.size()).isZero();
    assertThat(ledger.given.get()).isGreaterThan(STEPS);
    assertThat(ledger.freed.get()).isEqualTo(ledger.given.get());
    assertThat(ledger.freedAgain.get()).isZero();
  }

  @Test
  void everythingAtOnceReadsRightRowsAndFreesEachOnce() throws Exception {
    long capacity = 64 << 10;
    HyperClockRowCache cache = new HyperClockRowCache(capacity, ledger::give);

    inThreads(
        () -> {
          ThreadLocalRandom random = ThreadLocalRandom.current();
          String customer = "c" + random.nextInt(400);
          RowCacheKey key = key(customer);
          switch (random.nextInt(16)) {
            case 0, 1, 2 -> cache.put(key, partition(customer, 1 + random.nextInt(5), customer));
            case 3, 4 -> cache.putIfAbsent(key, partition(customer, customer));
            case 5 -> {
              IRowCacheEntry old = cache.get(key);
              if (old != null) {
                cache.replace(key, old, partition(customer, 1, customer));
              }
            }
            case 6 -> cache.remove(key);
            case 7 -> {
              switch (random.nextInt(100)) {
                case 0 -> cache.clear();
                case 1 -> cache.setCapacity(capacity / 2);
                case 2 -> cache.setCapacity(capacity);
                case 3 -> {
                  Iterator<RowCacheKey> keys = cache.keyIterator();
                  while (keys.hasNext()) {
                    if (keys.next().hashCode() % 3 == 0) {
                      keys.remove();
                    }
                  }
                }
                case 4 -> cache.hotKeyIterator(20).forEachRemaining(cache::containsKey);
                default -> cache.put(key, new RowCacheSentinel());
              }
            }
            default -> {
              if (cache.get(key) instanceof CachedPartition found) {
                assertThat(textOf(found)).isEqualTo(customer);
              }
            }
          }
        });

    // The last rows to come may be above it until others come, or it is set.
    cache.setCapacity(capacity);
    assertThat(cache.weightedSize()).isLessThanOrEqualTo(capacity);
    checkAllFreedOnce(cache);
  }

  /** Reads as Cassandra does: leave a sentinel, read the table, put the row where it was left. */
  @Test
  void noReadFindsARowOfBeforeAWriteThatHadEnded() throws Exception {
    HyperClockRowCache cache = new HyperClockRowCache(1 << 20, ledger::give);
    AtomicLongArray table = new AtomicLongArray(4);
    AtomicLongArray ended = new AtomicLongArray(4);

    inThreads(
        () -> {
          ThreadLocalRandom random = ThreadLocalRandom.current();
          int at = random.nextInt(table.length());
          RowCacheKey key = key("c" + at);
          if (random.nextInt(4) == 0) {
            long version = table.incrementAndGet(at);
            if (random.nextInt(4) == 0) {
              cache.clear();
            } else {
              cache.remove(key);
            }
            ended.accumulateAndGet(at, version, Math::max);
            return;
          }
          long least = ended.get(at);
          IRowCacheEntry found = cache.get(key);
          if (found instanceof CachedPartition partition) {
            assertThat(Long.parseLong(textOf(partition))).isGreaterThanOrEqualTo(least);
          } else if (found == null) {
            RowCacheSentinel sentinel = new RowCacheSentinel();
            if (cache.putIfAbsent(key, sentinel)) {
              CachedPartition row = partition("c" + at, Long.toString(table.get(at)));
              if (!cache.replace(key, sentinel, row)) {
                cache.remove(key);
              }
            }
          }
        });

    checkAllFreedOnce(cache);
  }
}
