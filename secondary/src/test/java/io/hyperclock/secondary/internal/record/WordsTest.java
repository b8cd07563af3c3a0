/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.internal.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class WordsTest {
  private static final int KEYS = 1 << 14;

  /** Keys of files and offsets in them; wherever a table takes its index from, it fills. */
  @Test
  void hashesOfKeysInARowAreSpread() {
    for (int from : new int[] {0, 16, 32, 48}) {
      Set<Integer> places = new HashSet<>();
      for (int key = 0; key < KEYS; key++) {
        long hash = Words.hash(5, key >>> 7, (key & 127L) << 12);
        places.add((int) (hash >>> from) & 0xFFFF);
      }
      assertThat(places).as("bits from %d on", from).hasSizeGreaterThan(KEYS * 8 / 10);
    }
  }

  @Test
  void hashesDependOnTheSeedAndOnWhichWordIsWhich() {
    Set<Long> hashes = new HashSet<>();
    for (long seed = 0; seed < 4; seed++) {
      for (long hi = 0; hi < 16; hi++) {
        for (long lo = 0; lo < 16; lo++) {
          hashes.add(Words.hash(seed << 60, hi, lo));
        }
      }
    }
    assertThat(hashes).hasSize(4 * 16 * 16);
  }

  @Test
  void checksumsAreThoseOfCastagnoli() {
    byte[] digits = "--123456789--".getBytes(StandardCharsets.US_ASCII);
    ByteBuffer buffer = ByteBuffer.allocateDirect(digits.length).put(0, digits);
    buffer.position(3).limit(5);
    assertThat(Words.checksum(digits, 2, 11)).isEqualTo(0xE3069283);
    assertThat(Words.checksum(buffer, 2, 11)).isEqualTo(0xE3069283);
    assertThat(buffer.position()).isEqualTo(3);
    assertThat(buffer.limit()).isEqualTo(5);
  }
}
