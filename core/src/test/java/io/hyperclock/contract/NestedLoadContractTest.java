/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.contract;

import static io.hyperclock.TestLimits.WAIT_SECONDS;
import static io.hyperclock.contract.LoadContractTest.TEXTS;
import static io.hyperclock.contract.LoadContractTest.assertIdle;
import static io.hyperclock.contract.LoadContractTest.never;
import static io.hyperclock.contract.LoadContractTest.widened;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperclock.BlockCache;
import io.hyperclock.BlockLoader;
import io.hyperclock.Handle;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Loaders that load other keys. */
@Tag("loading")
abstract class NestedLoadContractTest extends CacheContract {
  NestedLoadContractTest(Variant variant) {
    super(variant);
  }

  @Test
  void loaderMayLoadOtherKeys() {
    BlockCache<Object> cache = roomy(10);
    Object got =
        cache.get(
            HI,
            1,
            (hi, lo) -> {
              try (Handle<Object> index =
                  cache.lookup(
                      HI, 2, BlockLoader.of(widened(Block.TYPE), b -> 1, (h, l) -> block(l)))) {
                assertThat(index.isStandalone()).isFalse();
                return cache.get(HI, 3, TEXTS) + " of " + lo;
              }
            });
    assertThat(got).isEqualTo(text(3) + " of 1");
    assertThat(countPresent(cache, 1, 4)).isEqualTo(3);
    assertIdle(cache);
  }

  @Test
  void loaderThatAsksForItsOwnKeyIsRefused() {
    BlockCache<Object> cache = roomy(10);
    assertThatThrownBy(() -> cache.get(HI, 1, (hi, lo) -> cache.get(hi, lo, TEXTS)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("own key: keyHi=" + HI + ", keyLo=1");
    assertThatThrownBy(
            () ->
                cache.get(
                    HI, 1, (hi, lo) -> cache.get(HI, 2, (h, l) -> cache.lookup(HI, 1, TEXTS))))
        .isInstanceOf(IllegalStateException.class);
    assertIdle(cache);
    assertThat(cache.get(HI, 1, TEXTS)).isEqualTo(text(1));
  }

  /** Each of a ring of loads asks for the key of the next one. */
  private void ringOfLoadsEnds(int size, boolean pinned) throws Exception {
    BlockCache<Object> cache = roomy(10);
    CyclicBarrier allInside = new CyclicBarrier(size);
    List<Call<Object>> ring = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      long next = 1 + (i + 1) % size;
      long lo = 1 + i;
      BlockLoader<Object> loader =
          (hi, l) -> {
            allInside.await(WAIT_SECONDS, TimeUnit.SECONDS);
            if (pinned) {
              try (Handle<Object> inner = cache.lookup(HI, next, TEXTS)) {
                return l + " needs " + inner.value();
              }
            }
            return l + " needs " + cache.get(HI, next, TEXTS);
          };
      ring.add(Call.start(() -> cache.get(HI, lo, loader)));
    }
    for (int i = 0; i < size; i++) {
      assertThat((String) ring.get(i).result()).startsWith(1 + i + " needs ");
    }
    assertIdle(cache);
  }

  @Test
  void loadsThatWaitInACircleComeToAnEnd() throws Exception {
    for (int round = 0; round < 5; round++) {
      ringOfLoadsEnds(2, false);
      ringOfLoadsEnds(2, true);
      ringOfLoadsEnds(3, false);
      ringOfLoadsEnds(5, false);
    }
  }

  @Test
  void loaderMayWaitForALoadOutsideOfAnyCircle() throws Exception {
    BlockCache<Object> cache = roomy(10);
    HeldLoader index = new HeldLoader(TEXTS);
    Call<Object> leader = Call.start(() -> cache.get(HI, 1, index));
    index.awaitEntered();
    Call<Object> inner =
        Call.startWaiting(() -> cache.get(HI, 2, (hi, lo) -> cache.get(HI, 1, never()) + "!"));
    index.letGo();
    leader.result();
    assertThat(inner.result()).isEqualTo(text(1) + "!");
    assertThat(cache.monitor().loadStats().loads()).isEqualTo(2);
    assertThat(cache.monitor().loadStats().waiters()).isEqualTo(1);
  }
}
