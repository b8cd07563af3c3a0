/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.capacity;

import static io.hyperclock.internal.capacity.RoomFixture.CAPACITY;
import static io.hyperclock.internal.capacity.RoomFixture.LIMIT;
import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.internal.policy.EvictionRequest;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Room for an insert while entries move from one table to the next: in both, the fuller first. */
@Timeout(60)
class RoomOfTwoTablesTest {
  private static final int SLOTS = 64;

  private final CapacityLedger ledger = RoomFixture.ledger(true);
  private final RoomFixture older = new RoomFixture(ledger, SLOTS);
  private final RoomFixture newer = new RoomFixture(ledger, SLOTS);

  /** What is left in the older table, in 64ths. */
  private int left = 64;

  private final List<String> asked = new ArrayList<>();

  @BeforeEach
  void leaveTheOlder() {
    newer.enforcer.comesAfter(older.enforcer, () -> left);
    older.room.before = () -> asked.add("older");
    newer.room.before = () -> asked.add("newer");
    newer.use(CAPACITY, 500);
  }

  @Test
  void theOlderComesFirstWhileMuchIsLeftInIt() {
    left = 16;
    assertThat(newer.enforcer.reserveUsage(100)).isTrue();
    assertThat(asked).containsExactly("older");
    assertThat(older.room.asked).containsExactly("100!");
    assertThat(ledger.usage()).isEqualTo(CAPACITY);
    assertThat(ledger.occupancy()).isEqualTo(499);
    assertThat(RoomFixture.reserve(newer.enforcer, 30)).isTrue();
    assertThat(older.room.chargeBytes).isEqualTo(30);
  }

  @Test
  void theNewerComesFirstWhenLittleIsLeft() {
    left = 15;
    assertThat(newer.enforcer.reserveUsage(100)).isTrue();
    assertThat(asked).containsExactly("newer");
    assertThat(ledger.usage()).isEqualTo(CAPACITY);
  }

  @Test
  void theNewerFreesWhatTheOlderLacks() {
    older.room.left = bytes -> 30;
    assertThat(newer.enforcer.reserveUsage(100)).isTrue();
    assertThat(asked).containsExactly("older", "newer");
    assertThat(newer.room.asked).containsExactly("100!");
    assertThat(ledger.usage()).isEqualTo(CAPACITY - 30);
    assertThat(ledger.occupancy()).isEqualTo(498);
  }

  @Test
  void theOlderFreesWhatTheNewerLacks() {
    left = 0;
    newer.room.left = bytes -> 30;
    assertThat(newer.enforcer.reserveUsage(100)).isTrue();
    assertThat(asked).containsExactly("newer", "older");
    assertThat(older.room.asked).as("what is missing").containsExactly("70!");
    assertThat(ledger.usage()).isEqualTo(CAPACITY);
    assertThat(ledger.occupancy()).isEqualTo(498);
  }

  @Test
  void whatNeitherHasIsRefused() {
    older.room.left = bytes -> -1;
    newer.room.left = bytes -> -1;
    assertThat(newer.enforcer.reserveUsage(100)).isFalse();
    assertThat(asked).containsExactly("older", "newer");
    asked.clear();
    newer.use(CAPACITY - 100, LIMIT);
    assertThat(RoomFixture.reserve(newer.enforcer, 10)).isFalse();
    assertThat(ledger.usage()).isEqualTo(CAPACITY - 100);
    assertThat(ledger.occupancy()).isEqualTo(LIMIT);
  }

  @Test
  void anEntryOfTheOlderGivesItsPlaceToOneOfTheNewer() {
    newer.use(CAPACITY - 100, LIMIT);
    older.room.left = bytes -> 7;
    assertThat(RoomFixture.reserve(newer.enforcer, 10)).isTrue();
    assertThat(asked).containsExactly("older");
    assertThat(older.room.entries).isEqualTo(1);
    assertThat(ledger.usage()).isEqualTo(CAPACITY - 100 + 10 - 7);
    assertThat(ledger.occupancy()).isEqualTo(LIMIT);
  }

  @Test
  void theOlderKeepsTheEffortThatIsAllowed() {
    ledger.setStrict(false);
    assertThat(newer.enforcer.reserveUsage(100)).isTrue();
    assertThat(older.room.asked).containsExactly("100");
    assertThat(older.room.flushes).isPositive();
  }

  @Test
  void theOlderIsNotAskedWhenItIsDrained() {
    newer.enforcer.comesFirst();
    assertThat(newer.enforcer.reserveUsage(100)).isTrue();
    assertThat(asked).containsExactly("newer");
  }

  @Test
  void requestsOfTheOlderAreGivenBack() {
    EvictionRequest first = older.enforcer.request(1);
    older.enforcer.end(first);
    assertThat(newer.enforcer.reserveUsage(100)).isTrue();
    assertThat(older.enforcer.request(2)).isSameAs(first);
  }
}
