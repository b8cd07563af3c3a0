/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.policy.adaptive;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.internal.policy.EvictionRequest;
import io.hyperclock.internal.slot.MetaWord;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a search passes, and what leaves at once, at the front of its ring. */
class VictimSearchTest {
  private static final int SLOTS = 40;

  private final FewEntries entries = new FewEntries(SLOTS);
  private final EvictionRequest request = new EvictionRequest(0);
  private VictimSearch search;

  /** Each slot has had an entry before; those of ten and more are in main, which is full. */
  @BeforeEach
  void fill() {
    for (int slot = 0; slot < SLOTS; slot++) {
      entries.fill(slot);
      entries.replace(slot);
      if (slot >= 10) {
        entries.promote(slot, null);
      }
    }
    entries.figures.capacity = 1;
    search = new VictimSearch(entries, request);
  }

  private void enqueue(int... slots) {
    entries.enqueue(search.queue, slots);
  }

  private void free(int count) {
    request.ask(0, count, EvictionRequest.NO_EFFORT_CAP);
    search.run(entries.table);
  }

  @Test
  void whatNobodySeesLeavesAloneIfThatIsEnough() {
    enqueue(5, 3);
    entries.abandon(5);
    free(1);
    assertThat(entries.table.evicted).containsExactly(5);
    assertThat(search.queue.takeOwn()).isEqualTo(entries.token(3));
    assertThat(request.looks()).isEqualTo(1);
  }

  @Test
  void whatNobodySeesLeavesBeforeOthers() {
    enqueue(5, 3);
    entries.abandon(5);
    free(2);
    assertThat(entries.table.evicted).containsExactly(5, 3);
  }

  /** It is used whenever the search is about to take it, though it is dead. */
  @Test
  void whatChangesAtTheLastMomentComesAgain() {
    enqueue(5, 3);
    entries.table.dead.add(5);
    entries.table.looked =
        slot -> {
          if (slot == 5) {
            int policy = MetaWord.policy(entries.table.meta(5));
            entries.slots.annotate(5, entries.table.meta(5), policy ^ 1);
          }
        };
    free(1);
    assertThat(entries.table.evicted).containsExactly(3);
    assertThat(search.queue.takeOwn()).isEqualTo(entries.token(5));
  }

  @Test
  void placesOfOthersArePassed() {
    enqueue(5, 6, 7, 3);
    entries.replace(5);
    assertThat(entries.slots.take(6, entries.table.meta(6))).isTrue();
    entries.promote(7, null);
    free(1);
    assertThat(entries.table.evicted).containsExactly(3);
    assertThat(search.queue.ring.length).isZero();
  }
}
