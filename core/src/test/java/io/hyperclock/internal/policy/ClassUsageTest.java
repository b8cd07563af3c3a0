/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.internal.slot.Cold;
import org.junit.jupiter.api.Test;

class ClassUsageTest {
  private final ClassUsage usage = new ClassUsage();

  private void assertWeights(long probation, long main) {
    assertThat(usage.probation()).isEqualTo(probation);
    assertThat(usage.main()).isEqualTo(main);
  }

  @Test
  void followsAnEntryThroughItsLife() {
    long young = Cold.of(3, 100);
    usage.add(young);
    assertWeights(100, 0);
    long smaller = Cold.withCharge(young, 40);
    usage.recharge(young, smaller);
    assertWeights(40, 0);
    usage.promote(smaller);
    assertWeights(0, 40);
    long main = Cold.asMain(smaller);
    long larger = Cold.withCharge(main, 70);
    usage.recharge(main, larger);
    assertWeights(0, 70);
    usage.remove(larger);
    assertWeights(0, 0);
  }

  @Test
  void entriesWithoutChargeCountToo() {
    assertThat(ClassUsage.weight(0)).isEqualTo(1);
    long free = Cold.of(0, 0);
    usage.add(free);
    assertWeights(1, 0);
    usage.recharge(free, Cold.of(0, 1));
    assertWeights(1, 0);
    usage.recharge(Cold.of(0, 1), free);
    usage.promote(free);
    assertWeights(0, 1);
    usage.remove(Cold.asMain(free));
    assertWeights(0, 0);
  }

  @Test
  void orderOfTheNewsDoesNotMatter() {
    long main = Cold.asMain(Cold.of(1, 9));
    usage.remove(main);
    usage.promote(Cold.of(1, 9));
    usage.add(Cold.of(1, 9));
    assertWeights(0, 0);
  }
}
