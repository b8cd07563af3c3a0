/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.slot;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each step of a slot by itself: what it changes, and in which words it changes nothing. */
class SlotStepsTest {
  private static final int SLOT = 5;
  private static final int MAX_COUNTDOWN = 3;
  private static final long HI = 7;
  private static final long LO = 8;
  private static final long COLD = ChargeWord.of(2, 50);

  private final CountingSlotStore store = new CountingSlotStore(16);
  private final SlotProtocol slots = new SlotProtocol(store, MAX_COUNTDOWN);

  @BeforeEach
  void fill() {
    assertThat(slots.claim(SLOT)).isTrue();
    slots.fill(SLOT, HI, LO, "value", COLD);
  }

  private void publish(long meta) {
    store.setMetaRelease(SLOT, meta);
    store.reset();
  }

  private long meta() {
    return store.words().metaAcquire(SLOT);
  }

  private static long visible(int countdown) {
    return MetaWord.visible(countdown, false, true, 0);
  }

  private static long pinned(int pins) {
    return visible(2) + pins * MetaWord.ACQUIRE_ONE;
  }

  @Test
  void aUseCountsUntilTheEntryIsHotAndIsNotWrittenThen() {
    publish(visible(1));
    for (int uses = 2; uses <= MAX_COUNTDOWN; uses++) {
      slots.tick(SLOT);
      assertThat(MetaWord.releases(meta())).isEqualTo(uses);
      assertThat(MetaWord.wasHit(meta())).isTrue();
    }
    store.reset();
    slots.tick(SLOT);
    slots.tick(SLOT, meta());
    assertThat(store.stores()).isZero();
  }

  @Test
  void aUseOfWhatIsGoneDoesNotCount() {
    publish(MetaWord.ABANDONED);
    slots.tick(SLOT);
    assertThat(store.stores()).isZero();
    slots.tick(SLOT, visible(1));
    assertThat(meta()).as("another word").isEqualTo(MetaWord.ABANDONED);
  }

  @Test
  void aKeyInsertedAgainGetsMoreUsesUpToTheMost() {
    publish(visible(1));
    slots.boost(SLOT, meta(), 1);
    assertThat(meta()).isEqualTo(visible(2));
    slots.boost(SLOT, meta(), 1);
    assertThat(meta()).isEqualTo(visible(MAX_COUNTDOWN));
    store.reset();
    slots.boost(SLOT, meta(), 1);
    assertThat(store.stores()).isZero();
    slots.boost(SLOT, visible(1), 1);
    assertThat(meta()).as("another word").isEqualTo(visible(MAX_COUNTDOWN));
  }

  @Test
  void aBoostOfWhatWasNotFoundChangesNothing() {
    publish(MetaWord.EMPTY);
    slots.boost(SLOT, 0, 2);
    assertThat(meta()).isEqualTo(MetaWord.EMPTY);
    publish(MetaWord.ABANDONED);
    slots.boost(SLOT, MetaWord.ABANDONED, 2);
    assertThat(meta()).isEqualTo(MetaWord.ABANDONED);
  }

  @Test
  void aVisitTellsTheWordItLeft() {
    publish(visible(3));
    long aged = slots.age(SLOT, meta(), 1, 9);
    assertThat(aged).isEqualTo(meta()).isEqualTo(MetaWord.visible(1, false, true, 9));
    assertThat(slots.age(SLOT, visible(3), 0, 9)).as("of a word that has changed").isZero();
    assertThat(meta()).isEqualTo(aged);
    slots.age(SLOT, aged, 0, MetaWord.policy(aged));
    assertThat(meta()).isEqualTo(MetaWord.visible(0, false, true, 9));
  }

  @Test
  void aNoteOfThePolicyChangesNothingElse() {
    publish(visible(2));
    assertThat(slots.annotate(SLOT, visible(2), 5)).isTrue();
    assertThat(meta()).isEqualTo(MetaWord.visible(2, false, true, 5));
    assertThat(slots.annotate(SLOT, visible(2), 6)).as("on a word that has changed").isFalse();
    assertThat(meta()).isEqualTo(MetaWord.visible(2, false, true, 5));
  }

  @Test
  void theClassOfAFilledSlotChangesUnlessALatePromotionHasMovedIt() {
    long main = ChargeWord.asMain(COLD);
    store.reset();
    assertThat(slots.reclass(SLOT, COLD, COLD)).isEqualTo(COLD);
    assertThat(store.stores()).isZero();
    assertThat(slots.reclass(SLOT, COLD, main)).isEqualTo(main);
    assertThat(store.coldAcquire(SLOT)).isEqualTo(main);
    assertThat(slots.reclass(SLOT, COLD, ChargeWord.of(3, 9))).as("has moved").isEqualTo(COLD);
    assertThat(store.coldAcquire(SLOT)).isEqualTo(main);
  }

  @Test
  void onlyTheWholeKeyMatches() {
    publish(visible(1));
    assertThat(slots.matches(SLOT, HI, LO)).isEqualTo(visible(1));
    assertThat(slots.matches(SLOT, HI, LO + 1)).isZero();
    assertThat(slots.matches(SLOT, HI + 1, LO)).isZero();
    publish(MetaWord.hidden(pinned(1)));
    assertThat(slots.matches(SLOT, HI, LO)).isZero();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void onlyTheWholeKeyIsPinned(boolean hit) {
    publish(hit ? visible(1) | MetaWord.HIT : visible(1));
    assertThat(slots.pin(SLOT, meta(), HI + 1, LO, 9)).isEqualTo(SlotProtocol.MISS);
    assertThat(slots.pin(SLOT, meta(), HI, LO + 1, 9)).isEqualTo(SlotProtocol.MISS);
    assertThat(MetaWord.refcount(meta())).isZero();
    assertThat(slots.pin(SLOT, meta(), HI, LO, 9)).isEqualTo(SlotProtocol.PINNED);
    assertThat(MetaWord.refcount(meta())).isEqualTo(1);
    assertThat(MetaWord.wasHit(meta())).isTrue();
  }

  /** Pins of another key's entry do not count for the limit of this one. */
  @Test
  void asManyPinsAsAreAllowedAreHeld() {
    publish(visible(1));
    for (int pins = 0; pins < 3; pins++) {
      assertThat(slots.pinUnseen(SLOT, HI, LO, 3)).isEqualTo(SlotProtocol.PINNED);
    }
    assertThat(slots.pinUnseen(SLOT, HI, LO, 3)).isEqualTo(SlotProtocol.TOO_MANY_PINS);
    assertThat(slots.pinUnseen(SLOT, HI + 1, LO, 3)).isEqualTo(SlotProtocol.MISS);
    assertThat(slots.pinUnseen(SLOT, HI, LO + 1, 3)).isEqualTo(SlotProtocol.MISS);
    assertThat(slots.pinUnseen(SLOT, HI + 1, LO, 9)).isEqualTo(SlotProtocol.MISS);
    assertThat(MetaWord.refcount(meta())).isEqualTo(3);
    assertThat(MetaWord.wasHit(meta())).as("unseen").isFalse();
    assertThat(slots.pinUnseen(SLOT, HI, LO, 4)).isEqualTo(SlotProtocol.PINNED);
  }

  @Test
  void aPinOfWhatIsNoEntryCountsForNothing() {
    for (long word : new long[] {MetaWord.UNDER_CONSTRUCTION, MetaWord.ANNOUNCED}) {
      publish(word);
      assertThat(slots.pinUnseen(SLOT, HI, LO, 9)).isEqualTo(SlotProtocol.MISS);
      assertThat(slots.pinUnseen(SLOT, HI, LO, 0)).isEqualTo(SlotProtocol.MISS);
      assertThat(SlotWords.state(meta())).isEqualTo(SlotWords.State.UNDER_CONSTRUCTION);
    }
    publish(MetaWord.EMPTY);
    assertThat(slots.pinAny(SLOT)).isEqualTo(SlotProtocol.MISS);
    assertThat(store.stores()).isZero();
  }

  /** It has been erased, and its last holder could not free it. */
  @Test
  void whoMeetsAnAbandonedEntryOwnsIt() {
    publish(MetaWord.ABANDONED);
    assertThat(slots.pinUnseen(SLOT, HI, LO, 9)).isEqualTo(SlotProtocol.OWNED);
    assertThat(meta()).isEqualTo(MetaWord.UNDER_CONSTRUCTION);
    publish(MetaWord.ABANDONED);
    assertThat(slots.pinUnseen(SLOT, HI + 1, LO, 0)).isEqualTo(SlotProtocol.OWNED);
  }

  @Test
  void anyVisibleEntryCanBePinned() {
    publish(visible(1));
    assertThat(slots.pinAny(SLOT)).isEqualTo(SlotProtocol.PINNED);
    assertThat(MetaWord.refcount(meta())).isEqualTo(1);
    assertThat(MetaWord.wasHit(meta())).isFalse();
    publish(MetaWord.hidden(pinned(1)));
    assertThat(slots.pinAny(SLOT)).isEqualTo(SlotProtocol.MISS);
    assertThat(MetaWord.refcount(meta())).isEqualTo(1);
  }

  @Test
  void onlyWhatIsAbandonedIsTakenAsSuch() {
    long hidden = MetaWord.hidden(pinned(1));
    for (long word :
        new long[] {MetaWord.EMPTY, MetaWord.UNDER_CONSTRUCTION, visible(0), pinned(1), hidden}) {
      publish(word);
      assertThat(slots.takeAbandoned(SLOT)).as(SlotWords.text(word)).isFalse();
      assertThat(meta()).isEqualTo(word);
    }
    publish(MetaWord.ABANDONED);
    assertThat(slots.takeAbandoned(SLOT)).isTrue();
    assertThat(meta()).isEqualTo(MetaWord.UNDER_CONSTRUCTION);
  }

  @Test
  void aReleaseTakesTheSlotOnlyIfItIsToAndIsTheLast() {
    publish(pinned(2));
    assertThat(slots.release(SLOT, true, true)).as("another holds it").isFalse();
    assertThat(MetaWord.releases(meta())).isEqualTo(3);
    assertThat(slots.release(SLOT, false, false)).as("is visible").isFalse();
    assertThat(MetaWord.refcount(meta())).isZero();
    assertThat(MetaWord.releases(meta())).isEqualTo(3);
    publish(pinned(1));
    assertThat(slots.release(SLOT, false, true)).isTrue();
    assertThat(meta()).isEqualTo(MetaWord.UNDER_CONSTRUCTION);
    publish(MetaWord.hidden(pinned(2)));
    assertThat(slots.release(SLOT, false, false)).isFalse();
    assertThat(MetaWord.releases(meta())).isEqualTo(2);
    assertThat(slots.release(SLOT, false, false)).isTrue();
  }

  /** Counters near their end are corrected by whichever way a reference ends. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aReleaseCorrectsWornCounters(boolean hidden) {
    int worn = (1 << (MetaWord.COUNTER_BITS - 1)) + 3;
    long word = visible(worn) + 2 * MetaWord.ACQUIRE_ONE;
    publish(hidden ? MetaWord.hidden(word) : word);
    assertThat(slots.release(SLOT, false, false)).isFalse();
    assertThat(MetaWord.releases(meta())).as("not yet").isEqualTo(worn);
    publish(hidden ? MetaWord.hidden(word) : word);
    slots.release(SLOT, true, false);
    if (!hidden) {
      // The word before the step is looked at.
      slots.release(SLOT, true, false);
      slots.ref(SLOT);
    }
    assertThat(MetaWord.releases(meta())).isBetween(MAX_COUNTDOWN, 10);
    assertThat(MetaWord.refcount(meta())).isEqualTo(1);
  }

  @Test
  void hidingTellsWhatItWas() {
    publish(pinned(2));
    assertThat(slots.supersedeAndRelease(SLOT)).isEqualTo(SlotProtocol.MISS);
    assertThat(MetaWord.isSuperseded(meta())).isTrue();
    assertThat(MetaWord.refcount(meta())).isEqualTo(1);
    assertThat(slots.hideAndRelease(SLOT)).isEqualTo(SlotProtocol.OWNED | SlotProtocol.SUPERSEDED);
    publish(pinned(3));
    assertThat(slots.hideAndRelease(SLOT)).isEqualTo(SlotProtocol.MISS);
    assertThat(MetaWord.isVisible(meta())).isFalse();
    assertThat(MetaWord.isSuperseded(meta())).isFalse();
    assertThat(slots.supersedeAndRelease(SLOT)).as("hidden before").isZero();
    assertThat(MetaWord.isSuperseded(meta())).as("hidden before").isFalse();
    publish(pinned(1));
    assertThat(slots.supersedeAndRelease(SLOT)).isEqualTo(SlotProtocol.OWNED);
    assertThat(meta()).isEqualTo(MetaWord.UNDER_CONSTRUCTION);
  }

  @Test
  void supersedingEndsOnce() {
    publish(MetaWord.superseding(visible(2), 0, true, MAX_COUNTDOWN));
    slots.endSuperseding(SLOT);
    assertThat(meta()).isEqualTo(MetaWord.visible(2, true, true, 0));
    store.reset();
    slots.endSuperseding(SLOT);
    assertThat(store.stores()).isZero();
    publish(MetaWord.ANNOUNCED);
    slots.endSuperseding(SLOT);
    assertThat(meta()).as("of the next tenant").isEqualTo(MetaWord.ANNOUNCED);
  }

  @Test
  void eachTenancyHasAGenerationOfItsOwn() {
    for (int tenancies = 1; tenancies < 5; tenancies++) {
      publish(visible(0));
      long tail = store.tailAcquire(SLOT);
      assertThat(slots.take(SLOT, visible(0))).isTrue();
      slots.beginTearDown(SLOT);
      slots.finishTearDown(SLOT);
      assertThat(GenerationWord.generation(store.tailAcquire(SLOT))).isEqualTo(tenancies);
      assertThat(slots.stillTenant(SLOT, tail)).isFalse();
      fill();
    }
  }

  @Test
  void aFailedReferenceIsTakenBack() {
    publish(visible(1) + MetaWord.MAX_PINS - 1);
    assertThat(slots.ref(SLOT)).isTrue();
    assertThat(slots.ref(SLOT)).isFalse();
    assertThat(MetaWord.refcount(meta())).isEqualTo(MetaWord.MAX_PINS);
  }
}
