/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.model.parity;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The test's own tools against published vectors: a wrong tool would prove nothing. */
class ParityToolsTest {
  @Test
  void twisterGivesTheNumbersOfTheStandard() {
    MersenneTwister64 standard = new MersenneTwister64(5489);
    for (int i = 1; i < 10_000; i++) {
      standard.next();
    }
    assertThat(Long.toUnsignedString(standard.next())).isEqualTo("9981545732273789042");

    MersenneTwister64 random = new MersenneTwister64(42);
    assertThat(LongStream.generate(random::next).limit(4).mapToObj(Long::toUnsignedString))
        .containsExactly(
            "13930160852258120406",
            "11788048577503494824",
            "13874630024467741450",
            "2513787319205155662");
  }

  @Test
  void keysAreDrawnInRocksDbsOrder() {
    assertThat(draws(42)).containsExactly(49318, 6492, 235361, 24538, 49373, 22815);
    assertThat(draws(1)).containsExactly(11022, 39020, 116199, 141526, 36238, 99801);
  }

  private static long[] draws(long seed) {
    MersenneTwister64 random = new MersenneTwister64(seed);
    return LongStream.generate(() -> BenchKey.drawNumber(random, 524288, 5)).limit(6).toArray();
  }

  @Test
  void keyBytesStartAtAnOffsetOfTheNumber() {
    assertThat(BenchKey.ofNumber(8)).isEqualTo(new BenchKey(0x0008_0b00L, 0x082aL));
    assertThat(BenchKey.ofNumber(1)).isEqualTo(new BenchKey(0x010bL, 1L));
  }

  @ParameterizedTest
  @CsvSource({
    "0000000000000000, 0000000000000000, 0, 05ea23ef06e28b2d, e5189a9599e3f862",
    "0000000000000000, 0000000000000000, 1, 4a4fe11e9c4a1079, 137ec3075546cf03",
    "0f0e0d0c0b0a0908, 0706050403020100, 0, 842812cc870dcae2, 72950631827607e2",
    "0f0e0d0c0b0a0908, 0706050403020100, 1234567, c24019eb7f8a2c7b, a3835a8278e637bc",
    "6161616161616161, 6161616100000000, 0, f64f78515808d006, 89368f188403161a",
    "6161616161616161, 6161616100000001, 0, 5bdbb862d828fe62, ee669c10be5b1a3c"
  })
  void hashGivesRocksDbsWords(String hi, String lo, long seed, String word0, String word1) {
    assertThat(ParityHash.of(hex(hi), hex(lo), seed))
        .isEqualTo(new ParityHash(hex(word0), hex(word1)));
  }

  private static long hex(String digits) {
    return Long.parseUnsignedLong(digits, 16);
  }
}
