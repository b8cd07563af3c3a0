/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.CacheObserver;
import io.hyperclock.LeakDetection;
import io.hyperclock.internal.errors.Figure;
import io.hyperclock.internal.observe.IncidentLog;
import io.hyperclock.internal.observe.ObserverNotifier;
import io.hyperclock.internal.observe.SilentCallbacks;
import io.hyperclock.internal.policy.AskedRoom;
import io.hyperclock.internal.policy.EvictionRequest;
import io.hyperclock.internal.scope.ReadEpochs;
import io.hyperclock.internal.scope.Reclaimer;
import io.hyperclock.internal.slot.HeapSlotStore;
import io.hyperclock.internal.slot.SlotProtocol;
import io.hyperclock.internal.table.Buckets;
import io.hyperclock.internal.table.ClockTable;
import io.hyperclock.internal.table.TableView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a charge asks the replacement to free, to the byte. */
@Timeout(60)
class AskedRoomTest {
  private static final long METADATA = 40;
  private static final int LIMIT = 1000;

  private final CapacityLedger ledger = new CapacityLedger(10_240, false, METADATA);
  private final AskedRoom room = new AskedRoom();
  private final Buckets buckets = new Buckets(4, 7);
  private final SlotProtocol slots = new SlotProtocol(new HeapSlotStore(8 * buckets.count()), 1);
  private boolean evicting;
  private final SilentCallbacks callbacks =
      new SilentCallbacks() {
        @Override
        public boolean isEvicting() {
          return evicting;
        }
      };
  private final ValueRelease valueRelease =
      new ValueRelease(ledger, callbacks, new Reclaimer(new ReadEpochs(1), () -> {}));
  private final ClockTable table =
      new ClockTable(buckets, slots, valueRelease, room, callbacks, null, TableView.FIXED, null);
  private final Figure effort = new Figure();
  private final CapacityEnforcer enforcer = enforcer(valueRelease, null);

  private CapacityEnforcer enforcer(ValueRelease valueRelease, ObserverNotifier watch) {
    return new CapacityEnforcer(ledger, valueRelease, room, table, slots, LIMIT, 1, effort, watch);
  }

  private void use(long usage, int entries) {
    ledger.addUsage(usage - ledger.usage());
    ledger.addOccupancyUnlessZero(entries - ledger.occupancy());
  }

  /** As much as comes; a little more where usage is beyond the capacity; no more than there is. */
  @ParameterizedTest
  @CsvSource({
    "10240, 0, ",
    "10040, 200, ",
    "10041, 200, 200",
    "10240, 100, 100",
    "10241, 100, 111",
    "10241, 5, 11",
    "6000, 6000, 6000",
    "90, 10200, 50",
    "40, 10200, ",
  })
  void nonStrictAsksForWhatComes(long usage, long charge, String asked) {
    use(usage, 500);
    assertThat(enforcer.reserveUsage(charge)).isTrue();
    if (asked == null) {
      assertThat(room.asked).isEmpty();
    } else {
      assertThat(room.asked).containsExactly(asked);
    }
    long freed = asked == null ? 0 : Long.parseLong(asked);
    assertThat(ledger.usage()).isEqualTo(usage + charge - freed);
  }

  /** Entries give up a sixteenth of the capacity for what waits for read scopes, and not more. */
  @ParameterizedTest
  @CsvSource({"640, 100", "641, 100", "739, 100", "740, "})
  void nonStrictDoesNotEvictForWhatWaits(long retired, String asked) {
    use(10_240 - retired, 500);
    ledger.addUsage(retired);
    ledger.retireEntry(retired);
    ledger.addOccupancyUnlessZero(1);
    assertThat(enforcer.reserveUsage(100)).isTrue();
    assertThat(room.asked).hasSize(asked == null ? 0 : 1);
  }

  @Test
  void strictAsksForWhatIsMissing() {
    ledger.setStrict(true);
    use(10_200, 500);
    assertThat(enforcer.reserveUsage(40)).isTrue();
    assertThat(room.asked).isEmpty();
    assertThat(enforcer.reserveUsage(60)).isTrue();
    assertThat(room.asked).containsExactly("60!");
    assertThat(ledger.usage()).isEqualTo(10_240);
  }

  @Test
  void strictRefusesAndGivesBackWhatItFreed() {
    ledger.setStrict(true);
    use(10_240, 500);
    room.left = bytes -> 30;
    assertThat(enforcer.reserveUsage(100)).isFalse();
    assertThat(room.asked).containsExactly("100!");
    assertThat(ledger.usage()).isEqualTo(10_210);
    assertThat(ledger.occupancy()).isEqualTo(499);
    assertThat(enforcer.reserveUsage(10_240 - METADATA + 1)).as("never fits").isFalse();
    assertThat(room.asked).hasSize(1);
  }

  /** The capacity may shrink between the look and the charge. */
  @Test
  void strictLooksAtTheCapacityAgain() {
    ledger.setStrict(true);
    use(10_240, 500);
    room.before = () -> ledger.setCapacity(10_000);
    assertThat(enforcer.reserveUsage(100)).isTrue();
    assertThat(ledger.usage()).isEqualTo(10_000);
    assertThat(room.asked).containsExactly("100!", "240!");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aSlotIsAskedForAtTheLimit(boolean strict) {
    ledger.setStrict(strict);
    use(5000, LIMIT);
    room.left = bytes -> 7;
    assertThat(RoomFixture.reserve(enforcer, 100)).isTrue();
    assertThat(room.asked).containsExactly(strict ? "0!" : "0");
    assertThat(ledger.usage()).isEqualTo(5000 + 100 - 7);
    assertThat(ledger.occupancy()).isEqualTo(LIMIT);
    room.left = bytes -> -1;
    assertThat(RoomFixture.reserve(enforcer, 100)).isFalse();
    assertThat(ledger.usage()).isEqualTo(5093);
    assertThat(ledger.occupancy()).isEqualTo(LIMIT);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void belowTheLimitEachInsertTakesASlotThatIsThere(boolean strict) {
    ledger.setStrict(strict);
    for (int entries : new int[] {0, LIMIT - 256, LIMIT - 255, LIMIT - 1}) {
      use(5000, entries);
      assertThat(RoomFixture.reserve(enforcer, 100)).isTrue();
      assertThat(ledger.occupancy()).isEqualTo(entries + 1);
      assertThat(ledger.usage()).isEqualTo(5100);
    }
    assertThat(room.asked).isEmpty();
  }

  /** Another insert has evicted what this one was to find. */
  @Test
  void aSlotThatOthersMadeFreeWillDo() {
    use(5000, LIMIT);
    room.left = bytes -> -1;
    room.before = () -> ledger.addOccupancyUnlessZero(-1);
    assertThat(RoomFixture.reserve(enforcer, 100)).isTrue();
    assertThat(ledger.occupancy()).isEqualTo(LIMIT);
    assertThat(ledger.usage()).isEqualTo(5100);
  }

  /** Far from the limit the entry is on no sum until it has come. */
  @Test
  void sumsOfAnInsertAreFlushedOnce() {
    use(10_240, 500);
    EvictionRequest request = enforcer.request(100);
    assertThat(enforcer.reserveSlotAndUsage(request)).isTrue();
    assertThat(ledger.usage()).isEqualTo(10_240);
    assertThat(ledger.occupancy()).isEqualTo(500);
    enforcer.end(request);
    assertThat(ledger.usage()).isEqualTo(10_240);
    assertThat(ledger.occupancy()).isEqualTo(500);
    assertThat(room.asked).containsExactly("100");
  }

  /** A concurrent insert has no more than a step to make up for. */
  @Test
  void theCapacityGoesDownInSteps() {
    use(10_000, 500);
    long step = 10_240 / 64;
    room.before = () -> assertThat(ledger.usage() - ledger.capacity()).isBetween(1L, step);
    enforcer.setCapacity(8000);
    assertThat(ledger.capacity()).isEqualTo(8000);
    assertThat(ledger.usage()).isEqualTo(8000);
    assertThat(room.asked).hasSize(13).startsWith("160!", "160!").endsWith("80!");
    enforcer.setCapacity(9000);
    assertThat(ledger.capacity()).isEqualTo(9000);
    assertThat(room.asked).hasSize(13);
  }

  @Test
  void theCapacityGoesDownAlthoughNothingLeaves() {
    use(10_000, 500);
    room.left = bytes -> -1;
    enforcer.setCapacity(8000);
    assertThat(ledger.capacity()).isEqualTo(8000);
    assertThat(ledger.usage()).isEqualTo(10_000);
    assertThat(room.asked).hasSize(2);
    room.asked.clear();
    room.left = bytes -> room.asked.size() == 2 ? 10 : -1;
    enforcer.setCapacity(7000);
    assertThat(room.asked).as("two in a row").hasSize(4);
    assertThat(ledger.capacity()).isEqualTo(7000);
  }

  @Test
  void whatWaitsForScopesIsNotEvictedDownTo() {
    use(10_000, 500);
    ledger.retireEntry(3000);
    enforcer.setCapacity(8000);
    assertThat(room.asked).isEmpty();
    assertThat(ledger.capacity()).isEqualTo(8000);
  }

  /** In caches of two versions. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void roomIsMadeWhereNoValueRetires(boolean strict) {
    ledger.setStrict(strict);
    use(10_240, 500);
    ledger.retireEntry(0);
    CapacityEnforcer without = enforcer(null, null);
    assertThat(without.reserveUsage(100)).isTrue();
    assertThat(RoomFixture.reserve(without, 50)).isTrue();
    assertThat(room.asked).hasSize(2);
    assertThat(room.flushes).isEqualTo(2);
  }

  private static ObserverNotifier watch(CacheObserver observer) {
    return new ObserverNotifier(
        new ObserverNotifier.Settings(observer, LeakDetection.off(), Duration.ofHours(1)),
        new IncidentLog("an observer threw"));
  }

  @Test
  void sweepsAreTimedWhenTheyAreWatched() {
    List<String> watched = new ArrayList<>();
    boolean[] on = {true};
    CapacityEnforcer timed =
        enforcer(
            valueRelease,
            watch(
                new CacheObserver() {
                  @Override
                  public boolean observesSweeps() {
                    return on[0];
                  }

                  @Override
                  public void onLongSweep(Sweep sweep) {
                    Duration took = sweep.took();
                    boolean isTime = !took.isNegative() && took.toSeconds() < 60;
                    watched.add(sweep.freedBytes() + " " + isTime);
                  }
                }));
    room.looks = (int) CacheObserver.LONG_SWEEP_SLOTS;
    use(10_240, 500);
    assertThat(timed.reserveUsage(100)).isTrue();
    on[0] = false;
    assertThat(timed.reserveUsage(100)).isTrue();
    assertThat(watched).containsExactly("100 true");
    assertThat(room.asked).containsExactly("100", "100");
    assertThat(effort.sum()).isZero();
  }

  /** Near the limit an entry is on the sum of entries before room is made for it. */
  @Test
  void thePolicyKnowsOfAnEntryThatIsOnNoSum() {
    use(10_240, LIMIT - 256);
    assertThat(RoomFixture.reserve(enforcer, 100)).isTrue();
    assertThat(room.unknownEntries).isEqualTo(1);
    use(10_240, LIMIT - 255);
    assertThat(RoomFixture.reserve(enforcer, 100)).isTrue();
    assertThat(room.unknownEntries).isZero();
    assertThat(ledger.occupancy()).as("one came, one left").isEqualTo(LIMIT - 255);
  }

  @Test
  void aRequestThatFailedIsEnded() {
    EvictionRequest first = enforcer.request(1);
    first.end();
    use(5000, LIMIT);
    room.left = bytes -> -1;
    assertThat(RoomFixture.reserve(enforcer, 1)).isFalse();
    assertThat(enforcer.reserveUsage(1)).isTrue();
    EvictionRequest again = enforcer.request(1);
    assertThat(again).isSameAs(first);
    enforcer.end(again);
    assertThat(enforcer.request(2)).isSameAs(first);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void anInsertFromACallbackGetsNoSlotAtTheLimit(boolean strict) {
    ledger.setStrict(strict);
    use(5000, LIMIT);
    evicting = true;
    assertThat(RoomFixture.reserve(enforcer, 100)).isFalse();
    assertThat(ledger.usage()).isEqualTo(5000);
    assertThat(ledger.occupancy()).isEqualTo(LIMIT);
    assertThat(room.asked).isEmpty();
  }

  /** Its sweep has found nothing, but another insert has evicted more than it needed. */
  @Test
  void strictTakesTheRoomThatOthersMade() {
    ledger.setStrict(true);
    use(10_240, 500);
    room.left = bytes -> -1;
    room.before = () -> ledger.addUsage(-100);
    assertThat(enforcer.reserveUsage(100)).isTrue();
    assertThat(room.asked).containsExactly("100!");
    assertThat(ledger.usage()).isEqualTo(10_240);
  }

  @Test
  void strictEvictsOnlyWhatDoesNotWaitForScopesAnyway() {
    ledger.setStrict(true);
    use(10_240, 501);
    ledger.retireEntry(100);
    assertThat(enforcer.reserveUsage(160)).as("the rest does not come").isFalse();
    assertThat(room.asked).containsExactly("60!");
    assertThat(enforcer.reserveUsage(61)).isFalse();
    assertThat(room.asked).hasSize(1);
    assertThat(ledger.usage()).isEqualTo(10_180);
  }

  /** What is charged apart does not leave for an entry. */
  @Test
  void whatIsBeyondReachIsNotAskedFor() {
    ledger.setStrict(true);
    use(10_240, 500);
    ledger.addStandaloneUsage(10_150);
    assertThat(enforcer.reserveUsage(51)).isFalse();
    assertThat(room.asked).isEmpty();
    assertThat(enforcer.reserveUsage(50)).isTrue();
    assertThat(room.asked).containsExactly("50!");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aFullTableIsSweptShortlyUntilSomethingHasLeft(boolean strict) {
    ledger.setStrict(strict);
    use(10_240, 20);
    room.left = bytes -> -1;
    room.looks = 1025;
    assertThat(enforcer.reserveUsage(100)).isEqualTo(!strict);
    assertThat(room.asked).hasSize(1);
    use(10_240, 20);
    assertThat(enforcer.reserveUsage(100)).isEqualTo(!strict);
    assertThat(room.asked).as("is known to be full").hasSize(1);
    use(10_240 - 2000, 10);
    assertThat(enforcer.reserveUsage(0)).isTrue();
    use(10_240, 20);
    assertThat(enforcer.reserveUsage(100)).isEqualTo(!strict);
    assertThat(room.asked).as("others came in its place").hasSize(2);
  }

  @Test
  void aSweepThatWasShortTellsNothing() {
    use(10_240, 0);
    room.left = bytes -> -1;
    room.looks = 1024;
    assertThat(enforcer.reserveUsage(100)).isTrue();
    assertThat(enforcer.reserveUsage(100)).isTrue();
    assertThat(room.asked).hasSize(2);
  }

  @Test
  void anEmptyTableIsNotSwept() {
    use(10_240, 0);
    ledger.addStandaloneUsage(10_200);
    assertThat(enforcer.reserveUsage(100)).isTrue();
    assertThat(room.asked).isEmpty();
    assertThat(ledger.usage()).isEqualTo(10_340);
    ledger.addOccupancyUnlessZero(100);
    assertThat(enforcer.reserveUsage(100)).isTrue();
    assertThat(room.asked).as("many entries").hasSize(1);
  }
}
