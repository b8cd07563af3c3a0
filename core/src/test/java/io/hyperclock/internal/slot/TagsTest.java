/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.slot;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class TagsTest {
  private final SplittableRandom random = new SplittableRandom(3);

  private static long with(long word, int slot, int tag) {
    return word & ~(0xFFL << 8 * slot) | (long) tag << 8 * slot;
  }

  private long word() {
    long word = 0;
    for (int slot = 0; slot < Tags.SLOTS; slot++) {
      int tag = random.nextInt(3) == 0 ? 0 : 1 + random.nextInt(random.nextInt(255) + 1);
      word = with(word, slot, tag);
    }
    return word;
  }

  private static BitSet slots(long mask) {
    BitSet slots = new BitSet();
    for (long left = mask; left != 0; left &= left - 1) {
      int slot = Tags.slot(5, 2, left);
      assertThat(slots.get(slot)).isFalse();
      slots.set(slot);
    }
    return slots;
  }

  /** Everything that {@link Tags} answers, the long way. */
  @Test
  void tellsWhichSlotsHaveATag() {
    for (int run = 0; run < 100_000; run++) {
      long[] words = {word(), word()};
      long hash = random.nextLong();
      BitSet matching = slots(Tags.matching(words[0], words[1], Tags.pattern(hash)));
      BitSet absent = slots(Tags.absent(words[0], words[1]));
      for (int place = 0; place < 2 * Tags.SLOTS; place++) {
        int slot = place < Tags.SLOTS ? 5 * Tags.SLOTS + place : Tags.SLOTS + place;
        int tag = SlotWords.tag(words[place / Tags.SLOTS], place);
        assertThat(absent.get(slot)).isEqualTo(tag == 0);
        int wanted = ((int) hash & 0xff) == 0 ? 1 : (int) hash & 0xff;
        boolean same = tag == wanted;
        assertThat(SlotWords.isTagOf(tag, hash)).isEqualTo(same);
        if (same) {
          assertThat(matching.get(slot)).isTrue();
        } else if (matching.get(slot)) {
          assertThat(tag ^ 1).as("taken for one").isEqualTo(wanted);
        }
      }
      assertThat(matching.cardinality() + absent.cardinality()).isLessThanOrEqualTo(16);
    }
  }

  @Test
  void aTagIsSetAndClearedByAnAddition() {
    long word = 0;
    for (int slot = 0; slot < Tags.SLOTS; slot++) {
      word += Tags.at(slot, 0xFF - slot);
    }
    for (int slot = 0; slot < Tags.SLOTS; slot++) {
      assertThat(SlotWords.tag(word, slot)).isEqualTo(0xFF - slot);
      long cleared = word - Tags.at(slot + 8, 0xFF - slot);
      assertThat(cleared).isEqualTo(with(word, slot, 0));
    }
  }
}
