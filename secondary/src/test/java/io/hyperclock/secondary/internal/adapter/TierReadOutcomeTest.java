/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.internal.adapter;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.entry.Key128;
import io.hyperclock.secondary.internal.adapter.InFlightTable.Role;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** The end of a read that many lookups share. */
class TierReadOutcomeTest {
  private static final int ROUNDS = 40;
  private static final int LOOKUPS = 2_000;

  private final Parts parts = new Parts();

  @Test
  void completesAllWhileTheirOwnersTakeTheFutures() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      TierRead leading = flight();
      List<LookupWaiter> waiters = new ArrayList<>();
      for (int i = 0; i < LOOKUPS; i++) {
        LookupWaiter waiter = new LookupWaiter();
        waiters.add(waiter);
        Role role = parts.registry.join(i == 0 ? leading : flight(), waiter, true);
        assertThat(role).isEqualTo(i == 0 ? Role.LEADER : Role.JOINED);
      }
      List<LookupWaiter> shuffled = new ArrayList<>(waiters);
      Collections.shuffle(shuffled, new Random(round));
      CountDownLatch ready = new CountDownLatch(1);
      Thread owner =
          new Thread(
              () -> {
                ready.countDown();
                shuffled.forEach(LookupWaiter::takeFuture);
              });
      owner.start();
      ready.await();
      parts.promotion.finish(leading, null, -1);
      owner.join();
      assertThat(waiters).allMatch(LookupWaiter::isDone);
      assertThat(parts.registry.flights()).isEmpty();
    }
  }

  private TierRead flight() {
    return new TierRead(
        new Key128(1, 2), parts.type, null, parts.tiers, parts.expiry, parts.promotion);
  }
}
