/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.policy.adaptive;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import java.util.function.LongPredicate;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class GhostTableTest {
  /** Keys of one word whose fingerprints differ. */
  private static long key(int i) {
    return (long) i << 24;
  }

  @Test
  void tellsWhatItRemembersLast() {
    GhostTable ghosts = new GhostTable(16);
    ghosts.remember(key(3), 7, 0);
    assertThat(ghosts.frequency(key(4), 0)).isEqualTo(GhostTable.NOWHERE);
    assertThat(ghosts.frequency(key(3), 0)).isEqualTo(7);
    ghosts.remember(key(3), 8, 0);
    assertThat(ghosts.frequency(key(3), 0)).isEqualTo(8);
  }

  /** A key that is renewed takes one place of its word, and is the last to leave it. */
  @Test
  void renewedKeyIsTheNewestOfItsWord() {
    GhostTable ghosts = new GhostTable(1);
    for (int i = 1; i <= 4; i++) {
      ghosts.remember(key(i), 1, 0);
    }
    ghosts.remember(key(1), 2, 0);
    ghosts.remember(key(5), 1, 0);
    assertThat(ghosts.frequency(key(1), 0)).isEqualTo(2);
    assertThat(ghosts.frequency(key(2), 0)).isEqualTo(GhostTable.NOWHERE);
    assertThat(ghosts.frequency(key(3), 0)).isEqualTo(1);
  }

  @Test
  void rememberedFrequencyZeroIsNotNobody() {
    GhostTable ghosts = new GhostTable(1);
    ghosts.remember(key(0), 0, 0);
    assertThat(ghosts.frequency(key(0), 0)).isZero();
  }

  @Test
  void frequencyHalvesWithEachEpoch() {
    int[] expected = {15, 7, 3, 1};
    for (int later = 0; later < expected.length; later++) {
      for (long epoch = 0; epoch < 9; epoch++) {
        GhostTable ghosts = new GhostTable(1);
        ghosts.remember(key(1), 15, epoch);
        assertThat(ghosts.frequency(key(1), epoch + later)).isEqualTo(expected[later]);
      }
    }
  }

  @Test
  void fourFitIntoAWordInAnyOrder() {
    GhostTable ghosts = new GhostTable(1);
    for (int i = 1; i <= 4; i++) {
      ghosts.remember(key(i), i, 0);
    }
    for (int i : new int[] {2, 4, 1, 3}) {
      assertThat(ghosts.frequency(key(i), 0)).isEqualTo(i);
    }
  }

  @Test
  void lessFrequentOfTheTwoOldestLeaves() {
    GhostTable oldestLeaves = new GhostTable(1);
    int[] rising = {0, 3, 5, 1, 1, 1};
    for (int i = 1; i <= 5; i++) {
      oldestLeaves.remember(key(i), rising[i], 0);
    }
    assertThat(oldestLeaves.frequency(key(1), 0)).isEqualTo(GhostTable.NOWHERE);
    assertThat(oldestLeaves.frequency(key(2), 0)).isEqualTo(5);

    GhostTable nextLeaves = new GhostTable(1);
    int[] falling = {0, 5, 3, 1, 1, 1};
    for (int i = 1; i <= 5; i++) {
      nextLeaves.remember(key(i), falling[i], 0);
    }
    assertThat(nextLeaves.frequency(key(2), 0)).isEqualTo(GhostTable.NOWHERE);
    assertThat(nextLeaves.frequency(key(1), 0)).isEqualTo(5);
    assertThat(nextLeaves.frequency(key(5), 0)).isEqualTo(1);
  }

  @Test
  void frequenciesAreComparedAsOfNow() {
    GhostTable ghosts = new GhostTable(1);
    ghosts.remember(key(1), 12, 0);
    ghosts.remember(key(2), 6, 2);
    ghosts.remember(key(3), 1, 2);
    ghosts.remember(key(4), 1, 2);
    ghosts.remember(key(5), 1, 2);
    assertThat(ghosts.frequency(key(1), 2)).isEqualTo(GhostTable.NOWHERE);
    assertThat(ghosts.frequency(key(2), 2)).isEqualTo(6);
  }

  /** Of the keys that left last nearly all are known, of others nearly none. */
  @Test
  void remembersAboutFourTimesItsWords() {
    remembersMostOf(key -> true);
  }

  /** In a large table where keys do not return. */
  @Test
  void remembersAsManyOfTheSample() {
    AdmissionDuels duels = new PolicyTable(8, 8 * 1024).clock.duels;
    remembersMostOf(duels::takesPart);
  }

  private static void remembersMostOf(LongPredicate some) {
    SplittableRandom random = new SplittableRandom(1);
    int words = 4096;
    GhostTable ghosts = new GhostTable(words);
    long[] keys = random.longs().filter(some).limit(2 * words).toArray();
    for (long key : keys) {
      ghosts.remember(key, 1, 0);
    }
    long[] others = random.longs().filter(some).limit(keys.length).toArray();
    assertThat(known(ghosts, others)).isLessThan(keys.length / 100);
    assertThat(known(ghosts, keys)).isGreaterThan(keys.length * 85 / 100);
  }

  private static long known(GhostTable ghosts, long[] keys) {
    return LongStream.of(keys)
        .filter(key -> ghosts.frequency(key, 0) != GhostTable.NOWHERE)
        .count();
  }

  /** Wherever in the word it was. */
  @Test
  void renewedKeyPushesNoOtherOut() {
    for (int renewed = 1; renewed <= 4; renewed++) {
      GhostTable ghosts = new GhostTable(1);
      for (int i = 1; i <= 4; i++) {
        ghosts.remember(key(i), i, 0);
      }
      ghosts.remember(key(renewed), 9, 0);
      for (int i = 1; i <= 4; i++) {
        assertThat(ghosts.frequency(key(i), 0)).isEqualTo(i == renewed ? 9 : i);
      }
    }
  }
}
