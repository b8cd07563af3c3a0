/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.caches;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class KeyCursorTest {
  private static final int LENGTH = 1 << 10;

  private final int[] stream = IntStream.range(0, LENGTH).toArray();

  private static KeyCursor cursor(int place, int thread) {
    KeyCursor cursor = new KeyCursor();
    cursor.start(place, thread);
    return cursor;
  }

  @Test
  void everyThreadComesByAllKeysFromAnyPlace() {
    for (int place : new int[] {0, 5, LENGTH - 1, Integer.MAX_VALUE, Integer.MIN_VALUE, -3}) {
      for (int thread = 0; thread < 17; thread++) {
        KeyCursor cursor = cursor(place, thread);
        Set<Integer> seen = new HashSet<>();
        for (int i = 0; i < LENGTH; i++) {
          seen.add(cursor.next(stream));
        }
        assertThat(seen).hasSize(LENGTH);
      }
    }
  }

  /** As soon as one has taken the key of another, their next keys are different ones. */
  @Test
  void noThreadFollowsAnother() {
    for (int thread = 0; thread < 16; thread++) {
      for (int other = 0; other < thread; other++) {
        KeyCursor first = cursor(7, thread);
        KeyCursor second = cursor(7, other);
        assertThat(first.next(stream)).isEqualTo(second.next(stream));
        int distance = first.next(stream) - second.next(stream);
        assertThat(distance).isNotZero();
        assertThat(first.next(stream) - second.next(stream)).isNotEqualTo(distance);
      }
    }
  }
}
