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
import io.hyperclock.secondary.testing.Patience;
import java.time.Duration;
import java.util.Random;
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
    WriteTracker.Write write = ledger.begin(1, 1, false);
    ledger.end(write, WriteTracker.End.CONFIRMED);
    assertThat(ledger.trusts(1, 1, ledger.required(1, 1), true, write.number())).isTrue();
  }

  @Test
  void distrustIsOfAllThatWasWrittenBefore() {
    WriteTracker ledger = new WriteTracker(1, HOUR);
    WriteTracker.Write before = ledger.begin(1, 1, false);
    ledger.end(before, WriteTracker.End.CONFIRMED);
    ledger.distrustAll();
    assertThat(ledger.trusts(1, 1, ledger.required(1, 1), true, before.number())).isFalse();
  }

  @Test
  void distrustEndsWithTheTimeToLive() {
    Duration timeToLive = Duration.ofMillis(200);
    WriteTracker ledger = new WriteTracker(1, timeToLive.toNanos());
    long begin = System.nanoTime();
    ledger.distrustAll();
    await().atMost(Patience.SECONDS, SECONDS).until(() -> !ledger.isDistrusting());
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
