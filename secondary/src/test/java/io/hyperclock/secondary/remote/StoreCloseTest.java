/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.remote;

import static io.hyperclock.secondary.remote.RemoteTiers.start;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.LogLines;
import io.hyperclock.secondary.TierOutcome;
import io.hyperclock.secondary.TierResult;
import io.hyperclock.secondary.TierState;
import io.hyperclock.secondary.testing.TierTestLimits;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** A tier closes whatever its store does then. */
class StoreCloseTest {
  private final ScriptedStore store = new ScriptedStore();

  @Test
  void whatAStoreThrowsAtItsCloseIsLogged() {
    List<Throwable> uncaught = new CopyOnWriteArrayList<>();
    Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
    Thread.setDefaultUncaughtExceptionHandler((thread, e) -> uncaught.add(e));
    try (LogLines lines = new LogLines(RemoteSecondaryCache.class.getName(), "failed to close")) {
      RemoteSecondaryCache tier = RemoteTiers.builder(store).name("throwing").build();
      store.onClose =
          () -> {
            throw new IllegalStateException("still in use");
          };
      tier.close();
      assertThat(tier.state()).isEqualTo(TierState.CLOSED);
      // Its thread may find no processor for as long as a close waits.
      TierTestLimits.eventually(() -> !lines.with("").isEmpty());
      assertThat(lines.with(""))
          .containsExactly("WARNING the store failed to close: tier=throwing, count=1");
      assertThat(uncaught).isEmpty();
    } finally {
      Thread.setDefaultUncaughtExceptionHandler(before);
    }
  }

  @Test
  void closesAStoreThatTakesItsTime() throws Exception {
    AtomicReference<Thread> closing = new AtomicReference<>();
    CountDownLatch leave = new CountDownLatch(1);
    store.onClose =
        () -> {
          closing.set(Thread.currentThread());
          try {
            leave.await();
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        };
    RemoteSecondaryCache tier = RemoteTiers.builder(store).build();
    store.onRead = CompletableFuture::new;
    CompletableFuture<TierResult<byte[]>> pending = start(tier, 1);
    long begin = System.nanoTime();
    tier.close();
    assertThat(System.nanoTime() - begin).isLessThan(SECONDS.toNanos(TierTestLimits.SECONDS));
    assertThat(pending).isCompletedWithValue(TierResult.miss(TierOutcome.CLOSED));
    tier.close();
    // Its thread may find no processor for as long as a close waits.
    TierTestLimits.eventually(() -> closing.get() != null);
    assertThat(store.closes).hasValue(1);
    leave.countDown();
    closing.get().join(TierTestLimits.TIME.toMillis());
  }
}
