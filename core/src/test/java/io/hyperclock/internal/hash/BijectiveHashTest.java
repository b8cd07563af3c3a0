/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.hash;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HexFormat;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BijectiveHashTest {
  @ParameterizedTest
  @CsvSource({
    "00000000000000000000000000000000, 0, 05ea23ef06e28b2d, e5189a9599e3f862",
    "00000000000000000000000000000000, 1, 4a4fe11e9c4a1079, 137ec3075546cf03",
    "000102030405060708090a0b0c0d0e0f, 0, 842812cc870dcae2, 72950631827607e2",
    "000102030405060708090a0b0c0d0e0f, 1234567, c24019eb7f8a2c7b, a3835a8278e637bc",
    "00000000616161616161616161616161, 0, f64f78515808d006, 89368f188403161a",
    "01000000616161616161616161616161, 0, 5bdbb862d828fe62, ee669c10be5b1a3c"
  })
  void agreesWithRocksDb(String keyBytes, long seed, String word0, String word1) {
    long lo = Long.reverseBytes(HexFormat.fromHexDigitsToLong(keyBytes.substring(0, 16)));
    long hi = Long.reverseBytes(HexFormat.fromHexDigitsToLong(keyBytes.substring(16)));
    long[] expected = {HexFormat.fromHexDigitsToLong(word0), HexFormat.fromHexDigitsToLong(word1)};
    assertThat(BijectiveHash.hash(hi, lo, seed)).isEqualTo(expected);
    assertThat(BijectiveHash.unhash(expected[0], expected[1], seed)).containsExactly(hi, lo);
  }

  @Test
  void losesNothingAndItsWordsAgree() {
    SplittableRandom random = new SplittableRandom(7);
    for (int i = 0; i < 100_000; i++) {
      long hi = random.nextLong();
      long lo = random.nextLong();
      long seed = random.nextLong();
      long[] hash = BijectiveHash.hash(hi, lo, seed);
      assertThat(BijectiveHash.unhash(hash[0], hash[1], seed)).containsExactly(hi, lo);
      assertThat(BijectiveHash.word0(hi, lo, seed)).isEqualTo(hash[0]);
      assertThat(BijectiveHash.word1(hi, lo, seed)).isEqualTo(hash[1]);
    }
  }
}
