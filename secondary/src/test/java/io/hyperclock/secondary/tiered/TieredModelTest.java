/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.tiered;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.CapacityMode;
import io.hyperclock.secondary.AdmissionPolicy;
import io.hyperclock.secondary.SecondaryCache;
import io.hyperclock.secondary.testing.Faults;
import io.hyperclock.secondary.testing.FaultySecondaryCache;
import io.hyperclock.secondary.testing.MapSecondaryCache;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Random operations of one thread, with tiers, stalls and hand-off stopped and let go at will. */
class TieredModelTest {
  private static final int KEYS = 200;
  private static final int STEPS = 10_000;

  @ParameterizedTest
  @EnumSource(AdmissionPolicy.class)
  void neverGivesAnOlderValue(AdmissionPolicy policy) {
    for (CapacityMode mode : CapacityMode.values()) {
      long seed = System.nanoTime();
      System.out.println("TieredModelTest: policy=" + policy + ", mode=" + mode + ", seed=" + seed);
      run(policy, mode, seed);
    }
  }

  private static void run(AdmissionPolicy policy, CapacityMode mode, long seed) {
    List<FaultySecondaryCache> faulty = new ArrayList<>();
    faulty.add(new FaultySecondaryCache(new MapSecondaryCache(50 * Blocks.CHARGE), seed));
    SecondaryCache middle = new SpillingTier(30 * Blocks.CHARGE);
    faulty.add(new FaultySecondaryCache(new KeepingTier(80 * Blocks.CHARGE), seed + 1));
    TieredHistory history = new TieredHistory(KEYS);
    try (TieredRig rig =
        new TieredRig(
            mode,
            builder -> builder.admission(policy).handOffEntries(16),
            faulty.get(0),
            middle,
            faulty.get(1))) {
      Faults[] faults = {Faults.NONE};
      Runnable letGo = () -> letGo(faulty, faults[0].withStall(0));
      Traffic traffic =
          new Traffic(rig, history, KEYS, 1, 0, seed)
              .patience(Duration.ZERO)
              .before(letGo, () -> faulty.forEach(tier -> tier.setFaults(faults[0])));
      for (int step = 0; step < STEPS; step++) {
        switch (traffic.below(200)) {
          case 0 -> rig.tasks.hold();
          case 1, 2 -> rig.tasks.release();
          case 3, 4 -> faults[0] = Faults.all(0.1, null).withStall(0.5);
          case 5 -> faults[0] = Faults.NONE;
          case 6 -> rig.evictAll();
          default -> traffic.step();
        }
      }
      rig.tasks.release();
      letGo.run();
      traffic.end();
      assertThat(history.wrong()).as("seed=" + seed).isEmpty();
      assertThat(history.found()).as("seed=" + seed).isPositive();
    }
  }

  /** A stalled read would make the one thread wait for itself. */
  private static void letGo(List<FaultySecondaryCache> faulty, Faults unstalled) {
    faulty.forEach(tier -> tier.setFaults(unstalled));
    while (faulty.stream().mapToInt(FaultySecondaryCache::releaseStalled).sum() > 0) {
      Thread.onSpinWait();
    }
  }
}
