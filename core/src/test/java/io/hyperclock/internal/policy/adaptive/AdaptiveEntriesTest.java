/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.policy.adaptive;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.internal.policy.EvictionRequest;
import io.hyperclock.internal.slot.ChargeWord;
import io.hyperclock.internal.slot.MetaWord;
import io.hyperclock.internal.slot.SlotStore;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the searches share: figures of the table, and the steps on one entry. */
class AdaptiveEntriesTest {
  private static final int SLOTS = 8;
  private static final int MANY_SLOTS = 2048;

  /** Access at which a promotion replaces the cold word, behind the one that reads it. */
  private static final int REPLACE = 2;

  private final FewEntries entries = new FewEntries(SLOTS);
  private final SlotStore words = entries.table.store.words();
  private final EvictionRequest request = new EvictionRequest(0);

  private static FewEntries withKeysThatNeverReturn(int slots) {
    FewEntries entries = new FewEntries(slots);
    for (int i = 0; i < 1000; i++) {
      entries.learned.came(false);
    }
    return entries;
  }

  /** Bits of a result that change, on average, with each bit of a hash: the fewest of any. */
  private static double fewestFlips(LongUnaryOperator mix) {
    double fewest = Long.SIZE;
    for (int bit = 0; bit < Long.SIZE; bit++) {
      int flips = 0;
      for (long hash = 1; hash <= 64; hash++) {
        long spread = hash * 0xD6E8FEB86659FD93L;
        flips += Long.bitCount(mix.applyAsLong(spread) ^ mix.applyAsLong(spread ^ 1L << bit));
      }
      fewest = Math.min(fewest, flips / 64.0);
    }
    return fewest;
  }

  @Test
  void eachBitOfAHashIsInBothHalvesOfTheMixedOne() {
    assertThat(fewestFlips(AdaptiveEntries::mixed)).isGreaterThan(8);
    assertThat(fewestFlips(hash -> AdaptiveEntries.mixed(hash) & 0xFFFFFFFFL)).isGreaterThan(4);
    assertThat(fewestFlips(hash -> AdaptiveEntries.mixed(hash) >>> 32)).isGreaterThan(4);
  }

  @Test
  void noMixedHashStandsForAnEntryThatIsGone() {
    assertThat(AdaptiveEntries.mixed(0)).isNotEqualTo(AdaptiveEntries.GONE);
  }

  @Test
  void onlyKeysOfTheSampleAreRememberedWhereKeysDoNotReturn() {
    FewEntries sparing = withKeysThatNeverReturn(MANY_SLOTS);
    FewEntries usual = new FewEntries(MANY_SLOTS);
    FewEntries small = withKeysThatNeverReturn(MANY_SLOTS - SLOTS);
    int remembered = 0;
    for (long hash = 1; hash <= 1000; hash++) {
      long mixed = AdaptiveEntries.mixed(hash);
      assertThat(sparing.isRemembered(mixed)).isEqualTo(sparing.duels.takesPart(mixed));
      assertThat(usual.isRemembered(mixed)).isTrue();
      assertThat(small.isRemembered(mixed)).as("all keys are of its sample").isTrue();
      remembered += sparing.isRemembered(mixed) ? 1 : 0;
    }
    assertThat(remembered).isBetween(400, 600);
  }

  @Test
  void slotsAreDearIfTheyTakeMoreThanASmallShare() {
    entries.figures.capacity = 128L * SLOTS * SlotStore.SLOT_BYTES;
    assertThat(entries.areSlotsDear()).isFalse();
    entries.figures.capacity--;
    assertThat(entries.areSlotsDear()).isTrue();
  }

  @Test
  void aTurnIsMadeForDeadEntriesEachTimeThatSomeHaveDied() {
    assertThat(entries.nextToPurge(0)).isEqualTo(-1);
    for (int slot = 0; slot < SLOTS; slot++) {
      assertThat(entries.nextToPurge(3)).isEqualTo(slot);
    }
    assertThat(entries.nextToPurge(3)).isEqualTo(-1);
    for (int slot = 0; slot < SLOTS / 2; slot++) {
      assertThat(entries.nextToPurge(4)).isEqualTo(slot);
    }
    for (int i = 0; i < SLOTS; i++) {
      assertThat(entries.nextToPurge(5)).isEqualTo((SLOTS / 2 + i) % SLOTS);
    }
    assertThat(entries.nextToPurge(5)).isEqualTo(-1);
  }

  @Test
  void anEntryIsUsedFromTheTickOn() {
    assertThat(AdaptiveEntries.isUnused(MetaWord.visible(0, false, true, 0))).isTrue();
    assertThat(AdaptiveEntries.isUnused(MetaWord.visible(1, false, true, 0))).isTrue();
    assertThat(AdaptiveEntries.isUnused(MetaWord.visible(2, false, true, 0))).isFalse();
  }

  @Test
  void aUseIsOneMoreThanWhatIsLeftOfTheFrequency() {
    entries.fill(3);
    assertThat(entries.slots.annotate(3, entries.table.meta(3), PolicyBits.of(6, 0))).isTrue();
    entries.slots.tick(3);
    entries.learned.nextEpoch();
    long credited = entries.creditUse(3, entries.table.meta(3));
    assertThat(credited).isEqualTo(entries.table.meta(3)).isNotZero();
    assertThat(AdaptiveEntries.isUnused(credited)).isTrue();
    assertThat(PolicyBits.frequency(MetaWord.policy(credited), 1)).isEqualTo(4);
  }

  @Test
  void aWordThatHasChangedIsNotCredited() {
    entries.fill(3);
    long seen = entries.table.meta(3);
    entries.slots.tick(3);
    long used = entries.table.meta(3);
    assertThat(entries.creditUse(3, seen)).isZero();
    assertThat(entries.table.meta(3)).isEqualTo(used);
  }

  @Test
  void promotionMovesTheWeightOnce() {
    entries.fill(3);
    entries.fill(4);
    entries.promote(3, null);
    entries.promote(3, null);
    assertThat(entries.isMain(3)).isTrue();
    assertThat(entries.usage.main()).isEqualTo(4);
    assertThat(entries.usage.probation()).isEqualTo(5);
  }

  /** Another thread changes the charge at the last moment. */
  @Test
  void promotionMovesTheWeightThatTheEntryHasThen() {
    entries.fill(3);
    entries.fill(4);
    entries.table.before(REPLACE, () -> recharge(3, 10));
    entries.promote(3, null);
    assertThat(ChargeWord.chargeBytes(words.coldAcquire(3))).isEqualTo(10);
    assertThat(entries.isMain(3)).isTrue();
    assertThat(entries.usage.main()).isEqualTo(10);
    assertThat(entries.usage.probation()).isEqualTo(5);
  }

  @Test
  void promotionForASearchIsOnItsRequest() {
    entries.fill(3);
    entries.table.before(REPLACE, () -> recharge(3, 10));
    entries.promote(3, request);
    entries.promote(3, request);
    assertThat(entries.isMain(3)).isTrue();
    assertThat(request.main()).isEqualTo(10);
    assertThat(request.probation()).isEqualTo(-10);
    assertThat(entries.usage.main()).isZero();
  }

  /** Another search promotes it at the last moment. */
  @Test
  void oneOfTwoPromotionsCounts() {
    entries.fill(3);
    entries.table.before(REPLACE, () -> setCold(3, ChargeWord.asMain(words.coldAcquire(3))));
    entries.promote(3, request);
    assertThat(request.main()).isZero();
    assertThat(request.probation()).isZero();
  }

  private void recharge(int slot, long charge) {
    long before = words.coldAcquire(slot);
    setCold(slot, ChargeWord.of(0, charge));
    entries.usage.change(before, words.coldAcquire(slot));
  }

  private void setCold(int slot, long cold) {
    assertThat(words.compareAndSetCold(slot, words.coldAcquire(slot), cold)).isTrue();
  }

  private void meet(FewEntries of, int phase) {
    while (of.phase() != phase) {
      of.learned.nextTurn();
    }
    of.meetOnProbation(3, of.table.meta(3), request);
  }

  private static boolean isMarked(FewEntries of) {
    return PolicyBits.wasSeen(MetaWord.policy(of.table.meta(3)));
  }

  private static FewEntries large() {
    FewEntries large = new FewEntries(MANY_SLOTS);
    large.fill(3);
    return large;
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3})
  void theSecondSightOnProbationPromotesInASmallTable(int phase) {
    entries.fill(3);
    meet(entries, phase);
    assertThat(entries.isMain(3)).isFalse();
    meet(entries, phase);
    assertThat(entries.isMain(3)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void inALargeTableOneTwoPhasesLaterDoes(int phase) {
    FewEntries large = large();
    meet(large, 0);
    assertThat(isMarked(large)).isTrue();
    meet(large, 0);
    meet(large, 1);
    assertThat(large.isMain(3)).isFalse();
    meet(large, phase);
    assertThat(large.isMain(3)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void inALargeTableOnlyTheFirstPhaseMarks(int phase) {
    FewEntries large = large();
    meet(large, phase);
    meet(large, phase);
    assertThat(isMarked(large)).isFalse();
    assertThat(large.isMain(3)).isFalse();
  }

  @Test
  void whatTheRingKeepsLosesTheMark() {
    FewEntries large = large();
    meet(large, 0);
    large.slots.tick(3);
    assertThat(large.creditUse(3, large.table.meta(3))).isNotZero();
    assertThat(isMarked(large)).isFalse();
    meet(large, 2);
    assertThat(large.isMain(3)).isFalse();
  }

  @Test
  void aPhaseIsHalfOfTheSlotsInInserts() {
    FewEntries large = large();
    int turns = MANY_SLOTS / 2 / large.duels.missesPerTurn();
    assertThat(turns).isGreaterThan(1);
    for (int turn = 0; turn < 9 * turns; turn++) {
      assertThat(large.phase()).isEqualTo(turn / turns % 4);
      large.learned.nextTurn();
    }
  }

  private long evict(int slot) {
    return entries.evict(slot, entries.table.meta(slot), entries.table, request);
  }

  private int remembered(int slot) {
    return entries.ghosts.frequency(AdaptiveEntries.mixed(slot), entries.learned.epoch());
  }

  @Test
  void anEvictionTellsWhoLeftAndWhatThatFreed() {
    entries.fill(3);
    assertThat(evict(3)).isEqualTo(AdaptiveEntries.mixed(3));
    assertThat(entries.table.evicted).containsExactly(3);
    assertThat(request.freedBytes()).isEqualTo(4);
    assertThat(request.freedEntries()).isEqualTo(1);
  }

  @Test
  void whatIsUsedAtTheLastMomentStays() {
    entries.fill(3);
    long seen = entries.table.meta(3);
    entries.slots.tick(3);
    assertThat(entries.evict(3, seen, entries.table, request)).isEqualTo(AdaptiveEntries.GONE);
    assertThat(entries.table.evicted).isEmpty();
    assertThat(request.freedEntries()).isZero();
  }

  @Test
  void theFrequencyOfAnEntryThatWasUsedOutlivesIt() {
    entries.fill(3);
    entries.fill(4);
    entries.learned.nextEpoch();
    for (int slot = 3; slot <= 4; slot++) {
      assertThat(entries.slots.annotate(slot, entries.table.meta(slot), PolicyBits.of(6, 0)))
          .isTrue();
    }
    entries.slots.tick(3);
    evict(3);
    evict(4);
    assertThat(remembered(3)).isEqualTo(3);
    assertThat(remembered(4)).as("its insert has left one").isEqualTo(GhostTable.NOWHERE);
  }

  @Test
  void whatWasErasedIsNotRemembered() {
    entries.fill(3);
    entries.slots.tick(3);
    entries.abandon(3);
    assertThat(MetaWord.refcount(entries.table.meta(3))).isZero();
    assertThat(evict(3)).isEqualTo(AdaptiveEntries.mixed(3));
    assertThat(remembered(3)).isEqualTo(GhostTable.NOWHERE);
  }
}
