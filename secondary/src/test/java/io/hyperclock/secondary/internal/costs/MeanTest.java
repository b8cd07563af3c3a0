/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.internal.costs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.hyperclock.entry.EntryType;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Figures of several types in one: of each as much as values of it leave. */
class MeanTest {
  private static final int TIERS = 2;
  private static final int TIER = 1;

  private final Costs costs = new Costs(TIERS, true, () -> 0, new SplittableRandom(1));

  /** A load takes so long, a hit a tenth of that and an encoding a hundredth. */
  private TypeCosts type(long load, int evictions, int returns) {
    EntryType<Object> type = EntryType.of("block");
    TypeCosts of = costs.of(type);
    of.load.add(load);
    of.hit[TIER].add(load / 10);
    of.encode[TIER].add(load / 100);
    for (int i = 0; i < evictions; i++) {
      costs.evicted(type);
    }
    for (int i = 0; i < returns; i++) {
      costs.returned(type, 0);
    }
    return of;
  }

  @Test
  void typesCountByHowManyOfThemLeave() {
    type(1_000, 100, 50);
    type(4_000, 300, 75);
    type(1_000_000, TypeCosts.LEARNT_AFTER - 1, 0);
    Mean mean = costs.mean(TIER);
    assertThat(mean.isKnown()).isTrue();
    assertThat(mean.loadNanos()).isEqualTo((100 * 1_000 + 300 * 4_000) / 400.0);
    assertThat(mean.hitNanos()).isEqualTo((100 * 100 + 300 * 400) / 400.0);
    assertThat(mean.encodeNanos()).isEqualTo((100 * 10 + 300 * 40) / 400.0);
    assertThat(mean.chanceOfReturn()).isCloseTo((50 + 75) / 400.0, within(1e-9));
    assertThat(costs.mean(0).hitNanos()).as("of another tier").isZero();
  }

  @Test
  void whatIsLeftOfAByteIsToldByTypesThatWereCompressed() {
    TypeCosts half = type(1_000, 100, 0);
    half.before.add(1_000);
    half.after.add(500);
    TypeCosts tenth = type(1_000, 300, 0);
    tenth.before.add(1_000);
    tenth.after.add(100);
    type(1_000, 1_000, 0);
    double expected = (100 * 0.5 + 300 * 0.1) / 400;
    assertThat(costs.mean(TIER).shrinking(1)).isCloseTo(expected, within(1e-9));
  }

  @Test
  void nothingIsKnownOfNothing() {
    Mean mean = costs.mean(TIER);
    assertThat(mean.isKnown()).isFalse();
    assertThat(mean.loadNanos()).isZero();
    assertThat(mean.chanceOfReturn()).isZero();
    assertThat(mean.shrinking(0.7)).isEqualTo(0.7);
  }
}
