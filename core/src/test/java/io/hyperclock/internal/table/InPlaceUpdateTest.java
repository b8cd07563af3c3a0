/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.table;

import static io.hyperclock.internal.table.TableFixture.CHARGE;
import static io.hyperclock.internal.table.TableFixture.HI;
import static io.hyperclock.internal.table.TableFixture.KEY;
import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.internal.slot.ChargeWord;
import io.hyperclock.internal.slot.MetaWord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which entries take another value in their slot, and what races leave. */
@Timeout(60)
class InPlaceUpdateTest {
  private static final long COLD = ChargeWord.of(0, CHARGE);

  private final TableFixture tables = new TableFixture(4, TableView.SETTLED);
  private final ClockTable first = tables.first();

  private int put(long lo, Object value, @Nullable Object expected) {
    return tables.newest().inPlace().put(HI, lo, tables.hash(lo), value, COLD, expected);
  }

  private void isInPlace(long lo, Object value) {
    assertThat(put(lo, value, null)).isEqualTo(EntryTable.REPLACED);
    assertThat(tables.get(lo)).isEqualTo(value);
    tables.isWhole();
  }

  @Test
  void entriesOfBothBucketsTakeAnother() {
    for (long lo = 0; lo < 20; lo++) {
      tables.insert(lo, "older");
    }
    for (long lo = 0; lo < 20; lo++) {
      isInPlace(lo, "newer " + lo);
    }
    for (long lo = 0; lo < 20; lo++) {
      assertThat(tables.get(lo)).isEqualTo("newer " + lo);
    }
    assertThat(tables.ends.ended).isEmpty();
  }

  @Test
  void anotherKeyOfTheSameTagDoesNot() {
    long same = tables.doubleOf(KEY);
    tables.insert(same, "another");
    assertThat(put(KEY, "value", null)).isEqualTo(EntryTable.NOT_IN_PLACE);
    tables.insert(KEY, "older");
    isInPlace(KEY, "newer");
    isInPlace(same, "newer too");
    assertThat(tables.get(KEY)).isEqualTo("newer");
    int other = first.inPlace().put(HI + 1, KEY, tables.hash(KEY), "no", COLD, null);
    assertThat(other).as("another high word").isEqualTo(EntryTable.NOT_IN_PLACE);
  }

  @Test
  void anEntryThatIsStillInTheTableBeforeDoes() {
    tables.insert(KEY, "older");
    tables.grow(6);
    isInPlace(KEY, "newer");
    assertThat(tables.slot(first, KEY)).isNotNegative();
    assertThat(put(KEY + 1, "absent", null)).isEqualTo(EntryTable.NOT_IN_PLACE);
    assertThat(tables.move()).isTrue();
    isInPlace(KEY, "newest");
    assertThat(put(KEY + 1, "absent", null)).isEqualTo(EntryTable.NOT_IN_PLACE);
  }

  @Test
  void theValueIsCompared() {
    tables.insert(KEY, "older");
    assertThat(put(KEY, "newer", "another")).isEqualTo(EntryTable.NOT_EXPECTED);
    assertThat(tables.get(KEY)).isEqualTo("older");
    assertThat(put(KEY, "newer", "older")).isEqualTo(EntryTable.REPLACED);
    assertThat(tables.get(KEY)).isEqualTo("newer");
    tables.isWhole();
  }

  @Test
  void anotherTypeOrAHolderIsLeftToAnotherEntry() {
    tables.insertOf(1, KEY, "older");
    assertThat(put(KEY, "newer", null)).isEqualTo(EntryTable.NOT_IN_PLACE);
    tables.insert(KEY + 1, "held");
    TableFixture.Pin pin = tables.pin(KEY + 1);
    assertThat(put(KEY + 1, "newer", null)).isEqualTo(EntryTable.NOT_IN_PLACE);
    assertThat(pin.release(true, false)).isFalse();
    assertThat(tables.get(KEY)).isEqualTo("older");
    assertThat(tables.get(KEY + 1)).isEqualTo("held");
    tables.isWhole();
  }

  @Test
  void aValueThatIsFreedExplicitlyIsNot() {
    tables.insert(KEY, "older");
    int slot = tables.slot(first, KEY);
    long meta = tables.meta(first, slot);
    tables.words(first).setMetaRelease(slot, meta & ~MetaWord.READABLE);
    assertThat(put(KEY, "newer", null)).isEqualTo(EntryTable.NOT_IN_PLACE);
    tables.words(first).setMetaRelease(slot, meta);
    assertThat(tables.get(KEY)).isEqualTo("older");
  }

  /** At each access of an exchange another thread does something; it runs so long. */
  private void race(Runnable other, Runnable check) {
    for (int access = 1; ; access++) {
      tables.put(0, KEY, "older", true, null);
      tables.before(access, other);
      int outcome = put(KEY, "newer", null);
      if (!tables.wasStopped()) {
        assertThat(outcome).isEqualTo(EntryTable.REPLACED);
        assertThat(access).isGreaterThan(8);
        return;
      }
      check.run();
      tables.isWhole();
      tables.erase(KEY, null);
      tables.erase(tables.doubleOf(KEY), null);
    }
  }

  @Test
  void aTenantOfAnotherKeyKeepsItsValue() {
    long same = tables.doubleOf(KEY);
    race(
        () -> {
          tables.erase(KEY, null);
          tables.insert(same, "another");
        },
        () -> {
          assertThat(tables.get(KEY)).isNull();
          assertThat(tables.get(same)).isEqualTo("another");
        });
  }

  /** Any slot of its own may be the one that the key had. */
  @Test
  void aTenantOfAnotherKindKeepsItsValue() {
    race(
        () -> {
          if (tables.erase(KEY, null)) {
            tables.insertOf(1, KEY, "another");
          }
        },
        () -> assertThat(tables.get(KEY)).isIn(null, "another"));
  }

  @Test
  void anEntryThatIsErasedMeanwhileEndsOnce() {
    race(() -> tables.erase(KEY, null), () -> assertThat(tables.get(KEY)).isNull());
    assertThat(tables.policy.entries).isEqualTo(1);
  }

  /** As a new entry in its place would. */
  @Test
  void anEntryWithNoUseLeftHasOneIfItWasExchanged() {
    tables.insert(KEY, "older");
    int slot = tables.slot(first, KEY);
    tables.words(first).setMetaRelease(slot, MetaWord.visible(0, false, true, 0));
    assertThat(put(KEY, "newer", "another")).isEqualTo(EntryTable.NOT_EXPECTED);
    assertThat(MetaWord.releases(tables.meta(first, slot))).isZero();
    assertThat(put(KEY, "newer", null)).isEqualTo(EntryTable.REPLACED);
    assertThat(MetaWord.releases(tables.meta(first, slot))).isEqualTo(1);
    assertThat(put(KEY, "newest", null)).isEqualTo(EntryTable.REPLACED);
    assertThat(MetaWord.releases(tables.meta(first, slot))).isEqualTo(1);
  }
}
