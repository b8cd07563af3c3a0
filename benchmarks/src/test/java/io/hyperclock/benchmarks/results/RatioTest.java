/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

final class RatioTest {
  @Test
  void medianIsTheMiddle() {
    assertThat(Ratio.median(List.of(9.0, 1.0, 2.0))).isEqualTo(2.0);
    assertThat(Ratio.median(List.of(4.0, 1.0, 2.0, 100.0))).isEqualTo(3.0);
    assertThatThrownBy(() -> Ratio.median(List.of()))
        .hasMessage("scores must not be empty: scores=[]");
  }

  @Test
  void comparesForksOfOneRound() {
    Ratio ratio = Ratio.of(List.of(10.0, 30.0, 20.0), List.of(10.0, 10.0, 5.0));
    assertThat(ratio).isEqualTo(new Ratio(3.0, 1.0, 4.0));
  }

  @Test
  void comparesExtremesWhereRoundsDiffer() {
    Ratio ratio = Ratio.of(List.of(10.0, 30.0, 20.0), List.of(5.0, 10.0));
    assertThat(ratio).isEqualTo(new Ratio(20 / 7.5, 1.0, 6.0));
  }
}
