/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.tiered;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.LogLines;
import io.hyperclock.secondary.TierOutcome;
import io.hyperclock.secondary.TierResult;
import io.hyperclock.secondary.TierState;
import io.hyperclock.secondary.TieredBlockCache;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What an operator reads of a tier that fails or goes away, and why. */
class TierLogTest {
  private final LogLines lines = new LogLines(TieredBlockCache.class.getName());
  private final ScriptedTier tier = new ScriptedTier();

  @AfterEach
  void leave() {
    lines.close();
  }

  @Test
  void aTierThatCannotEraseIsGoneAndSaysWhy() {
    try (TieredRig rig = new TieredRig(tier)) {
      assertThat(rig.cache.states()).containsExactly(TierState.OPEN);
      tier.onErase =
          () -> {
            throw new IllegalStateException("read-only file system");
          };
      for (int i = 0; i < 5; i++) {
        rig.erase(i);
      }
      assertThat(lines.with("not used any more"))
          .containsExactly(
              "WARNING a tier is not used any more, because an erase has failed and it may hold"
                  + " outdated values: tier=scripted");
      assertThat(lines.with("call=erase"))
          .containsExactly(
              "WARNING a tier failed: tier=scripted: call=erase, count=1",
              "WARNING a tier failed: tier=scripted: call=erase, count=2",
              "WARNING a tier failed: tier=scripted: call=erase, count=4");
      assertThat(lines.causesWith("call=erase"))
          .allSatisfy(cause -> assertThat(cause).hasMessage("read-only file system"));
      TierState state = rig.cache.states().get(0);
      assertThat(state.mode()).isEqualTo(TierState.Mode.CLOSED);
      assertThat(state.reason()).contains("not used any more, because an erase has failed");
      assertThat(state.cause())
          .isEqualTo(
              new TierState.Cause(
                  "ERASE_FAILED", "java.lang.IllegalStateException: read-only file system"));
      assertThat(rig.cache.stats().tiers().get(0).state()).isEqualTo(state);
    }
  }

  @Test
  void failuresOfATierAreLoggedEverMoreRarely() {
    try (TieredRig rig = new TieredRig(tier)) {
      tier.onLookup =
          () -> {
            throw new IllegalStateException("x");
          };
      for (int i = 0; i < 100; i++) {
        assertThat(rig.version(i)).isEqualTo(-1);
      }
      assertThat(rig.cache.stats().tiers().get(0).failures()).isEqualTo(100);
      assertThat(lines.with("")).hasSize(7).last().asString().endsWith("call=lookup, count=64");
      assertThat(lines.causesWith("")).doesNotContainNull();
    }
  }

  @Test
  void anAnswerAgainstTheContractIsLogged() {
    try (TieredRig rig = new TieredRig(tier)) {
      tier.onLookup = () -> null;
      assertThat(rig.version(1)).isEqualTo(-1);
      assertThat(lines.with(""))
          .containsExactly(
              "WARNING a tier failed: tier=scripted: an answer against the contract, count=1");
    }
  }

  @Test
  void nothingIsLoggedOfATierThatWorks() {
    tier.onLookup =
        () -> CompletableFuture.completedFuture(TierResult.miss(TierOutcome.UNAVAILABLE));
    try (TieredRig rig = new TieredRig(tier)) {
      rig.insert(1);
      rig.evictAll();
      assertThat(rig.version(1)).isEqualTo(-1);
      rig.erase(1);
    }
    assertThat(lines.with("")).isEmpty();
  }
}
