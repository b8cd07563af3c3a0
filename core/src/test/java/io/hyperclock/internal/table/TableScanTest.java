/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.table;

import static io.hyperclock.internal.table.TableFixture.CHARGE;
import static io.hyperclock.internal.table.TableFixture.HI;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperclock.internal.slot.ChargeWord;
import io.hyperclock.internal.slot.MetaWord;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What walks over all slots meet, and what they leave. */
@Timeout(60)
class TableScanTest {
  private static final int KEYS = 10;

  private final TableFixture tables = new TableFixture(4, TableView.SETTLED);
  private final ClockTable first = tables.first();
  private final TableScan scan = new TableScan(first);

  private void fill() {
    for (long lo = 0; lo < KEYS; lo++) {
      tables.insert(lo, "value " + lo);
    }
  }

  /** Of an empty table in which a key lies in the last slot only. */
  private void fillLast() {
    while (tables.meta(first, first.store.slots() - 1) == 0) {
      tables.insert(1_000 + tables.ledger.occupancy(), "value");
    }
    int last = first.store.slots() - 1;
    long kept = first.store.keyLoOpaque(last);
    for (long lo = 1_000; tables.ledger.occupancy() > 1; lo++) {
      if (lo != kept) {
        tables.erase(lo, null);
      }
    }
  }

  private List<String> visited(TableScan.WordChoice choice) {
    List<String> visited = new ArrayList<>();
    scan.forEachPinned(
        choice,
        (hi, lo, value, cold) -> {
          int slot = tables.slot(first, lo);
          assertThat(MetaWord.refcount(tables.meta(first, slot))).as("pins").isEqualTo(1);
          visited.add(hi + " " + lo + " " + value + " " + ChargeWord.chargeBytes(cold));
        });
    return visited;
  }

  @Test
  void eachVisibleEntryIsVisitedOnceAndPinned() {
    fill();
    List<String> all = new ArrayList<>();
    for (long lo = 0; lo < KEYS; lo++) {
      all.add(HI + " " + lo + " value " + lo + " " + CHARGE);
    }
    List<String> visited = new ArrayList<>();
    scan.forEachPinned((meta, word) -> true, (hi, lo, value, cold) -> visited.add(lo + ""));
    assertThat(visited).hasSize(KEYS).doesNotHaveDuplicates();
    assertThat(visited((meta, cold) -> MetaWord.isVisible(meta)))
        .containsExactlyInAnyOrderElementsOf(all);
    assertThat(visited((meta, cold) -> false)).isEmpty();
    assertThat(visited((meta, cold) -> ChargeWord.chargeBytes(cold) != CHARGE)).isEmpty();
    tables.isWhole();
  }

  @Test
  void hiddenEntriesAreNotVisited() {
    fill();
    TableFixture.Pin pin = tables.pin(3);
    tables.erase(3, null);
    List<Long> visited = new ArrayList<>();
    List<Long> chosen = new ArrayList<>();
    scan.forEachPinned((meta, cold) -> chosen.add(meta), (hi, lo, value, cold) -> visited.add(lo));
    assertThat(visited).hasSize(KEYS - 1).doesNotContain(3L);
    assertThat(chosen).as("words that were shown").hasSize(KEYS - 1);
    List<Long> words = new ArrayList<>();
    scan.forEachWord((meta, cold, dead) -> words.add(ChargeWord.chargeBytes(cold)));
    assertThat(words).as("held ones too").hasSize(KEYS).containsOnly(CHARGE);
    pin.release(true, false);
    tables.isWhole();
  }

  @Test
  void aPinEndsThoughTheVisitorThrows() {
    fill();
    IllegalStateException error = new IllegalStateException("visitor");
    assertThatThrownBy(
            () ->
                scan.forEachPinned(
                    (meta, word) -> true,
                    (hi, lo, value, cold) -> {
                      throw error;
                    }))
        .isSameAs(error);
    tables.isWhole();
  }

  @Test
  void anEntryThatHasLeftMeanwhileIsPassedBy() {
    fill();
    List<Long> visited = new ArrayList<>();
    scan.forEachPinned(
        (meta, cold) -> {
          for (long lo = 0; lo < KEYS; lo++) {
            tables.erase(lo, null);
          }
          return true;
        },
        (hi, lo, value, cold) -> visited.add(lo));
    assertThat(visited).isEmpty();
    tables.isWhole();
  }

  @Test
  void wordsOfWhatHasMovedAreNotShown() {
    fill();
    TableFixture.Pin pin = tables.pin(3);
    tables.grow(6);
    tables.move();
    List<Long> words = new ArrayList<>();
    scan.forEachWord((meta, cold, dead) -> words.add(cold));
    assertThat(words).as("of the table before").isEmpty();
    new TableScan(tables.newest()).forEachWord((meta, cold, dead) -> words.add(cold));
    assertThat(words).hasSize(KEYS);
    assertThat(scan.holdsAny()).isTrue();
    pin.release(true, false);
    assertThat(scan.holdsAny()).isFalse();
    tables.isWhole();
  }

  @Test
  void theLastSlotIsSeenToo() {
    assertThat(scan.holdsAny()).isFalse();
    assertThat(scan.pinnedBytes()).isZero();
    fillLast();
    long key = first.store.keyLoOpaque(first.store.slots() - 1);
    assertThat(scan.holdsAny()).isTrue();
    assertThat(visited((meta, cold) -> true)).hasSize(1);
    TableFixture.Pin pin = tables.pin(key);
    assertThat(scan.pinnedBytes()).isEqualTo(CHARGE);
    scan.eraseKeys();
    assertThat(tables.get(key)).isNull();
    assertThat(scan.holdsAny()).as("held").isTrue();
    assertThat(pin.release(true, false)).isTrue();
    assertThat(scan.holdsAny()).isFalse();
  }

  @Test
  void pinnedBytesAreThoseOfHeldEntries() {
    fill();
    assertThat(scan.pinnedBytes()).isZero();
    TableFixture.Pin visible = tables.pin(2);
    TableFixture.Pin hidden = tables.pin(3);
    tables.erase(3, null);
    assertThat(scan.pinnedBytes()).isEqualTo(2 * CHARGE);
    visible.release(true, false);
    hidden.release(true, false);
    assertThat(scan.pinnedBytes()).isZero();
  }

  @Test
  void deadBytesAreThoseOfDroppedFiles() {
    fill();
    assertThat(scan.deadBytes()).isZero();
    tables.ends.dead.add(HI + 1);
    assertThat(scan.deadBytes()).as("of another file").isZero();
    tables.ends.dead.add(HI);
    assertThat(scan.deadBytes()).isEqualTo(KEYS * CHARGE);
    for (long lo = 0; lo < KEYS; lo++) {
      tables.erase(lo, null);
    }
    assertThat(scan.deadBytes()).as("empty slots").isZero();
  }

  @Test
  void unreferencedEntriesAreErasedAndHeldOnesStay() {
    fill();
    TableFixture.Pin pin = tables.pin(3);
    scan.eraseUnreferenced();
    assertThat(tables.ends.ended).hasSize(KEYS - 1).doesNotHaveDuplicates();
    assertThat(tables.get(3)).isEqualTo("value 3");
    assertThat(pin.release(true, false)).isFalse();
    assertThat(tables.get(3)).isEqualTo("value 3");
    tables.isWhole();
    scan.eraseUnreferenced();
    assertThat(tables.ends.ended).hasSize(KEYS);
    assertThat(scan.holdsAny()).isFalse();
  }

  @Test
  void allKeysAreErased() {
    fill();
    TableFixture.Pin pin = tables.pin(3);
    scan.eraseKeys();
    assertThat(tables.ends.ended).hasSize(KEYS - 1).doesNotHaveDuplicates();
    for (long lo = 0; lo < KEYS; lo++) {
      assertThat(tables.get(lo)).isNull();
    }
    assertThat(pin.release(true, false)).isTrue();
    assertThat(tables.ends.ended).hasSize(KEYS).doesNotHaveDuplicates();
    tables.isWhole();
    assertThat(scan.holdsAny()).isFalse();
  }

  @Test
  void keysThatMoveMeanwhileAreErasedWhereTheyAre() {
    fill();
    TableFixture.Pin pin = tables.pin(3);
    tables.grow(6);
    boolean[] hasMoved = {false};
    tables.before(
        1,
        () -> {
          tables.move();
          hasMoved[0] = true;
        });
    scan.eraseKeys();
    assertThat(hasMoved[0]).isTrue();
    new TableScan(tables.newest()).eraseKeys();
    for (long lo = 0; lo < KEYS; lo++) {
      assertThat(tables.get(lo)).isNull();
    }
    pin.release(true, false);
    assertThat(tables.ends.ended).hasSize(KEYS).doesNotHaveDuplicates();
    tables.isWhole();
  }

  /** What could not be freed for want of memory is invisible and not held: no pin finds it. */
  @Test
  void whatWasLeftInvisibleIsErasedToo() {
    tables.insert(3, "left");
    tables.words(first).setMetaRelease(tables.slot(first, 3), MetaWord.ABANDONED);
    scan.eraseKeys();
    assertThat(tables.ends.ended).containsExactly("3=left FREED");
    assertThat(scan.holdsAny()).isFalse();
    tables.isWhole();
  }

  /** As of reads that have seen an earlier entry. */
  private void pinAllTooLate() {
    for (int slot = 0; slot < first.store.slots(); slot++) {
      tables.words(first).getAndAddMeta(slot, 1);
    }
  }

  /** Walks meet an entry while it is being built. */
  @Test
  void whatIsNotPublishedIsLeftAlone() {
    for (int access = 1; ; access++) {
      boolean[] isThere = {false};
      tables.before(
          access,
          () -> {
            isThere[0] = tables.slot(first, 1) >= 0;
            if (!isThere[0]) {
              scan.eraseKeys();
              assertThat(visited((meta, cold) -> true)).isEmpty();
              pinAllTooLate();
              tables.ends.dead.add(HI);
              assertThat(scan.pinnedBytes()).isZero();
              assertThat(scan.deadBytes()).isZero();
              tables.ends.dead.clear();
            }
          });
      assertThat(tables.insert(1, "value")).isZero();
      if (!tables.wasStopped()) {
        assertThat(access).isGreaterThan(5);
        return;
      }
      assertThat(tables.get(1)).isEqualTo("value");
      tables.isWhole();
      tables.erase(1, null);
    }
  }

  @Test
  void anEntryThatIsHeldMeanwhileIsNotErased() {
    for (int access = 1; ; access++) {
      tables.insert(3, "held");
      TableFixture.Pin[] pin = {null};
      tables.before(
          access,
          () -> {
            pin[0] = tables.pin(3);
            if (pin[0] != null) {
              tables.ends.held.add("held");
            }
          });
      scan.eraseUnreferenced();
      boolean isOver = !tables.wasStopped();
      if (pin[0] != null) {
        tables.ends.held.clear();
        pin[0].release(true, false);
      }
      tables.isWhole();
      if (isOver) {
        assertThat(access).isGreaterThan(first.store.slots());
        return;
      }
    }
  }
}
