/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.slot;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.interleaving.Scenario;
import io.hyperclock.interleaving.Scenario.Part;
import io.hyperclock.interleaving.Woven;
import org.junit.jupiter.api.Test;

/** [last-use] Counters that are corrected before they overflow, while others pin and let go. */
@Woven("slot")
class WornCountersInterleavingTest {
  private static final int MAX_COUNTDOWN = 3;
  private static final int THRESHOLD = (1 << 23) + 3;
  private static final int ROUNDS = 5;
  private static final long HI = 1;
  private static final long LO = 2;

  /** A slot whose counters are a few releases below the threshold. */
  private static final class Worn {
    final SlotProtocol slots =
        new SlotProtocol(new HeapSlotStore(SlotStore.BUCKET_SLOTS), MAX_COUNTDOWN);
    boolean taken;

    Worn(int holders) {
      slots.claim(0);
      slots.fill(0, HI, LO, new Object(), 0);
      slots.store().setMetaRelease(0, MetaWord.visible(THRESHOLD - 2, false, false, 0));
      for (int i = 0; i < holders; i++) {
        pin();
      }
    }

    long meta() {
      return slots.store().metaAcquire(0);
    }

    void pin() {
      assertThat(slots.pin(0, meta(), HI, LO, MetaWord.MAX_PINS)).isEqualTo(SlotProtocol.PINNED);
    }

    void take() {
      long meta = meta();
      if (MetaWord.isShareable(meta) && MetaWord.refcount(meta) == 0 && slots.take(0, meta)) {
        taken = true;
      }
    }

    void check(int holders) {
      assertThat(taken).isFalse();
      assertThat(MetaWord.refcount(meta())).isEqualTo(holders);
      assertThat(MetaWord.releases(meta())).isBetween(MAX_COUNTDOWN, THRESHOLD);
      slots.release(0, true, false);
      assertThat(MetaWord.refcount(meta())).isEqualTo(holders - 1);
    }
  }

  private static final Part<Worn> PIN_AND_RELEASE =
      worn -> {
        for (int i = 0; i < ROUNDS; i++) {
          worn.pin();
          worn.slots.release(0, true, false);
        }
      };

  @Test
  void readersPassTheThreshold() {
    new Scenario<>(
            "worn", () -> new Worn(1), worn -> worn.check(1), PIN_AND_RELEASE, PIN_AND_RELEASE)
        .explore(2);
  }

  @Test
  void aHeldEntryIsNotTaken() {
    new Scenario<>(
            "worn and held",
            () -> new Worn(1),
            worn -> worn.check(1),
            PIN_AND_RELEASE,
            worn -> {
              worn.take();
              worn.take();
            })
        .explore(2);
  }
}
