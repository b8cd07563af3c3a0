/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.slot;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class TagsTest {
  private final SplittableRandom random = new SplittableRandom(3);

  private static long with(long word, int slot, int tag) {
    return word & ~(0xFFL << 8 * slot) | (long) tag << 8 * slot;
  }

  /** Everything that {@link Tags} answers, the long way. */
  @Test
  void tellsWhichSlotsHaveATag() {
    for (int run = 0; run < 200_000; run++) {
      long word = 0;
      for (int slot = 0; slot < Tags.SLOTS; slot++) {
        int tag = random.nextInt(3) == 0 ? 0 : 0x80 | random.nextInt(random.nextInt(128) + 1);
        word = with(word, slot, tag);
      }
      long hash = random.nextLong();
      int matching = Tags.matching(word, Tags.pattern(hash));
      int absent = Tags.absent(word);
      for (int slot = 0; slot < Tags.SLOTS; slot++) {
        int tag = Tags.of(word, slot);
        boolean same = tag == (0x80 | (int) hash & 0x7f);
        assertThat(Tags.isOf(tag, hash)).isEqualTo(same);
        assertThat((absent >> slot & 1) == 1).isEqualTo(tag == 0);
        boolean matches = (matching >> slot & 1) == 1;
        if (same) {
          assertThat(matches).isTrue();
        } else if (matches) {
          assertThat(tag ^ 1).as("taken for one").isEqualTo(0x80 | (int) hash & 0x7f);
        }
      }
      assertThat(matching >>> Tags.SLOTS).isZero();
      assertThat(Long.bitCount(Tags.matches(word, Tags.pattern(hash))))
          .isEqualTo(Integer.bitCount(matching));
    }
  }

  @Test
  void aTagIsSetAndClearedByAnAddition() {
    long word = 0;
    for (int slot = 0; slot < Tags.SLOTS; slot++) {
      word += Tags.at(slot, 0x7F - slot);
    }
    for (int slot = 0; slot < Tags.SLOTS; slot++) {
      assertThat(Tags.of(word, slot)).isEqualTo(0xFF - slot);
      long cleared = word - Tags.at(slot + 8, 0x7F - slot);
      assertThat(cleared).isEqualTo(with(word, slot, 0));
    }
  }

  @Test
  void matchesNameTheirSlots() {
    long word = Tags.at(2, 5) + Tags.at(7, 5) + Tags.at(0, 9);
    long matches = Tags.matches(word, Tags.pattern(5));
    assertThat(Tags.slot(3, matches)).isEqualTo(26);
    assertThat(Tags.slot(3, matches & matches - 1)).isEqualTo(31);
  }
}
