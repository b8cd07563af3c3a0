/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.disk;

import static org.awaitility.Awaitility.await;

import io.hyperclock.secondary.testing.TierTestLimits;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StallTimerTest {
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void isArmedAgainWhereNoThreadTookTheCheck(boolean isRefused) {
    AtomicInteger handed = new AtomicInteger();
    AtomicInteger checks = new AtomicInteger();
    StallTimer timer =
        new StallTimer(
            Duration.ofMillis(5),
            task -> {
              if (handed.getAndIncrement() == 0) {
                if (isRefused) {
                  throw new RejectedExecutionException("for this test");
                }
                throw new OutOfMemoryError("for this test");
              }
              task.run();
            },
            () -> {
              checks.incrementAndGet();
              return false;
            });
    await()
        .atMost(TierTestLimits.TIME)
        .until(
            () -> {
              timer.arm();
              return checks.get() > 0;
            });
    timer.close();
  }
}
