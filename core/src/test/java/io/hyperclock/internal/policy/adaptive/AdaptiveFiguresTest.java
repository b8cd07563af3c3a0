/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.policy.adaptive;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.entry.Priority;
import io.hyperclock.internal.policy.EvictionRequest;
import io.hyperclock.internal.policy.InitialState;
import io.hyperclock.internal.slot.ChargeWord;
import io.hyperclock.internal.slot.HeapSlotStore;
import io.hyperclock.internal.slot.MetaWord;
import io.hyperclock.internal.slot.SlotProtocol;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the adaptive clock tells of an entry, and what it keeps of it. */
class AdaptiveFiguresTest {
  private static final int SLOTS = 432;
  private static final int ENTRIES = 300;
  private static final long PROBATION = ChargeWord.of(0, 5);
  private static final long MAIN = ChargeWord.asMain(PROBATION);

  private final PolicyTable table = new PolicyTable(SLOTS, ENTRIES);
  private final AdaptiveClock clock = table.clock;

  private int frequencyOfNewcomer(long key, Priority priority) {
    int newcomer = clock.newcomer(PolicyTable.hashOf(key), priority, 1);
    return PolicyBits.frequency(InitialState.policy(newcomer), clock.learned.epoch());
  }

  @Test
  void frequencyGrowsWithEachInsert() {
    assertThat(frequencyOfNewcomer(1, Priority.LOW)).isEqualTo(1);
    assertThat(frequencyOfNewcomer(1, Priority.LOW)).isEqualTo(2);
    assertThat(frequencyOfNewcomer(1, Priority.LOW)).isEqualTo(3);
    for (int i = 0; i < 20; i++) {
      frequencyOfNewcomer(1, Priority.LOW);
    }
    assertThat(frequencyOfNewcomer(1, Priority.LOW)).isEqualTo(PolicyBits.MAX_FREQUENCY);
    clock.learned.nextEpoch();
    assertThat(frequencyOfNewcomer(1, Priority.LOW)).isEqualTo(PolicyBits.MAX_FREQUENCY / 2 + 1);
    assertThat(frequencyOfNewcomer(2, Priority.HIGH)).isEqualTo(3);
  }

  /** What is expected of it ends at its first return. */
  @Test
  void lowestPriorityIsForTheFirstTimeOnly() {
    assertThat(frequencyOfNewcomer(3, Priority.BOTTOM)).isZero();
    assertThat(frequencyOfNewcomer(3, Priority.BOTTOM)).isEqualTo(1);
    assertThat(frequencyOfNewcomer(3, Priority.BOTTOM)).isEqualTo(2);
    assertThat(frequencyOfNewcomer(4, Priority.HIGH)).isEqualTo(3);
    assertThat(frequencyOfNewcomer(4, Priority.HIGH)).isEqualTo(6);
  }

  /** One that has left with the frequency 0 is a known one, too. */
  @ParameterizedTest
  @EnumSource(names = {"LOW", "BOTTOM"})
  void whatReturnsOfTheSampleIsLearnt(Priority priority) {
    for (long key = 0; key < 10_000; key++) {
      frequencyOfNewcomer(key, priority);
    }
    assertThat(clock.learned.doKeysReturn()).isFalse();
    for (long key = 9_900; key < 10_000; key++) {
      frequencyOfNewcomer(key, priority);
    }
    assertThat(clock.learned.doKeysReturn()).isTrue();
  }

  /** Its frequency counts for more than its segment, a use for more than both. */
  @Test
  void worthIsUseThenFrequencyThenSegment() {
    int idle = clock.worth(meta(1, 3), PROBATION);
    assertThat(clock.worth(meta(1, 3), MAIN)).isEqualTo(idle + 1);
    assertThat(clock.worth(meta(1, 4), PROBATION)).isEqualTo(idle + 2);
    assertThat(clock.worth(meta(2, 0), PROBATION))
        .isEqualTo(clock.worth(meta(1, PolicyBits.MAX_FREQUENCY), MAIN) + 1);
    clock.learned.nextEpoch();
    assertThat(clock.worth(meta(1, 4), PROBATION)).isEqualTo(2 * 2);
  }

  private static long meta(int countdown, int frequency) {
    return MetaWord.visible(countdown, false, true, PolicyBits.of(frequency, 0));
  }

  @Test
  void entriesBeginUnusedAndMoveWithoutTheirDuel() {
    assertThat(clock.countdown(Priority.HIGH)).isEqualTo(AdaptiveEntries.UNUSED);
    int history = PolicyBits.withSeen(PolicyBits.of(7, 3));
    assertThat(clock.inherited(PolicyBits.withDuel(history))).isEqualTo(history);
  }

  /** What was learnt and remembered is there in the next table. */
  @Test
  void aResizedOneGoesOn() {
    frequencyOfNewcomer(1, Priority.LOW);
    clock.left(PROBATION, null);
    SlotProtocol others =
        new SlotProtocol(new HeapSlotStore(2 * SLOTS), AdaptiveClock.MAX_COUNTDOWN);
    AdaptiveClock next = (AdaptiveClock) clock.resized(others, 2 * ENTRIES);
    assertThat(next.learned).isSameAs(clock.learned);
    assertThat(next.usage).isSameAs(clock.usage);
    int again = next.newcomer(PolicyTable.hashOf(1), Priority.LOW, 1);
    assertThat(PolicyBits.frequency(InitialState.policy(again), 0)).isEqualTo(2);
    assertThat(clock.resized(others, 0)).as("of no entries").isNotNull();
  }

  private void assertWeights(long probation, long main) {
    assertThat(clock.usage.probation()).isEqualTo(probation);
    assertThat(clock.usage.main()).isEqualTo(main);
  }

  @Test
  void weightsFollowWhatIsTold() {
    clock.admitted(0, PROBATION, new EvictionRequest(0));
    assertWeights(5, 0);
    clock.recharged(PROBATION, ChargeWord.of(0, 8));
    assertWeights(8, 0);
    clock.recharged(PROBATION, PROBATION);
    assertWeights(8, 0);
    clock.recharged(PROBATION, MAIN);
    assertWeights(3, 5);
    clock.left(MAIN, null);
    assertWeights(3, 0);
  }

  /** A search that is not kept is there for its own request. */
  @Test
  void anInsertWithARequestThatIsNotKeptJoinsItsRing() {
    EvictionRequest unkept = new EvictionRequest(1);
    clock.admitted(3, PROBATION, unkept);
    assertThat(unkept.search()).isNull();
    clock.makeRoom(table, unkept);
    table.underWay = ENTRIES;
    clock.admitted(4, PROBATION, unkept);
    assertThat(ProbationRing.slot(PolicyTable.ringOf(unkept).front())).isEqualTo(4);
  }

  @Test
  void eachOfManyThreadsHasARing() throws Exception {
    PolicyTable large = new PolicyTable(4096, 2800);
    for (int thread = 0; thread < 16; thread++) {
      long key = thread;
      FutureTask<Integer> insert =
          new FutureTask<>(
              () -> {
                large.insert(key, Priority.LOW);
                return large.ring().length;
              });
      new Thread(insert).start();
      assertThat(insert.get()).isNotNegative();
    }
    assertThat(large.occupancy()).isEqualTo(16);
  }

  @Test
  void theSearchForDeadIsCounted() {
    table.insert(1, Priority.LOW);
    table.kill(1);
    EvictionRequest request = table.begin(0);
    table.free(1, request);
    request.end();
    assertThat(table.occupancy()).isZero();
    assertThat(clock.searchedForDead()).isPositive();
  }

  private void place(int slot, int countdown, int frequency, int epoch, boolean isMain) {
    assertThat(table.slots.claim(slot)).isTrue();
    int policy = PolicyBits.of(frequency, epoch);
    table.publish(slot, slot, isMain ? MAIN : PROBATION, countdown, policy);
    table.slotOf.put((long) slot, slot);
  }

  /** Unused ones first, then by frequency, of equals those of main. */
  @Test
  void inTheBucketsOfAKeyTheLeastWorthLeaves() {
    clock.learned.nextEpoch();
    place(0, 2, 0, 1, true);
    place(1, 1, 4, 1, true);
    place(9, 1, 3, 1, false);
    place(10, 1, 6, 0, true);
    place(20, 0, 0, 1, true);
    EvictionRequest request = table.begin(1);
    for (int expected : new int[] {10, 9, 1, 0}) {
      assertThat(clock.makeRoomIn(table, 0, 1, request)).isTrue();
      assertThat(table.slotOf).doesNotContainKey((long) expected);
    }
    assertThat(clock.makeRoomIn(table, 0, 1, request)).isFalse();
    assertThat(table.evictions).isEqualTo(4);
    request.end();
  }

  @Test
  void inTheBucketsOfAKeyWhatIsUsedAtTheLastMomentStays() {
    place(1, 1, 3, 0, true);
    place(2, 1, 4, 0, true);
    int[] calls = {0};
    table.leaving =
        slot -> {
          if (calls[0]++ == 0) {
            table.slots.tick(slot);
          }
        };
    EvictionRequest request = table.begin(1);
    assertThat(clock.makeRoomIn(table, 0, 1, request)).isTrue();
    request.end();
    assertThat(table.slotOf).containsOnlyKeys(1L);
  }

  /** There is room for all at once. */
  @Test
  void oneInsertMovesSomeToMainNotAll() {
    EvictionRequest request = table.begin(1);
    table.underWay = ENTRIES;
    for (int slot = 0; slot < 80; slot++) {
      assertThat(table.slots.claim(slot)).isTrue();
      table.publish(slot, slot, ChargeWord.of(0, 1), 1, 0);
      clock.admitted(slot, ChargeWord.of(0, 1), request);
    }
    assertWeights(80, 0);
    table.underWay = ENTRIES - 100;
    clock.admitted(80, ChargeWord.of(0, 1), request);
    assertWeights(81 - 64, 64);
  }

  /** The ring that a migration adds to is that of its request. */
  @Test
  void whatMovesOnProbationJoinsARing() {
    EvictionRequest request = table.begin(1);
    place(4, 1, 1, 0, false);
    clock.evict(4, table.store.metaAcquire(4), table, request);
    clock.moved(3, MAIN, request);
    clock.moved(4, PROBATION, request);
    request.end();
    assertThat(ProbationRing.isTenant(table.ring().front(), table.store.tailAcquire(4))).isTrue();
    assertThat(ProbationRing.slot(table.ring().front())).isEqualTo(4);
    assertThat(table.ring().length).isEqualTo(1);
    EvictionRequest unkept = new EvictionRequest(0);
    clock.moved(5, PROBATION, unkept);
    assertThat(unkept.search()).isNull();
    clock.makeRoom(table, unkept);
    clock.moved(6, PROBATION, unkept);
    assertThat(PolicyTable.ringOf(unkept).length).isEqualTo(1);
  }

  /** So that an insert allocates nothing once its entry is published. */
  @Test
  void aRequestThatIsKeptHasItsRingFromTheStart() {
    EvictionRequest request = table.begin(1);
    assertThat(request.search()).isNotNull();
    request.segmentChanged(true, 7);
    clock.flush(request);
    request.end();
    assertWeights(0, 7);
    EvictionRequest unkept = new EvictionRequest(0);
    clock.prepare(unkept);
    clock.flush(unkept);
    assertThat(unkept.search()).isNull();
  }

  /** What is taken from another ring is older than what the own one has at its front. */
  @Test
  void theOlderFrontOfAnotherRingIsTaken() {
    EvictionRequest first = table.begin(1);
    EvictionRequest second = table.begin(1);
    clock.moved(1, PROBATION, first);
    clock.learned.nextTurn();
    clock.moved(2, PROBATION, second);
    int numberOfFirst = first.number();
    long own = PolicyTable.ringOf(second).front();
    assertThat(clock.takeOlder(numberOfFirst, own)).as("in use").isEqualTo(ProbationRing.NONE);
    first.end();
    long older = clock.takeOlder(numberOfFirst + 4, own);
    assertThat(ProbationRing.slot(older)).isEqualTo(1);
    assertThat(clock.takeOlder(numberOfFirst, own)).as("empty").isEqualTo(ProbationRing.NONE);
    assertThat(first.enter()).as("ended").isTrue();
    clock.moved(3, PROBATION, first);
    first.end();
    assertThat(clock.takeOlder(numberOfFirst, own)).as("younger").isEqualTo(ProbationRing.NONE);
    long any = clock.takeOlder(numberOfFirst, ProbationRing.NONE);
    assertThat(ProbationRing.slot(any)).isEqualTo(3);
    second.end();
  }
}
