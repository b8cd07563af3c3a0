/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.hyperclock.internal.slot.HeapSlotStore;
import io.hyperclock.internal.slot.MetaWord;
import io.hyperclock.internal.slot.SlotProtocol;
import io.hyperclock.internal.slot.SlotStore;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * Edge [last-use], last use before free, where the counters of a slot are about to overflow: the
 * release that passes the threshold takes the top bit off both, while others pin and release. It
 * works on one slot, since a cache would need millions of reads to get there.
 *
 * <p><b>Hunted:</b> a correction that loses a pin or a release that comes in between, so that the
 * entry is taken while it is held or never again; one that is made twice; counters that are not
 * corrected and run into each other.
 *
 * <p><b>Forbidden:</b> a slot that can be taken while pinned; references left when all are
 * released; counters still above the threshold; a countdown below the maximum.
 *
 * <p><b>Planted faults:</b> {@code correction-without-cas}, {@code correction-of-one-counter},
 * {@code no-correction}.
 */
public class NearOverflowStress {
  private static final int ROUNDS = 6;
  private static final int MAX_COUNTDOWN = 3;

  /** Release count from which on it is corrected. */
  private static final int THRESHOLD = (1 << 23) + 3;

  private NearOverflowStress() {}

  /** One slot whose counters are a few releases below the threshold. */
  public static class Worn {
    final SlotProtocol slots =
        new SlotProtocol(new HeapSlotStore(SlotStore.BUCKET_SLOTS), MAX_COUNTDOWN);

    /** Starts a slot. */
    public Worn() {
      slots.claim(0);
      slots.fill(0, Keys.HI, Keys.A, new Object(), 0);
      slots.store().setMetaRelease(0, MetaWord.visible(THRESHOLD - 3, false, false, 0));
    }

    final long meta() {
      return slots.store().metaAcquire(0);
    }

    final void pinAndRelease(boolean useful) {
      for (int i = 0; i < ROUNDS; i++) {
        if (slots.pin(0, meta(), Keys.HI, Keys.A, MetaWord.MAX_PINS) == SlotProtocol.PINNED) {
          slots.release(0, useful, false);
        }
      }
    }
  }

  /** Two readers pass the threshold together. */
  @JCStressTest
  @Outcome(id = "0, 0, 0", expect = ACCEPTABLE, desc = "Corrected, all references gone.")
  @Outcome(expect = FORBIDDEN, desc = "Lost a pin or a release, or not corrected.")
  @State
  public static class TwoReaders extends Worn {
    /** Starts a slot. */
    public TwoReaders() {}

    /** Pins and releases. */
    @Actor
    public void first() {
      pinAndRelease(true);
    }

    /** Pins and releases. */
    @Actor
    public void second() {
      pinAndRelease(true);
    }

    /**
     * Looks at the counters.
     *
     * @param result references left, whether not corrected, whether too cold
     */
    @Arbiter
    public void look(III_Result result) {
      result.r1 = MetaWord.refcount(meta());
      result.r2 = MetaWord.releases(meta()) > THRESHOLD ? 1 : 0;
      result.r3 = MetaWord.releases(meta()) < MAX_COUNTDOWN ? 1 : 0;
    }
  }

  /** A reader passes the threshold while another holds the entry and a third wants to take it. */
  @JCStressTest
  @Outcome(id = "0, 1, 0", expect = ACCEPTABLE, desc = "Never taken while held.")
  @Outcome(expect = FORBIDDEN, desc = "Taken while held, or a reference lost.")
  @State
  public static class Held extends Worn {
    /** Starts a slot with one reference. */
    public Held() {
      slots.pin(0, meta(), Keys.HI, Keys.A, MetaWord.MAX_PINS);
    }

    /** Pins and releases. */
    @Actor
    public void read() {
      pinAndRelease(true);
    }

    /**
     * Tries to take the slot as the clock hand does.
     *
     * @param result whether it was taken
     */
    @Actor
    public void evict(III_Result result) {
      for (int i = 0; i < ROUNDS; i++) {
        long meta = meta();
        if (MetaWord.isShareable(meta) && MetaWord.refcount(meta) == 0 && slots.take(0, meta)) {
          result.r1 = 1;
        }
      }
    }

    /**
     * Releases the last reference.
     *
     * @param result references before and after
     */
    @Arbiter
    public void look(III_Result result) {
      result.r2 = MetaWord.refcount(meta());
      slots.release(0, true, false);
      result.r3 = MetaWord.refcount(meta());
    }
  }
}
