/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.BlockCache;
import io.hyperclock.CapacityMode;
import io.hyperclock.LeakDetection;
import io.hyperclock.ReadScope;
import io.hyperclock.SlotStorage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What is opened where a thread has not stack enough for it is not left open. */
final class FullStackTest extends CacheContract {
  private static final int OVERFLOWS = 500;

  private @Nullable AutoCloseable taken;

  FullStackTest() {
    super(Variant.adaptive(SlotStorage.HEAP, CapacityMode.NON_STRICT, 1));
  }

  private void takeBelow(int frames, Supplier<? extends AutoCloseable> taking) {
    if (frames == 0) {
      taken = taking.get();
    } else {
      takeBelow(frames - 1, taking);
    }
  }

  private boolean fits(int frames, Supplier<? extends AutoCloseable> taking) {
    try {
      takeBelow(frames, taking);
      return true;
    } catch (StackOverflowError e) {
      return false;
    }
  }

  /**
   * Takes something at every depth up to those at which there is no stack for it, and closes it.
   */
  private void takeAtEveryDepth(Supplier<? extends AutoCloseable> taking) throws Exception {
    Call<Boolean> call =
        Call.start(
            () -> {
              int overflows = 0;
              for (int frames = 0; overflows < OVERFLOWS; frames++) {
                taken = null;
                overflows += fits(frames, taking) ? 0 : 1;
                if (taken != null) {
                  taken.close();
                }
              }
              return true;
            });
    assertThat(call.result()).isTrue();
  }

  @Test
  void trackedScopesAreNotLeftOpen() throws Exception {
    BlockCache<Object> cache = track(roomyBuilder(10).leakDetection(LeakDetection.all()).build());
    try (ReadScope<Object> scope = cache.openScope()) {
      assertThat(scope.get(HI, 1)).isNull();
      assertThat(cache.monitor().openScopes()).as("all that is called is loaded").hasSize(1);
    }
    takeAtEveryDepth(cache::openScope);
    assertThat(cache.monitor().scopeStats().openScopes()).isZero();
    assertThat(cache.monitor().openScopes()).isEmpty();
  }
}
