/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.keys;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class KeyStreamTest {
  private static final int KEYS = 65536;

  @ParameterizedTest
  @EnumSource
  void isTheSameEachTime(Distribution distribution) {
    int[] stream = KeyStream.of(KEYS, distribution);
    assertThat(Integer.bitCount(stream.length)).isOne();
    assertThat(Arrays.stream(stream)).allMatch(number -> number >= 0 && number < KEYS);
    assertThat(KeyStream.of(KEYS, distribution)).isEqualTo(stream);
  }

  @Test
  void uniformStreamUsesAllKeysAlike() {
    int[] uses = uses(Distribution.UNIFORM);
    assertThat(Arrays.stream(uses).filter(n -> n > 0).count()).isGreaterThan(KEYS - 100);
    assertThat(Arrays.stream(uses).max().orElseThrow()).isLessThan(60);
  }

  @Test
  void zipfStreamScattersItsPopularKeys() {
    int[] uses = uses(Distribution.ZIPF);
    int[] popular =
        IntStream.range(0, KEYS)
            .boxed()
            .sorted((a, b) -> uses[b] - uses[a])
            .limit(100)
            .mapToInt(Integer::intValue)
            .toArray();
    assertThat(Arrays.stream(popular).map(key -> uses[key]).sum())
        .isGreaterThan(Arrays.stream(uses).sum() * 2 / 5);
    assertThat(Arrays.stream(popular).filter(key -> key < KEYS / 2).count()).isBetween(30L, 70L);
  }

  @Test
  void oneKeyIsOneKey() {
    assertThat(Arrays.stream(uses(Distribution.ONE_KEY)).filter(n -> n > 0).count()).isOne();
  }

  private static int[] uses(Distribution distribution) {
    int[] uses = new int[KEYS];
    for (int number : KeyStream.of(KEYS, distribution)) {
      uses[number]++;
    }
    return uses;
  }

  @Test
  void keysAreDistinctAndWellHashed() {
    assertThat(IntStream.range(0, KEYS).mapToObj(KeyObject::of).distinct().count()).isEqualTo(KEYS);
    long bins =
        IntStream.range(0, KEYS).map(i -> KeyObject.of(i).hashCode() & KEYS - 1).distinct().count();
    assertThat(bins).isGreaterThan(KEYS * 6L / 10);
  }
}
