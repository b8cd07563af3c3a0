/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.versioned;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperclock.internal.slot.ChargeWord;
import io.hyperclock.internal.slot.CountingSlotStore;
import io.hyperclock.internal.slot.SlotStore;
import io.hyperclock.versioned.Decision;
import io.hyperclock.versioned.InDoubtException;
import io.hyperclock.versioned.PrepareMode;
import io.hyperclock.versioned.PrepareOutcome;
import io.hyperclock.versioned.PrepareToken;
import io.hyperclock.versioned.Versions;
import io.hyperclock.versioned.WriteResult;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What operations find at each moment of others that {@link VersionedMomentsTest} has not: slots
 * that get another key meanwhile, marks of doubt, verdicts that are being written down.
 */
@Tag("versioned")
@Timeout(600)
class MomentsOfSlotsTest {
  private static final long HI = 3;
  private static final long LO = 4;

  /** A cache of one key, and something that happens at one access of a slot. */
  private static final class Scene {
    final Moment moment = new Moment();
    private @Nullable CountingSlotStore store;

    final DefaultVersionedCache<String> cache =
        new DefaultVersionedCache<>(
            StrictConfig.of(() -> 0),
            slots -> store = new CountingSlotStore(slots, moment::access));

    Scene() {
      cache.put(HI, LO, "c", 10);
    }

    SlotStore words() {
      return Objects.requireNonNull(store).words();
    }

    /** The slot that has the key, or -1. */
    int slotOf(long lo) {
      for (int slot = 0; slot < words().slots(); slot++) {
        boolean occupied = cache.shards[0].pinAny(slot);
        if (occupied) {
          boolean found = words().keyLoOpaque(slot) == lo;
          cache.shards[0].release(slot, false);
          if (found) {
            return slot;
          }
        }
      }
      return -1;
    }

    /** Erases the key; another one gets its slot. */
    void replaceKey() {
      int slot = slotOf(LO);
      cache.erase(HI, LO);
      for (long key = 1000; slotOf(key - 1) != slot; key++) {
        cache.put(HI, key, "other", 1);
      }
    }
  }

  @Test
  void aSlotThatGetsAnotherKeyIsNoHit() {
    int moment = 0;
    for (boolean happened = true; happened; moment++) {
      Scene scene = new Scene();
      scene.moment.at(moment, scene::replaceKey);
      String found = scene.cache.readForWrite(HI, LO);
      happened = scene.moment.hasCome();
      assertThat(found).as("moment %d", moment).isIn("c", null);
    }
    assertThat(moment).isGreaterThan(4);
  }

  @Test
  void bothVersionsAreThoseOfTheKeyAlthoughItsSlotGetsAnother() {
    int moment = 0;
    for (boolean happened = true; happened; moment++) {
      Scene scene = new Scene();
      scene.moment.at(
          moment,
          () -> {
            scene.cache.erase(HI, LO);
            for (long key = 1000; key < 1100; key++) {
              scene.cache.put(HI, key, "other", 1);
            }
          });
      Versions<String> found = scene.cache.readVersions(HI, LO);
      happened = scene.moment.hasCome();
      assertThat(found.committed()).as("moment %d", moment).isIn("c", null);
      assertThat(VersionedInvariants.violations(scene.cache)).isEmpty();
    }
    assertThat(moment).isGreaterThan(4);
  }

  @Test
  void aDeleteThatIsCommittedMeanwhileIsSeenAsAPrepareOrDone() {
    int moment = 0;
    for (boolean happened = true; happened; moment++) {
      Scene scene = new Scene();
      PrepareToken token = scene.cache.prepare(HI, LO, null, 0, PrepareMode.PLAIN).orThrow();
      scene.moment.at(moment, () -> scene.cache.commit(token));
      Versions<String> found = scene.cache.readVersions(HI, LO);
      happened = scene.moment.hasCome();
      assertThat(found.committed() == null)
          .as("moment %d: %s", moment, found)
          .isEqualTo(found.prepared() == null);
      assertThat(VersionedInvariants.violations(scene.cache)).isEmpty();
    }
    assertThat(moment).isGreaterThan(4);
  }

  /** A prepare that is on its way into its slot is marked, with all that reads see, or not. */
  @Test
  void whatIsMarkedInDoubtWhileItComesIsReadThatWay() {
    int moment = 0;
    int marked = 0;
    for (boolean happened = true; happened; moment++) {
      Scene scene = new Scene();
      scene.moment.at(moment, () -> scene.cache.markInDoubt((hi, lo) -> true));
      assertThat(scene.cache.prepare(HI, LO, "p", 20, PrepareMode.PLAIN).outcome())
          .isEqualTo(PrepareOutcome.PREPARED);
      happened = scene.moment.hasCome();
      if (scene.cache.monitor().stats().inDoubt() == 0) {
        assertThat(scene.cache.get(HI, LO)).as("moment %d", moment).isEqualTo("c");
      } else {
        marked++;
        assertThatThrownBy(() -> scene.cache.get(HI, LO))
            .as("moment %d", moment)
            .isInstanceOf(InDoubtException.class);
      }
    }
    assertThat(moment - marked).isGreaterThan(4);
  }

  /** While another thread writes a verdict down, writers try again, and give up for now. */
  @Test
  void writersOfAKeyWhoseVerdictIsBeingWrittenDownGiveUp() {
    for (boolean commits : new boolean[] {true, false}) {
      int gaveUp = 0;
      int moment = 0;
      for (boolean happened = true; happened; moment++) {
        Scene scene = new Scene();
        PrepareToken token = scene.cache.prepare(HI, LO, "p", 20, PrepareMode.PLAIN).orThrow();
        Object[] within = new Object[3];
        scene.moment.at(
            moment,
            () -> {
              within[0] = scene.cache.put(HI, LO, "v", 30);
              within[1] = scene.cache.prepare(HI, LO, "q", 30, PrepareMode.PLAIN).outcome();
              within[2] = scene.cache.replace(HI, LO, "w", 30);
            });
        assertThat(commits ? scene.cache.commit(token) : scene.cache.abort(token))
            .isEqualTo(Decision.OK);
        happened = scene.moment.hasCome();
        int refused = 0;
        for (int i = 0; i < within.length && happened; i++) {
          assertThat(within[i]).as("moment %d", moment).isNotNull();
          refused += String.valueOf(within[i]).equals("IN_PROGRESS") ? 1 : 0;
        }
        assertThat(scene.cache.monitor().stats().refusedInProgress())
            .as("moment %d: %s %s %s", moment, within[0], within[1], within[2])
            .isEqualTo(refused);
        gaveUp += refused == within.length ? 1 : 0;
      }
      assertThat(gaveUp).as("times that all gave up").isPositive();
    }
  }

  /** The word of the charge changes between a look and the exchange, as by a promotion. */
  @Test
  void aNewChargeIsWrittenAlthoughTheEntryIsPromotedMeanwhile() {
    int moment = 0;
    for (boolean happened = true; happened; moment++) {
      Scene scene = new Scene();
      int slot = scene.slotOf(LO);
      SlotStore words = scene.words();
      scene.moment.at(
          moment,
          () -> {
            long cold = words.coldAcquire(slot);
            assertThat(words.compareAndSetCold(slot, cold, ChargeWord.asMain(cold))).isTrue();
          });
      assertThat(scene.cache.put(HI, LO, "d", 25)).isEqualTo(WriteResult.REPLACED);
      happened = scene.moment.hasCome();
      long cold = words.coldAcquire(slot);
      assertThat(ChargeWord.chargeBytes(cold)).as("moment %d", moment).isEqualTo(25);
      assertThat(ChargeWord.isMain(cold)).as("moment %d", moment).isEqualTo(happened);
      assertThat(scene.cache.monitor().stats().usageBytes()).isEqualTo(25);
    }
    assertThat(moment).isGreaterThan(4);
  }
}
