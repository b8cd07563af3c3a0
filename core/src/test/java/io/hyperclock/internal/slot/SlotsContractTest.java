/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.slot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The rows of the protocol table that one thread can show, over each store. */
abstract class SlotsContractTest {
  private static final int SLOT = 13;
  private static final long HASH = 0xABCDEFL;
  private static final long HI = -1;
  private static final long LO = Long.MIN_VALUE;
  private static final Object VALUE = "value";

  private SlotStore store;
  private SlotProtocol slots;
  private TentativeInserts tentativeInserts;

  abstract SlotStore newStore(int slots);

  @BeforeEach
  void fill() {
    store = newStore(16);
    slots = new SlotProtocol(store, 3);
    tentativeInserts = new TentativeInserts(slots);
  }

  private void publish(int countdown, boolean pinned) {
    assertThat(slots.claim(SLOT)).isTrue();
    slots.fill(SLOT, HI, LO, VALUE, ChargeWord.of(3, 99));
    tentativeInserts.announce(SLOT, HASH);
    assertThat(tentativeInserts.publish(SLOT, MetaWord.visible(countdown, pinned, true, 0)))
        .isTrue();
  }

  private int pin() {
    return slots.pin(SLOT, store.metaAcquire(SLOT), HI, LO, MetaWord.MAX_PINS);
  }

  private long meta() {
    return store.metaAcquire(SLOT);
  }

  @Test
  void publishedSlotHoldsWhatWasPut() {
    publish(2, false);
    assertThat(slots.matches(SLOT, HI, LO)).isEqualTo(meta()).isNegative();
    assertThat(slots.matches(SLOT, HI, LO + 1)).isZero();
    assertThat(store.valueOpaque(SLOT)).isSameAs(VALUE);
    assertThat(store.coldAcquire(SLOT)).isEqualTo(ChargeWord.of(3, 99));
  }

  @Test
  void theChargeOfASlotIsTakenOnce() {
    publish(2, false);
    assertThat(store.getAndSetCold(SLOT, ChargeWord.GONE)).isEqualTo(ChargeWord.of(3, 99));
    assertThat(store.getAndSetCold(SLOT, ChargeWord.of(1, 7))).isEqualTo(ChargeWord.GONE);
    assertThat(store.coldAcquire(SLOT)).isEqualTo(ChargeWord.of(1, 7));
  }

  @Test
  void announcedSlotIsInvalidatedOnceAndCanBeAnnouncedAgain() {
    assertThat(slots.claim(SLOT)).isTrue();
    slots.fill(SLOT, HI, LO, VALUE, ChargeWord.of(3, 99));
    tentativeInserts.announce(SLOT, HASH);
    assertThat(slots.matches(SLOT, HI, LO)).isZero();
    assertThat(tentativeInserts.findOrInvalidate(SLOT, HI, LO + 1, false)).isZero();
    assertThat(MetaWord.isAnnounced(meta())).as("another key does not invalidate").isTrue();
    assertThat(tentativeInserts.findOrInvalidate(SLOT, HI, LO, true)).isZero();
    assertThat(tentativeInserts.publish(SLOT, MetaWord.visible(1, false, true, 0))).isFalse();
    assertThat(SlotWords.state(meta())).isEqualTo(SlotWords.State.UNDER_CONSTRUCTION);
    tentativeInserts.announceAgain(SLOT);
    assertThat(tentativeInserts.publish(SLOT, MetaWord.visible(1, false, true, 0))).isTrue();
    assertThat(tentativeInserts.findOrInvalidate(SLOT, HI, LO, false)).isEqualTo(meta());
  }

  @Test
  void latePinDoesNotStopAPublication() {
    assertThat(slots.claim(SLOT)).isTrue();
    slots.fill(SLOT, HI, LO, VALUE, ChargeWord.of(3, 99));
    tentativeInserts.announce(SLOT, HASH);
    store.getAndAddMeta(SLOT, MetaWord.ACQUIRE_ONE);
    assertThat(tentativeInserts.publish(SLOT, MetaWord.visible(2, false, true, 0))).isTrue();
    assertThat(MetaWord.refcount(meta())).isZero();
  }

  @Test
  void abandonedSlotKeepsNoValue() {
    assertThat(slots.claim(SLOT)).isTrue();
    slots.fill(SLOT, HI, LO, VALUE, ChargeWord.of(3, 99));
    slots.abandon(SLOT);
    assertThat(store.valueOpaque(SLOT)).isNull();
    assertThat(MetaWord.isEmpty(meta())).isTrue();
  }

  @Test
  void neighboursAreLeftAlone() {
    publish(2, true);
    assertThat(SlotWords.tag(store, SLOT)).isEqualTo(0xEF);
    for (int slot = 0; slot < store.slots(); slot++) {
      if (slot != SLOT) {
        assertThat(store.metaAcquire(slot)).isZero();
        assertThat(store.tailAcquire(slot)).isZero();
        assertThat(store.keyHiOpaque(slot) | store.keyLoOpaque(slot)).isZero();
        assertThat(store.coldAcquire(slot)).isZero();
        assertThat(SlotWords.tag(store, slot)).isZero();
      }
    }
  }

  @Test
  void onlyAnEmptySlotCanBeClaimed() {
    assertThat(slots.claim(SLOT)).isTrue();
    assertThat(slots.claim(SLOT)).isFalse();
    slots.abandon(SLOT);
    publish(1, false);
    assertThat(slots.claim(SLOT)).isFalse();
  }

  @Test
  void lateAcquireOnAnEmptySlotDoesNotStopAClaim() {
    store.getAndAddMeta(SLOT, MetaWord.ACQUIRE_ONE);
    publish(3, false);
    assertThat(MetaWord.refcount(meta())).isZero();
  }

  @Test
  void pinOfAnotherKeyIsTakenBack() {
    publish(2, false);
    long before = meta();
    assertThat(slots.pin(SLOT, before, HI, LO - 1, MetaWord.MAX_PINS)).isEqualTo(SlotProtocol.MISS);
    assertThat(meta() & ~MetaWord.HIT).isEqualTo(before);
  }

  @Test
  void failedPinOfAnErasedEntryFreesItIfItWasTheLast() {
    publish(2, true);
    long seenVisible = meta();
    assertThat(slots.hideAndRelease(SLOT)).isEqualTo(SlotProtocol.OWNED);
    slots.beginTearDown(SLOT);
    slots.finishTearDown(SLOT);
    assertThat(slots.pin(SLOT, seenVisible, HI, LO, MetaWord.MAX_PINS))
        .isEqualTo(SlotProtocol.MISS);
    assertThat(MetaWord.isEmpty(meta())).isTrue();
  }

  @Test
  void pinnedSlotCannotBeTaken() {
    publish(1, false);
    long unpinned = meta();
    assertThat(pin()).isEqualTo(SlotProtocol.PINNED);
    assertThat(slots.take(SLOT, unpinned)).isFalse();
    assertThat(slots.release(SLOT, true, false)).isFalse();
    assertThat(slots.take(SLOT, meta())).isTrue();
    assertThat(MetaWord.wasHit(meta())).isTrue();
  }

  /** Not what the word showed before: an exchange may have begun in between. */
  @Test
  void pinTellsWhatTheWordOfItsStepShowed() {
    publish(1, false);
    long plain = meta();
    store.setMetaRelease(SLOT, MetaWord.exchanging(plain));
    assertThat(slots.pin(SLOT, plain, HI, LO, MetaWord.MAX_PINS)).isEqualTo(SlotProtocol.MARKED);
    store.setMetaRelease(SLOT, MetaWord.superseding(plain, 0, true, 1));
    assertThat(slots.pin(SLOT, plain, HI, LO, MetaWord.MAX_PINS)).isEqualTo(SlotProtocol.MARKED);
    store.setMetaRelease(SLOT, plain);
    assertThat(slots.pin(SLOT, MetaWord.exchanging(plain), HI, LO, MetaWord.MAX_PINS))
        .isEqualTo(SlotProtocol.PINNED);
    assertThat(slots.release(SLOT, true, false)).isFalse();
  }

  @Test
  void uselessReleaseTakesTheUseBack() {
    publish(1, false);
    assertThat(pin()).isEqualTo(SlotProtocol.PINNED);
    slots.release(SLOT, false, false);
    assertThat(MetaWord.releases(meta())).isEqualTo(1);
    assertThat(pin()).isEqualTo(SlotProtocol.PINNED);
    slots.release(SLOT, true, false);
    assertThat(MetaWord.releases(meta())).isEqualTo(2);
  }

  @Test
  void lastReleaseOfAHiddenEntryOwnsTheSlot() {
    publish(1, true);
    assertThat(pin()).isEqualTo(SlotProtocol.PINNED);
    assertThat(slots.hideAndRelease(SLOT)).isEqualTo(SlotProtocol.MISS);
    assertThat(pin()).isEqualTo(SlotProtocol.MISS);
    assertThat(slots.pinAny(SLOT)).isEqualTo(SlotProtocol.MISS);
    assertThat(slots.release(SLOT, true, false)).isTrue();
    assertThat(SlotWords.state(meta())).isEqualTo(SlotWords.State.UNDER_CONSTRUCTION);
  }

  @Test
  void secondHideOnlyReleases() {
    publish(1, true);
    pin();
    pin();
    assertThat(slots.hideAndRelease(SLOT)).isEqualTo(SlotProtocol.MISS);
    assertThat(MetaWord.isVisible(meta())).isFalse();
    assertThat(slots.hideAndRelease(SLOT)).isEqualTo(SlotProtocol.MISS);
    assertThat(slots.hideAndRelease(SLOT)).isEqualTo(SlotProtocol.OWNED);
  }

  @Test
  void tearDownEndsTheTenancyForReaders() {
    publish(1, false);
    long tail = store.tailAcquire(SLOT);
    assertThat(slots.stillTenant(SLOT, tail)).isTrue();
    assertThat(slots.take(SLOT, meta())).isTrue();
    slots.clearTag(SLOT, HASH);
    slots.beginTearDown(SLOT);
    assertThat(slots.stillTenant(SLOT, tail)).isFalse();
    slots.finishTearDown(SLOT);
    assertThat(SlotWords.tag(store, SLOT)).isZero();
    assertThat(GenerationWord.generation(store.tailAcquire(SLOT))).isEqualTo(1);
    assertThat(store.valueOpaque(SLOT)).isNull();
  }

  @Test
  void tooManyPinsAreRefusedAndNothingIsLost() {
    publish(3, false);
    store.getAndAddMeta(SLOT, MetaWord.MAX_PINS);
    long full = meta();
    assertThat(pin()).isEqualTo(SlotProtocol.TOO_MANY_PINS);
    assertThat(slots.ref(SLOT)).isFalse();
    assertThat(meta() & ~MetaWord.HIT).isEqualTo(full);
  }

  @Test
  void countersAreCorrectedBeforeTheyOverflow() {
    publish(3, true);
    long uses = (1L << 23) + 1;
    store.getAndAddMeta(SLOT, uses * (MetaWord.ACQUIRE_ONE + MetaWord.RELEASE_ONE));
    for (int i = 0; i < 10; i++) {
      assertThat(pin()).isEqualTo(SlotProtocol.PINNED);
      assertThat(slots.release(SLOT, true, false)).isFalse();
    }
    assertThat(MetaWord.refcount(meta())).isEqualTo(1);
    assertThat(MetaWord.releases(meta())).isBetween(3, 100);
    assertThat(slots.release(SLOT, true, true)).isTrue();
  }

  @Test
  void aNewTenancyIsNotErasing() {
    publish(1, true);
    assertThat(slots.markErasing(SLOT)).isTrue();
    assertThat(slots.markErasing(SLOT)).as("twice").isFalse();
    assertThat(tentativeInserts.isErasing(SLOT)).isTrue();
    long tail = store.tailAcquire(SLOT);
    assertThat(slots.stillTenant(SLOT, tail)).isTrue();
    assertThat(slots.hideAndRelease(SLOT)).isEqualTo(SlotProtocol.OWNED);
    slots.beginTearDown(SLOT);
    assertThat(tentativeInserts.isErasing(SLOT)).isFalse();
    assertThat(slots.stillTenant(SLOT, tail)).isFalse();
  }

  @Test
  void slotsComeInWholeBuckets() {
    for (int slots : new int[] {-8, 0, 1, 12}) {
      assertThatThrownBy(() -> newStore(slots))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("slots must be a multiple of 8: slots=" + slots);
    }
  }

  @Test
  void slotsOfTwoBucketsAreToldApartByTheirTags() {
    long tags = Tags.pattern(HASH);
    assertThat(slotsOf(store.untagged(0, 1), 0, 1)).hasSize(16).doesNotHaveDuplicates();
    assertThat(store.candidates(0, 1, tags)).isZero();
    publish(1, false);
    assertThat(slotsOf(store.untagged(0, 1), 0, 1)).hasSize(15).doesNotContain(SLOT);
    assertThat(slotsOf(store.candidates(0, 1, tags), 0, 1)).containsExactly(SLOT);
    assertThat(slotsOf(tentativeInserts.candidates(1, 0, tags), 1, 0)).containsExactly(SLOT);
    assertThat(slotsOf(slots.another(0, 1, tags, 0, HI, LO), 0, 1)).containsExactly(SLOT);
    assertThat(slots.another(0, 1, tags, SLOT, HI, LO)).isZero();
    assertThat(slots.another(0, 1, tags, 0, HI, LO + 1)).isZero();
    long emptier = SlotStore.ofEmptier(store.untagged(1, 0));
    assertThat(slotsOf(emptier, 1, 0)).containsExactlyInAnyOrder(0, 1, 2, 3, 4, 5, 6, 7);
    assertThat(SlotStore.ofEmptier(store.untagged(0, 1))).isEqualTo(emptier >>> 1);
  }

  private static List<Integer> slotsOf(long mask, int first, int second) {
    List<Integer> found = new ArrayList<>();
    for (long left = mask; left != 0; left &= left - 1) {
      found.add(SlotStore.slot(first, second, left));
    }
    return found;
  }
}
