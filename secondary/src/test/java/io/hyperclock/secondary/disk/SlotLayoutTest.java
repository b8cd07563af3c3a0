/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Random;
import org.junit.jupiter.api.Test;

class SlotLayoutTest {
  @Test
  void sizeClassesRoundUpByAnEighthAtMost() {
    for (int units = 1; units <= SlotLayout.MAX_UNITS; units += 1 + units / 1000) {
      int sizeClass = SlotLayout.sizeClass(units);
      assertThat(sizeClass).isBetween(1, 127);
      int room = SlotLayout.units(sizeClass);
      assertThat(room).isGreaterThanOrEqualTo(units);
      assertThat(8L * (room - units)).isLessThanOrEqualTo(units);
    }
    assertThat(SlotLayout.sizeClass(SlotLayout.MAX_UNITS)).isEqualTo(127);
  }

  @Test
  void partsComeBackForAllSizesOfRegions() {
    Random random = new Random(3);
    for (int regionBytes : new int[] {4 << 10, 5 << 10, 64 << 10, 16 << 20, 64 << 20}) {
      SlotLayout layout = new SlotLayout(regionBytes);
      for (int i = 0; i < 1_000; i++) {
        int region = random.nextInt(SlotLayout.MAX_REGIONS);
        int offset = random.nextInt(regionBytes / SlotLayout.UNIT) * SlotLayout.UNIT;
        int most = Math.min(regionBytes - offset, SlotLayout.MAX_UNITS * SlotLayout.UNIT);
        int bytes = (1 + random.nextInt(most / SlotLayout.UNIT)) * SlotLayout.UNIT;
        long hash = random.nextLong();
        long slot = layout.slot(hash, region, offset, bytes);
        assertThat(layout.region(slot)).isEqualTo(region);
        assertThat(layout.offset(slot)).isEqualTo(offset);
        assertThat(layout.bytes(slot)).isBetween(bytes, bytes + bytes / 8);
        int least = layout.leastBytes(slot);
        assertThat(least).isBetween(1, bytes);
        assertThat(layout.bytes(layout.slot(hash, region, offset, least)))
            .as("least of its class")
            .isEqualTo(layout.bytes(slot));
        if (least > SlotLayout.UNIT) {
          assertThat(layout.bytes(layout.slot(hash, region, offset, least - SlotLayout.UNIT)))
              .isLessThan(layout.bytes(slot));
        }
        assertThat(layout.hasPrint(slot, hash)).isTrue();
        assertThat(layout.hasPrint(slot, hash ^ 1)).isFalse();
        assertThat(SlotLayout.isHit(slot)).isFalse();
        long hit = SlotLayout.withHit(slot);
        assertThat(SlotLayout.isHit(hit)).isTrue();
        assertThat(SlotLayout.same(hit, slot)).isTrue();
        assertThat(layout.region(hit)).isEqualTo(region);
        assertThat(layout.hasPrint(hit, hash)).isTrue();
      }
    }
  }

  @Test
  void regionsAreAtLeastTwoAndAsManyAsCanBeNumbered() {
    int region = 5 << 10;
    long most = (long) SlotLayout.MAX_REGIONS * region;
    for (long taken : new long[] {0, 2 * region, most}) {
      assertThatCode(() -> SlotLayout.requireRegions(taken, region)).doesNotThrowAnyException();
    }
    for (long refused : new long[] {1, 2 * region - 1, most + 1}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> SlotLayout.requireRegions(refused, region))
          .withMessageContaining("capacityBytes=" + refused);
    }
  }

  @Test
  void emptySlotIsNobodys() {
    assertThat(new SlotLayout(4 << 10).hasPrint(0, 0)).isFalse();
  }
}
