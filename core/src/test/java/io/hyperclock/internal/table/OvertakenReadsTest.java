/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.table;

import static io.hyperclock.internal.table.TableFixture.HI;
import static io.hyperclock.internal.table.TableFixture.KEY;
import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.internal.slot.MetaWord;
import java.util.HashMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Reads that are overtaken by writers more than once, or by tables more than one on. */
@Timeout(60)
class OvertakenReadsTest {
  private TableFixture tables = new TableFixture(2, TableView.SETTLED);

  private void open() {
    tables = new TableFixture(2, TableView.SETTLED);
    tables.insert(KEY, "value");
  }

  private @Nullable Object get(ClockTable table) {
    return table.unpinnedReads().read(HI, KEY, tables.hash(KEY), MetaWord.READABLE, true);
  }

  private int releases(ClockTable table) {
    return MetaWord.releases(tables.meta(table, tables.slot(table, KEY)));
  }

  private void moveOn(int buckets) {
    tables.grow(buckets);
    assertThat(tables.move()).isTrue();
  }

  /** A look may miss the key once for each overwrite. */
  @Test
  void aKeyThatIsOverwrittenAgainAndAgainIsFound() {
    int twice = 0;
    for (int access = 1; ; access++) {
      boolean isOver = false;
      for (int step = 1; ; step++) {
        int second = step;
        open();
        tables.put(1, KEY, "newer", true, null);
        tables.before(
            access,
            () -> {
              tables.put(2, KEY, "newer still", true, null);
              tables.before(second, () -> tables.put(1, KEY, "newest", true, null));
            });
        assertThat(get(tables.first()))
            .as("overtaken at %s and %s", access, step)
            .isIn("newer", "newer still", "newest");
        boolean isTwice = tables.wasStopped();
        Object last = get(tables.first());
        assertThat("newest".equals(last)).isEqualTo(isTwice);
        if (!isTwice) {
          isOver = "newer".equals(last);
          break;
        }
        twice++;
      }
      if (isOver) {
        break;
      }
    }
    assertThat(twice).isGreaterThan(20);
  }

  /** The entry moves a table on whenever the read comes to another access. */
  @Test
  void aKeyThatMovesOnIsFound() {
    for (int access = 1; ; access++) {
      open();
      moveOn(3);
      tables.before(access, () -> moveOn(4));
      assertThat(get(tables.first())).as("moved on at %s", access).isEqualTo("value");
      if (!tables.wasStopped()) {
        assertThat(access).isGreaterThan(8);
        return;
      }
    }
  }

  @Test
  void aReadIsOneUseThoughTheTableIsLeftMeanwhile() {
    for (int access = 1; ; access++) {
      open();
      moveOn(3);
      ClockTable table = tables.newest();
      int releases = releases(table);
      tables.before(access, () -> tables.grow(4));
      assertThat(get(tables.first())).isEqualTo("value");
      assertThat(releases(table)).as("left at %s", access).isEqualTo(releases + 1);
      if (!tables.wasStopped()) {
        assertThat(access).isGreaterThan(8);
        return;
      }
    }
  }

  /** What supersedes is found by the second look, in the table that was left already. */
  @Test
  void aReadOfATableThatWasLeftIsOneUse() {
    open();
    ClockTable first = tables.first();
    int slot = tables.slot(first, KEY);
    tables.words(first).setMetaRelease(slot, tables.meta(first, slot) | MetaWord.WRITER);
    tables.grow(3);
    int releases = releases(first);
    assertThat(get(first)).isEqualTo("value");
    assertThat(releases(first)).isEqualTo(releases + 1);
  }

  /** A value that needs a pin has left before the read is sure of it. */
  @Test
  void noPinIsRequiredForWhatHasLeft() {
    for (int access = 1; ; access++) {
      open();
      ClockTable first = tables.first();
      int slot = tables.slot(first, KEY);
      tables.words(first).setMetaRelease(slot, tables.meta(first, slot) & ~MetaWord.READABLE);
      tables.before(
          access,
          () -> {
            tables.erase(KEY, null);
            tables.insert(KEY, "readable");
            assertThat(tables.slot(first, KEY)).isEqualTo(slot);
          });
      try {
        assertThat(get(first)).isIn("readable", null);
        assertThat(tables.wasStopped()).isTrue();
      } catch (IllegalStateException e) {
        assertThat(tables.wasStopped()).as("left at %s", access).isFalse();
        assertThat(access).isGreaterThan(8);
        return;
      }
    }
  }

  /** Its value is being exchanged, and it is being overwritten, by two who have stopped. */
  @Test
  void ofTwoThePinIsOfTheOlderThoughThatIsBeingExchanged() {
    open();
    ClockTable first = tables.first();
    int slot = tables.slot(first, KEY);
    long entered = first.exchanges.enter(slot);
    assertThat(entered).isNotZero();
    assertThat(AbandonedOperationsTest.abandon(tables, 0, TableOperation.PUT_ANEW, new HashMap<>()))
        .isTrue();
    assertThat(first.pinnedReads.lookup(HI, KEY, tables.hash(KEY)))
        .isEqualTo(slot + PinnedReads.BEING_EXCHANGED);
  }
}
