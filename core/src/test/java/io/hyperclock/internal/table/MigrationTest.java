/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.table;

import static io.hyperclock.internal.table.TableFixture.HI;
import static io.hyperclock.internal.table.TableFixture.KEY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperclock.internal.policy.EvictionRequest;
import io.hyperclock.internal.slot.ChargeWord;
import io.hyperclock.internal.slot.MetaWord;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How far a table is moved, by whom, and what is left of it. */
@Timeout(60)
class MigrationTest {
  private final TableFixture tables = new TableFixture(7, TableView.SETTLED);
  private final ClockTable first = tables.first();
  private final EvictionRequest request = new EvictionRequest(0);

  /** 56 slots are four blocks, of which the last is short. */
  private Migration fillAndGrow(int keys) {
    for (long lo = 0; lo < keys; lo++) {
      tables.insert(lo, "value " + lo);
    }
    tables.grow(9);
    return tables.migrations.get(0);
  }

  private int visible(int begin, int end) {
    int visible = 0;
    for (int slot = begin; slot < end; slot++) {
      visible += MetaWord.isVisible(tables.meta(first, slot)) ? 1 : 0;
    }
    return visible;
  }

  @Test
  void aBlockIsMovedAtATime() {
    Migration migration = fillAndGrow(30);
    assertThat(migration.left()).isEqualTo(64);
    assertThat(migration.help(1, Integer.MAX_VALUE, request)).isFalse();
    assertThat(migration.left()).isEqualTo(48);
    assertThat(visible(0, 16)).isZero();
    assertThat(migration.moved()).isEqualTo(30 - visible(16, 56));
    assertThat(migration.help(2, Integer.MAX_VALUE, request)).isFalse();
    assertThat(migration.left()).isEqualTo(16);
    assertThat(visible(0, 48)).isZero();
    assertThat(migration.drained).isFalse();
    assertThat(migration.help(1, Integer.MAX_VALUE, request)).isTrue();
    assertThat(migration.drained).isTrue();
    assertThat(migration.left()).isZero();
    assertThat(migration.moved()).isEqualTo(30);
    assertThat(migration.holdsSome()).isFalse();
    assertThat(migration.help(1, 1, request)).isTrue();
    assertThat(migration.left()).isZero();
    assertThat(migration.help(5, Integer.MAX_VALUE, request)).isTrue();
    assertThat(migration.left()).as("no block is begun again").isZero();
    assertThat(migration.end()).isTrue();
    assertThat(migration.end()).as("once").isFalse();
    tables.newest().settled();
    tables.isWhole();
    assertThat(tables.policy.told.stream().filter(told -> told.startsWith("moved")))
        .hasSize(30)
        .containsOnly("moved 100");
  }

  /** Neither a block too many nor one too few where the last one is whole. */
  @Test
  void wholeBlocksAreCountedOnce() {
    TableFixture whole = new TableFixture(4, TableView.SETTLED);
    whole.insert(KEY, "value");
    whole.grow(6);
    Migration migration = whole.migrations.get(0);
    migration.help(1, Integer.MAX_VALUE, request);
    assertThat(migration.left()).isEqualTo(32);
    assertThat(migration.help(1, Integer.MAX_VALUE, request)).isTrue();
    assertThat(whole.get(KEY)).isEqualTo("value");
  }

  @Test
  void noBlockIsBegunBeyondSoManyEntries() {
    Migration migration = fillAndGrow(40);
    int inFirst = visible(0, 16);
    int inSecond = visible(16, 32);
    assertThat(inFirst).isGreaterThan(1);
    assertThat(inSecond).isPositive();
    assertThat(migration.help(9, 0, request)).isFalse();
    assertThat(migration.left()).isEqualTo(64);
    migration.help(9, inFirst, request);
    assertThat(migration.left()).isEqualTo(48);
    migration.help(9, inSecond + 1, request);
    assertThat(migration.left()).isEqualTo(16);
  }

  @Test
  void oneHelperMovesAll() {
    Migration migration = fillAndGrow(30);
    assertThat(migration.help(4, Integer.MAX_VALUE, request)).isTrue();
    for (long lo = 0; lo < 30; lo++) {
      assertThat(tables.get(lo)).isEqualTo("value " + lo);
    }
  }

  /** A thread that stays inside a block keeps no other from ending. */
  @Test
  void othersLookAgainWhereAThreadHasStopped() {
    Migration migration = fillAndGrow(30);
    int[] turns = {0};
    tables.before(
        3,
        () -> {
          while (!migration.drained && turns[0] < 50) {
            migration.help(1, Integer.MAX_VALUE, request);
            turns[0]++;
          }
        });
    assertThat(migration.help(1, Integer.MAX_VALUE, request)).isTrue();
    assertThat(tables.wasStopped()).isTrue();
    // Three blocks, four that are beyond the last, one that begins anew, and all four.
    assertThat(turns[0]).isEqualTo(3 + 4 + 1 + 4);
    tables.isWhole();
    assertThat(migration.moved()).isEqualTo(30);
  }

  /** What others have seen held counts, though they have begun to look at all blocks again. */
  @Test
  void whatIsHeldIsKnownToTheThreadThatStopped() {
    Migration migration = fillAndGrow(30);
    for (long lo = 0; lo < 30; lo++) {
      if (tables.slot(first, lo) >= Migration.BLOCK) {
        assertThat(first.pinAny(tables.slot(first, lo))).isTrue();
        break;
      }
    }
    tables.before(
        3,
        () -> {
          // Three blocks, four that are beyond the last, one that begins anew.
          for (int turn = 0; turn < 3 + 4 + 1; turn++) {
            assertThat(migration.help(1, Integer.MAX_VALUE, request)).isFalse();
          }
        });
    assertThat(migration.help(1, Integer.MAX_VALUE, request)).isTrue();
    assertThat(tables.wasStopped()).isTrue();
    assertThat(migration.holdsSome()).isTrue();
  }

  @Test
  void aMoverThatHasNoMemoryToEvictHoldsNothing() {
    for (long lo = 0; lo < 30; lo++) {
      tables.insert(lo, "value " + lo);
    }
    tables.grow(2);
    Migration migration = tables.migrations.get(0);
    tables.ends.hasDisposer =
        () -> {
          throw new OutOfMemoryError("for this test");
        };
    assertThatThrownBy(() -> migration.help(4, Integer.MAX_VALUE, request))
        .isInstanceOf(OutOfMemoryError.class);
    for (int slot = 0; slot < tables.words(first).slots(); slot++) {
      assertThat(MetaWord.refcount(tables.meta(first, slot))).as("slot %d", slot).isZero();
    }
  }

  /** The eviction for it runs user code: that ends the last handle on the entry. */
  @Test
  void aMoverThatMakesRoomHoldsNothing() {
    tables.insert(KEY, "damaged");
    TableFixture.Pin pin = tables.pin(KEY);
    tables.grow(2);
    int slots = tables.words(tables.newest()).slots();
    for (long lo = 100; lo < 100 + slots; lo++) {
      assertThat(tables.insert(lo, "value " + lo)).isZero();
    }
    List<Boolean> freed = new ArrayList<>();
    tables.ends.hasDisposer =
        () -> {
          tables.ends.hasDisposer = () -> false;
          freed.add(pin.release(false, true));
          return false;
        };
    assertThat(tables.move()).isTrue();
    assertThat(freed).as("erased by its last handle").containsExactly(true);
    assertThat(tables.get(KEY)).isNull();
    assertThat(tables.migrations.get(0).moved()).isZero();
    tables.isWhole();
  }

  @Test
  void whatIsHeldMovesAndItsOldSlotIsHeld() {
    tables.insert(KEY, "value");
    TableFixture.Pin pin = tables.pin(KEY);
    tables.grow(9);
    Migration migration = tables.migrations.get(0);
    assertThat(migration.help(4, Integer.MAX_VALUE, request)).isTrue();
    assertThat(migration.holdsSome()).isTrue();
    assertThat(first.coldOf(pin.slot())).isEqualTo(ChargeWord.of(0, TableFixture.CHARGE));
    assertThat(tables.get(KEY)).isEqualTo("value");
    assertThat(pin.release(true, false)).isFalse();
    tables.newest().settled();
    tables.isWhole();
  }

  @Test
  void whatIsDeadDoesNotMove() {
    tables.insert(KEY, "idle");
    tables.insert(KEY + 1, "held");
    TableFixture.Pin pin = tables.pin(KEY + 1);
    tables.ends.dead.add(HI);
    tables.grow(9);
    Migration migration = tables.migrations.get(0);
    assertThat(migration.help(4, Integer.MAX_VALUE, request)).isTrue();
    assertThat(migration.moved()).as("what is held").isEqualTo(1);
    assertThat(tables.ends.ended).hasSize(1);
    assertThat(tables.get(KEY)).isNull();
    assertThat(tables.get(KEY + 1)).isEqualTo("held");
    assertThat(tables.ledger.usage()).isEqualTo(TableFixture.CHARGE);
    assertThat(tables.ledger.occupancy()).isEqualTo(1);
    pin.release(true, false);
  }

  /** Where its value is being exchanged an entry is left to the next pass. */
  @Test
  void whereAWriterIsInsideAnEntryStays() {
    tables.insert(KEY, "older");
    int slot = tables.slot(first, KEY);
    tables.grow(9);
    Migration migration = tables.migrations.get(0);
    long entered = first.exchanges.enter(slot);
    assertThat(migration.help(4, Integer.MAX_VALUE, request)).isFalse();
    assertThat(migration.moved()).isZero();
    assertThat(tables.get(KEY)).isEqualTo("older");
    assertThat(migration.left()).as("all but a few were looked at").isZero();
    assertThat(first.exchanges.leave(slot, entered, false)).isFalse();
    assertThat(migration.help(4, Integer.MAX_VALUE, request)).isTrue();
    assertThat(migration.moved()).isEqualTo(1);
    tables.newest().settled();
    tables.isWhole();
  }

  /** Entries of one bucket stay near each other: in their first, or in their second. */
  @Test
  void anEntryKeepsTheChoiceOfItsBucket() {
    for (long lo = 0; lo < 40; lo++) {
      tables.insert(lo, "value");
    }
    int[] seconds = {0, 0};
    boolean[] wasSecond = new boolean[40];
    for (int lo = 0; lo < 40; lo++) {
      int bucket = tables.slot(first, lo) / 8;
      wasSecond[lo] = bucket != first.buckets().first(tables.hash(lo));
      seconds[0] += wasSecond[lo] ? 1 : 0;
    }
    assertThat(seconds[0]).isBetween(5, 35);
    tables.grow(40);
    assertThat(tables.move()).isTrue();
    Buckets buckets = tables.newest().buckets();
    for (int lo = 0; lo < 40; lo++) {
      int bucket = tables.slot(tables.newest(), lo) / 8;
      boolean isSecond = bucket != buckets.first(tables.hash(lo));
      seconds[1] += isSecond == wasSecond[lo] ? 1 : 0;
    }
    assertThat(seconds[1]).as("that kept it").isEqualTo(40);
  }
}
