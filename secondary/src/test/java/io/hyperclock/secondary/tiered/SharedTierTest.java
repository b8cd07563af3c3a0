/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.tiered;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.secondary.TierOutcome;
import io.hyperclock.secondary.TierResult;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A fill erases below what others may have put there since the miss, and only then. */
class SharedTierTest {
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void fillErasesWhereOthersMayHavePutSomething(boolean shared) {
    ScriptedTier tier = new ScriptedTier();
    AtomicInteger erased = new AtomicInteger();
    tier.shared = shared;
    tier.onErase = erased::incrementAndGet;
    tier.onLookup = () -> CompletableFuture.completedFuture(TierResult.miss(TierOutcome.ABSENT));
    try (TieredRig rig = new TieredRig(tier)) {
      assertThat(rig.version(1)).isEqualTo(-1);
      rig.insert(1);
      assertThat(erased).hasValue(shared ? 1 : 0);
      rig.put(1, 1);
      assertThat(erased).hasValue(shared ? 2 : 1);
    }
  }
}
