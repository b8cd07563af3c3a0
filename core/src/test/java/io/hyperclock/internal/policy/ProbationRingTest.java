/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;

class ProbationRingTest {
  private static final long GENERATION_ONE = 2;

  private static long entry(int slot) {
    return ProbationRing.entry(slot, 0);
  }

  @Test
  void givesThemBackInTheOrderOfArrival() {
    ProbationRing ring = new ProbationRing(5);
    assertThat(ring.pop()).isEqualTo(ProbationRing.NONE);
    for (int round = 0; round < 4; round++) {
      for (int slot = 0; slot < 4; slot++) {
        assertThat(ring.push(entry(slot))).isEqualTo(ProbationRing.NONE);
      }
      assertThat(ring.length()).isEqualTo(4);
      for (int slot = 0; slot < 4; slot++) {
        assertThat(ProbationRing.slot(ring.pop())).isEqualTo(slot);
      }
      assertThat(ring.pop()).isEqualTo(ProbationRing.NONE);
      assertThat(ring.length()).isZero();
    }
  }

  @Test
  void fullRingGivesUpItsOldest() {
    ProbationRing ring = new ProbationRing(3);
    for (int slot = 0; slot < 3; slot++) {
      assertThat(ring.isFull()).isFalse();
      ring.push(entry(slot));
    }
    assertThat(ring.isFull()).isTrue();
    assertThat(ProbationRing.slot(ring.push(entry(3)))).isZero();
    assertThat(ProbationRing.slot(ring.push(entry(4)))).isEqualTo(1);
    assertThat(ring.isFull()).isTrue();
    for (int slot = 2; slot <= 4; slot++) {
      assertThat(ProbationRing.slot(ring.pop())).isEqualTo(slot);
    }
    assertThat(ring.pop()).isEqualTo(ProbationRing.NONE);
    assertThat(ring.isFull()).isFalse();
  }

  @Test
  void entryNamesSlotAndTenant() {
    for (int slot : new int[] {0, 1, 1000, Integer.MAX_VALUE - 1}) {
      long tail = 5 * GENERATION_ONE;
      long entry = ProbationRing.entry(slot, tail);
      assertThat(entry).isNotEqualTo(ProbationRing.NONE);
      assertThat(ProbationRing.slot(entry)).isEqualTo(slot);
      assertThat(ProbationRing.isTenant(entry, tail)).isTrue();
      assertThat(ProbationRing.isTenant(entry, tail + 1)).as("condemned").isTrue();
      assertThat(ProbationRing.isTenant(entry, tail + GENERATION_ONE)).isFalse();
    }
  }

  /** Whatever order: handed out by pop, displaced by push, or still inside. */
  @Test
  void losesNothingAndDoublesNothing() {
    SplittableRandom random = new SplittableRandom(3);
    for (int places = 1; places <= 9; places++) {
      ProbationRing ring = new ProbationRing(places);
      AtomicIntegerArray seen = new AtomicIntegerArray(500);
      for (int slot = 0; slot < 500; slot++) {
        count(seen, ring.push(entry(slot)));
        for (int pops = random.nextInt(3); pops > 0; pops--) {
          count(seen, ring.pop());
        }
      }
      flush(ring, places, seen);
      for (int slot = 0; slot < 500; slot++) {
        assertThat(seen.get(slot)).isEqualTo(1);
      }
    }
  }

  private static void count(AtomicIntegerArray seen, long entry) {
    if (entry != ProbationRing.NONE && ProbationRing.slot(entry) < seen.length()) {
      seen.incrementAndGet(ProbationRing.slot(entry));
    }
  }

  /** Also finds what was stored behind the front. */
  private static void flush(ProbationRing ring, int places, AtomicIntegerArray seen) {
    for (int i = 0; i < 2 * places; i++) {
      count(seen, ring.push(entry(seen.length() + i)));
    }
  }

  @Test
  void losesNothingAmongThreads() throws Exception {
    for (int places : new int[] {2, 8, 64}) {
      int threads = 4;
      int each = 50_000;
      ProbationRing ring = new ProbationRing(places);
      AtomicIntegerArray seen = new AtomicIntegerArray(threads * each);
      ExecutorService pool = Executors.newFixedThreadPool(threads);
      List<Future<?>> ends = new ArrayList<>();
      for (int thread = 0; thread < threads; thread++) {
        int first = thread * each;
        ends.add(
            pool.submit(
                () -> {
                  SplittableRandom random = new SplittableRandom(first);
                  for (int slot = first; slot < first + each; slot++) {
                    count(seen, ring.push(entry(slot)));
                    for (int pops = random.nextInt(3); pops > 0; pops--) {
                      count(seen, ring.pop());
                    }
                  }
                }));
      }
      for (Future<?> end : ends) {
        end.get(60, TimeUnit.SECONDS);
      }
      pool.shutdown();
      flush(ring, places, seen);
      for (int slot = 0; slot < seen.length(); slot++) {
        assertThat(seen.get(slot)).as("slot %d, %d places", slot, places).isEqualTo(1);
      }
    }
  }
}
