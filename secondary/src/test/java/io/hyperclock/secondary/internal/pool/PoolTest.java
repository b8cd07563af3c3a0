/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.internal.pool;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.secondary.testing.TierTestLimits;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class PoolTest {
  private final AtomicInteger made = new AtomicInteger();
  private final AtomicInteger discarded = new AtomicInteger();
  private final Pool<AtomicBoolean> pool =
      new Pool<>(
          () -> {
            made.incrementAndGet();
            return new AtomicBoolean();
          },
          object -> discarded.incrementAndGet());

  @Test
  void givesBackWhatItHas() {
    AtomicBoolean first = pool.take();
    pool.giveBack(first);
    assertThat(pool.take()).isSameAs(first);
    assertThat(pool.take()).isNotSameAs(first);
    assertThat(made).hasValue(2);
  }

  @Test
  void keepsFewAndDiscardsTheRest() {
    List<AtomicBoolean> taken = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      taken.add(pool.take());
    }
    taken.forEach(pool::giveBack);
    int kept = made.get() - discarded.get();
    assertThat(kept).isBetween(4, 2 * Math.max(2, Runtime.getRuntime().availableProcessors()));
    for (int i = 0; i < kept; i++) {
      pool.take();
    }
    assertThat(made).hasValue(1_000);
  }

  /** And keeps or discards all that come back: none is lost. */
  @Test
  void handsEachObjectToOneThreadOnly() throws Exception {
    int threads = 8;
    CyclicBarrier together = new CyclicBarrier(threads);
    ExecutorService executor = Executors.newFixedThreadPool(threads);
    try {
      List<Future<Boolean>> all = new ArrayList<>();
      for (int thread = 0; thread < threads; thread++) {
        all.add(
            executor.submit(
                () -> {
                  boolean alone = true;
                  together.await();
                  for (int i = 0; i < 100_000; i++) {
                    AtomicBoolean taken = pool.take();
                    alone &= taken.compareAndSet(false, true);
                    taken.set(false);
                    pool.giveBack(taken);
                  }
                  return alone;
                }));
      }
      for (Future<Boolean> future : all) {
        assertThat(future.get(TierTestLimits.SECONDS, SECONDS)).isTrue();
      }
    } finally {
      executor.shutdownNow();
    }
    int kept = made.get() - discarded.get();
    assertThat(kept).isBetween(1, Pool.SIZE);
    int before = made.get();
    for (int i = 0; i < kept; i++) {
      pool.take();
    }
    assertThat(made).hasValue(before);
  }
}
