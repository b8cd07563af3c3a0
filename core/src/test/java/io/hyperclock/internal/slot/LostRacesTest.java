/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.slot;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a step makes of a word that another thread changes between its look and its change. */
@Timeout(60)
class LostRacesTest {
  private static final int SLOT = 3;
  private static final long HI = 7;
  private static final long LO = 8;
  private static final long LOOSE = MetaWord.visible(2, false, true, 0);
  private static final long PINNED = LOOSE + MetaWord.ACQUIRE_ONE;
  private static final LongUnaryOperator PIN = meta -> meta + MetaWord.ACQUIRE_ONE;
  private static final LongUnaryOperator RELEASE = meta -> meta - MetaWord.ACQUIRE_ONE;

  private final CountingSlotStore store = new CountingSlotStore(8, this::access);
  private final SlotProtocol slots = new SlotProtocol(store, 3);
  private final TentativeInserts inserts = new TentativeInserts(slots);
  private final WriterLatch latch = new WriterLatch(slots);
  private final ValueSwap swap = new ValueSwap(slots);

  private int accesses;
  private int moment;
  private Runnable other = () -> {};

  private void access() {
    if (++accesses == moment) {
      other.run();
    }
  }

  /** What another thread does before the access of this number. */
  private void before(int access, Runnable step) {
    accesses = 0;
    moment = access;
    other = step;
  }

  /** The slot has a word, which another thread changes before the second access. */
  private void race(long meta, LongUnaryOperator change) {
    race(2, meta, change);
  }

  private void race(int access, long meta, LongUnaryOperator change) {
    set(meta);
    before(access, () -> set(change.applyAsLong(meta())));
  }

  private void set(long meta) {
    store.words().setMetaRelease(SLOT, meta);
  }

  private long meta() {
    return store.words().metaAcquire(SLOT);
  }

  @BeforeEach
  void fill() {
    assertThat(slots.claim(SLOT)).isTrue();
    slots.fill(SLOT, HI, LO, "value", ChargeWord.of(0, 1));
  }

  @Test
  void aLatePinDoesNotKeepASlotFromBeingClaimed() {
    race(MetaWord.EMPTY, PIN);
    assertThat(slots.claim(SLOT)).isTrue();
    assertThat(meta()).isEqualTo(MetaWord.UNDER_CONSTRUCTION);
    race(MetaWord.EMPTY, meta -> MetaWord.UNDER_CONSTRUCTION);
    assertThat(slots.claim(SLOT)).as("by another").isFalse();
  }

  @Test
  void whatIsUsedOrPinnedMeanwhileIsNotTaken() {
    race(1, LOOSE, PIN);
    assertThat(slots.take(SLOT, LOOSE)).isFalse();
    race(MetaWord.ABANDONED, PIN);
    assertThat(slots.takeAbandoned(SLOT)).isFalse();
    assertThat(MetaWord.refcount(meta())).isEqualTo(1);
    race(MetaWord.ABANDONED, meta -> meta | MetaWord.HIT);
    assertThat(slots.takeAbandoned(SLOT)).as("still abandoned").isTrue();
    assertThat(meta()).isEqualTo(MetaWord.UNDER_CONSTRUCTION | MetaWord.HIT);
  }

  @Test
  void aLastReleaseWithoutStackLeavesItsEntryToASweep() {
    set(PINNED);
    Runnable endOfStack =
        () -> {
          throw new StackOverflowError();
        };
    before(
        2,
        () -> {
          set(MetaWord.hidden(meta()));
          moment = 3;
          other = endOfStack;
        });
    assertThat(slots.release(SLOT, false, false)).isFalse();
    assertThat(accesses).isEqualTo(3);
    assertThat(MetaWord.refcount(meta())).isZero();
    assertThat(slots.takeAbandoned(SLOT)).isTrue();
  }

  @Test
  void aPinWhoseWordHasChangedIsOneAllTheSame() {
    race(1, LOOSE, PIN);
    assertThat(slots.pin(SLOT, LOOSE, HI, LO, 9)).isEqualTo(SlotProtocol.PINNED);
    assertThat(MetaWord.refcount(meta())).isEqualTo(2);
    assertThat(MetaWord.wasHit(meta())).as("left to the next pin").isFalse();
    race(1, LOOSE, meta -> MetaWord.ABANDONED);
    assertThat(slots.pin(SLOT, LOOSE, HI, LO, 9)).isEqualTo(SlotProtocol.OWNED);
    race(LOOSE, meta -> MetaWord.ABANDONED);
    assertThat(slots.pinAny(SLOT)).isEqualTo(SlotProtocol.OWNED);
    race(LOOSE, meta -> MetaWord.UNDER_CONSTRUCTION);
    assertThat(slots.pinAny(SLOT)).isEqualTo(SlotProtocol.MISS);
    race(LOOSE, meta -> MetaWord.hidden(PINNED));
    assertThat(slots.pinAny(SLOT)).as("another holds it").isEqualTo(SlotProtocol.MISS);
    assertThat(meta()).isEqualTo(MetaWord.hidden(PINNED));
  }

  /** The next entry may be in the slot by then. */
  @Test
  void aPinOfNoEntryIsNotTakenBack() {
    for (long gone : List.of(MetaWord.EMPTY, MetaWord.UNDER_CONSTRUCTION)) {
      race(1, LOOSE, meta -> gone);
      assertThat(slots.pin(SLOT, LOOSE, HI, LO, 9)).isEqualTo(SlotProtocol.MISS);
      assertThat(meta()).isEqualTo(PIN.applyAsLong(gone));
      race(LOOSE, meta -> gone);
      assertThat(slots.pinAny(SLOT)).isEqualTo(SlotProtocol.MISS);
      assertThat(meta()).isEqualTo(PIN.applyAsLong(gone));
    }
  }

  @Test
  void whatIsHiddenMeanwhileHasNotTooManyPins() {
    race(1, PINNED, MetaWord::hidden);
    assertThat(slots.pin(SLOT, PINNED, HI, LO, 1)).isEqualTo(SlotProtocol.MISS);
    assertThat(meta()).isEqualTo(MetaWord.hidden(PINNED));
    set(PINNED);
    assertThat(slots.pin(SLOT, PINNED, HI, LO, 1)).isEqualTo(SlotProtocol.TOO_MANY_PINS);
  }

  @Test
  void theLastReleaseIsTheLastOfThoseThatAre() {
    race(PINNED, PIN);
    assertThat(slots.release(SLOT, false, true)).as("pinned meanwhile").isFalse();
    assertThat(meta()).isEqualTo(PINNED);
    race(2, PIN.applyAsLong(PINNED), RELEASE);
    assertThat(slots.release(SLOT, false, true)).as("released meanwhile").isTrue();
    assertThat(meta()).isEqualTo(MetaWord.UNDER_CONSTRUCTION);
    race(2, PINNED, MetaWord::hidden);
    assertThat(slots.release(SLOT, false, false)).as("hidden meanwhile").isTrue();
    assertThat(meta()).isEqualTo(MetaWord.UNDER_CONSTRUCTION);
    race(2, PIN.applyAsLong(PINNED), MetaWord::hidden);
    assertThat(slots.release(SLOT, false, false)).as("hidden, and held by another").isFalse();
    assertThat(meta()).isEqualTo(MetaWord.hidden(PINNED));
  }

  /** Once it is let go another thread may free it, and fill the slot with the next entry. */
  @Test
  void anErasingReleaseHoldsTheEntryUntilItIsTaken() {
    set(PINNED);
    before(2, () -> assertThat(meta()).isEqualTo(PINNED));
    assertThat(slots.release(SLOT, true, true)).isTrue();
    assertThat(accesses).isEqualTo(2);
  }

  @Test
  void hidingCountsWhoHoldsItThen() {
    race(PINNED, PIN);
    assertThat(slots.hideAndRelease(SLOT)).isEqualTo(SlotProtocol.MISS);
    assertThat(meta()).isEqualTo(MetaWord.hidden(PINNED));
    race(PIN.applyAsLong(PINNED), MetaWord::superseded);
    assertThat(slots.hideAndRelease(SLOT)).isEqualTo(SlotProtocol.SUPERSEDED);
    assertThat(meta()).isEqualTo(MetaWord.superseded(PINNED));
    race(PINNED | MetaWord.PREPARED, PIN);
    assertThat(latch.hideAndRelease(SLOT)).isFalse();
    assertThat(meta()).isEqualTo(MetaWord.hidden(PINNED));
  }

  @Test
  void onlyOneThreadMarksAnErase() {
    set(PINNED);
    long marked = store.words().tailAcquire(SLOT) | GenerationWord.ERASING;
    before(2, () -> store.words().setTailRelease(SLOT, marked));
    assertThat(slots.markErasing(SLOT)).isFalse();
    assertThat(store.words().tailAcquire(SLOT)).isEqualTo(marked);
  }

  @Test
  void supersedingEndsAlthoughOthersPin() {
    race(PINNED | MetaWord.WRITER, PIN);
    slots.endSuperseding(SLOT);
    assertThat(meta()).isEqualTo(PIN.applyAsLong(PINNED));
  }

  @Test
  void countersAreCorrectedAlthoughOthersPin() {
    int worn = (1 << (MetaWord.COUNTER_BITS - 1)) + 4;
    race(4, MetaWord.visible(worn, false, true, 0) + MetaWord.ACQUIRE_ONE, PIN);
    assertThat(slots.release(SLOT, false, false)).isFalse();
    assertThat(meta()).isEqualTo(MetaWord.visible(4, false, true, 0) + MetaWord.ACQUIRE_ONE);
    long empty = MetaWord.EMPTY + worn * (MetaWord.ACQUIRE_ONE + MetaWord.RELEASE_ONE);
    race(3, MetaWord.visible(worn, false, true, 0) + MetaWord.ACQUIRE_ONE, meta -> empty);
    assertThat(slots.release(SLOT, false, false)).isFalse();
    assertThat(meta()).as("of no entry any more").isEqualTo(empty);
  }

  @Test
  void aPublicationFailsOnlyIfItWasInvalidated() {
    race(MetaWord.ANNOUNCED, PIN);
    assertThat(inserts.publish(SLOT, LOOSE)).isTrue();
    assertThat(meta()).isEqualTo(LOOSE);
    race(MetaWord.ANNOUNCED, meta -> MetaWord.UNDER_CONSTRUCTION);
    assertThat(inserts.publish(SLOT, LOOSE)).isFalse();
    assertThat(meta()).isEqualTo(MetaWord.UNDER_CONSTRUCTION);
    assertThat(inserts.isInvalidated(SLOT)).isTrue();
    set(MetaWord.ANNOUNCED);
    assertThat(inserts.isInvalidated(SLOT)).isFalse();
  }

  /** Of a table that was left. */
  @Test
  void whatIsAnnouncedIsInvalidatedAndWhatIsVisibleStays() {
    race(MetaWord.ANNOUNCED, PIN);
    assertThat(MetaWord.isAnnounced(inserts.invalidate(SLOT))).isTrue();
    assertThat(meta()).isEqualTo(MetaWord.UNDER_CONSTRUCTION);
    assertThat(inserts.publish(SLOT, LOOSE)).isFalse();
    race(MetaWord.ANNOUNCED, meta -> LOOSE);
    assertThat(inserts.invalidate(SLOT)).as("published meanwhile").isEqualTo(LOOSE);
    for (long meta : new long[] {LOOSE, MetaWord.EMPTY, MetaWord.hidden(PINNED)}) {
      set(meta);
      assertThat(inserts.invalidate(SLOT)).isEqualTo(meta);
      assertThat(meta()).isEqualTo(meta);
    }
  }

  @Test
  void onlyWhatIsAnnouncedForTheKeyIsInvalidated() {
    set(MetaWord.ANNOUNCED);
    assertThat(inserts.findOrInvalidate(SLOT, HI + 1, LO, false)).isZero();
    assertThat(inserts.findOrInvalidate(SLOT, HI, LO + 1, false)).isZero();
    assertThat(inserts.isInvalidated(SLOT)).isFalse();
    for (long meta : new long[] {MetaWord.EMPTY, MetaWord.hidden(PINNED)}) {
      set(meta);
      assertThat(inserts.findOrInvalidate(SLOT, HI, LO, false)).isZero();
      assertThat(meta()).isEqualTo(meta);
    }
  }

  @Test
  void whatIsPublishedMeanwhileIsFoundAndNotInvalidated() {
    race(5, MetaWord.ANNOUNCED, meta -> LOOSE);
    assertThat(inserts.findOrInvalidate(SLOT, HI, LO, false)).isEqualTo(LOOSE);
    assertThat(meta()).isEqualTo(LOOSE);
    race(5, MetaWord.ANNOUNCED, PIN);
    assertThat(inserts.findOrInvalidate(SLOT, HI, LO, false)).isZero();
    assertThat(MetaWord.isAnnounced(meta())).isFalse();
  }

  /** Who announced first has a moment to publish. */
  @Test
  void thePatientFindWhatIsAboutToBePublished() {
    race(14, MetaWord.ANNOUNCED, meta -> LOOSE);
    assertThat(inserts.findOrInvalidate(SLOT, HI, LO, true)).isEqualTo(LOOSE);
    race(10_000, MetaWord.ANNOUNCED, meta -> LOOSE);
    assertThat(inserts.findOrInvalidate(SLOT, HI, LO, true)).isZero();
    assertThat(meta()).isEqualTo(MetaWord.UNDER_CONSTRUCTION);
    assertThat(accesses).isLessThan(100);
  }

  @Test
  void anotherTenantOfTheSlotIsLookedAtAnew() {
    set(LOOSE);
    long next = GenerationWord.next(store.words().tailAcquire(SLOT));
    before(
        5,
        () -> {
          store.words().setTailRelease(SLOT, next);
          set(MetaWord.EMPTY);
        });
    assertThat(inserts.findOrInvalidate(SLOT, HI, LO, false)).isZero();
    set(LOOSE);
    before(5, () -> store.words().setTailRelease(SLOT, GenerationWord.next(next)));
    assertThat(slots.matches(SLOT, HI, LO)).isZero();
    before(5, () -> {});
    assertThat(slots.matches(SLOT, HI, LO)).isEqualTo(LOOSE);
  }

  @Test
  void aWriterComesInAfterTheOneBefore() {
    race(2, PINNED, meta -> meta | MetaWord.WRITER);
    assertThat(latch.enter(SLOT)).isEqualTo(WriterLatch.BUSY);
    race(2, PINNED, meta -> meta | MetaWord.PREPARED);
    assertThat(latch.enter(SLOT)).isEqualTo(WriterLatch.PREPARED);
    race(2, PINNED, PIN);
    assertThat(latch.enter(SLOT)).isEqualTo(WriterLatch.ENTERED);
    assertThat(meta()).isEqualTo(PIN.applyAsLong(PINNED) | MetaWord.WRITER);
    race(200, PINNED | MetaWord.WRITER, meta -> PINNED);
    assertThat(latch.enter(SLOT)).isEqualTo(WriterLatch.ENTERED);
    assertThat(meta()).isEqualTo(PINNED | MetaWord.WRITER);
  }

  @Test
  void readsAreDivertedAndPreparesEndAlthoughOthersPin() {
    race(PINNED | MetaWord.PREPARED, PIN);
    latch.divertReads(SLOT);
    assertThat(meta()).isEqualTo(MetaWord.notReadable(PIN.applyAsLong(PINNED) | MetaWord.PREPARED));
    race(meta(), PIN);
    latch.complete(SLOT);
    assertThat(MetaWord.isPrepared(meta())).isFalse();
    assertThat(MetaWord.isReadable(meta())).isTrue();
    assertThat(MetaWord.refcount(meta())).isEqualTo(2);
  }

  @Test
  void anExchangeWaitsForWhoPinnedMeanwhile() {
    race(LOOSE, PIN);
    assertThat(swap.enter(SLOT)).isZero();
    assertThat(meta()).isEqualTo(PINNED);
    race(LOOSE, MetaWord::hidden);
    assertThat(swap.enter(SLOT)).isZero();
    assertThat(meta()).isEqualTo(MetaWord.hidden(LOOSE));
    race(LOOSE, meta -> meta | MetaWord.HIT);
    assertThat(swap.enter(SLOT)).isEqualTo(LOOSE | MetaWord.HIT);
    assertThat(MetaWord.isExchanging(meta())).isTrue();
  }
}
