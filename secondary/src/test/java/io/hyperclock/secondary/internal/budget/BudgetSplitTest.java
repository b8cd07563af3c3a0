/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.internal.budget;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.hyperclock.BlockCache;
import org.junit.jupiter.api.Test;

class BudgetSplitTest {
  private static final long MB = BudgetSplit.STEP_BYTES;
  private static final long MOST = BlockCache.MAX_CHARGE_BYTES;

  @Test
  void thePrimaryKeepsAByteWhateverIsAskedFor() {
    assertThat(BudgetSplit.of(1, 1.0, 0)).isEqualTo(new BudgetSplit(1, 1, 0, 0));
    assertThat(BudgetSplit.of(1, 0.5, MOST)).isEqualTo(new BudgetSplit(1, 1, 0, 0));
    assertThat(BudgetSplit.of(MOST, 1.0, 0)).isEqualTo(new BudgetSplit(MOST, 1, MOST - 1, 0));
    assertThat(BudgetSplit.of(MOST, 1.0, MOST)).isEqualTo(new BudgetSplit(MOST, 1, 0, MOST - 1));
    assertThat(BudgetSplit.of(3 * MB, 1.0, 2 * MB - 1))
        .isEqualTo(new BudgetSplit(3 * MB, 1, MB - 1, 2 * MB));
  }

  @Test
  void whatIsReservedCountsInWholeSteps() {
    assertThat(BudgetSplit.steps(0)).isZero();
    assertThat(BudgetSplit.steps(1)).isEqualTo(1);
    assertThat(BudgetSplit.steps(MB)).isEqualTo(1);
    assertThat(BudgetSplit.steps(MB + 1)).isEqualTo(2);
    assertThat(BudgetSplit.overdraftBytes(3 * MB + 1, 3 * MB)).isZero();
    assertThat(BudgetSplit.overdraftBytes(3 * MB, 2 * MB + 1)).isEqualTo(1);
  }

  @Test
  void theLimitsAreAllowed() {
    assertThat(BudgetSplit.requireTotal(1)).isEqualTo(1);
    assertThat(BudgetSplit.requireTotal(MOST)).isEqualTo(MOST);
    for (long wrong : new long[] {0, MOST + 1}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> BudgetSplit.requireTotal(wrong))
          .withMessage("totalBytes must be in [1, " + MOST + "]: totalBytes=" + wrong);
    }
    assertThat(BudgetSplit.requireRatio(0)).isZero();
    assertThat(BudgetSplit.requireRatio(1)).isEqualTo(1);
  }

  @Test
  void splitsThatDifferInAPartAreNotEqual() {
    BudgetSplit split = new BudgetSplit(10, 5, 3, 2);
    assertThat(split)
        .isEqualTo(new BudgetSplit(10, 5, 3, 2))
        .isNotEqualTo(new BudgetSplit(11, 5, 3, 2))
        .isNotEqualTo(new BudgetSplit(10, 6, 3, 2))
        .isNotEqualTo(new BudgetSplit(10, 5, 4, 2))
        .isNotEqualTo(new BudgetSplit(10, 5, 3, 1))
        .isNotEqualTo("another");
  }
}
