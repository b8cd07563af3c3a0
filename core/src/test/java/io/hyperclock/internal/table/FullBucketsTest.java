/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.table;

import static io.hyperclock.internal.table.TableFixture.CHARGE;
import static io.hyperclock.internal.table.TableFixture.KEY;
import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.internal.slot.ChargeWord;
import io.hyperclock.internal.slot.MetaWord;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Inserts and overwrites of keys whose buckets are full; the policy evicts the first it may. */
@Timeout(60)
class FullBucketsTest {
  private final TableFixture tables = new TableFixture(2, TableView.SETTLED);
  private final ClockTable first = tables.first();

  /** Every key has both buckets; the first key lies in a slot that is looked at early. */
  private List<TableFixture.Pin> fill(boolean held) {
    List<TableFixture.Pin> pins = new ArrayList<>();
    for (long lo = KEY; lo < KEY + first.store.slots(); lo++) {
      assertThat(tables.insert(lo, "value " + lo)).isZero();
      if (held) {
        pins.add(tables.pin(lo));
      }
    }
    return pins;
  }

  @Test
  void aNewKeyEvictsOneEntry() {
    fill(false);
    assertThat(tables.insert(100, "newcomer")).isZero();
    assertThat(tables.get(100)).isEqualTo("newcomer");
    assertThat(tables.ends.ended).hasSize(1);
    assertThat(tables.put(1, 101, "another", true, null)).isZero();
    assertThat(tables.get(101)).isEqualTo("another");
    assertThat(tables.ends.ended).hasSize(2).doesNotHaveDuplicates();
    tables.isWhole();
  }

  /** One of them would be the first that the policy evicts. */
  @Test
  void whatIsOverwrittenIsNotEvictedForIt() {
    for (long lo = KEY; lo < KEY + first.store.slots(); lo++) {
      TableFixture full = new TableFixture(2, TableView.SETTLED);
      for (long other = KEY; other < KEY + first.store.slots(); other++) {
        full.insert(other, "value " + other);
      }
      assertThat(full.put(1, lo, "newer", lo % 2 == 0, null)).isEqualTo(EntryTable.REPLACED);
      assertThat(full.get(lo)).isEqualTo("newer");
      assertThat(full.ends.ended).hasSize(2).contains(lo + "=value " + lo + " FREED");
      full.isWhole();
    }
  }

  @Test
  void whereAllAreHeldThereIsNoPlace() {
    List<TableFixture.Pin> pins = fill(true);
    assertThat(tables.insert(100, "newcomer")).isEqualTo(EntryTable.NO_SLOT);
    assertThat(tables.put(1, 100, "newcomer", true, null)).isEqualTo(EntryTable.NO_SLOT);
    assertThat(tables.put(1, KEY, "newer", true, null)).isEqualTo(EntryTable.NO_SLOT);
    assertThat(tables.get(100)).isNull();
    assertThat(tables.get(KEY)).isEqualTo("value " + KEY);
    pins.forEach(pin -> pin.release(true, false));
    assertThat(tables.ends.ended).isEmpty();
    tables.isWhole();
  }

  @Test
  void whoMayNotEvictHasNoPlace() {
    fill(false);
    tables.policy.mayEvict = false;
    assertThat(tables.put(1, KEY, "newer", true, null)).isEqualTo(EntryTable.NO_SLOT);
    assertThat(tables.insert(100, "newcomer")).isEqualTo(EntryTable.NO_SLOT);
    tables.isWhole();
  }

  /** Entries that are still in the table before are overwritten from there. */
  @Test
  void whatIsInTheTableBeforeIsHeldMeanwhile() {
    tables.insert(KEY, "older");
    tables.grow(2);
    ClockTable next = tables.newest();
    for (long lo = 10; lo < 10 + next.store.slots(); lo++) {
      assertThat(tables.insert(lo, "value " + lo)).isZero();
    }
    assertThat(tables.put(1, KEY, "newer", true, null)).isEqualTo(EntryTable.REPLACED);
    assertThat(tables.get(KEY)).isEqualTo("newer");
    assertThat(tables.ends.ended).hasSize(2).contains(KEY + "=older FREED");
    assertThat(tables.move()).isTrue();
    tables.isWhole();
  }

  /** What an overwrite in a full table finds held in the table before is held no longer. */
  @Test
  void noPinIsLeftWhereThereIsNoPlace() {
    tables.insert(KEY, "older");
    tables.grow(2);
    List<TableFixture.Pin> pins = new ArrayList<>();
    for (long lo = 10; lo < 26; lo++) {
      tables.insert(lo, "value " + lo);
      pins.add(tables.pin(lo));
    }
    assertThat(tables.put(1, KEY, "newer", true, null)).isEqualTo(EntryTable.NO_SLOT);
    assertThat(MetaWord.refcount(tables.meta(first, tables.slot(first, KEY)))).isZero();
    pins.forEach(pin -> pin.release(true, false));
    assertThat(tables.move()).isTrue();
    tables.isWhole();
  }

  /** Moved entries push out others, and leave where all others are held. */
  @Test
  void whatHasNoPlaceInTheNextTableLeaves() {
    tables.insert(KEY, "older");
    TableFixture.Pin held = tables.pin(KEY);
    tables.insert(KEY + 1, "idle");
    tables.grow(2);
    List<TableFixture.Pin> pins = new ArrayList<>();
    for (long lo = 10; lo < 26; lo++) {
      tables.insert(lo, "value " + lo);
      pins.add(tables.pin(lo));
    }
    assertThat(tables.move()).as("an entry is held and has no place").isFalse();
    assertThat(tables.ends.ended).hasSize(1);
    assertThat(tables.ends.ended.get(0)).startsWith((KEY + 1) + "=idle");
    assertThat(tables.ends.evictions).isEqualTo(1);
    assertThat(tables.get(KEY)).isEqualTo("older");
    assertThat(MetaWord.refcount(tables.meta(first, tables.slot(first, KEY)))).isEqualTo(1);
    pins.forEach(pin -> pin.release(true, false));
    assertThat(tables.move()).isTrue();
    assertThat(tables.get(KEY)).isEqualTo("older");
    assertThat(tables.ends.ended).as("evicted for it").hasSize(2);
    held.release(true, false);
    tables.isWhole();
  }

  @Test
  void aWordSaysWhatWasOverwritten() {
    tables.insert(KEY, "older");
    int slot = tables.slot(first, KEY);
    long main = ChargeWord.asMain(first.store.coldAcquire(slot));
    first.store.getAndSetCold(slot, main);
    tables.put(1, KEY, "newer", true, null);
    long cold = first.store.coldAcquire(tables.slot(first, KEY));
    assertThat(ChargeWord.isMain(cold)).as("of the same class").isTrue();
    assertThat(ChargeWord.chargeBytes(cold)).isEqualTo(CHARGE);
    tables.insert(KEY + 1, "older");
    tables.put(1, KEY + 1, "newer", true, null);
    int other = tables.slot(first, KEY + 1);
    assertThat(ChargeWord.isMain(first.store.coldAcquire(other))).isFalse();
    assertThat(MetaWord.policy(tables.meta(first, other))).as("inherited").isEqualTo(1);
    tables.put(2, KEY + 1, "newest", true, null);
    assertThat(MetaWord.policy(tables.meta(first, tables.slot(first, KEY + 1)))).isEqualTo(2);
  }
}
