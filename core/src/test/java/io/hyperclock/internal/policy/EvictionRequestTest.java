/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What one insert has to tell the sums that all threads share, and which request an insert has. */
class EvictionRequestTest {
  private static final boolean MAIN = true;
  private static final boolean PROBATION = false;

  private final EvictionRequest request = new EvictionRequest(7);

  @Test
  void anEntryForAnotherOfItsSizeChangesNoSum() {
    request.arrives();
    request.ask(7, 0, EvictionRequest.NO_EFFORT_CAP);
    request.segmentChanged(MAIN, -7);
    request.defer(7);
    request.segmentChanged(PROBATION, -7);
    request.segmentChanged(MAIN, 7);
    request.segmentChanged(PROBATION, 7);
    assertThat(request.probation()).isZero();
    assertThat(request.main()).isZero();
    assertThat(request.chargeBytes() - request.takeDeferredBytes()).isZero();
    assertThat(request.unknownEntries()).isZero();
    assertThat(1 - request.takeDeferredEntries()).isZero();
  }

  @Test
  void whatIsToBeToldOutlivesTheRequest() {
    request.defer(7);
    request.evicted(9);
    request.freed(7);
    request.ask(1, 1, EvictionRequest.NO_EFFORT_CAP);
    assertThat(request.freedEntries()).isZero();
    assertThat(request.isFulfilled()).isFalse();
    assertThat(request.takeDeferredBytes()).isEqualTo(7);
    assertThat(request.takeDeferredBytes()).isZero();
    assertThat(request.takeDeferredEntries()).isEqualTo(1);
    assertThat(request.takeDeferredEntries()).isZero();
    assertThat(request.hasEvicted()).isTrue();
    assertThat(request.takeEvicted()).isEqualTo(9);
    assertThat(request.hasEvicted()).isFalse();
  }

  @Test
  void oneInsertAtATimeUsesIt() {
    assertThat(request.begin(1)).isFalse();
    request.end();
    assertThat(request.begin(2)).isTrue();
    assertThat(request.chargeBytes()).isEqualTo(2);
    assertThat(request.begin(3)).isFalse();
    assertThat(request.chargeBytes()).isEqualTo(2);
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
      EvictionRequest request = requests.begin(1);
      assertThat(inUse.add(request)).isTrue();
      kept += request.number() == EvictionRequest.NOT_KEPT ? 0 : 1;
    }
    assertThat(kept).isEqualTo(EvictionRequests.most(8)).isEqualTo(4);
    assertThat(EvictionRequests.most(1 << 20)).isEqualTo(64);
  }

  @Test
  void tellsWhatWasAskedFor() {
    request.ask(5, 2, 3);
    assertThat(request.bytes()).isEqualTo(5);
    assertThat(request.mustFree()).isFalse();
    request.ask(5, 2, EvictionRequest.NO_EFFORT_CAP);
    assertThat(request.mustFree()).isTrue();
    request.defer(4);
    request.defer(5);
    assertThat(request.deferredBytes()).isEqualTo(9);
    assertThat(request.unknownEntries()).isEqualTo(-2);
    request.arrives();
    assertThat(request.unknownEntries()).isEqualTo(-1);
    request.evictedLocally();
    request.evictedLocally();
    assertThat(request.takeLocalEvictions()).isEqualTo(2);
    assertThat(request.takeLocalEvictions()).isZero();
  }

  @Test
  void effortIsExceededByPinnedEntriesForEachFreedOne() {
    request.ask(0, 5, 3);
    request.freed(1);
    for (int pinned = 0; pinned < 5; pinned++) {
      request.sawPinned();
      assertThat(request.exceedsEffort()).isFalse();
    }
    request.sawPinned();
    assertThat(request.exceedsEffort()).isTrue();
    request.ask(0, 5, EvictionRequest.NO_EFFORT_CAP);
    request.sawPinned();
    assertThat(request.exceedsEffort()).isFalse();
  }

  @Test
  void aThreadLooksAtFewRequestsInUse() {
    EvictionRequests requests = new EvictionRequests(1 << 16);
    for (int i = 0; i < 4; i++) {
      assertThat(requests.begin(1).number()).isNotNegative();
    }
    assertThat(requests.begin(1).number()).isEqualTo(EvictionRequest.NOT_KEPT);
  }

  @Test
  void threadsHaveRequestsOfTheirOwn() throws InterruptedException {
    EvictionRequests requests = new EvictionRequests(1 << 16);
    Set<Integer> numbers = new HashSet<>();
    for (int i = 0; i < 8; i++) {
      Thread thread =
          new Thread(
              () -> {
                EvictionRequest own = requests.begin(1);
                numbers.add(own.number());
                own.end();
              });
      thread.start();
      thread.join();
    }
    assertThat(numbers).hasSizeGreaterThan(4);
  }
}
