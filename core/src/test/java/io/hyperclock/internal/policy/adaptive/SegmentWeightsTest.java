/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.policy.adaptive;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.internal.slot.ChargeWord;
import org.junit.jupiter.api.Test;

class SegmentWeightsTest {
  private final SegmentWeights usage = new SegmentWeights();

  private void assertWeights(long probation, long main) {
    assertThat(usage.probation()).isEqualTo(probation);
    assertThat(usage.main()).isEqualTo(main);
  }

  @Test
  void followsAnEntryThroughItsLife() {
    long young = ChargeWord.of(3, 100);
    usage.add(young);
    assertWeights(100, 0);
    long smaller = ChargeWord.withCharge(young, 40);
    usage.change(young, smaller);
    assertWeights(40, 0);
    usage.change(smaller, ChargeWord.asMain(smaller));
    assertWeights(0, 40);
    long main = ChargeWord.asMain(smaller);
    long larger = ChargeWord.withCharge(main, 70);
    usage.change(main, larger);
    assertWeights(0, 70);
    usage.remove(larger);
    assertWeights(0, 0);
  }

  @Test
  void entriesWithoutChargeCountToo() {
    assertThat(SegmentWeights.weight(0)).isEqualTo(1);
    long free = ChargeWord.of(0, 0);
    usage.add(free);
    assertWeights(1, 0);
    usage.change(free, ChargeWord.of(0, 1));
    assertWeights(1, 0);
    usage.change(ChargeWord.of(0, 1), free);
    usage.change(free, ChargeWord.asMain(free));
    assertWeights(0, 1);
    usage.remove(ChargeWord.asMain(free));
    assertWeights(0, 0);
  }

  @Test
  void orderOfTheNewsDoesNotMatter() {
    long main = ChargeWord.asMain(ChargeWord.of(1, 9));
    usage.remove(main);
    usage.change(ChargeWord.of(1, 9), ChargeWord.asMain(ChargeWord.of(1, 9)));
    usage.add(ChargeWord.of(1, 9));
    assertWeights(0, 0);
  }

  @Test
  void anEntryCountsForItsClass() {
    SegmentWeights weights = new SegmentWeights();
    weights.add(ChargeWord.of(0, 5));
    weights.add(ChargeWord.asMain(ChargeWord.of(0, 7)));
    assertThat(weights.probation()).isEqualTo(5);
    assertThat(weights.main()).isEqualTo(7);
  }
}
