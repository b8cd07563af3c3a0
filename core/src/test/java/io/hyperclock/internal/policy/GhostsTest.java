/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class GhostsTest {
  /** Keys of one word whose fingerprints differ. */
  private static long key(int i) {
    return (long) i << 24;
  }

  @Test
  void tellsOnceWhatItRemembers() {
    Ghosts ghosts = new Ghosts(16);
    ghosts.put(key(3), 7, 0);
    assertThat(ghosts.take(key(4), 0)).isEqualTo(Ghosts.NOBODY);
    assertThat(ghosts.take(key(3), 0)).isEqualTo(7);
    assertThat(ghosts.take(key(3), 0)).isEqualTo(Ghosts.NOBODY);
  }

  @Test
  void rememberedFrequencyZeroIsNotNobody() {
    Ghosts ghosts = new Ghosts(1);
    ghosts.put(key(0), 0, 0);
    assertThat(ghosts.take(key(0), 0)).isZero();
  }

  @Test
  void frequencyHalvesWithEachEpoch() {
    int[] expected = {15, 7, 3, 1};
    for (int later = 0; later < expected.length; later++) {
      for (long epoch = 0; epoch < 9; epoch++) {
        Ghosts ghosts = new Ghosts(1);
        ghosts.put(key(1), 15, epoch);
        assertThat(ghosts.take(key(1), epoch + later)).isEqualTo(expected[later]);
      }
    }
  }

  @Test
  void fourFitIntoAWordInAnyOrder() {
    Ghosts ghosts = new Ghosts(1);
    for (int i = 1; i <= 4; i++) {
      ghosts.put(key(i), i, 0);
    }
    for (int i : new int[] {2, 4, 1, 3}) {
      assertThat(ghosts.take(key(i), 0)).isEqualTo(i);
    }
  }

  @Test
  void lessFrequentOfTheTwoOldestLeaves() {
    Ghosts oldestLeaves = new Ghosts(1);
    int[] rising = {0, 3, 5, 1, 1, 1};
    for (int i = 1; i <= 5; i++) {
      oldestLeaves.put(key(i), rising[i], 0);
    }
    assertThat(oldestLeaves.take(key(1), 0)).isEqualTo(Ghosts.NOBODY);
    assertThat(oldestLeaves.take(key(2), 0)).isEqualTo(5);

    Ghosts nextLeaves = new Ghosts(1);
    int[] falling = {0, 5, 3, 1, 1, 1};
    for (int i = 1; i <= 5; i++) {
      nextLeaves.put(key(i), falling[i], 0);
    }
    assertThat(nextLeaves.take(key(2), 0)).isEqualTo(Ghosts.NOBODY);
    assertThat(nextLeaves.take(key(1), 0)).isEqualTo(5);
    assertThat(nextLeaves.take(key(5), 0)).isEqualTo(1);
  }

  @Test
  void frequenciesAreComparedAsOfNow() {
    Ghosts ghosts = new Ghosts(1);
    ghosts.put(key(1), 12, 0);
    ghosts.put(key(2), 6, 2);
    ghosts.put(key(3), 1, 2);
    ghosts.put(key(4), 1, 2);
    ghosts.put(key(5), 1, 2);
    assertThat(ghosts.take(key(1), 2)).isEqualTo(Ghosts.NOBODY);
    assertThat(ghosts.take(key(2), 2)).isEqualTo(6);
  }

  /** Of the keys that left last nearly all are known, of others nearly none. */
  @Test
  void remembersAboutFourTimesItsWords() {
    SplittableRandom random = new SplittableRandom(1);
    int words = 4096;
    Ghosts ghosts = new Ghosts(words);
    long[] keys = random.longs(2 * words).toArray();
    for (long key : keys) {
      ghosts.put(key, 1, 0);
    }
    int strangers = 0;
    for (int i = 0; i < keys.length; i++) {
      strangers += ghosts.take(random.nextLong(), 0) == Ghosts.NOBODY ? 0 : 1;
    }
    assertThat(strangers).isLessThan(keys.length / 100);
    int known = 0;
    for (long key : keys) {
      known += ghosts.take(key, 0) == Ghosts.NOBODY ? 0 : 1;
    }
    assertThat(known).isGreaterThan(keys.length * 85 / 100);
  }
}
