/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperclock.versioned.InDoubtException;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class TwoPhaseCommitTest {
  private final Participant.Disk disk = new Participant.Disk();
  private final AtomicLong nanos = new AtomicLong();
  private Participant participant;

  @BeforeEach
  void start() {
    disk.balances.putAll(Map.of(1L, 100L, 2L, 0L, 3L, 7L));
    restart();
  }

  private void restart() {
    participant = Participant.start(disk, nanos::get);
  }

  private void assertBalances(long first, long second) {
    assertThat(participant.balance(1)).isEqualTo(first);
    assertThat(participant.balance(2)).isEqualTo(second);
    assertThat(participant.balance(3)).isEqualTo(7);
  }

  @Test
  void committedWithoutACrash() {
    assertBalances(100, 0);
    assertThat(participant.vote(1, Map.of(1L, 60L, 2L, 40L))).isTrue();
    assertThat(participant.vote(2, Map.of(2L, 1L))).isFalse();
    assertBalances(100, 0);
    participant.decide(1, true);
    assertBalances(60, 40);
  }

  @Test
  void crashBetweenVoteAndDecision() {
    participant.vote(1, Map.of(1L, 60L, 2L, 40L));
    restart();
    assertThatThrownBy(() -> participant.balance(1)).isInstanceOf(InDoubtException.class);
    assertThatThrownBy(() -> participant.balance(2)).isInstanceOf(InDoubtException.class);
    assertThat(participant.balance(3)).isEqualTo(7);
    participant.resolve(transaction -> true);
    assertBalances(60, 40);
    restart();
    assertBalances(60, 40);
  }

  @Test
  void crashBeforeAnAbort() {
    participant.vote(1, Map.of(1L, 60L, 2L, 40L));
    restart();
    participant.resolve(transaction -> false);
    assertBalances(100, 0);
  }

  @Test
  void aVoteKeepsItsAccountsHoweverLongTheCoordinatorIsAway() {
    assertBalances(100, 0);
    participant.vote(1, Map.of(1L, 60L, 2L, 40L));
    nanos.addAndGet(Duration.ofDays(365).toNanos());
    assertThat(participant.vote(2, Map.of(2L, 5L, 3L, 2L))).isFalse();
    assertBalances(100, 0);
    participant.decide(1, true);
    assertBalances(60, 40);
    participant.decide(2, false);
    assertBalances(60, 40);
    restart();
    assertBalances(60, 40);
  }

  @Test
  void inDoubtHoweverLongTheCoordinatorIsAway() {
    participant.vote(1, Map.of(1L, 60L, 2L, 40L));
    restart();
    nanos.addAndGet(Duration.ofDays(365).toNanos());
    assertThat(participant.vote(2, Map.of(1L, 5L))).isFalse();
    assertThatThrownBy(() -> participant.balance(1)).isInstanceOf(InDoubtException.class);
    assertThatThrownBy(() -> participant.balance(2)).isInstanceOf(InDoubtException.class);
    participant.resolve(transaction -> true);
    assertBalances(60, 40);
  }

  @Test
  void aCoordinatorMayAskAgain() {
    participant.vote(1, Map.of(1L, 60L, 2L, 40L));
    assertThat(participant.vote(1, Map.of(1L, 60L, 2L, 40L))).isTrue();
    assertThat(participant.vote(1, Map.of(3L, 1L))).as("another transaction").isFalse();
    participant.decide(1, true);
    participant.decide(1, true);
    assertBalances(60, 40);
    assertThat(participant.vote(2, Map.of(1L, 1L, 2L, 2L, 3L, 7L))).as("nothing locked").isTrue();
  }

  @Test
  void aVoteThatFailsLocksNothing() {
    Map<Long, Long> broken = new TreeMap<>(Map.of(1L, 60L));
    broken.put(2L, null);
    assertThatThrownBy(() -> participant.vote(1, broken)).isInstanceOf(RuntimeException.class);
    assertThat(participant.vote(2, Map.of(1L, 70L, 2L, 30L))).isTrue();
    participant.decide(2, true);
    assertBalances(70, 30);
  }

  /** Votes that cannot be locked again: no transaction is lost, and nothing is served. */
  @Test
  void doesNotStartWithoutTheLocksOfItsVotes() {
    Map<Long, Map<Long, Long>> votes = Map.of(1L, Map.of(1L, 60L, 2L, 40L), 2L, Map.of(2L, 5L));
    disk.votes.putAll(votes);
    assertThatThrownBy(this::restart)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("transaction=");
    assertThat(disk.votes).isEqualTo(votes);
  }

  /** A decision that comes while a reader has the older balance in its hands. */
  @Test
  @Timeout(60)
  void aReaderDoesNotPutAnOlderBalanceOverTheDecidedOne() throws InterruptedException {
    Thread decider = new Thread(() -> participant.decide(1, true));
    AtomicBoolean isFirst = new AtomicBoolean(true);
    Participant.Disk slow =
        new Participant.Disk() {
          @Override
          long balance(long account) {
            long balance = super.balance(account);
            if (isFirst.getAndSet(false)) {
              decider.start();
              while (decider.isAlive() && decider.getState() != Thread.State.BLOCKED) {
                Thread.onSpinWait();
              }
            }
            return balance;
          }
        };
    participant = Participant.start(slow);
    participant.vote(1, Map.of(1L, 60L));
    assertThat(participant.balance(1)).as("before the decision").isZero();
    decider.join();
    assertThat(participant.balance(1)).isEqualTo(60);
  }

  /** Two accounts of a transaction are read while it is committed: never one new, then one old. */
  @Test
  void readsGoOn() throws InterruptedException {
    participant.balance(1);
    participant.balance(2);
    participant.vote(1, Map.of(1L, 60L, 2L, 40L));
    Participant reading = participant;
    CountDownLatch started = new CountDownLatch(1);
    AtomicReference<String> wrong = new AtomicReference<>();
    Thread reader =
        new Thread(
            () -> {
              long second;
              do {
                started.countDown();
                long first = reading.balance(1);
                second = reading.balance(2);
                if (first == 60 && second == 0) {
                  wrong.set(first + " and " + second);
                }
              } while (second == 0 && wrong.get() == null);
            });
    reader.start();
    assertThat(started.await(60, TimeUnit.SECONDS)).isTrue();
    participant.decide(1, true);
    reader.join(60_000);
    assertThat(reader.isAlive()).isFalse();
    assertThat(wrong.get()).isNull();
  }
}
