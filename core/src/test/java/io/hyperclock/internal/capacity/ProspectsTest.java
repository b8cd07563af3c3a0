/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.internal.policy.EvictableEntries;
import io.hyperclock.internal.policy.EvictionRequest;
import io.hyperclock.internal.slot.HeapSlotStore;
import io.hyperclock.internal.slot.MetaWord;
import io.hyperclock.internal.slot.SlotProtocol;
import io.hyperclock.internal.slot.TentativeInserts;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a shard knows of the room that an eviction could make. */
class ProspectsTest {
  private static final long CAPACITY = 1100;
  private static final long METADATA = 100;
  private static final int SLOTS = 1280;
  private static final int FEW = 20;
  private static final int EASY = ShortSweep.LOOKS / 8;
  private static final int IN_A_ROW = 8;

  private final CapacityLedger ledger = new CapacityLedger(CAPACITY, false, METADATA);
  private final Prospects prospects = new Prospects(ledger, SLOTS);
  private final EvictionRequest request = new EvictionRequest(0);

  private void entries(int entries, long bytes) {
    ledger.addUsage(bytes);
    ledger.addOccupancyUnlessZero(entries);
  }

  /** A request after a short sweep of so many slots, in which others are held. */
  private static EvictionRequest swept(int slots, int found) {
    return swept(slots, found, FEW);
  }

  /** A request after a short sweep of so many slots, which has found entries of charge 1. */
  private static EvictionRequest swept(int slots, int found, int held) {
    SlotProtocol table = new SlotProtocol(new HeapSlotStore(slots), 3);
    TentativeInserts inserts = new TentativeInserts(table);
    for (int slot = 0; slot < found; slot++) {
      assertThat(table.claim(slot)).isTrue();
      inserts.announce(slot, slot);
      assertThat(inserts.publish(slot, MetaWord.visible(1, false, true, 0))).isTrue();
    }
    EvictionRequest request = new EvictionRequest(0);
    request.ask(0, slots, EvictionRequest.NO_EFFORT_CAP);
    new ShortSweep(table)
        .run(
            new EvictableEntries() {
              @Override
              public long hash(int slot) {
                return slot;
              }

              @Override
              public long evict(int slot, long meta, EvictionRequest request) {
                return 1;
              }

              @Override
              public boolean isDead(int slot) {
                return false;
              }

              @Override
              public long deaths() {
                return 0;
              }
            },
            request);
    assertThat(request.looks()).isEqualTo(slots);
    assertThat(request.freedBytes()).isEqualTo(found);
    for (int i = 0; i < held; i++) {
      request.sawPinned();
    }
    return request;
  }

  @Test
  void whatDoesNotFitIntoAnEmptyTableIsBeyondReach() {
    assertThat(prospects.isBeyondReach(1000)).isFalse();
    assertThat(prospects.isBeyondReach(1001)).isTrue();
    ledger.addStandaloneUsage(300);
    assertThat(prospects.isBeyondReach(700)).isFalse();
    assertThat(prospects.isBeyondReach(701)).isTrue();
    ledger.retireEntry(50);
    assertThat(prospects.isBeyondReach(700)).as("what waits for scopes comes back").isFalse();
    assertThat(prospects.isBeyondReach(701)).isTrue();
  }

  @Test
  void nothingIsFullUntilASweepHasFoundTooLittle() {
    entries(10, 1000);
    assertThat(prospects.isFull(1000, true, request)).isFalse();
    prospects.foundTooLittle(request);
    assertThat(prospects.isFull(0, false, request)).isFalse();
    assertThat(prospects.isFull(1, false, request)).isTrue();
    assertThat(prospects.isFull(0, true, request)).as("no slot either").isTrue();
    ledger.addUsage(1);
    assertThat(prospects.isFull(0, true, request)).as("an entry has come since").isFalse();
    request.defer(1);
    assertThat(prospects.isFull(0, true, request)).as("and left").isTrue();
  }

  @Test
  void whatASweepHasNotToldYetWasNotPinned() {
    entries(10, 600);
    request.defer(100);
    prospects.foundTooLittle(request);
    assertThat(prospects.isFull(500, false, request)).isFalse();
    assertThat(prospects.isFull(501, false, request)).isTrue();
  }

  @Test
  void whatHasLeftIsPinnedNoMore() {
    entries(10, 600);
    prospects.foundTooLittle(request);
    prospects.look();
    assertThat(prospects.isFull(401, false, request)).isTrue();
    entries(-4, -200);
    prospects.look();
    assertThat(prospects.isFull(600, false, request)).isFalse();
    assertThat(prospects.isFull(601, false, request)).isTrue();
    entries(4, 200);
    prospects.look();
    assertThat(prospects.isFull(600, false, request)).as("others have come").isFalse();
    assertThat(prospects.areFewLeft()).isTrue();
    entries(FEW - 5, 0);
    assertThat(prospects.areFewLeft()).isTrue();
    entries(1, 0);
    assertThat(prospects.areFewLeft()).isFalse();
  }

  @Test
  void fewEntriesToEvictAreNotWorthAWholeSweep() {
    assertThat(prospects.areFewLeft()).isTrue();
    entries(FEW - 1, 100);
    assertThat(prospects.areFewLeft()).isTrue();
    entries(1, 0);
    assertThat(prospects.areFewLeft()).isFalse();
    prospects.foundTooLittle(request);
    assertThat(prospects.areFewLeft()).as("all are pinned").isTrue();
    Prospects ofSmallTable = new Prospects(ledger, 8);
    assertThat(ofSmallTable.areFewLeft()).isFalse();
    entries(-FEW, 0);
    assertThat(ofSmallTable.areFewLeft()).isTrue();
  }

  @Test
  void aTableIsEmptyWithoutBytesAndEntries() {
    assertThat(prospects.isEmpty(request)).isTrue();
    entries(0, 5);
    assertThat(prospects.isEmpty(request)).isFalse();
    request.defer(5);
    assertThat(prospects.isEmpty(request)).isTrue();
    entries(1, 0);
    assertThat(prospects.isEmpty(request)).as("an entry of no charge").isFalse();
  }

  private void sweepTimes(int times, int slots, boolean isFulfilled) {
    for (int sweeps = 0; sweeps < times; sweeps++) {
      prospects.swept(swept(slots, 0), isFulfilled);
    }
  }

  /** One may be lucky. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void roomFoundEasilyAndOftenMeansThatPinsHaveEnded(boolean strict) {
    ledger.setStrict(strict);
    entries(FEW, 600);
    prospects.foundTooLittle(request);
    sweepTimes(IN_A_ROW - 1, EASY, true);
    assertThat(prospects.isFull(401, false, request)).isTrue();
    sweepTimes(1, EASY, false);
    sweepTimes(IN_A_ROW - 1, EASY, true);
    sweepTimes(1, EASY + 64, true);
    assertThat(prospects.isFull(401, false, request)).as("not easily").isTrue();
    sweepTimes(IN_A_ROW - 1, EASY, true);
    assertThat(prospects.isFull(401, false, request)).isTrue();
    prospects.foundTooLittle(request);
    sweepTimes(IN_A_ROW - 1, EASY, true);
    assertThat(prospects.isFull(401, false, request)).as("never in a row").isTrue();
    assertThat(prospects.areFewLeft()).isTrue();
    sweepTimes(1, EASY, true);
    assertThat(prospects.isFull(401, false, request)).isFalse();
    assertThat(prospects.areFewLeft()).isFalse();
  }

  /** A strict insert must not be refused for what a short sweep has just found unpinned. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whatAShortSweepTakesCountsAsPinnedBeforeWhereInsertsCanFail(boolean strict) {
    ledger.setStrict(strict);
    entries(10, 600);
    prospects.foundTooLittle(request);
    prospects.swept(swept(EASY, 60), false);
    assertThat(prospects.isFull(460, false, request)).isEqualTo(!strict);
    assertThat(prospects.isFull(461, false, request)).isTrue();
    for (int sweeps = 0; sweeps < 10; sweeps++) {
      prospects.swept(swept(EASY, 60), false);
    }
    assertThat(prospects.isFull(1000, false, request)).isEqualTo(!strict);
  }

  /** Sweeps of a turn of the table. */
  private void turn(int held) {
    for (int sweeps = 0; sweeps < SLOTS / EASY; sweeps++) {
      prospects.swept(swept(EASY, 0, sweeps < held ? 1 : 0), false);
    }
  }

  /** What is beyond the capacity would stay for ever where entries are far apart. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aTurnThatMeetsFewerPinnedEntriesThanThereWereTellsThatPinsHaveEnded(boolean strict) {
    ledger.setStrict(strict);
    entries(SLOTS / EASY, 600);
    prospects.foundTooLittle(request);
    turn(SLOTS / EASY);
    assertThat(prospects.isFull(401, false, request)).as("as many").isTrue();
    turn(SLOTS / EASY - 1);
    assertThat(prospects.isFull(401, false, request)).as("one has ended").isEqualTo(strict);
    prospects.foundTooLittle(request);
    sweepTimes(SLOTS / EASY - 1, EASY, false);
    prospects.foundTooLittle(request);
    for (int sweeps = 1; sweeps < SLOTS / EASY; sweeps++) {
      prospects.swept(swept(EASY, 0, 0), false);
      assertThat(prospects.isFull(401, false, request)).as("not a turn yet").isTrue();
    }
    prospects.swept(swept(EASY, 0, 0), false);
    assertThat(prospects.isFull(401, false, request)).isEqualTo(strict);
  }

  /** What was on its way then is on no count of entries. */
  @Test
  void aTurnThatMeetsNoPinnedEntryTellsThatThereIsNone() {
    entries(0, 600);
    prospects.foundTooLittle(request);
    turn(1);
    assertThat(prospects.isFull(401, false, request)).isTrue();
    turn(0);
    assertThat(prospects.isFull(401, false, request)).isFalse();
  }
}
