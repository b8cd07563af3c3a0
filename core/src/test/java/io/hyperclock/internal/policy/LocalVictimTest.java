/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.internal.slot.MetaWord;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which of the entries of two buckets leaves, whatever the policy thinks of them. */
class LocalVictimTest {
  private static final int FIRST = 2;
  private static final int SECOND = 1;
  private static final int FROM = 8;
  private static final int TO = 24;

  /** The last that is looked at. */
  private static final int LAST = 15;

  private final SlotTable table = new SlotTable(32, 3);
  private final int[] ranks = new int[32];
  private final List<Integer> tried = new ArrayList<>();

  @BeforeEach
  void fill() {
    for (int slot = 0; slot < 32; slot++) {
      table.fill(slot, 1);
      ranks[slot] = slot >= FROM && slot < TO ? 5 : 0;
    }
  }

  private boolean evict(boolean succeeds) {
    return LocalVictim.evict(
        table.store,
        table,
        FIRST,
        SECOND,
        (slot, meta) -> {
          assertThat(meta).isEqualTo(table.meta(slot));
          return ranks[slot];
        },
        (slot, meta) -> {
          assertThat(meta).isEqualTo(table.meta(slot));
          tried.add(slot);
          return succeeds;
        });
  }

  @Test
  void theLowestRankOfEitherBucketLeaves() {
    for (int slot : new int[] {8, 15, 16, 23}) {
      ranks[slot] = 4;
      assertThat(evict(true)).isTrue();
      assertThat(tried).endsWith(slot);
      ranks[slot] = 6;
    }
    assertThat(tried).hasSize(4);
  }

  @Test
  void whatIsOfNoUseLeavesFirst() {
    table.dead.add(20);
    ranks[10] = 0;
    assertThat(evict(true)).isTrue();
    assertThat(tried).containsExactly(20);
    table.dead.clear();
    table.set(12, MetaWord.ABANDONED);
    assertThat(evict(true)).isTrue();
    assertThat(tried).containsExactly(20, 12);
  }

  @Test
  void whatIsHeldOrNoEntryStays() {
    for (int slot = FROM; slot < TO; slot++) {
      table.hold(slot);
    }
    assertThat(evict(true)).isFalse();
    table.set(9, MetaWord.visible(1, false, true, 0));
    assertThat(evict(true)).isTrue();
    assertThat(tried).containsExactly(9);
    assertThat(table.slots.take(9, table.meta(9))).isTrue();
    assertThat(evict(true)).as("the slot is another thread's own").isFalse();
  }

  /** The newest entry has its chance. */
  @Test
  void ofEqualsTheOneInTheLeastUsedSlotLeaves() {
    for (int slot = FROM; slot < TO; slot++) {
      for (int tenants = slot == 13 ? 1 : 0; tenants < 2; tenants++) {
        assertThat(table.slots.take(slot, table.meta(slot))).isTrue();
        table.evict(slot, 0, new EvictionRequest(0));
        table.fill(slot, 1);
      }
    }
    assertThat(evict(true)).isTrue();
    assertThat(tried).containsExactly(13);
  }

  @Test
  void othersMayBeFasterAFewTimes() {
    ranks[17] = 1;
    assertThat(evict(false)).isFalse();
    assertThat(tried).containsExactly(17, 17, 17, 17);
  }

  @Test
  void theRankComesBeforeTheTenancies() {
    for (int slot = FROM; slot < TO; slot++) {
      if (slot != LAST) {
        assertThat(table.slots.take(slot, table.meta(slot))).isTrue();
        table.evict(slot, 0, new EvictionRequest(0));
        table.fill(slot, 1);
      }
    }
    ranks[LAST] = 6;
    assertThat(evict(true)).isTrue();
    assertThat(tried).doesNotContain(LAST);
  }

  @Test
  void theFirstSlotOfTheTableIsOne() {
    boolean evicted =
        LocalVictim.evict(
            table.store, table, 0, 3, (slot, meta) -> slot, (slot, meta) -> tried.add(slot));
    assertThat(evicted).isTrue();
    assertThat(tried).containsExactly(0);
  }
}
