/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.drops;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.entry.FileKey;
import org.junit.jupiter.api.Test;

/** The first place of a table, and the last drops that are remembered. */
class DropLimitsTest {
  @Test
  void theFirstPlaceIsOneLikeTheOthers() {
    long word = 89; // which belongs there
    DropTable table = new DropTable(0);
    table.put(word, 1);
    table.put(word, 2);
    assertThat(table.words).isEqualTo(1);
    assertThat(table.holds(word)).isTrue();
    assertThat(table.without(1).holds(word)).isTrue();
    table.remove(word);
    assertThat(table.holds(word)).isFalse();
  }

  /** Without hands nothing else is forgotten. */
  @Test
  void oneDropMoreThanAreRememberedForgetsTheOlderHalfAndNoneBefore() {
    DroppedFiles files = new DroppedFiles();
    FileKey[] keys = new FileKey[DroppedFiles.MOST_DROPS + 1];
    for (int i = 0; i < keys.length; i++) {
      keys[i] = FileKey.of(1, i);
    }
    int last = keys.length - 1;
    for (int i = 0; i < last; i++) {
      files.drop(keys[i]);
    }
    assertThat(files.isDropped(keys[0].hi())).as("the oldest").isTrue();
    files.drop(keys[last]);
    int half = DroppedFiles.MOST_DROPS / 2;
    for (int i = 0; i <= last; i++) {
      if (files.isDropped(keys[i].hi()) != i >= half) {
        throw new AssertionError("drop " + i);
      }
    }
  }
}
