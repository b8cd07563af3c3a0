/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.policy.adaptive;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ProbationRingTest {
  private static final long GENERATION_ONE = 2;

  private static long token(int slot) {
    return ProbationRing.token(slot, 0, 0);
  }

  /** Whatever order of steps, and however often it has to grow while it wraps around. */
  @Test
  void isAQueueOfItsOwnLength() {
    SplittableRandom random = new SplittableRandom(3);
    for (int most : new int[] {1, 2, 8, 63, 64, 65, 100, 1000}) {
      ProbationRing ring = new ProbationRing(most);
      ArrayDeque<Integer> expected = new ArrayDeque<>();
      for (int step = 0; step < 20_000; step++) {
        boolean grows = random.nextInt(4000) > step % 4000;
        if (random.nextInt(10) < (grows ? 6 : 4)) {
          assertThat(ring.isFull()).isEqualTo(expected.size() == most);
          if (!ring.isFull()) {
            ring.push(token(step));
            expected.add(step);
          }
        } else if (expected.isEmpty()) {
          assertThat(ring.front()).isEqualTo(ProbationRing.NONE);
          assertThat(ring.pop()).isEqualTo(ProbationRing.NONE);
        } else {
          assertThat(ProbationRing.slot(ring.front())).isEqualTo(expected.peek());
          assertThat(ProbationRing.slot(ring.pop())).isEqualTo(expected.poll());
        }
        assertThat(ring.length).isEqualTo(expected.size());
      }
    }
  }

  @Test
  void tokenNamesSlotAndTenant() {
    for (int slot : new int[] {0, 1, 1000, Integer.MAX_VALUE - 1}) {
      long tail = 5 * GENERATION_ONE;
      long token = ProbationRing.token(slot, tail, 0xffff);
      assertThat(token).isNotEqualTo(ProbationRing.NONE);
      assertThat(ProbationRing.slot(token)).isEqualTo(slot);
      assertThat(ProbationRing.isTenant(token, tail)).isTrue();
      assertThat(ProbationRing.isTenant(token, tail + 1)).as("erasing").isTrue();
      assertThat(ProbationRing.isTenant(token, tail + GENERATION_ONE)).isFalse();
    }
  }

  @Test
  void tokenTellsWhoCameFirst() {
    for (long turn : new long[] {0, 5, 0x7fff, 0x8000, 0xffff, 0x10000}) {
      long token = ProbationRing.token(7, 0xfffe, turn);
      assertThat(ProbationRing.isOlder(token, ProbationRing.token(8, 0, turn + 1))).isTrue();
      assertThat(ProbationRing.isOlder(token, ProbationRing.token(8, 0, turn + 1000))).isTrue();
      assertThat(ProbationRing.isOlder(token, ProbationRing.token(6, 0, turn))).isFalse();
      assertThat(ProbationRing.isOlder(ProbationRing.token(8, 0, turn + 1), token)).isFalse();
    }
  }
}
