/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.policy.adaptive;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.internal.slot.MetaWord;
import org.junit.jupiter.api.Test;

class PolicyBitsTest {
  private static final int EPOCHS = 8;

  @Test
  void partsAreDisjointAndFitIntoASlot() {
    for (int frequency = 0; frequency <= PolicyBits.MAX_FREQUENCY; frequency++) {
      for (int epoch = 0; epoch < EPOCHS; epoch++) {
        int plain = PolicyBits.of(frequency, epoch);
        int all = PolicyBits.withSeen(PolicyBits.withDuel(plain));
        assertThat(all).isBetween(0, (1 << MetaWord.POLICY_BITS) - 1);
        assertThat(PolicyBits.frequency(all, epoch)).isEqualTo(frequency);
        assertThat(PolicyBits.isDuelling(all) && PolicyBits.wasSeen(all)).isTrue();
        assertThat(PolicyBits.isDuelling(plain) || PolicyBits.wasSeen(plain)).isFalse();
        assertThat(PolicyBits.withoutDuel(all)).isEqualTo(PolicyBits.withSeen(plain));
      }
    }
  }

  /** Every state has a word of its own and together they use all bits. */
  @Test
  void partsAreComplete() {
    int all =
        PolicyBits.withSeen(
            PolicyBits.withDuel(PolicyBits.of(PolicyBits.MAX_FREQUENCY, EPOCHS - 1)));
    assertThat(all).isEqualTo((1 << MetaWord.POLICY_BITS) - 1);
  }

  @Test
  void survivesTheMetaWord() {
    int history = PolicyBits.withDuel(PolicyBits.of(11, 6));
    for (boolean pinned : new boolean[] {false, true}) {
      long meta = MetaWord.visible(2, pinned, true, history);
      assertThat(MetaWord.policy(meta)).isEqualTo(history);
      assertThat(MetaWord.refcount(meta)).isEqualTo(pinned ? 1 : 0);
    }
  }

  @Test
  void halvesWithEachEpoch() {
    int history = PolicyBits.of(13, 5);
    int[] expected = {13, 6, 3, 1, 0, 0};
    for (int later = 0; later < expected.length; later++) {
      assertThat(PolicyBits.frequency(history, 5 + later)).isEqualTo(expected[later]);
    }
  }

  @Test
  void epochWrapsAround() {
    for (long epoch = 0; epoch < 3 * EPOCHS; epoch++) {
      assertThat(PolicyBits.frequency(PolicyBits.of(8, epoch), epoch)).isEqualTo(8);
      assertThat(PolicyBits.frequency(PolicyBits.of(8, epoch), epoch + 1)).isEqualTo(4);
    }
  }

  @Test
  void useCountsFromWhatIsLeftAndStopsAtTheHighest() {
    assertThat(PolicyBits.used(PolicyBits.of(9, 2), 3)).isEqualTo(PolicyBits.of(5, 3));
    int highest = PolicyBits.of(PolicyBits.MAX_FREQUENCY, 1);
    assertThat(PolicyBits.used(highest, 1)).isEqualTo(highest);
    assertThat(PolicyBits.of(99, 1)).isEqualTo(highest);
  }

  @Test
  void useKeepsTheDuelAndForgetsTheMeeting() {
    int used = PolicyBits.used(PolicyBits.withSeen(PolicyBits.withDuel(PolicyBits.of(1, 0))), 0);
    assertThat(used).isEqualTo(PolicyBits.withDuel(PolicyBits.of(2, 0)));
  }
}
