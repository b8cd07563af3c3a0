/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProbingTest {
  @ParameterizedTest
  @ValueSource(ints = {2, 4, 6, 10, 26, 2 * 97, 2 * 1009})
  void pairedPathVisitsEverySlotOnceAndBothOfAPairInTurn(int slots) {
    Probing probing = PairedProbing.create(slots, 42);
    SplittableRandom random = new SplittableRandom(slots);
    for (int i = 0; i < 500; i++) {
      int[] path = path(probing, random.nextLong(), random.nextLong());
      for (int step = 0; step < slots; step += 2) {
        assertThat(path[step] ^ path[step + 1]).isEqualTo(1);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 5, 16, 64, 4096})
  void everyShardIsReached(int shards) {
    Probing probing = PairedProbing.create(26, 1);
    BitSet reached = new BitSet();
    SplittableRandom random = new SplittableRandom(shards);
    for (int i = 0; i < 100 * shards; i++) {
      reached.set(probing.shard(probing.hash(random.nextLong(), i), shards));
    }
    assertThat(reached.nextClearBit(0)).isEqualTo(shards);
    assertThat(reached.length()).isEqualTo(shards);
  }

  private static int[] path(Probing probing, long hi, long lo) {
    long hash = probing.hash(hi, lo);
    int increment = probing.increment(hash);
    BitSet seen = new BitSet();
    int[] path = new int[probing.slots()];
    int slot = probing.home(hash, hi, lo);
    for (int step = 0; step < path.length; step++) {
      assertThat(slot).isBetween(0, probing.slots() - 1);
      assertThat(seen.get(slot)).as("visited twice").isFalse();
      seen.set(slot);
      path[step] = slot;
      slot = probing.next(slot, increment, step);
    }
    return path;
  }
}
