/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What one insert has to tell the sums that all threads share, and which request an insert has. */
class EvictionRequestTest {
  private static final boolean MAIN = true;
  private static final boolean PROBATION = false;

  private final EvictionRequest room = new EvictionRequest(7);

  @Test
  void anEntryForAnotherOfItsSizeChangesNoSum() {
    room.arrives();
    room.ask(7, 0, EvictionRequest.NO_EFFORT_CAP);
    room.classChanged(MAIN, -7);
    room.owe(7);
    room.classChanged(PROBATION, -7);
    room.classChanged(MAIN, 7);
    room.classChanged(PROBATION, 7);
    assertThat(room.probation()).isZero();
    assertThat(room.main()).isZero();
    assertThat(room.chargeBytes() - room.takeOwedBytes()).isZero();
    assertThat(room.unknownEntries()).isZero();
    assertThat(1 - room.takeOwedEntries()).isZero();
  }

  @Test
  void whatIsToBeToldOutlivesTheRequest() {
    room.owe(7);
    room.evicted(9);
    room.freed(7);
    room.ask(1, 1, EvictionRequest.NO_EFFORT_CAP);
    assertThat(room.freedEntries()).isZero();
    assertThat(room.isFulfilled()).isFalse();
    assertThat(room.takeOwedBytes()).isEqualTo(7);
    assertThat(room.takeOwedBytes()).isZero();
    assertThat(room.takeOwedEntries()).isEqualTo(1);
    assertThat(room.takeOwedEntries()).isZero();
    assertThat(room.hasEvicted()).isTrue();
    assertThat(room.takeEvicted()).isEqualTo(9);
    assertThat(room.hasEvicted()).isFalse();
  }

  @Test
  void oneInsertAtATimeUsesIt() {
    assertThat(room.begin(1)).isFalse();
    room.end();
    assertThat(room.begin(2)).isTrue();
    assertThat(room.chargeBytes()).isEqualTo(2);
    assertThat(room.begin(3)).isFalse();
    assertThat(room.chargeBytes()).isEqualTo(2);
  }

  @Test
  void aThreadHasTheSameRequestAgain() {
    EvictionRequests requests = new EvictionRequests(1 << 16);
    EvictionRequest first = requests.begin(1);
    EvictionRequest within = requests.begin(2);
    assertThat(within).as("for an insert within the first").isNotSameAs(first);
    within.end();
    first.end();
    EvictionRequest again = requests.begin(3);
    assertThat(again).isSameAs(first);
    assertThat(again.chargeBytes()).isEqualTo(3);
  }

  @Test
  void moreRequestsThanAreKeptAreMadeForOnce() {
    EvictionRequests requests = new EvictionRequests(8);
    Set<EvictionRequest> inUse = Collections.newSetFromMap(new IdentityHashMap<>());
    int kept = 0;
    for (int i = 0; i < 100; i++) {
      EvictionRequest room = requests.begin(1);
      assertThat(inUse.add(room)).isTrue();
      kept += room.number() == EvictionRequest.NOT_KEPT ? 0 : 1;
    }
    assertThat(kept).isEqualTo(EvictionRequests.most(8)).isEqualTo(4);
    assertThat(EvictionRequests.most(1 << 20)).isEqualTo(64);
  }
}
