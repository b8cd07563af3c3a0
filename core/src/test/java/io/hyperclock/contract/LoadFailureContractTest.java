/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.contract;

import static io.hyperclock.contract.LoadContractTest.TEXTS;
import static io.hyperclock.contract.LoadContractTest.assertIdle;
import static io.hyperclock.contract.LoadContractTest.failing;
import static io.hyperclock.contract.LoadContractTest.widened;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperclock.BlockCache;
import io.hyperclock.BlockLoadException;
import io.hyperclock.BlockLoader;
import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Loads that fail, are interrupted or give a value that the rules refuse. */
@Tag("loading")
abstract class LoadFailureContractTest extends CacheContract {
  LoadFailureContractTest(Variant variant) {
    super(variant);
  }

  @Test
  void badRulesFailTheLoadAndFreeTheValue() {
    BlockCache<Object> cache = roomy(10);
    assertThatThrownBy(() -> cache.lookup(HI, 1, blockLoader(-7)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("chargeBytes=-7");
    BlockLoader<Object> throwing =
        BlockLoader.of(
            widened(Block.TYPE),
            value -> {
              throw new UnsupportedOperationException("charge");
            },
            (hi, lo) -> block(lo));
    assertThatThrownBy(() -> cache.lookup(HI, 1, throwing))
        .isInstanceOf(UnsupportedOperationException.class);
    assertThat(has(cache, 1)).isFalse();
    assertIdle(cache);
  }

  @Test
  void failuresReachTheCallerAndLeaveNothing() {
    BlockCache<Object> cache = roomy(10);
    IOException checked = new IOException("disk");
    assertThatThrownBy(() -> cache.get(HI, 1, failing(checked)))
        .isInstanceOf(BlockLoadException.class)
        .hasMessageContaining("keyLo=1")
        .hasCause(checked);
    RuntimeException unchecked = new UnsupportedOperationException("no");
    assertThatThrownBy(() -> cache.lookup(HI, 1, failing(unchecked))).isSameAs(unchecked);
    Error error = new StackOverflowError("deep");
    assertThatThrownBy(() -> cache.get(HI, 1, failing(error))).isSameAs(error);
    Error memory = new OutOfMemoryError("full");
    assertThatThrownBy(() -> cache.lookup(HI, 1, failing(memory))).isSameAs(memory);
    assertThat(cache.monitor().loadStats().loadFailures()).isEqualTo(4);
    assertIdle(cache);
    assertThat(cache.get(HI, 1, TEXTS)).isEqualTo(text(1));
  }

  @Test
  void realStackOverflowLeavesNothing() {
    BlockCache<Object> cache = roomy(10);
    assertThatThrownBy(() -> cache.get(HI, 1, (hi, lo) -> deeper(0)))
        .isInstanceOf(StackOverflowError.class);
    assertIdle(cache);
    assertThat(cache.get(HI, 1, TEXTS)).isEqualTo(text(1));
  }

  private static String deeper(int depth) {
    return depth < 0 ? "" : deeper(depth + 1) + "x";
  }

  @Test
  void interruptedLoaderIsReportedWithTheFlagSet() {
    BlockCache<Object> cache = roomy(10);
    InterruptedException interrupted = new InterruptedException();
    assertThatThrownBy(() -> cache.get(HI, 1, failing(interrupted)))
        .isInstanceOf(BlockLoadException.class)
        .hasCause(interrupted);
    assertThat(Thread.interrupted()).isTrue();
    assertIdle(cache);
  }

  @Test
  void interruptedCallerMayStillLoad() {
    BlockCache<Object> cache = roomy(10);
    Thread.currentThread().interrupt();
    assertThat(cache.get(HI, 1, TEXTS)).isEqualTo(text(1));
    assertThat(Thread.interrupted()).isTrue();
  }
}
