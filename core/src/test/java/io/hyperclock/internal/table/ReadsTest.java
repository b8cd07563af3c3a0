/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.table;

import static io.hyperclock.internal.table.TableFixture.HI;
import static io.hyperclock.internal.table.TableFixture.KEY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperclock.internal.slot.ChargeWord;
import io.hyperclock.internal.slot.MetaWord;
import io.hyperclock.internal.slot.SlotStore;
import java.util.HashMap;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What reads find beside an overwrite, an exchange, and in tables that come after. */
@Timeout(60)
class ReadsTest {
  private TableFixture tables = new TableFixture(2, TableView.SETTLED);

  private OptimisticReads reads() {
    return tables.newest().currentReads();
  }

  private @Nullable Object read(long wanted, boolean use) {
    return reads().read(HI, KEY, tables.hash(KEY), wanted, use);
  }

  private @Nullable Object pinned() {
    TableFixture.Pin pin = tables.pin(KEY);
    if (pin == null) {
      return null;
    }
    pin.release(false, false);
    return pin.value();
  }

  private List<Supplier<@Nullable Object>> allReads() {
    return List.of(
        this::pinned,
        () -> read(MetaWord.READABLE, true),
        () -> read(MetaWord.READABLE, false),
        () -> read(MetaWord.VISIBLE, true),
        () -> read(MetaWord.VISIBLE, false));
  }

  private int visible() {
    int visible = 0;
    for (ClockTable table : tables.tables) {
      for (int slot = 0; slot < table.store.slots(); slot++) {
        boolean isKey = tables.words(table).keyLoOpaque(slot) == KEY;
        visible += isKey && MetaWord.isVisible(tables.meta(table, slot)) ? 1 : 0;
      }
    }
    return visible;
  }

  /** Where the two entries of an overwritten key lie. */
  enum Places {
    OLDER_FIRST,
    NEWER_FIRST,
    OLDER_IN_TABLE_BEFORE;

    TableFixture open() {
      TableFixture tables = new TableFixture(2, TableView.SETTLED);
      long same = tables.doubleOf(KEY);
      tables.insert(same, "double");
      if (this == NEWER_FIRST) {
        for (long lo = 100; lo < 108; lo++) {
          tables.insert(lo, "other");
        }
      }
      tables.insert(KEY, "older");
      if (this == NEWER_FIRST) {
        for (long lo = 100; lo < 108; lo++) {
          tables.erase(lo, null);
        }
      }
      if (this == OLDER_IN_TABLE_BEFORE) {
        tables.grow(3);
      }
      return tables;
    }
  }

  @ParameterizedTest
  @EnumSource
  void ofTwoEntriesTheOlderIsFound(Places places) {
    int both = 0;
    for (int access = 1; ; access++) {
      tables = places.open();
      int[] found = {0};
      tables.before(
          access,
          () -> {
            found[0] = visible();
            for (Supplier<@Nullable Object> read : allReads()) {
              if (found[0] == 2) {
                assertThat(read.get()).isEqualTo("older");
              } else {
                assertThat(read.get()).isIn("older", "newer");
              }
            }
          });
      tables.put(1, KEY, "newer", true, null);
      if (!tables.wasStopped()) {
        break;
      }
      both += found[0] == 2 ? 1 : 0;
      assertThat(tables.move()).isTrue();
      assertThat(pinned()).isEqualTo("newer");
      tables.isWhole();
    }
    assertThat(both).isPositive();
  }

  /** As the owner of the overwrite would, who has counted it before. */
  private void hideOlder() {
    ClockTable newest = tables.newest();
    for (ClockTable table : tables.tables) {
      for (int slot = 0; slot < table.store.slots(); slot++) {
        long meta = tables.meta(table, slot);
        if (tables.words(table).keyLoOpaque(slot) == KEY
            && MetaWord.isVisible(meta)
            && !MetaWord.isSuperseding(meta)) {
          assertThat(table.pinAny(slot)).isTrue();
          table.freeIfOwned(table.slots.supersedeAndRelease(slot), slot);
        }
      }
    }
    newest.slots.endSuperseding(tables.slot(newest, KEY));
  }

  /** The overwrite ends while a read that began behind the count is stopped. */
  @ParameterizedTest
  @EnumSource
  void oneOfTheTwoIsAlwaysFound(Places places) {
    int met = 0;
    for (int kind = 0; kind < 5; kind++) {
      for (int access = 1; ; access++) {
        int number = kind;
        int first = access;
        boolean isOver = false;
        for (int step = 1; ; step++) {
          int second = step;
          tables = places.open();
          boolean[] ended = {false};
          tables.before(
              first,
              () -> {
                if (visible() != 2) {
                  return;
                }
                tables.before(
                    second,
                    () -> {
                      hideOlder();
                      ended[0] = true;
                    });
                assertThat(allReads().get(number).get())
                    .as("read %s, stopped at %s and %s", number, first, second)
                    .isIn("older", "newer");
                tables.wasStopped();
              });
          tables.put(1, KEY, "newer", true, null);
          isOver = !tables.wasStopped();
          met += ended[0] ? 1 : 0;
          assertThat(tables.move()).isTrue();
          tables.isWhole();
          if (!ended[0]) {
            break;
          }
        }
        if (isOver) {
          break;
        }
      }
    }
    assertThat(met).isGreaterThan(20);
  }

  @ParameterizedTest
  @EnumSource
  void aReadOfAnOverwrittenEntryIsAUse(Places places) {
    for (boolean use : new boolean[] {true, false}) {
      int seen = 0;
      for (int access = 1; ; access++) {
        tables = places.open();
        ClockTable table = tables.first();
        int older = tables.slot(table, KEY);
        int[] releases = {0, 0};
        tables.before(
            access,
            () -> {
              if (visible() == 2) {
                releases[0] = MetaWord.releases(tables.meta(table, older));
                reads().read(HI, KEY, tables.hash(KEY), MetaWord.READABLE, use);
                releases[1] = MetaWord.releases(tables.meta(table, older));
              }
            });
        tables.put(1, KEY, "newer", true, null);
        if (!tables.wasStopped()) {
          break;
        }
        if (releases[0] > 0) {
          seen++;
          assertThat(releases[1] - releases[0]).isEqualTo(use ? 1 : 0);
        }
      }
      assertThat(seen).isPositive();
    }
  }

  @Test
  void usesAreCountedWhereTheyAreMeant() {
    tables.insert(KEY, "value");
    int slot = tables.slot(tables.first(), KEY);
    assertThat(read(MetaWord.READABLE, false)).isEqualTo("value");
    assertThat(read(MetaWord.VISIBLE, false)).isEqualTo("value");
    assertThat(MetaWord.releases(tables.meta(tables.first(), slot))).isEqualTo(1);
    assertThat(read(MetaWord.VISIBLE, true)).isEqualTo("value");
    assertThat(MetaWord.releases(tables.meta(tables.first(), slot))).isEqualTo(2);
    assertThat(read(MetaWord.READABLE, true)).isEqualTo("value");
    assertThat(MetaWord.releases(tables.meta(tables.first(), slot))).isEqualTo(3);
    assertThat(reads().read(HI, KEY + 1, tables.hash(KEY + 1), MetaWord.VISIBLE, true)).isNull();
    assertThat(reads().read(HI, KEY + 1, tables.hash(KEY + 1), MetaWord.VISIBLE, false)).isNull();
  }

  private void setReadable(long lo, boolean readable) {
    int slot = tables.slot(tables.first(), lo);
    long meta = tables.meta(tables.first(), slot) & ~MetaWord.READABLE;
    tables.words(tables.first()).setMetaRelease(slot, readable ? meta | MetaWord.READABLE : meta);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aValueThatIsFreedExplicitlyNeedsAPin(boolean overwritten) {
    long same = tables.doubleOf(KEY);
    if (overwritten) {
      tables.insert(KEY + 1, "older");
      tables.put(1, KEY + 1, "newer", true, null);
    }
    tables.insert(same, "double");
    setReadable(same, false);
    assertThat(read(MetaWord.READABLE, true)).as("another key").isNull();
    tables.insert(KEY, "value");
    assertThat(read(MetaWord.READABLE, true)).isEqualTo("value");
    setReadable(KEY, false);
    assertThatThrownBy(() -> read(MetaWord.READABLE, true))
        .isInstanceOf(IllegalStateException.class);
    assertThat(read(MetaWord.VISIBLE, true)).isEqualTo("value");
    assertThat(read(MetaWord.VISIBLE, false)).isEqualTo("value");
    TableFixture.Pin pin = tables.pin(KEY);
    assertThat(pin.value()).isEqualTo("value");
    tables.erase(KEY, null);
    assertThat(read(MetaWord.READABLE, true)).as("hidden").isNull();
    pin.release(true, false);
  }

  @ParameterizedTest
  @EnumSource
  void whatWasNotFoundMayBeElsewhere(TableView view) {
    tables = new TableFixture(2, view);
    ClockTable first = tables.first();
    long hash = tables.hash(KEY);
    PinnedReads pinnedReads = first.pinnedReads;
    boolean isMoving = view == TableView.MOVING;
    assertThat(pinnedReads.lookup(HI, KEY, hash))
        .isEqualTo(isMoving ? PinnedReads.ELSEWHERE : PinnedReads.ABSENT);
    tables.grow(3);
    tables.insert(KEY, "value");
    boolean isFixed = view == TableView.FIXED;
    assertThat(pinnedReads.lookup(HI, KEY, hash))
        .isEqualTo(isFixed ? PinnedReads.ABSENT : PinnedReads.ELSEWHERE);
    assertThat(pinnedReads.lookupHere(HI, KEY, hash, true)).isEqualTo(PinnedReads.ABSENT);
    assertThat(first.unpinnedReads().read(HI, KEY, hash, MetaWord.READABLE, true))
        .isEqualTo(isFixed ? null : "value");
  }

  @Test
  void aPinOfAValueThatIsBeingExchangedSaysSo() {
    tables.insert(KEY, "value");
    ClockTable first = tables.first();
    long hash = tables.hash(KEY);
    int slot = tables.slot(first, KEY);
    long entered = first.exchanges.enter(slot);
    assertThat(entered).isNotZero();
    assertThat(first.pinnedReads.lookup(HI, KEY, hash))
        .isEqualTo(slot + PinnedReads.BEING_EXCHANGED);
    assertThat(first.pinnedReads.find(HI, KEY, hash)).isEqualTo(slot);
    assertThat(MetaWord.refcount(tables.meta(first, slot))).as("with the writer").isEqualTo(3);
    first.exchanges.leave(slot, entered, false);
    first.release(slot, false);
    first.release(slot, false);
    assertThat(first.pinnedReads.find(HI, KEY, hash)).isEqualTo(slot);
    first.release(slot, false);
    tables.isWhole();
  }

  @Test
  void aPinWaitsAMomentForAnExchange() {
    ClockTable first = tables.first();
    long hash = tables.hash(KEY);
    int plain = 0;
    for (int access = 1; ; access++) {
      tables.insert(KEY, "value");
      int slot = tables.slot(first, KEY);
      long entered = first.exchanges.enter(slot);
      tables.before(access, () -> first.exchanges.leave(slot, entered, false));
      int found = first.pinnedReads.lookup(HI, KEY, hash);
      assertThat(found).isIn(slot, slot + PinnedReads.BEING_EXCHANGED);
      if (!tables.wasStopped()) {
        assertThat(found).isEqualTo(slot + PinnedReads.BEING_EXCHANGED);
        break;
      }
      assertThat(found).isEqualTo(slot);
      plain++;
      first.release(slot, false);
      tables.isWhole();
    }
    assertThat(plain).as("ended in time").isGreaterThan(6);
  }

  private int hits() {
    int hits = 0;
    for (ClockTable table : tables.tables) {
      for (int slot = 0; slot < table.store.slots(); slot++) {
        hits += MetaWord.wasHit(tables.meta(table, slot)) ? 1 : 0;
      }
    }
    return hits;
  }

  /**
   * An insert that began before the move comes late, and is overwritten by one that never hides it:
   * all while a read is between the two tables.
   */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aReadThatLooksAgainIsOneUse(boolean isInSecondBucket) {
    int met = 0;
    for (int access = 1; ; access++) {
      tables = new TableFixture(2, TableView.SETTLED);
      ClockTable first = tables.first();
      long hash = tables.hash(KEY);
      int slot =
          SlotStore.BUCKET_SLOTS
              * (isInSecondBucket ? first.buckets().second(hash) : first.buckets().first(hash));
      assertThat(first.slots.claim(slot)).isTrue();
      first.slots.fill(slot, HI, KEY, "older", ChargeWord.of(0, TableFixture.CHARGE));
      first.tentativeInserts.announce(slot, hash);
      tables.grow(3);
      tables.before(
          access,
          () -> {
            assertThat(first.tentativeInserts.publish(slot, MetaWord.visible(1, false, true, 0)))
                .isTrue();
            assertThat(
                    AbandonedOperationsTest.abandon(
                        tables, 0, TableOperation.PUT_ANEW, new HashMap<>()))
                .isTrue();
          });
      Object found = reads().read(HI, KEY, hash, MetaWord.READABLE, true);
      if (!tables.wasStopped()) {
        assertThat(met).isPositive();
        return;
      }
      assertThat(visible()).isEqualTo(2);
      assertThat(found).as("stopped at %s", access).isIn(null, "older");
      assertThat(hits()).as("stopped at %s", access).isEqualTo(found == null ? 0 : 1);
      met += found == null ? 0 : 1;
    }
  }

  /** One step pins; an entry of another key with the same tag costs none. */
  @Test
  void aPinIsOneStep() {
    tables.insert(tables.doubleOf(KEY), "double");
    tables.insert(KEY, "value");
    tables.store(tables.first()).reset();
    assertThat(tables.pin(KEY)).isNotNull();
    assertThat(tables.store(tables.first()).atomics()).isEqualTo(1);
  }
}
