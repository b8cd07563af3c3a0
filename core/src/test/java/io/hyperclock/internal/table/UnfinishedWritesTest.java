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
import io.hyperclock.internal.slot.SlotWords;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a writer owes to a key at which others have stopped, in slots chosen for it. */
@Timeout(60)
class UnfinishedWritesTest {
  private static final long COLD = ChargeWord.of(0, CHARGE);

  private TableFixture tables = new TableFixture(2, TableView.SETTLED);
  private final Map<String, Object> answers = new HashMap<>();

  private ClockTable first() {
    return tables.first();
  }

  private void open() {
    tables = new TableFixture(2, TableView.SETTLED);
    answers.clear();
  }

  /** The first slot is one of the second bucket of the key. */
  private void insertIntoFirstSlot(String value) {
    long same = tables.doubleOf(KEY);
    tables.insert(same, "double");
    tables.insert(KEY, value);
    tables.erase(same, null);
    assertThat(tables.slot(first(), KEY)).isZero();
  }

  /** A writer overwrites, and stops when both entries are visible. */
  private void overwriteAndStop() {
    assertThat(AbandonedOperationsTest.abandon(tables, 0, TableOperation.PUT_ANEW, answers))
        .isTrue();
  }

  private void complete() {
    ClockTable newest = tables.newest();
    newest.pendingWrites.completeReplacement(HI, KEY, tables.hash(KEY), newest.before());
  }

  /**
   * As of a writer that has hidden the older entry, and has stopped before it took the mark off.
   */
  private void mark(int slot) {
    tables.words(first()).setMetaRelease(slot, tables.meta(first(), slot) | MetaWord.WRITER);
  }

  private int superseding() {
    int superseding = 0;
    for (int slot = 0; slot < first().store.slots(); slot++) {
      superseding += MetaWord.isSuperseding(tables.meta(first(), slot)) ? 1 : 0;
    }
    return superseding;
  }

  /** Does it before each access that follows. */
  private void always(Runnable look) {
    look.run();
    tables.before(1, () -> always(look));
  }

  @Test
  void aSupersedingEntryIsNotKept() {
    tables.insert(KEY, "value");
    mark(tables.slot(first(), KEY));
    assertThat(first().insertion().keepExisting(HI, KEY, tables.hash(KEY), 1)).isFalse();
  }

  /** Else two that supersede each other would keep reads from ending. */
  @Test
  void whatSupersedesIsNotSuperseded() {
    tables.insert(KEY, "value");
    mark(tables.slot(first(), KEY));
    int[] most = {0};
    always(() -> most[0] = Math.max(most[0], superseding()));
    assertThat(tables.put(1, KEY, "newer", true, null)).isEqualTo(EntryTable.REPLACED);
    tables.wasStopped();
    assertThat(most[0]).isEqualTo(1);
    assertThat(tables.get(KEY)).isEqualTo("newer");
    tables.isWhole();
  }

  @Test
  void anInsertRaisesTheCountdownOfWhatWasSuperseding() {
    tables.insert(KEY, "value");
    int slot = tables.slot(first(), KEY);
    assertThat(slot).isEqualTo(8);
    mark(slot);
    int countdown = MetaWord.releases(tables.meta(first(), slot));
    long meta = MetaWord.visible(1, false, true, 0);
    EvictionRequest request = new EvictionRequest(CHARGE);
    int outcome =
        first().insertion().insert(HI, KEY, tables.hash(KEY), "b", COLD, meta, 1, request);
    assertThat(outcome).isEqualTo(EntryTable.KEPT_EXISTING);
    assertThat(MetaWord.releases(tables.meta(first(), slot))).isEqualTo(countdown + 1);
    tables.isWhole();
  }

  /** What is not invalidated stays as it is, though the older entry is gone. */
  @Test
  void anAnnouncementThatStandsIsNotMadeAgain() {
    for (int access = 1; ; access++) {
      open();
      tables.insert(KEY, "older");
      boolean[] isEvicted = {false};
      tables.before(
          access,
          () -> {
            isEvicted[0] = true;
            int slot = tables.slot(first(), KEY);
            long meta = slot < 0 ? 0 : tables.meta(first(), slot);
            if (MetaWord.isVisible(meta)
                && MetaWord.refcount(meta) == 0
                && first().slots.take(slot, meta)) {
              first().free(slot);
            }
            always(
                () -> {
                  for (int each = 0; each < first().store.slots(); each++) {
                    assertThat(SlotWords.text(tables.meta(first(), each))).doesNotContain(", P");
                  }
                });
          });
      tables.put(1, KEY, "newer", true, null);
      tables.wasStopped();
      assertThat(tables.get(KEY)).isIn("newer", null);
      tables.isWhole();
      if (!isEvicted[0]) {
        assertThat(access).isGreaterThan(10);
        return;
      }
    }
  }

  /** Others may end an overwrite before its writer has counted it: they count if any were. */
  @Test
  void readsKnowThatTheyMayMissFromTheBeginningOfTheFirstOverwrite() {
    tables.insert(KEY, "older");
    assertThat(first().unpinnedReads().mayHaveMissed()).isFalse();
    tables.before(1, () -> assertThat(first().unpinnedReads().mayHaveMissed()).isTrue());
    long meta = MetaWord.visible(1, false, true, 0);
    EvictionRequest request = new EvictionRequest(CHARGE);
    first().insertion().put(HI, KEY, tables.hash(KEY), "b", COLD, meta, true, null, request);
    assertThat(tables.wasStopped()).isTrue();
  }

  /** The overwrite has ended, and the slots have other entries by the next access. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whoComesTooLateHoldsNothing(boolean isErased) {
    int runs = 0;
    for (int before = 0; before < 2; before++) {
      for (int access = 1; ; access++) {
        open();
        long same = tables.doubleOf(KEY);
        if (before == 1) {
          tables.insert(same, "before");
        }
        tables.insert(KEY, "a");
        tables.erase(same, null);
        overwriteAndStop();
        first().replacement.admitted(0, ChargeWord.of(1, CHARGE), new EvictionRequest(CHARGE));
        tables.before(
            access,
            () -> {
              complete();
              if (isErased) {
                tables.erase(KEY, null);
              } else {
                tables.put(2, KEY, "f", true, null);
              }
              tables.insert(same, "double");
              tables.insert(tables.doubleOf(KEY, same), "double");
            });
        complete();
        boolean isOver = !tables.wasStopped();
        assertThat(tables.get(KEY)).isEqualTo(isOver ? "e" : isErased ? null : "f");
        tables.isWhole();
        if (isOver) {
          break;
        }
        runs++;
      }
    }
    assertThat(runs).isGreaterThan(20);
  }

  /** The newer entry has the same slot in the next table, the first of all. */
  @Test
  void theOlderEntryEndsInTheSameSlotOfTheTableBefore() {
    insertIntoFirstSlot("a");
    tables.grow(2);
    tables.insert(tables.doubleOf(KEY), "double");
    overwriteAndStop();
    assertThat(tables.slot(tables.newest(), KEY)).isZero();
    complete();
    assertThat(tables.ends.ended).contains(KEY + "=a FREED");
    assertThat(tables.get(KEY)).isEqualTo("e");
  }

  /** Both entries lie in the table before, the newer in its first slot. */
  @Test
  void anOverwriteInTheTableBeforeIsEnded() {
    tables.insert(KEY, "a");
    overwriteAndStop();
    assertThat(first().store.valueOpaque(0)).isEqualTo("e");
    tables.grow(3);
    complete();
    assertThat(tables.ends.ended).contains(KEY + "=a FREED");
    assertThat(superseding()).isZero();
  }

  /** An erase ends beside an insert that has seen its mark: the slot has the key anew. */
  @Test
  void whatIsInsertedAfterAnEraseIsNotErased() {
    int same = 0;
    for (int access = 1; ; access++) {
      open();
      tables.insert(KEY, "a");
      int slot = tables.slot(first(), KEY);
      assertThat(first().pinAny(slot)).isTrue();
      assertThat(first().slots.markErasing(slot)).isTrue();
      int[] other = {0};
      boolean[] isSame = {false};
      tables.before(
          access,
          () -> {
            first().freeIfOwned(first().slots.hideAndRelease(slot), slot);
            other[0] = tables.insert(KEY, "c");
            isSame[0] = tables.slot(first(), KEY) == slot;
          });
      int own = tables.insert(KEY, "b");
      if (!tables.wasStopped()) {
        assertThat(same).isPositive();
        return;
      }
      same += isSame[0] ? 1 : 0;
      assertThat(own + other[0]).as("one of the two").isEqualTo(EntryTable.KEPT_EXISTING);
      assertThat(tables.get(KEY)).isEqualTo(own == 0 ? "b" : "c");
      tables.isWhole();
    }
  }

  /** What is to be overwritten moves into a full bucket while room is made there. */
  @Test
  void whatIsToBeOverwrittenDoesNotLeaveForIt() {
    for (int access = 1; ; access++) {
      open();
      insertIntoFirstSlot("older");
      tables.grow(2);
      for (long lo = 100; lo < 116; lo++) {
        tables.insert(lo, "other");
      }
      tables.before(access, tables::move);
      assertThat(tables.put(1, KEY, "newer", false, null))
          .as("stopped at %s", access)
          .isEqualTo(EntryTable.REPLACED);
      boolean isOver = !tables.wasStopped();
      assertThat(tables.move()).isTrue();
      assertThat(tables.get(KEY)).isEqualTo("newer");
      tables.isWhole();
      if (isOver) {
        assertThat(access).isGreaterThan(20);
        return;
      }
    }
  }

  /** It is in the next table, in the slot that the older one has in this; or this table is left. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anEraseMeetsTheNewerEntry(boolean isInNext) {
    for (int access = 1; ; access++) {
      open();
      tables.insert(KEY, "a");
      boolean[] isAbandoned = {false};
      tables.before(
          access,
          () -> {
            boolean isThere = tables.slot(first(), KEY) >= 0;
            if (isThere && isInNext) {
              tables.grow(2);
            }
            isAbandoned[0] =
                isThere
                    && AbandonedOperationsTest.abandon(tables, 0, TableOperation.PUT_ANEW, answers);
            if (isThere && !isInNext) {
              tables.grow(2);
            }
          });
      TableOperation.ERASE.run(tables, answers);
      if (!tables.wasStopped()) {
        assertThat(access).isGreaterThan(5);
        return;
      }
      if (isAbandoned[0]) {
        complete();
        List<Object> end = List.of(answers, String.valueOf(tables.get(KEY)));
        assertThat(end)
            .isIn(
                TableOperation.allowed(
                    true,
                    List.of(List.of(TableOperation.ERASE), List.of(TableOperation.PUT_ANEW))));
      }
    }
  }

  /** Another's erase is ended by a writer whose own slot has the number of the newer entry's. */
  @Test
  void anEraseThatIsEndedForAnotherMeetsTheNewerEntry() {
    tables.insert(KEY, "a");
    overwriteAndStop();
    assertThat(first().store.valueOpaque(0)).isEqualTo("e");
    assertThat(first().pinAny(8)).isTrue();
    assertThat(first().slots.markErasing(8)).isTrue();
    tables.grow(2);
    tables.insert(tables.doubleOf(KEY), "double");
    assertThat(tables.slot(tables.newest(), tables.doubleOf(KEY))).isEqualTo(8);
    assertThat(tables.insert(KEY, "b")).isEqualTo(EntryTable.KEPT_EXISTING);
    assertThat(MetaWord.isSuperseded(tables.meta(first(), 8))).isTrue();
    first().release(8, false);
    assertThat(tables.ends.ended).containsExactly(KEY + "=a FREED");
  }
}
