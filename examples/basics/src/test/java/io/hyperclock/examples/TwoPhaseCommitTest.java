/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperclock.versioned.InDoubtException;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TwoPhaseCommitTest {
  private final Participant.Disk disk = new Participant.Disk();
  private Participant participant;

  @BeforeEach
  void start() {
    disk.balances.putAll(Map.of(1L, 100L, 2L, 0L, 3L, 7L));
    participant = Participant.start(disk);
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
    participant = Participant.start(disk);
    assertThatThrownBy(() -> participant.balance(1)).isInstanceOf(InDoubtException.class);
    assertThatThrownBy(() -> participant.balance(2)).isInstanceOf(InDoubtException.class);
    assertThat(participant.balance(3)).isEqualTo(7);
    participant.resolve(transaction -> true);
    assertBalances(60, 40);
    participant = Participant.start(disk);
    assertBalances(60, 40);
  }

  @Test
  void crashBeforeAnAbort() {
    participant.vote(1, Map.of(1L, 60L, 2L, 40L));
    participant = Participant.start(disk);
    participant.resolve(transaction -> false);
    assertBalances(100, 0);
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
    assertThat(started.await(10, TimeUnit.SECONDS)).isTrue();
    participant.decide(1, true);
    reader.join(10_000);
    assertThat(reader.isAlive()).isFalse();
    assertThat(wrong.get()).isNull();
  }
}
