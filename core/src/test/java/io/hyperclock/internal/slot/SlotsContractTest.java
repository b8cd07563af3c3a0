/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.slot;

import static org.assertj.core.api.Assertions.assertThat;

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
  private Slots slots;
  private Announcements announcements;

  abstract SlotStore newStore(int slots);

  @BeforeEach
  void fill() {
    store = newStore(16);
    slots = new Slots(store, 3);
    announcements = new Announcements(slots);
  }

  private void publish(int countdown, boolean pinned) {
    assertThat(slots.claim(SLOT)).isTrue();
    slots.fill(SLOT, HI, LO, VALUE, Cold.of(3, 99));
    announcements.announce(SLOT, HASH);
    assertThat(announcements.publish(SLOT, Meta.visible(countdown, pinned, true))).isTrue();
  }

  private int pin() {
    return slots.pin(SLOT, store.metaAcquire(SLOT), HI, LO, Meta.MAX_PINS);
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
    assertThat(store.coldAcquire(SLOT)).isEqualTo(Cold.of(3, 99));
  }

  @Test
  void announcedSlotIsKnockedOnceAndCanBeAnnouncedAgain() {
    assertThat(slots.claim(SLOT)).isTrue();
    slots.fill(SLOT, HI, LO, VALUE, Cold.of(3, 99));
    announcements.announce(SLOT, HASH);
    assertThat(slots.matches(SLOT, HI, LO)).isZero();
    assertThat(announcements.meet(SLOT, HI, LO + 1, false)).isZero();
    assertThat(Meta.isAnnounced(meta())).as("another key does not knock").isTrue();
    assertThat(announcements.meet(SLOT, HI, LO, true)).isZero();
    assertThat(announcements.publish(SLOT, Meta.visible(1, false, true))).isFalse();
    assertThat(Meta.state(meta())).isEqualTo(Meta.State.UNDER_CONSTRUCTION);
    announcements.announceAgain(SLOT);
    assertThat(announcements.publish(SLOT, Meta.visible(1, false, true))).isTrue();
    assertThat(announcements.meet(SLOT, HI, LO, false)).isEqualTo(meta());
  }

  @Test
  void latePinDoesNotStopAPublication() {
    assertThat(slots.claim(SLOT)).isTrue();
    slots.fill(SLOT, HI, LO, VALUE, Cold.of(3, 99));
    announcements.announce(SLOT, HASH);
    store.getAndAddMeta(SLOT, Meta.ACQUIRE_ONE);
    assertThat(announcements.publish(SLOT, Meta.visible(2, false, true))).isTrue();
    assertThat(Meta.refcount(meta())).isZero();
  }

  @Test
  void abandonedSlotKeepsNoValue() {
    assertThat(slots.claim(SLOT)).isTrue();
    slots.fill(SLOT, HI, LO, VALUE, Cold.of(3, 99));
    slots.abandon(SLOT);
    assertThat(store.valueOpaque(SLOT)).isNull();
    assertThat(Meta.isEmpty(meta())).isTrue();
  }

  @Test
  void neighboursAreLeftAlone() {
    publish(2, true);
    assertThat(store.tag(SLOT)).isEqualTo(0xEF);
    for (int slot = 0; slot < store.slots(); slot++) {
      if (slot != SLOT) {
        assertThat(store.metaAcquire(slot)).isZero();
        assertThat(store.tailAcquire(slot)).isZero();
        assertThat(store.keyHiOpaque(slot) | store.keyLoOpaque(slot)).isZero();
        assertThat(store.coldAcquire(slot)).isZero();
        assertThat(store.tag(slot)).isZero();
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
    store.getAndAddMeta(SLOT, Meta.ACQUIRE_ONE);
    publish(3, false);
    assertThat(Meta.refcount(meta())).isZero();
  }

  @Test
  void pinOfAnotherKeyIsTakenBack() {
    publish(2, false);
    long before = meta();
    assertThat(slots.pin(SLOT, before, HI, LO - 1, Meta.MAX_PINS)).isEqualTo(Slots.MISS);
    assertThat(meta() & ~Meta.HIT).isEqualTo(before);
  }

  @Test
  void failedPinOfAnErasedEntryFreesItIfItWasTheLast() {
    publish(2, true);
    long seenVisible = meta();
    assertThat(slots.hideAndRelease(SLOT)).isEqualTo(Slots.OWNED | Slots.HIDDEN);
    slots.beginTearDown(SLOT);
    slots.finishTearDown(SLOT);
    assertThat(slots.pin(SLOT, seenVisible, HI, LO, Meta.MAX_PINS)).isEqualTo(Slots.MISS);
    assertThat(Meta.isEmpty(meta())).isTrue();
  }

  @Test
  void pinnedSlotCannotBeTaken() {
    publish(1, false);
    long unpinned = meta();
    assertThat(pin()).isEqualTo(Slots.PINNED);
    assertThat(slots.take(SLOT, unpinned)).isFalse();
    assertThat(slots.release(SLOT, true, false)).isFalse();
    assertThat(slots.take(SLOT, meta())).isTrue();
    assertThat(Meta.wasHit(meta())).isTrue();
  }

  /** Not what the word showed before: an exchange may have begun in between. */
  @Test
  void pinTellsWhatTheWordOfItsStepShowed() {
    publish(1, false);
    long plain = meta();
    store.setMetaRelease(SLOT, Meta.exchanging(plain));
    assertThat(slots.pin(SLOT, plain, HI, LO, Meta.MAX_PINS)).isEqualTo(Slots.MARKED);
    store.setMetaRelease(SLOT, Meta.superseding(plain, 0, true, 1));
    assertThat(slots.pin(SLOT, plain, HI, LO, Meta.MAX_PINS)).isEqualTo(Slots.MARKED);
    store.setMetaRelease(SLOT, plain);
    assertThat(slots.pin(SLOT, Meta.exchanging(plain), HI, LO, Meta.MAX_PINS))
        .isEqualTo(Slots.PINNED);
    assertThat(slots.release(SLOT, true, false)).isFalse();
  }

  @Test
  void uselessReleaseTakesTheUseBack() {
    publish(1, false);
    assertThat(pin()).isEqualTo(Slots.PINNED);
    slots.release(SLOT, false, false);
    assertThat(Meta.releases(meta())).isEqualTo(1);
    assertThat(pin()).isEqualTo(Slots.PINNED);
    slots.release(SLOT, true, false);
    assertThat(Meta.releases(meta())).isEqualTo(2);
  }

  @Test
  void lastReleaseOfAHiddenEntryOwnsTheSlot() {
    publish(1, true);
    assertThat(pin()).isEqualTo(Slots.PINNED);
    assertThat(slots.hideAndRelease(SLOT)).isEqualTo(Slots.HIDDEN);
    assertThat(pin()).isEqualTo(Slots.MISS);
    assertThat(slots.pinAny(SLOT)).isEqualTo(Slots.MISS);
    assertThat(slots.release(SLOT, true, false)).isTrue();
    assertThat(Meta.state(meta())).isEqualTo(Meta.State.UNDER_CONSTRUCTION);
  }

  @Test
  void secondHideOnlyReleases() {
    publish(1, true);
    pin();
    pin();
    assertThat(slots.hideAndRelease(SLOT)).isEqualTo(Slots.HIDDEN);
    assertThat(slots.hideAndRelease(SLOT)).isZero();
    assertThat(slots.hideAndRelease(SLOT)).isEqualTo(Slots.OWNED);
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
    assertThat(store.tag(SLOT)).isZero();
    assertThat(Tail.generation(store.tailAcquire(SLOT))).isEqualTo(1);
    assertThat(store.valueOpaque(SLOT)).isNull();
  }

  @Test
  void tooManyPinsAreRefusedAndNothingIsLost() {
    publish(3, false);
    store.getAndAddMeta(SLOT, Meta.MAX_PINS);
    long full = meta();
    assertThat(pin()).isEqualTo(Slots.TOO_MANY_PINS);
    assertThat(slots.ref(SLOT)).isFalse();
    assertThat(meta() & ~Meta.HIT).isEqualTo(full);
  }

  @Test
  void countersAreCorrectedBeforeTheyOverflow() {
    publish(3, true);
    long uses = (1L << 23) + 1;
    store.getAndAddMeta(SLOT, uses * (Meta.ACQUIRE_ONE + Meta.RELEASE_ONE));
    for (int i = 0; i < 10; i++) {
      assertThat(pin()).isEqualTo(Slots.PINNED);
      assertThat(slots.release(SLOT, true, false)).isFalse();
    }
    assertThat(Meta.refcount(meta())).isEqualTo(1);
    assertThat(Meta.releases(meta())).isBetween(3, 100);
    assertThat(slots.release(SLOT, true, true)).isTrue();
  }

  @Test
  void aNewTenancyIsNotCondemned() {
    publish(1, true);
    assertThat(slots.condemn(SLOT)).isTrue();
    assertThat(slots.condemn(SLOT)).as("twice").isFalse();
    assertThat(announcements.isCondemned(SLOT)).isTrue();
    long tail = store.tailAcquire(SLOT);
    assertThat(slots.stillTenant(SLOT, tail)).isTrue();
    assertThat(slots.hideAndRelease(SLOT)).isEqualTo(Slots.OWNED | Slots.HIDDEN);
    slots.beginTearDown(SLOT);
    assertThat(announcements.isCondemned(SLOT)).isFalse();
    assertThat(slots.stillTenant(SLOT, tail)).isFalse();
  }

  @Test
  void slotsOfTwoBucketsAreToldApartByTheirTags() {
    long tags = Tags.pattern(HASH);
    assertThat(slotsOf(store.untagged(0, 1), 0, 1)).hasSize(16).doesNotHaveDuplicates();
    assertThat(store.candidates(0, 1, tags)).isZero();
    publish(1, false);
    assertThat(slotsOf(store.untagged(0, 1), 0, 1)).hasSize(15).doesNotContain(SLOT);
    assertThat(slotsOf(store.candidates(0, 1, tags), 0, 1)).containsExactly(SLOT);
    assertThat(slotsOf(announcements.candidates(1, 0, tags), 1, 0)).containsExactly(SLOT);
    assertThat(slotsOf(slots.another(0, 1, tags, 0, HI, LO), 0, 1)).containsExactly(SLOT);
    assertThat(slots.another(0, 1, tags, SLOT, HI, LO)).isZero();
    assertThat(slots.another(0, 1, tags, 0, HI, LO + 1)).isZero();
    long emptier = SlotStore.ofEmptier(store.untagged(1, 0));
    assertThat(slotsOf(emptier, 1, 0)).containsExactlyInAnyOrder(0, 1, 2, 3, 4, 5, 6, 7);
  }

  private static List<Integer> slotsOf(long mask, int first, int second) {
    List<Integer> found = new ArrayList<>();
    for (long left = mask; left != 0; left &= left - 1) {
      found.add(SlotStore.slot(first, second, left));
    }
    return found;
  }
}
