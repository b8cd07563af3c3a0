/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.policy.adaptive;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.internal.policy.EvictionRequest;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which entries leave, used or not, when a search has found no better ones. */
class ForcedEvictionTest {
  private static final int SLOTS = 40;

  /** Slots without an entry. */
  private static final int EMPTY = 8;

  private final FewEntries entries = new FewEntries(SLOTS);
  private final EvictionRequest request = new EvictionRequest(0);
  private final VictimSearch search = new VictimSearch(entries, request);
  private final ProbationQueue queue = search.queue;

  /** Each slot has had an entry before; those of ten and more are in main. */
  @BeforeEach
  void fill() {
    for (int slot = 0; slot < SLOTS; slot++) {
      entries.fill(slot);
      entries.leave(slot);
      if (slot < SLOTS - EMPTY) {
        entries.fill(slot);
        entries.slots.tick(slot);
      }
      if (slot >= 10 && slot < SLOTS - EMPTY) {
        entries.promote(slot, null);
      }
    }
    // A search that has nothing to free: it learns of the entries.
    request.ask(0, 0, EvictionRequest.NO_EFFORT_CAP);
    search.run(entries.table);
  }

  private void enqueue(int... slots) {
    entries.enqueue(queue, slots);
  }

  private void free(int count, int effortCap) {
    request.ask(0, count, effortCap);
    search.force();
  }

  private void free(int count) {
    free(count, EvictionRequest.NO_EFFORT_CAP);
  }

  @Test
  void theOldestOnProbationLeavesFirst() {
    enqueue(5, 3, 4);
    free(1);
    assertThat(entries.table.evicted).containsExactly(5);
    assertThat(request.looks()).isEqualTo(1);
    assertThat(queue.ring.length).isEqualTo(2);
    free(2);
    assertThat(entries.table.evicted).containsExactly(5, 3, 4);
    assertThat(queue.ring.length).isZero();
  }

  @Test
  void placesOfOthersArePassed() {
    enqueue(5, 3, 4);
    entries.replace(5);
    entries.promote(3, null);
    free(1);
    assertThat(entries.table.evicted).containsExactly(4);
    assertThat(request.looks()).isEqualTo(1);
  }

  @Test
  void whatIsHeldGoesToMain() {
    enqueue(5, 3);
    entries.table.hold(5);
    free(1);
    assertThat(entries.table.evicted).containsExactly(3);
    assertThat(entries.isMain(5)).isTrue();
    assertThat(request.main()).isEqualTo(6);
    assertThat(request.probation()).isEqualTo(-6);
    assertThat(request.pinnedSeen()).isEqualTo(1);
    assertThat(queue.ring.length).isZero();
  }

  /** Its word changes at the last moment, once; what was held before it has no say in it. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatChangesMeanwhileComesAgain(boolean held) {
    if (held) {
      enqueue(2);
      entries.table.hold(2);
    }
    enqueue(5, 3);
    int look = held ? 9 : 4;
    entries.table.before(look, () -> entries.slots.annotate(5, entries.table.meta(5), 1));
    free(1);
    assertThat(entries.table.evicted).containsExactly(3);
    assertThat(queue.takeOwn()).isEqualTo(entries.token(5));
    assertThat(entries.isMain(5)).isFalse();
  }

  /** What another thread is about to free may be given back by it. */
  @Test
  void whatAnotherHasTakenComesAgain() {
    enqueue(5, 3);
    assertThat(entries.slots.take(5, entries.table.meta(5))).isTrue();
    free(1);
    assertThat(entries.table.evicted).containsExactly(3);
    assertThat(queue.takeOwn()).isEqualTo(entries.token(5));
  }

  @Test
  void mainIsNextThenAllThatTheRingsHaveLost() {
    enqueue(5);
    free(1 + 22);
    assertThat(entries.table.evicted).startsWith(5, 10, 11).endsWith(30, 31).hasSize(23);
    free(1);
    assertThat(entries.table.evicted).endsWith(31, 0);
    free(3);
    assertThat(entries.table.evicted).endsWith(0, 1, 2, 3);
  }

  /** One turn of the hand for main, one for all. */
  @Test
  void givesUpAfterTwoTurns() {
    for (int slot = 0; slot < SLOTS - EMPTY; slot++) {
      entries.table.hold(slot);
    }
    free(1);
    assertThat(entries.table.evicted).isEmpty();
    assertThat(request.pinnedSeen()).isEqualTo(22 + SLOTS - EMPTY);
    assertThat(request.looks()).isEqualTo(22 + EMPTY + SLOTS);
  }

  @Test
  void whatIsHeldIsPassedAsFarAsTheCapAllows() {
    enqueue(5, 3, 4);
    entries.table.hold(5);
    entries.table.hold(3);
    entries.table.hold(10);
    free(1, 2);
    assertThat(entries.table.evicted).as("two in the ring").isEmpty();
    assertThat(request.isEffortExceeded()).isTrue();
    free(3, 2);
    assertThat(entries.table.evicted).containsExactly(4, 11, 12);
  }

  @Test
  void theCapHoldsInMainToo() {
    entries.table.hold(10);
    entries.table.hold(11);
    free(1, 2);
    assertThat(entries.table.evicted).isEmpty();
    assertThat(request.isEffortExceeded()).isTrue();
    assertThat(request.looks()).isEqualTo(2);
  }
}
