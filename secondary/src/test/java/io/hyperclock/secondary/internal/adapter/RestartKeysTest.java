/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.internal.adapter;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What is written is read; whatever else is read costs keys at most. */
class RestartKeysTest {
  private static final List<String> NAMES = List.of("data", "index é", "");

  private static RestartKeys keys(int count) {
    RestartKeys keys = new RestartKeys();
    for (int i = 0; i < count; i++) {
      keys.add(7L * i, ~i, i % NAMES.size());
    }
    return keys;
  }

  private static String show(RestartKeys keys) {
    StringBuilder shown = new StringBuilder();
    for (int i = 0; i < keys.size(); i++) {
      shown.append(keys.hi(i)).append(' ').append(keys.lo(i)).append(' ').append(keys.type(i));
      shown.append('\n');
    }
    return shown.toString();
  }

  @Test
  void keysComeBackInTheirOrder() {
    for (int count : new int[] {0, 1, 32, 33, 1000}) {
      RestartKeys keys = keys(count);
      RestartKeys again = RestartKeys.decode(keys.encode(NAMES), NAMES, 5000);
      assertThat(show(again)).isEqualTo(show(keys));
      assertThat(again.size()).isEqualTo(count);
    }
  }

  @Test
  void typesAreKnownByTheirNamesAndOthersLeftOut() {
    RestartKeys again = RestartKeys.decode(keys(6).encode(NAMES), List.of("new", "", "data"), 5000);
    assertThat(show(again)).isEqualTo("0 -1 2\n14 -3 1\n21 -4 2\n35 -6 1\n");
  }

  @Test
  void noMoreThanAskedForAreTaken() {
    RestartKeys again = RestartKeys.decode(keys(100).encode(NAMES), NAMES, 10);
    assertThat(show(again)).isEqualTo(show(keys(10)));
  }

  @Test
  void everyCutIsNoList() {
    byte[] bytes = keys(20).encode(NAMES);
    for (int length = 0; length < bytes.length; length++) {
      RestartKeys read = RestartKeys.decode(Arrays.copyOf(bytes, length), NAMES, 5000);
      assertThat(read.size()).as("length=%s", length).isZero();
    }
    assertThat(RestartKeys.decode(Arrays.copyOf(bytes, bytes.length + 1), NAMES, 5000).size())
        .isZero();
  }

  @Test
  void forgedListsNeitherThrowNorGrow() {
    Random random = new Random(4711);
    byte[] bytes = keys(20).encode(NAMES);
    for (int round = 0; round < 20_000; round++) {
      byte[] forged = bytes.clone();
      for (int i = random.nextInt(4); i >= 0; i--) {
        forged[random.nextInt(round % 2 == 0 ? forged.length : 40)] = (byte) random.nextInt();
      }
      RestartKeys read = RestartKeys.decode(forged, NAMES, 5000);
      assertThat(read.size()).isLessThanOrEqualTo(20);
      for (int i = 0; i < read.size(); i++) {
        assertThat(read.type(i)).isBetween(0, NAMES.size() - 1);
      }
    }
  }
}
