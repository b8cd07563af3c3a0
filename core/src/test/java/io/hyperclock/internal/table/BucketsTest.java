/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.BitSet;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BucketsTest {
  @ParameterizedTest
  @ValueSource(ints = {2, 3, 5, 64, 97, 1000})
  void keysAreSpreadEvenlyOverBothBucketsAndTags(int count) {
    Buckets buckets = new Buckets(count, 42);
    SplittableRandom random = new SplittableRandom(count);
    int[] firsts = new int[count];
    int[] seconds = new int[count];
    int[] tags = new int[256];
    int keys = 1000 * Math.max(count, 256);
    for (int i = 0; i < keys; i++) {
      long hash = buckets.hash(random.nextInt(4), i);
      firsts[buckets.first(hash)]++;
      seconds[buckets.second(hash)]++;
      tags[(int) hash & 0xff]++;
      assertThat(buckets.first(hash)).isNotEqualTo(buckets.second(hash));
    }
    for (int[] counts : new int[][] {firsts, seconds, tags}) {
      int even = keys / counts.length;
      assertThat(Arrays.stream(counts).min().orElseThrow()).isGreaterThan((int) (0.8 * even));
      assertThat(Arrays.stream(counts).max().orElseThrow()).isLessThanOrEqualTo((int) (1.2 * even));
    }
    assertThat(buckets.count()).isEqualTo(count);
  }

  /** Keys of one first bucket must not share their second ones, nor their tags. */
  @ParameterizedTest
  @ValueSource(ints = {64, 1000})
  void secondBucketsAndTagsDoNotFollowFromTheFirst(int count) {
    Buckets buckets = new Buckets(count, 7);
    BitSet seconds = new BitSet();
    BitSet tags = new BitSet();
    for (int i = 0; i < 2000 * count; i++) {
      long hash = buckets.hash(1, i);
      if (buckets.first(hash) == count / 2) {
        seconds.set(buckets.second(hash));
        tags.set((int) hash & 0xff);
      }
    }
    assertThat(seconds.cardinality()).isGreaterThan((int) (0.8 * count));
    assertThat(tags.cardinality()).isEqualTo(256);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 5, 16, 64, 4096})
  void everyShardIsReached(int shards) {
    Buckets buckets = new Buckets(13, 1);
    BitSet reached = new BitSet();
    SplittableRandom random = new SplittableRandom(shards);
    for (int i = 0; i < 100 * shards; i++) {
      reached.set(Buckets.shard(buckets.hash(random.nextLong(), i), shards));
    }
    assertThat(reached.nextClearBit(0)).isEqualTo(shards);
    assertThat(reached.length()).isEqualTo(shards);
  }
}
