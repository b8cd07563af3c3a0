/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.cachebench;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.benchmarks.cachebench.model.RocksDbHash;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HexFormat;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Random numbers, keys and values as RocksDB's tool draws them. */
final class DrawsTest {
  @Test
  void twisterGivesTheNumbersOfTheStandard() {
    MersenneTwister64 standard = new MersenneTwister64(5489);
    for (int i = 1; i < 10_000; i++) {
      standard.next();
    }
    assertThat(Long.toUnsignedString(standard.next())).isEqualTo("9981545732273789042");
    assertThat(firstFour(42))
        .containsExactly(
            "13930160852258120406",
            "11788048577503494824",
            "13874630024467741450",
            "2513787319205155662");
    assertThat(firstFour(1))
        .containsExactly(
            "2469588189546311528",
            "2516265689700432462",
            "8323445853463659930",
            "387828560950575246");
  }

  private static String[] firstFour(long seed) {
    MersenneTwister64 random = new MersenneTwister64(seed);
    return LongStream.generate(random::next)
        .limit(4)
        .mapToObj(Long::toUnsignedString)
        .toArray(String[]::new);
  }

  @Test
  void keysComeInRocksDbsOrder() {
    assertThat(numbers(42)).containsExactly(49318, 6492, 235361, 24538, 49373, 22815);
    assertThat(numbers(1)).containsExactly(11022, 39020, 116199, 141526, 36238, 99801);
  }

  private static long[] numbers(long seed) {
    MersenneTwister64 random = new MersenneTwister64(seed);
    KeyDraw key = new KeyDraw(524288, 5);
    return LongStream.generate(() -> key.next(random)).limit(6).toArray();
  }

  @ParameterizedTest
  @CsvSource({
    "11022, 0000000b0e2b000000000000040e2b00",
    "39020, 00000000000b6c98000000000000046c",
    "116199, 00000be7c501000000000004e7c50100",
    "141526, 0000000bd62802000000000004d62802",
    "8, 2a08000000000000000b080000000000"
  })
  void keysHaveRocksDbsBytes(long number, String bytes) {
    KeyDraw key = new KeyDraw(524288, 5);
    key.select(number);
    ByteBuffer words = ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN);
    words.putLong(key.lo()).putLong(key.hi());
    assertThat(HexFormat.of().formatHex(words.array())).isEqualTo(bytes);
    assertThat(HexFormat.of().formatHex(ReferenceCache.keyBytes(number))).isEqualTo(bytes);
  }

  @ParameterizedTest
  @CsvSource({
    "00000000000000000000000000000000, 0, 05ea23ef06e28b2d, e5189a9599e3f862",
    "00000000000000000000000000000000, 1, 4a4fe11e9c4a1079, 137ec3075546cf03",
    "000102030405060708090a0b0c0d0e0f, 0, 842812cc870dcae2, 72950631827607e2",
    "000102030405060708090a0b0c0d0e0f, 1234567, c24019eb7f8a2c7b, a3835a8278e637bc",
    "00000000616161616161616161616161, 0, f64f78515808d006, 89368f188403161a",
    "01000000616161616161616161616161, 0, 5bdbb862d828fe62, ee669c10be5b1a3c",
    "0000000b0e2b000000000000040e2b00, 1, 7d749a504c897227, 3eace1149b267ec3",
    "0000000ba6c000000000000004a6c000, 42, aff7dbb1c66b9461, e76680936a28af45"
  })
  void keysHaveRocksDbsHash(String key, long seed, String word0, String word1) {
    byte[] bytes = HexFormat.of().parseHex(key);
    ByteBuffer words = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    RocksDbHash expected =
        new RocksDbHash(Long.parseUnsignedLong(word0, 16), Long.parseUnsignedLong(word1, 16));
    assertThat(RocksDbHash.of(words.getLong(8), words.getLong(0), seed)).isEqualTo(expected);
    assertThat(ReferenceCache.hash(bytes, seed))
        .containsExactly(expected.word0(), expected.word1());
  }

  @ParameterizedTest
  @CsvSource({
    "8192, 0.5,   4096, 512",
    "8192, 1,     8192, 1024",
    "8192, 0,        1, 1",
    "1000, 0.5,    500, 63",
    "13,   1,       13, 2",
    "3,    0.9,      2, 1",
    "1,    0.5,      1, 1"
  })
  void valuesAreRandomThenRepeated(int bytes, double ratio, int randomBytes, int draws) {
    MersenneTwister64 random = new MersenneTwister64(7);
    byte[] value = new ValueDraw(bytes, ratio, true).next(random);

    MersenneTwister64 same = new MersenneTwister64(7);
    ByteBuffer words = ByteBuffer.allocate(draws * 8).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < draws; i++) {
      words.putLong(same.next());
    }
    byte[] expected = new byte[bytes];
    for (int i = 0; i < bytes; i++) {
      expected[i] = words.get(i % randomBytes);
    }
    assertThat(value).isEqualTo(expected);
    long next = same.next();
    assertThat(random.next()).isEqualTo(next);

    MersenneTwister64 again = new MersenneTwister64(7);
    assertThat(new ValueDraw(bytes, ratio, false).next(again)).isEmpty();
    assertThat(again.next()).isEqualTo(next);
  }

  @ParameterizedTest
  @CsvSource({
    "8322.031746031747, 8322.03",
    "0.68724512, 0.687245",
    "0.671110, 0.67111",
    "0, 0",
    "2048, 2048",
    "0.00001234567, 1.23457e-05",
    "123456789, 1.23457e+08",
    "999999.7, 1e+06",
    "0.1234565, 0.123456"
  })
  void sixDigitsAreThoseOfC(double value, String text) {
    assertThat(BenchReport.sixDigits(value)).isEqualTo(text);
  }
}
