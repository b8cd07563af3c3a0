/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.scope;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

  @ParameterizedTest
  @CsvSource({"1, 4", "2, 4", "3, 8", "4, 8", "5, 16", "32, 64", "33, 64", "1000, 64"})
  void hasAPowerOfTwoOfStripes(int processors, int stripes) {
    ReadEpochs striped = new ReadEpochs(processors);
    Set<Integer> cells = new HashSet<>();
    for (long id = 0; id < 256; id++) {
      cells.add(striped.tryEnter(id));
    }
    assertThat(cells).hasSize(stripes);
  }

  @Test
  void aScopeIsSeenWhateverItsStripeAndEpoch() {
    for (int step = 0; step < 2; step++) {
      for (long id = 0; id < 4; id++) {
        int cell = epochs.tryEnter(id);
        assertThat(epochs.isAnyOpen()).as("stripe %d, epoch %d", id, epochs.epoch()).isTrue();
        assertThat(epochs.open()).isEqualTo(1);
        epochs.exit(cell);
        assertThat(epochs.isAnyOpen()).isFalse();
      }
      assertThat(epochs.tryAdvance()).isTrue();
    }
  }
}
