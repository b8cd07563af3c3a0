/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.table;

import static io.hyperclock.internal.table.TableFixture.CHARGE;
import static io.hyperclock.internal.table.TableFixture.HI;
import static io.hyperclock.internal.table.TableFixture.KEY;
import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.internal.policy.EvictionRequest;
import io.hyperclock.internal.slot.ChargeWord;
import io.hyperclock.internal.slot.MetaWord;
import io.hyperclock.internal.table.TableOperation.Layout;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A writer stops half way for ever, when it has decided and before it has told: whoever comes next
 * does the rest, as do those who have begun before.
 */
@Timeout(120)
class AbandonedOperationsTest {
  /** Ends the operation of a thread that goes no further. */
  private static final class Gone extends RuntimeException {
    private static final long serialVersionUID = 1;

    Gone() {
      super(null, null, false, false);
    }
  }

  private record Place(ClockTable table, int slot) {}

  private static List<Place> visible(TableFixture tables) {
    List<Place> visible = new ArrayList<>();
    for (ClockTable table : tables.tables) {
      for (int slot = 0; slot < table.store.slots(); slot++) {
        if (tables.words(table).keyLoOpaque(slot) == KEY
            && MetaWord.isVisible(tables.meta(table, slot))) {
          visible.add(new Place(table, slot));
        }
      }
    }
    return visible;
  }

  private static void goOnUntilBothAreVisible(TableFixture tables, int[] left, List<Place> both) {
    List<Place> visible = visible(tables);
    boolean isMine =
        visible.stream().anyMatch(place -> "e".equals(place.table.store.valueOpaque(place.slot)));
    if (visible.size() == 2 && isMine && left[0]-- == 0) {
      both.addAll(visible);
      throw new Gone();
    }
    tables.before(1, () -> goOnUntilBothAreVisible(tables, left, both));
  }

  /**
   * Overwrites, and stops when both entries have been visible for so many accesses.
   *
   * @return whether it stopped; it holds nothing any more
   */
  static boolean abandon(
      TableFixture tables, int accesses, TableOperation overwrite, Map<String, Object> answers) {
    int[] left = {accesses};
    List<Place> both = new ArrayList<>();
    tables.before(1, () -> goOnUntilBothAreVisible(tables, left, both));
    try {
      overwrite.run(tables, answers);
      tables.wasStopped();
      return false;
    } catch (Gone e) {
      tables.wasStopped();
      answers.put(overwrite.name(), EntryTable.REPLACED);
      both.forEach(place -> place.table.release(place.slot, false));
      return true;
    }
  }

  private static List<TableOperation> others(Layout layout) {
    List<TableOperation> others =
        new ArrayList<>(
            List.of(
                TableOperation.INSERT,
                TableOperation.PUT,
                TableOperation.PUT_TOO,
                TableOperation.REPLACE,
                TableOperation.REPLACE_A,
                TableOperation.REPLACE_A_ANEW,
                TableOperation.ERASE,
                TableOperation.ERASE_A,
                TableOperation.GET,
                TableOperation.LOOKUP,
                TableOperation.PRESENT));
    if (layout == Layout.MOVING) {
      others.add(TableOperation.MOVE);
    }
    return others;
  }

  /** What was not told of an entry that was made visible. */
  private static List<Object> end(TableFixture tables, Map<String, Object> answers) {
    tables.newest().replacement.admitted(0, ChargeWord.of(1, CHARGE), new EvictionRequest(CHARGE));
    ClockTable newest = tables.newest();
    newest.pendingWrites.completeReplacement(HI, KEY, tables.hash(KEY), newest.before());
    return TableOperation.end(tables, answers);
  }

  @ParameterizedTest
  @EnumSource
  void operationsEndWhatTheyMeet(Layout layout) {
    int met = 0;
    for (TableOperation other : others(layout)) {
      Set<List<Object>> allowed =
          TableOperation.allowed(true, List.of(List.of(other), List.of(TableOperation.PUT_ANEW)));
      for (int accesses : new int[] {0, 2, 4}) {
        boolean isOver = false;
        for (int access = 1; !isOver; access++) {
          TableFixture tables = layout.open(true);
          Map<String, Object> answers = new HashMap<>();
          boolean[] isAbandoned = {false};
          int left = accesses;
          tables.before(
              access,
              () -> isAbandoned[0] = abandon(tables, left, TableOperation.PUT_ANEW, answers));
          String as = other + " at " + access + " beside one that stops after " + left;
          try {
            other.run(tables, answers);
            isOver = !tables.wasStopped();
            if (isAbandoned[0]) {
              met++;
              assertThat(end(tables, answers)).isIn(allowed);
            }
          } catch (Throwable e) {
            throw new AssertionError(as, e);
          }
        }
      }
    }
    assertThat(met).isGreaterThan(100);
  }

  /** In either bucket, and in the first slot of all. */
  @Test
  void theOlderEntryEndsWhereverItLies() {
    Set<Integer> newer = new HashSet<>();
    Set<Integer> older = new HashSet<>();
    for (int before = 0; before < 12; before++) {
      for (int between = 0; between < 12; between++) {
        TableFixture tables = new TableFixture(2, TableView.SETTLED);
        for (long lo = 100; lo < 100 + before; lo++) {
          tables.insert(lo, "other");
        }
        tables.insert(KEY, "older");
        for (long lo = 100; lo < 100 + before; lo++) {
          tables.erase(lo, null);
        }
        for (long lo = 200; lo < 200 + between; lo++) {
          tables.insert(lo, "other");
        }
        older.add(tables.slot(tables.first(), KEY));
        int ended = tables.ends.ended.size();
        assertThat(abandon(tables, 0, TableOperation.PUT_ANEW, new HashMap<>())).isTrue();
        tables.first().pendingWrites.completeReplacement(HI, KEY, tables.hash(KEY), null);
        assertThat(tables.ends.ended).hasSize(ended + 1).contains(KEY + "=older FREED");
        newer.add(tables.slot(tables.first(), KEY));
        assertThat(tables.get(KEY)).isEqualTo("e");
        assertThat(tables.erase(KEY, "e")).isTrue();
        assertThat(tables.get(KEY)).isNull();
      }
    }
    assertThat(newer).as("newer").contains(0, 8);
    assertThat(older).as("older").contains(8).anyMatch(slot -> slot < 8);
  }

  /** An eraser that has marked an entry, and stops. */
  @ParameterizedTest
  @EnumSource
  void whatIsBeingErasedIsGoneForWriters(Layout layout) {
    for (TableOperation other :
        List.of(
            TableOperation.INSERT,
            TableOperation.PUT_ANEW,
            TableOperation.REPLACE,
            TableOperation.REPLACE_A_ANEW,
            TableOperation.ERASE)) {
      TableFixture tables = layout.open(true);
      int slot = tables.slot(tables.first(), KEY);
      assertThat(tables.first().pinAny(slot)).isTrue();
      assertThat(tables.first().slots.markErasing(slot)).isTrue();
      Map<String, Object> answers = new HashMap<>();
      other.run(tables, answers);
      assertThat(answers.get(other.name())).isEqualTo(other.answer().apply(null));
      assertThat(tables.get(KEY)).isEqualTo(other.change().apply(null));
      assertThat(tables.ends.ended).as("held by the eraser").isEmpty();
      tables.first().release(slot, false);
      assertThat(tables.ends.ended).containsExactly(KEY + "=a FREED");
      assertThat(tables.move()).isTrue();
      tables.isWhole();
    }
  }

  /** An insert has nothing to do only where no writer is at work on the key. */
  @Test
  void whatOthersAreAtIsNotKept() {
    for (long lo = 300; lo < 316; lo++) {
      TableFixture tables = new TableFixture(2, TableView.SETTLED);
      Insertion insertion = tables.first().insertion();
      long hash = tables.hash(lo);
      assertThat(insertion.keepExisting(HI, lo, hash, 1)).isFalse();
      long cold = ChargeWord.of(0, CHARGE);
      long meta = MetaWord.visible(1, false, true, 0);
      tables.insert(lo - 1, "other");
      int slot =
          insertion.put(HI, lo, hash, "value", cold, meta, true, null, new EvictionRequest(CHARGE));
      assertThat(slot).isEqualTo(tables.slot(tables.first(), lo));
      assertThat(insertion.keepExisting(HI, lo, hash, 1)).as("slot %s", slot).isTrue();
      assertThat(tables.first().pinAny(slot)).isTrue();
      tables.first().slots.markErasing(slot);
      assertThat(insertion.keepExisting(HI, lo, hash, 1)).as("erasing").isFalse();
    }
  }

  @Test
  void anOverwriteIsUsedAsOftenAsTheOlder() {
    TableFixture tables = Layout.SETTLED.open(true);
    for (int use = 0; use < 4; use++) {
      tables.get(KEY);
    }
    int slot = tables.slot(tables.first(), KEY);
    assertThat(MetaWord.releases(tables.meta(tables.first(), slot))).isEqualTo(3);
    TableOperation.PUT_ANEW.run(tables, new HashMap<>());
    slot = tables.slot(tables.first(), KEY);
    assertThat(MetaWord.releases(tables.meta(tables.first(), slot))).isGreaterThanOrEqualTo(3);
  }
}
