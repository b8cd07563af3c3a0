/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.internal.tier;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class FutureWaitsTest {
  private final CompletableFuture<String> future = new CompletableFuture<>();

  @Test
  void anyEndIsOne() throws Exception {
    CompletableFuture<String> cancelled = new CompletableFuture<>();
    cancelled.cancel(false);
    FutureWaits.waitFor(cancelled, Long.MAX_VALUE);
    FutureWaits.waitFor(
        CompletableFuture.failedFuture(new IllegalStateException()), Long.MAX_VALUE);
    FutureWaits.waitFor(CompletableFuture.completedFuture("done"), Long.MAX_VALUE);
    FutureWaits.waitFor(future, 1);
    assertThat(future.isDone()).isFalse();
  }

  @Test
  void saysWhetherItHasEnded() {
    assertThat(FutureWaits.waitThrough(future, 0)).isFalse();
    assertThat(FutureWaits.waitThrough(future, 1_000_000)).isFalse();
    future.completeExceptionally(new IllegalStateException());
    assertThat(FutureWaits.waitThrough(future, 0)).isTrue();
    assertThat(FutureWaits.waitThrough(future, Long.MAX_VALUE)).isTrue();
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
  }

  /** With and without a limit; the thread is interrupted again when it is there. */
  @Test
  void anInterruptedThreadWaitsOn() {
    for (long nanos : new long[] {Long.MAX_VALUE, TimeUnit.HOURS.toNanos(1)}) {
      CompletableFuture<String> late = new CompletableFuture<>();
      Thread waiting = Thread.currentThread();
      Thread completing =
          new Thread(
              () -> {
                while (waiting.isInterrupted()) {
                  Thread.yield();
                }
                late.complete("done");
              });
      waiting.interrupt();
      completing.start();
      boolean ended = FutureWaits.waitThrough(late, nanos);
      boolean interrupted = Thread.interrupted();
      assertThat(ended).isTrue();
      assertThat(interrupted).isTrue();
    }
  }
}
