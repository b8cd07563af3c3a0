/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.entry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class Key128Test {
  private static Key128 key(String hi, String lo) {
    return new Key128(Long.parseUnsignedLong(hi, 16), Long.parseUnsignedLong(lo, 16));
  }

  /** Vectors of MurmurHash3 x64 128 with seed 0, as other implementations compute them. */
  @ParameterizedTest
  @CsvSource({
    "'', 0000000000000000, 0000000000000000",
    "a, 85555565f6597889, e6b53a48510e895a",
    "hello, cbd8a7b341bd9b02, 5b1e906a48ae1d19",
    "'hello, world', 342fac623a5ebc8e, 4cdcbc079642414d",
    "0123456789abcde, a62dd5f6c0bf2351, 4fccf50c7c544cf0",
    "0123456789abcdef, 4be06d94cf4ad1a7, 87c35b5c63a708da",
    "0123456789abcdefg, 8e32612daa45f9de, 0800f4c206c372ee",
    "The quick brown fox jumps over the lazy dog, e34bbc7bbc071b6c, 7a433ca9c49a9347"
  })
  void stringsHashLikeMurmur3(String name, String hi, String lo) {
    assertThat(Key128.of(name)).isEqualTo(key(hi, lo));
    assertThat(Key128.of(name.getBytes(StandardCharsets.US_ASCII))).isEqualTo(key(hi, lo));
  }

  @Test
  void stringsAreHashedByTheirUtf8Bytes() {
    String name = "\u00e4\u00f6\u00fc\u20ac\ud83d\ude00";
    assertThat(Key128.of(name)).isEqualTo(key("8063b16ac4146fb7", "70177821546aff1b"));
  }

  /** Bytes 255, 254, 253 and so on: bytes with the top bit set in every place of the tail. */
  @ParameterizedTest
  @CsvSource({
    "1, 47da3778a4e290ec, fa2f17143880ce2e",
    "7, cac44844c63483ef, 8fa688d8d89a73e8",
    "8, b6c2713285c2563c, 344e1e9fa1d830e3",
    "9, 07b461e18525ea48, 1345d3a365b7c5a4",
    "15, 4fcc18dfe8389c19, 88e3c57eb3d589d2",
    "16, aae1da6d256c42a4, e0662a0dc95e263c",
    "17, 1c161043af977f17, d57454cfcbf58ea6",
    "31, f8f0a33c708e4d0c, 23856890904fab5a",
    "32, 3b89dccdfd92feac, 6b28a120beada45b",
    "33, 7ba48fa75a5177a4, 968ae38417c211d8",
    "255, 028ea5cac2f6977c, d18bdaec7a82c794",
    "256, 1ce87609284eaf87, dcd714a653b10a92"
  })
  void bytesHashLikeMurmur3(int length, String hi, String lo) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) (255 - i);
    }
    assertThat(Key128.of(bytes)).isEqualTo(key(hi, lo));
  }

  @Test
  void bytesAreNotKeptNorChanged() {
    byte[] bytes = {1, 2, 3};
    Key128 key = Key128.of(bytes);
    assertThat(bytes).containsExactly(1, 2, 3);
    bytes[0] = 9;
    assertThat(Key128.of(bytes)).isNotEqualTo(key);
  }

  @Test
  void nullIsRefusedByName() {
    assertThatNullPointerException()
        .isThrownBy(() -> Key128.of((String) null))
        .withMessage("name must not be null");
    assertThatNullPointerException()
        .isThrownBy(() -> Key128.of((byte[]) null))
        .withMessage("bytes must not be null");
  }

  @Test
  void inputsOfZerosDifferByLength() {
    Set<Key128> keys = new HashSet<>();
    for (int length = 0; length < 100; length++) {
      keys.add(Key128.of(new byte[length]));
    }
    assertThat(keys).hasSize(100);
  }
}
