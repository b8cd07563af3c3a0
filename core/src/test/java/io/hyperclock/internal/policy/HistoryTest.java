/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.internal.slot.Meta;
import org.junit.jupiter.api.Test;

class HistoryTest {
  private static final int EPOCHS = 8;

  @Test
  void partsAreDisjointAndFitIntoASlot() {
    for (int frequency = 0; frequency <= History.MAX_FREQUENCY; frequency++) {
      for (int epoch = 0; epoch < EPOCHS; epoch++) {
        int plain = History.of(frequency, epoch);
        int all = History.withSeen(History.withDuel(plain));
        assertThat(all).isBetween(0, (1 << Meta.POLICY_BITS) - 1);
        assertThat(History.frequency(all, epoch)).isEqualTo(frequency);
        assertThat(History.isDuelling(all) && History.wasSeen(all)).isTrue();
        assertThat(History.isDuelling(plain) || History.wasSeen(plain)).isFalse();
        assertThat(History.withoutDuel(all)).isEqualTo(History.withSeen(plain));
      }
    }
  }

  /** Every state has a word of its own and together they use all bits. */
  @Test
  void partsAreComplete() {
    int all = History.withSeen(History.withDuel(History.of(History.MAX_FREQUENCY, EPOCHS - 1)));
    assertThat(all).isEqualTo((1 << Meta.POLICY_BITS) - 1);
  }

  @Test
  void survivesTheMetaWord() {
    int history = History.withDuel(History.of(11, 6));
    for (boolean pinned : new boolean[] {false, true}) {
      long meta = Meta.visible(2, pinned, true, history);
      assertThat(Meta.policy(meta)).isEqualTo(history);
      assertThat(Meta.refcount(meta)).isEqualTo(pinned ? 1 : 0);
    }
  }

  @Test
  void halvesWithEachEpoch() {
    int history = History.of(13, 5);
    int[] expected = {13, 6, 3, 1, 0, 0};
    for (int later = 0; later < expected.length; later++) {
      assertThat(History.frequency(history, 5 + later)).isEqualTo(expected[later]);
    }
  }

  @Test
  void epochWrapsAround() {
    for (long epoch = 0; epoch < 3 * EPOCHS; epoch++) {
      assertThat(History.frequency(History.of(8, epoch), epoch)).isEqualTo(8);
      assertThat(History.frequency(History.of(8, epoch), epoch + 1)).isEqualTo(4);
    }
  }

  @Test
  void useCountsFromWhatIsLeftAndStopsAtTheHighest() {
    assertThat(History.used(History.of(9, 2), 3)).isEqualTo(History.of(5, 3));
    int highest = History.of(History.MAX_FREQUENCY, 1);
    assertThat(History.used(highest, 1)).isEqualTo(highest);
    assertThat(History.of(99, 1)).isEqualTo(highest);
  }

  @Test
  void useKeepsTheDuelAndForgetsTheMeeting() {
    int used = History.used(History.withSeen(History.withDuel(History.of(1, 0))), 0);
    assertThat(used).isEqualTo(History.withDuel(History.of(2, 0)));
  }
}
