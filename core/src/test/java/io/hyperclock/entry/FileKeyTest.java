/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.entry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The seed is that of system property {@code hyperclock.test.seed}, random if not given.
 *
 * <p>Keys are on disks and servers: what is expected here must never change.
 */
final class FileKeyTest {
  private static final long LARGEST = Long.MAX_VALUE;

  private final long seed =
      Long.getLong("hyperclock.test.seed", ThreadLocalRandom.current().nextLong(1L << 32));

  private static void assertWords(FileKey file, String hi, String lo) {
    assertThat(file.hi()).isEqualTo(Long.parseUnsignedLong(hi, 16));
    assertThat(file.lo(0)).isEqualTo(Long.parseUnsignedLong(lo, 16));
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0, 4bbd1bf27da918d6, b465a9eccd791cb6",
    "0, 1, 3eda841fcfc54ff2, 9b2153885b14d077",
    "1, 0, c1c4c5ee113872db, 17edc9d0759f4dce",
    "1, 1, c62098560c0859b3, 849f28d5aa8eb430",
    "-1, -1, d8ce73d7a39a46e6, d0ac179d2650b632",
    "81985529216486895, -81985529216486896, 3a7be286a34a7a71, 6bc0bad4001ac79a"
  })
  void identitiesHaveTheseKeysForGood(long idHi, long idLo, String hi, String lo) {
    assertWords(FileKey.of(idHi, idLo), hi, lo);
  }

  @ParameterizedTest
  @CsvSource({
    "a, 0, f420a0467ecb12f1, 8b949c99f49d8d2c",
    "db-3f2a91c0/000123.sst, 0, ca77b275288d4a59, 3f08dc920bc02bc2",
    "db-3f2a91c0, 123, 142d0eb1162b5216, bd6813c60a4bb637",
    "db-3f2a91c0, 124, a68a3f1f63fc0259, 87c348de74d6ec49",
    "db-3f2a91c0, -1, 6ff72662b905c69c, 66240c9a56ea5b7c",
    "\u00e4\u00f6\u00fc\u20ac\ud83d\ude00, 7, 0012a7981aa52cea, f2939032b1017980"
  })
  void namesHaveTheseKeysForGood(String name, long number, String hi, String lo) {
    assertWords(FileKey.of(name, number), hi, lo);
  }

  @Test
  void keysAreWhatTheDefinitionSays() {
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 2_000; i++) {
      StringBuilder name = new StringBuilder();
      int length = 1 + random.nextInt(70);
      while (name.length() < length) {
        name.appendCodePoint(
            random.nextInt(4) == 0 ? 0x10000 + random.nextInt(999) : 1 + i % 0x7ff);
      }
      long number = random.nextInt(3) == 0 ? random.nextLong() : random.nextInt(5);
      long[] hash = ReferenceMurmur3.hash(name.toString().getBytes(StandardCharsets.UTF_8));
      long[] words = ReferenceMurmur3.hash(hash[0], hash[1] + number);
      FileKey file = FileKey.of(name.toString(), number);
      assertThat(file.hi()).as("seed=%d, name=%s", seed, name).isEqualTo(words[0]);
      long offset = random.nextLong(LARGEST) >>> random.nextInt(63);
      assertThat(file.lo(offset)).as("seed=%d, name=%s", seed, name).isEqualTo(words[1] ^ offset);
      assertThat(file).isEqualTo(FileKey.of(hash[0], hash[1] + number));
    }
  }

  /** No two identities have the same words: the words give the identity back. */
  @Test
  void identitiesAndWordsAreOneToOne() {
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 2_000; i++) {
      long hi = i % 2 == 0 ? random.nextLong() : random.nextInt(10);
      long lo = i % 3 == 0 ? random.nextLong() : i;
      FileKey file = FileKey.of(hi, lo);
      assertThat(ReferenceMurmur3.identity(file.hi(), file.lo(0)))
          .as("seed=%d, hi=%d, lo=%d", seed, hi, lo)
          .containsExactly(hi, lo);
    }
  }

  @Test
  void namesWithoutANumberHaveTheNumberZero() {
    assertThat(FileKey.of("a")).isEqualTo(FileKey.of("a", 0)).hasSameHashCodeAs(FileKey.of("a", 0));
    assertThat(FileKey.of("a")).isNotEqualTo(FileKey.of("a", 1)).isNotEqualTo("a");
    assertThat(FileKey.of("a", 7)).hasToString("FileKey[" + hex(FileKey.of("a", 7)) + "]");
  }

  private static String hex(FileKey file) {
    return String.format("%016x:%016x", file.hi(), file.lo(0));
  }

  /** File 1 at offset 2 is not file 2 at offset 1, nor file 3 at 0. */
  @Test
  void numbersThatCountUpShareNoKeys() {
    Set<Key128> keys = new HashSet<>();
    for (int number = 0; number < 300; number++) {
      FileKey named = FileKey.of("db", number);
      FileKey counted = FileKey.of(1, number);
      for (int offset = 0; offset < 300; offset++) {
        keys.add(new Key128(named.hi(), named.lo(offset)));
        keys.add(new Key128(counted.hi(), counted.lo(offset)));
      }
    }
    assertThat(keys).hasSize(2 * 300 * 300);
  }

  @Test
  void highWordIsNeverZero() {
    long[] identity = ReferenceMurmur3.identity(0, 42);
    assertThat(ReferenceMurmur3.hash(identity[0], identity[1])).containsExactly(0, 42);
    FileKey file = FileKey.of(identity[0], identity[1]);
    assertThat(file.hi()).isEqualTo(1);
    assertThat(file.lo(0)).isEqualTo(42);
  }

  /** Files with one high word, which is rarer than anything that happens by chance. */
  @Test
  void equalHighWordsAloneShareNoKeys() {
    long[] one = ReferenceMurmur3.identity(5, 0);
    long[] two = ReferenceMurmur3.identity(5, 1L << 40);
    FileKey first = FileKey.of(one[0], one[1]);
    FileKey second = FileKey.of(two[0], two[1]);
    assertThat(first.hi()).isEqualTo(second.hi());
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 1_000; i++) {
      long lo = first.lo(random.nextLong(1L << 40));
      assertThat(second.offset(lo)).as("seed=%d", seed).isGreaterThanOrEqualTo(1L << 40);
    }
  }

  @ParameterizedTest
  @ValueSource(
      longs = {0, 1, 4095, 1L << 31, 1L << 40, 1L << 48, (1L << 62) + 7, LARGEST - 1, LARGEST})
  void offsetsUpToTheLargestHaveKeysThatGiveThemBack(long offset) {
    FileKey file = FileKey.of("db", 1);
    assertThat(file.offset(file.lo(offset))).isEqualTo(offset);
    if (offset > 0) {
      assertThat(file.lo(offset)).isNotEqualTo(file.lo(offset - 1)).isNotEqualTo(file.lo(0));
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {-1, -4096, Long.MIN_VALUE})
  void negativeOffsetsAreRefused(long offset) {
    FileKey file = FileKey.of("db", 1);
    assertThatThrownBy(() -> file.lo(offset))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("offset must be >= 0: offset=" + offset);
    long foreign = file.lo(0) ^ offset;
    assertThatThrownBy(() -> file.offset(foreign))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("keyLo must be of a key of this file: keyLo=" + foreign + ", file=" + file);
  }

  @Test
  void namesThatCannotBeToldApartAreRefused() {
    assertThatThrownBy(() -> FileKey.of((String) null))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("name must not be null");
    assertThatThrownBy(() -> FileKey.of("", 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("name must not be empty: name=");
    for (String name : new String[] {"ab\ud83d", "ab\ud83dc", "ab\ude00", "ab\ude00\ud83d"}) {
      assertThatThrownBy(() -> FileKey.of(name))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("name must have no unpaired surrogate: index=2, name=" + name);
    }
    assertThat(FileKey.of("ab?")).isEqualTo(FileKey.of("ab?", 0));
    assertThat(FileKey.of("\ud83d\ude00\ud83d\ude00")).isNotEqualTo(FileKey.of("\ud83d\ude00"));
  }
}
