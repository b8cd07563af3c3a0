/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.remote;

import static io.hyperclock.secondary.remote.RemoteTiers.HI;
import static io.hyperclock.secondary.remote.RemoteTiers.insert;
import static io.hyperclock.secondary.remote.RemoteTiers.lookup;
import static io.hyperclock.secondary.testing.TestValues.value;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hyperclock.secondary.TierOutcome;
import io.hyperclock.secondary.testing.TierTestLimits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** When an instance trusts nothing but what it has written since. */
class WriteTrackerTest {
  private static final long HOUR = Duration.ofHours(1).toNanos();

  @Test
  void instanceThatHasWrittenNothingDistrustsTheOthersToo() {
    WriteTracker ledger = new WriteTracker(1, HOUR);
    ledger.distrustAll();
    assertThat(ledger.isDistrusting()).isTrue();
    long required = ledger.required(1, 1);
    assertThat(required).isPositive();
    assertThat(ledger.trusts(1, 1, required, false, Long.MAX_VALUE)).isFalse();
    WriteTracker.Write write = begin(ledger, 1);
    ledger.end(write, WriteTracker.End.CONFIRMED);
    assertThat(ledger.trusts(1, 1, ledger.required(1, 1), true, write.number())).isTrue();
  }

  @Test
  void valuesOfOthersAreTrustedWhereNothingIsUnderWayOrOwed() {
    WriteTracker ledger = new WriteTracker(1, HOUR);
    assertThat(ledger.trusts(1, 1, ledger.required(1, 1), false, 0)).isTrue();
    WriteTracker.Write write = begin(ledger, 1);
    assertThat(ledger.trusts(1, 1, ledger.required(1, 1), false, Long.MAX_VALUE)).isFalse();
    ledger.end(write, WriteTracker.End.CONFIRMED);
    assertThat(ledger.trusts(1, 1, ledger.required(1, 1), false, 0)).isTrue();
  }

  @Test
  void distrustIsOfAllThatWasWrittenBefore() {
    WriteTracker ledger = new WriteTracker(1, HOUR);
    WriteTracker.Write before = begin(ledger, 1);
    ledger.end(before, WriteTracker.End.CONFIRMED);
    ledger.distrustAll();
    assertThat(ledger.trusts(1, 1, ledger.required(1, 1), true, before.number())).isFalse();
  }

  private static WriteTracker.Write begin(WriteTracker ledger, long key) {
    WriteTracker.Write write = new WriteTracker.Write(1, key, false);
    ledger.begin(write);
    return write;
  }

  private static List<Long> take(WriteTracker ledger, List<WriteTracker.Write> taken) {
    ledger.takeOwed(taken, 10);
    return taken.stream().map(WriteTracker.Write::lo).toList();
  }

  @Test
  void keysAreTakenInTheOrderInWhichTheyOwe() {
    WriteTracker ledger = new WriteTracker(100, HOUR);
    for (long key : new long[] {3, 1, 2, 1}) {
      ledger.owe(1, key);
    }
    assertThat(ledger.owed()).isEqualTo(3);
    assertThat(take(ledger, new ArrayList<>())).containsExactly(3L, 1L, 2L);
    assertThat(ledger.owed()).isZero();
  }

  @Test
  void keysThatOweBetweenTwoBatchesAreTakenLast() {
    WriteTracker ledger = new WriteTracker(100, HOUR);
    for (long key : new long[] {3, 1, 2}) {
      ledger.owe(key + 10, key);
    }
    List<WriteTracker.Write> taken = new ArrayList<>();
    ledger.takeOwed(taken, 1);
    assertThat(taken).hasSize(1);
    ledger.owe(14, 4);
    assertThat(take(ledger, taken)).containsExactly(3L, 1L, 2L, 4L);
    assertThat(taken.stream().map(WriteTracker.Write::hi)).containsExactly(13L, 11L, 12L, 14L);
    assertThat(taken).allMatch(WriteTracker.Write::removes);
  }

  /** The key is in the queue twice then, once for a removal that is not needed any more. */
  @Test
  void keyThatOwesAgainIsTakenOnce() {
    WriteTracker ledger = new WriteTracker(100, HOUR);
    ledger.owe(1, 1);
    ledger.end(begin(ledger, 1), WriteTracker.End.CONFIRMED);
    assertThat(ledger.required(1, 1)).isZero();
    ledger.owe(1, 1);
    assertThat(ledger.required(1, 1)).isEqualTo(WriteTracker.NOTHING);
    List<WriteTracker.Write> taken = new ArrayList<>();
    assertThat(take(ledger, taken)).containsExactly(1L);
    ledger.end(taken.get(0), WriteTracker.End.CONFIRMED);
    assertThat(ledger.required(1, 1)).isZero();
    assertThat(ledger.owed()).isZero();
  }

  /** A list that throws stands for a lack of memory. */
  @Test
  void whatCouldNotBeTakenIsTakenLater() {
    WriteTracker ledger = new WriteTracker(100, HOUR);
    for (long key = 1; key <= 4; key++) {
      ledger.owe(1, key);
    }
    AtomicInteger looks = new AtomicInteger();
    List<WriteTracker.Write> taken =
        new ArrayList<>() {
          @Override
          public int size() {
            if (looks.incrementAndGet() == 3) {
              throw new OutOfMemoryError("on purpose");
            }
            return super.size();
          }
        };
    ledger.takeOwed(taken, 10);
    assertThat(taken.stream().map(WriteTracker.Write::lo)).containsExactly(1L, 2L);
    assertThat(ledger.owed()).isEqualTo(2);
    assertThat(take(ledger, new ArrayList<>())).containsExactly(3L, 4L);
  }

  @Test
  void moreRemovalsThanAreRememberedAreForgotten() {
    WriteTracker ledger = new WriteTracker(2, HOUR);
    ledger.owe(1, 1);
    ledger.owe(1, 2);
    assertThat(ledger.owed()).isEqualTo(2);
    assertThat(ledger.isDistrusting()).isFalse();
    WriteTracker.Write before = begin(ledger, 4);
    ledger.end(before, WriteTracker.End.CONFIRMED);
    ledger.owe(1, 3);
    assertThat(ledger.owed()).isZero();
    assertThat(ledger.isDistrusting()).isTrue();
    assertThat(take(ledger, new ArrayList<>())).isEmpty();
    assertThat(ledger.trusts(1, 4, ledger.required(1, 4), true, before.number())).isFalse();
    WriteTracker.Write since = begin(ledger, 1);
    ledger.end(since, WriteTracker.End.CONFIRMED);
    assertThat(ledger.trusts(1, 1, ledger.required(1, 1), true, since.number())).isTrue();
  }

  /** Of a key that owed a removal before, and has none to owe until it ends. */
  @Test
  void aWriteUnderWayIsNotForgotten() {
    WriteTracker ledger = new WriteTracker(100, HOUR);
    ledger.owe(1, 1);
    ledger.end(begin(ledger, 1), WriteTracker.End.CONFIRMED);
    WriteTracker.Write underWay = begin(ledger, 1);
    ledger.distrustAll();
    assertThat(ledger.owed()).isZero();
    WriteTracker.Write newest = begin(ledger, 1);
    ledger.end(newest, WriteTracker.End.CONFIRMED);
    ledger.end(underWay, WriteTracker.End.NOT_DONE);
    assertThat(ledger.trusts(1, 1, ledger.required(1, 1), true, newest.number())).isTrue();
    ledger.end(begin(ledger, 1), WriteTracker.End.NOT_DONE);
    assertThat(ledger.required(1, 1)).isEqualTo(WriteTracker.NOTHING);
    assertThat(ledger.owed()).isEqualTo(1);
  }

  /** It may have been carried out after the newer one. */
  @Test
  void aWriteThatANewerOneOvertookIsNotTrusted() {
    WriteTracker ledger = new WriteTracker(100, HOUR);
    WriteTracker.Write older = begin(ledger, 1);
    WriteTracker.Write newer = begin(ledger, 1);
    ledger.end(older, WriteTracker.End.CONFIRMED);
    ledger.end(newer, WriteTracker.End.CONFIRMED);
    assertThat(ledger.required(1, 1)).isZero();
    assertThat(ledger.trusts(1, 1, 0, true, older.number())).isFalse();
    assertThat(ledger.trusts(1, 1, 0, true, newer.number())).isTrue();
  }

  /** It would take away what the write puts there. */
  @Test
  void noOwedRemovalIsTakenWhileAWriteOfItsKeyIsUnderWay() {
    WriteTracker ledger = new WriteTracker(100, HOUR);
    ledger.owe(1, 1);
    WriteTracker.Write underWay = begin(ledger, 1);
    assertThat(take(ledger, new ArrayList<>())).isEmpty();
    ledger.end(underWay, WriteTracker.End.NOT_DONE);
    assertThat(ledger.owed()).isEqualTo(1);
    assertThat(take(ledger, new ArrayList<>())).containsExactly(1L);
  }

  /** Keys share what is remembered of late writes: few of them, whatever they differ by. */
  @Test
  void aWriteThatMayComeLateCostsFewOtherKeysTheirHits() {
    WriteTracker ledger = new WriteTracker(100, HOUR);
    int shift = 4;
    for (int bits = 0; bits < Long.SIZE; bits += shift) {
      ledger.end(begin(ledger, 1), WriteTracker.End.UNKNOWN);
      int lost = 0;
      for (long other = 1; other < 1 << shift; other++) {
        lost += ledger.trusts(1 ^ other << bits, 1, 0, true, 1) ? 0 : 1;
        lost += ledger.trusts(1, 1 ^ other << bits, 0, true, 1) ? 0 : 1;
      }
      assertThat(lost).as("keys that differ from bit %d on", bits).isLessThanOrEqualTo(2);
    }
    assertThat(ledger.trusts(1, 1, 0, true, 1)).isFalse();
  }

  @Test
  void distrustEndsWithTheTimeToLive() {
    Duration timeToLive = Duration.ofMillis(200);
    WriteTracker ledger = new WriteTracker(1, timeToLive.toNanos());
    ledger.owe(1, 1);
    long begin = System.nanoTime();
    ledger.distrustAll();
    assertThat(ledger.owed()).isZero();
    await().atMost(TierTestLimits.SECONDS, SECONDS).until(() -> !ledger.isDistrusting());
    assertThat(System.nanoTime() - begin).isGreaterThanOrEqualTo(timeToLive.toNanos());
    assertThat(ledger.required(1, 1)).isZero();
  }

  /** The instance notes no writes while its capacity is 0, so it knows of no key what is newest. */
  @Test
  void whatWasErasedAtCapacityZeroIsNotFoundAgain() {
    FickleStore server = new FickleStore(new Random(1));
    String namespace = RemoteTiers.newNamespace();
    try (RemoteSecondaryCache first = open(server, namespace);
        RemoteSecondaryCache second = open(server, namespace)) {
      assertThat(insert(second, 1, value(1, 1, 100))).isTrue();
      assertThat(lookup(second, 1).isHit()).isTrue();
      first.setCapacity(0);
      first.erase(HI, 1);
      first.setCapacity(1);
      assertThat(lookup(first, 1).outcome()).isEqualTo(TierOutcome.ABSENT);
      assertThat(first.remoteStats().distrusting()).isTrue();
      assertThat(insert(first, 1, value(1, 2, 100))).isTrue();
      assertThat(lookup(first, 1).value()).isEqualTo(value(1, 2, 100));
    }
  }

  private static RemoteSecondaryCache open(FickleStore server, String namespace) {
    return RemoteTiers.builder(server).namespace(namespace).executor(Runnable::run).build();
  }
}
