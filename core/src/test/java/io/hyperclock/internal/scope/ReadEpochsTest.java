/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.scope;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("scope")
final class ReadEpochsTest {
  private final ReadEpochs epochs = new ReadEpochs(2);

  @Test
  void advancesFreelyWithoutScopes() {
    for (int i = 0; i < 10; i++) {
      long epoch = epochs.epoch();
      assertThat(epochs.tryAdvance()).isTrue();
      assertThat(epochs.epoch()).isEqualTo(epoch + 1);
    }
    assertThat(epochs.isAnyOpen()).isFalse();
    assertThat(epochs.open()).isZero();
  }

  @Test
  void anOpenScopeAllowsOneStepOnly() {
    for (int start = 0; start < 6; start++) {
      long epoch = epochs.epoch();
      int cell = epochs.tryEnter(7);
      assertThat(epochs.isAnyOpen()).isTrue();
      assertThat(epochs.isBehind(cell)).isFalse();
      assertThat(epochs.tryAdvance()).isTrue();
      assertThat(epochs.isBehind(cell)).isTrue();
      assertThat(epochs.tryAdvance()).isFalse();
      assertThat(epochs.tryAdvance()).isFalse();
      assertThat(epochs.epoch()).isEqualTo(epoch + 1);
      epochs.exit(cell);
      assertThat(epochs.isAnyOpen()).isFalse();
      assertThat(epochs.tryAdvance()).isTrue();
    }
  }

  @Test
  void scopesOfTheNewEpochDoNotHoldTheOldOneBack() {
    int old = epochs.tryEnter(1);
    assertThat(epochs.tryAdvance()).isTrue();
    int young = epochs.tryEnter(1);
    assertThat(young).isNotEqualTo(old);
    assertThat(epochs.tryAdvance()).isFalse();
    epochs.exit(old);
    assertThat(epochs.tryAdvance()).isTrue();
    assertThat(epochs.tryAdvance()).isFalse();
    epochs.exit(young);
    assertThat(epochs.tryAdvance()).isTrue();
  }

  @Test
  void countsPerStripeForAnyThreadId() {
    List<Integer> cells = new ArrayList<>();
    for (long id = -100; id < 100; id++) {
      cells.add(epochs.tryEnter(id * 0x123456789L));
    }
    cells.add(epochs.tryEnter(Long.MAX_VALUE));
    cells.add(epochs.tryEnter(Long.MIN_VALUE));
    assertThat(epochs.open()).isEqualTo(202);
    assertThat(cells.stream().distinct().count()).isGreaterThan(1);
    for (int cell : cells) {
      assertThat(epochs.isAnyOpen()).isTrue();
      epochs.exit(cell);
    }
    assertThat(epochs.isAnyOpen()).isFalse();
    assertThat(epochs.open()).isZero();
  }
}
