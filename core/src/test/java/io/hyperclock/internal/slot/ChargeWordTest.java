/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.slot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

/** The word of type, class and charge, here and elsewhere. */
class ChargeWordTest {
  private static final int LAST_TYPE = ChargeWord.MAX_TYPES - 1;
  private static final long MAX_CHARGE = ChargeWord.MAX_CHARGE_BYTES;
  private static final int[] TYPES = {0, 1, 5, LAST_TYPE};
  private static final long[] CHARGES = {0, 1, 4096, MAX_CHARGE};

  @Test
  void keepsTypeAndChargeInBothClasses() {
    for (int type : TYPES) {
      for (long charge : CHARGES) {
        long word = ChargeWord.of(type, charge);
        long main = ChargeWord.asMain(word);
        assertThat(ChargeWord.typeId(word)).isEqualTo(type);
        assertThat(ChargeWord.chargeBytes(word)).isEqualTo(charge);
        assertThat(ChargeWord.isMain(word)).isFalse();
        assertThat(ChargeWord.typeId(main)).isEqualTo(type);
        assertThat(ChargeWord.chargeBytes(main)).isEqualTo(charge);
        assertThat(ChargeWord.isMain(main)).isTrue();
        assertThat(ChargeWord.asMain(main)).isEqualTo(main);
      }
    }
  }

  @Test
  void aChargeOfItsOwnIsNotElsewhere() {
    for (int type : TYPES) {
      for (long charge : CHARGES) {
        long word = ChargeWord.of(type, charge);
        assertThat(ChargeWord.isElsewhere(word)).isFalse();
        assertThat(ChargeWord.isForwarded(word)).isFalse();
        assertThat(ChargeWord.isUnsettled(word)).isFalse();
      }
    }
    assertThat(ChargeWord.isMain(ChargeWord.GONE)).isTrue();
    assertThat(ChargeWord.isElsewhere(ChargeWord.GONE)).isFalse();
  }

  @Test
  void aForwardedWordNamesTheSlotAndKeepsTheTypeButNoCharge() {
    for (int type : TYPES) {
      for (int slot : new int[] {0, 1, 4095, Integer.MAX_VALUE - 1}) {
        long word = ChargeWord.forwarded(ChargeWord.of(type, MAX_CHARGE), slot);
        assertThat(ChargeWord.isElsewhere(word)).isTrue();
        assertThat(ChargeWord.isForwarded(word)).isTrue();
        assertThat(ChargeWord.isUnsettled(word)).isFalse();
        assertThat(ChargeWord.slot(word)).isEqualTo(slot);
        assertThat(ChargeWord.typeId(word)).isEqualTo(type);
        assertThat(ChargeWord.chargeBytes(word)).isEqualTo(0);
        assertThat(ChargeWord.isMain(word)).as("nobody promotes it").isTrue();
      }
    }
  }

  @Test
  void anUnsettledWordKeepsTheTypeAndWaitsForTheCharge() {
    for (int type : TYPES) {
      long word = ChargeWord.unsettled(ChargeWord.of(type, MAX_CHARGE));
      assertThat(ChargeWord.isElsewhere(word)).isTrue();
      assertThat(ChargeWord.isUnsettled(word)).isTrue();
      assertThat(ChargeWord.isForwarded(word)).isFalse();
      assertThat(ChargeWord.typeId(word)).isEqualTo(type);
      assertThat(ChargeWord.chargeBytes(word)).isEqualTo(0);
      assertThat(ChargeWord.isMain(word)).as("nobody promotes it").isTrue();
    }
  }

  @Test
  void theKindIsTypeAndChargeInAnyClass() {
    long word = ChargeWord.of(5, 4096);
    assertThat(ChargeWord.isSameKind(word, word)).isTrue();
    assertThat(ChargeWord.isSameKind(word, ChargeWord.asMain(word))).isTrue();
    assertThat(ChargeWord.isSameKind(ChargeWord.asMain(word), word)).isTrue();
    assertThat(ChargeWord.isSameKind(word, ChargeWord.of(5, 4097))).isFalse();
    assertThat(ChargeWord.isSameKind(word, ChargeWord.of(6, 4096))).isFalse();
    assertThat(ChargeWord.isSameKind(word, ChargeWord.unsettled(word))).isFalse();
  }

  @Test
  void aChangedChargeLeavesTypeAndClass() {
    for (int type : TYPES) {
      long main = ChargeWord.asMain(ChargeWord.of(type, MAX_CHARGE));
      assertThat(ChargeWord.withCharge(main, 7))
          .isEqualTo(ChargeWord.asMain(ChargeWord.of(type, 7)));
      long word = ChargeWord.of(type, 7);
      assertThat(ChargeWord.withCharge(word, MAX_CHARGE))
          .isEqualTo(ChargeWord.of(type, MAX_CHARGE));
    }
  }

  @Test
  void refusesChargesThatDoNotFit() {
    ChargeWord.requireCharge(0);
    ChargeWord.requireCharge(MAX_CHARGE);
    assertThatIllegalArgumentException().isThrownBy(() -> ChargeWord.requireCharge(-1));
    assertThatIllegalArgumentException().isThrownBy(() -> ChargeWord.requireCharge(MAX_CHARGE + 1));
    assertThatIllegalArgumentException().isThrownBy(() -> ChargeWord.requireCharge(Long.MIN_VALUE));
  }
}
