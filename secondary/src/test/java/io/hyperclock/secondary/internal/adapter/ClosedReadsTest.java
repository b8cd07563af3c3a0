/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.internal.adapter;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.entry.Key128;
import io.hyperclock.secondary.internal.tier.LookupDisposal;
import io.hyperclock.secondary.testing.TierTestLimits;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A lookup that missed in the primary before it was closed, and goes on after it was. */
class ClosedReadsTest {
  private static final Key128 KEY = new Key128(1, 2);

  private final Parts parts = new Parts();

  private boolean finds() {
    return parts.reads.lookup(KEY.hi(), KEY.lo(), parts.type, null) != null;
  }

  /** As one whose thread was stopped between its registration and the queue. */
  private void registerOffer() {
    Object value = new Object();
    DemotionTask offer =
        new DemotionTask(
            KEY.hi(),
            KEY.lo(),
            parts.type,
            () -> value,
            1,
            0,
            1,
            false,
            DemotionTask.Source.EVICTED,
            () -> LookupDisposal.dispose(parts.type, KEY.hi(), KEY.lo(), value));
    assertThat(parts.registry.register(offer, parts.registry.now())).isTrue();
  }

  @Test
  void freesAnOfferThatItWouldPutBack() {
    registerOffer();
    parts.close();
    assertThat(finds()).isFalse();
    assertThat(parts.freed).hasValue(1);
    assertThat(parts.registry.flights()).isEmpty();
  }

  @Test
  void letsNoWriteWaitForAPutBack() throws Exception {
    registerOffer();
    parts.close();
    assertThat(finds()).isFalse();
    CompletableFuture.runAsync(() -> parts.registry.beginWrite(KEY, false))
        .get(TierTestLimits.SECONDS, SECONDS);
    assertThat(parts.freed).hasValue(1);
  }

  @Test
  void endsWithoutAHandleWhereNothingIsOnItsWay() {
    parts.close();
    assertThat(finds()).isFalse();
    assertThat(parts.registry.flights()).isEmpty();
  }
}
