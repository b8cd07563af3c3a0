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
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What an entry that moves takes along, whatever others do before each access of the mover. */
@Timeout(60)
class EntryMovesTest {
  private static final long COLD = ChargeWord.of(0, CHARGE);

  private TableFixture tables = new TableFixture(2, TableView.SETTLED);

  /** Opens a table with an entry, and leaves it. */
  private void open() {
    tables = new TableFixture(2, TableView.SETTLED);
    tables.insert(KEY, "value");
    tables.grow(3);
  }

  private ClockTable next() {
    return tables.tables.get(1);
  }

  private boolean help() {
    return tables.migrations.get(0).help(1, Integer.MAX_VALUE, new EvictionRequest(0));
  }

  /**
   * Moves the entry once for each of the mover's accesses.
   *
   * @param begin before the mover begins
   * @param other before the access
   * @param end behind the move
   * @return how many accesses there were
   */
  private int beforeEach(Runnable begin, Runnable other, Runnable end) {
    for (int access = 1; ; access++) {
      open();
      begin.run();
      tables.before(access, other);
      help();
      if (!tables.wasStopped()) {
        return access;
      }
      end.run();
    }
  }

  @Test
  void theStateOfThePolicyIsPassedOn() {
    tables.insert(KEY, "value");
    int slot = tables.slot(tables.first(), KEY);
    assertThat(tables.first().slots.annotate(slot, tables.meta(tables.first(), slot), 5)).isTrue();
    tables.grow(3);
    assertThat(tables.move()).isTrue();
    long meta = tables.meta(next(), tables.slot(next(), KEY));
    assertThat(MetaWord.policy(meta)).isEqualTo(tables.policy.inherited(5));
  }

  /** Until the charge is delivered the word says that it is elsewhere. */
  @Test
  void noWordSaysThatAnEntryHasNoCharge() {
    int[] seen = {0};
    beforeEach(
        () -> {},
        () -> {
          int slot = tables.slot(next(), KEY);
          if (slot >= 0) {
            long cold = tables.words(next()).coldAcquire(slot);
            assertThat(cold).isIn(COLD, ChargeWord.unsettled(COLD));
            seen[0]++;
          }
        },
        () -> {
          assertThat(tables.move()).isTrue();
          tables.isWhole();
        });
    assertThat(seen[0]).isPositive();
  }

  /** Its holder changes it, wherever the entry is by then. */
  @Test
  void noChangeOfTheChargeIsLost() {
    long changed = ChargeWord.of(0, CHARGE + 20);
    TableFixture.Pin[] pin = {null};
    boolean[] isChanged = {false};
    int[] changes = {0};
    beforeEach(
        () -> {
          isChanged[0] = false;
          pin[0] = tables.pin(KEY);
        },
        () -> isChanged[0] = pin[0].table().compareAndSetColdOf(pin[0].slot(), COLD, changed),
        () -> {
          assertThat(tables.move()).isTrue();
          int slot = tables.slot(next(), KEY);
          long cold = next().coldOf(slot);
          assertThat(cold).isEqualTo(isChanged[0] ? changed : COLD);
          assertThat(pin[0].table().coldOf(pin[0].slot())).isEqualTo(cold);
          changes[0] += isChanged[0] ? 1 : 0;
          assertThat(pin[0].release(true, false)).isFalse();
          assertThat(MetaWord.isEmpty(tables.meta(tables.first(), pin[0].slot()))).isTrue();
        });
    assertThat(changes[0]).isGreaterThan(10);
  }

  /** An entry moves on before the one who moved it here, and holds it, has delivered its charge. */
  @Test
  void aChargeIsDeliveredByTheOneWhoHasIt() {
    TableFixture.Pin[] pin = {null};
    int accesses =
        beforeEach(
            () -> {
              pin[0] = tables.pin(KEY);
              long unsettled = ChargeWord.unsettled(COLD);
              assertThat(pin[0].table().store.compareAndSetCold(pin[0].slot(), COLD, unsettled))
                  .isTrue();
            },
            () -> pin[0].table().deliver(pin[0].slot(), COLD),
            () -> {
              int slot = tables.slot(next(), KEY);
              assertThat(tables.words(next()).coldAcquire(slot)).isEqualTo(COLD);
              pin[0].release(true, false);
            });
    assertThat(accesses).isGreaterThan(10);
  }

  /** Another writer of the key has invalidated the mover's announcement, and changed nothing. */
  @Test
  void aMoverAnnouncesAgain() {
    beforeEach(
        () -> {},
        () ->
            assertThat(tables.put(1, KEY, "newer", false, "another"))
                .isEqualTo(EntryTable.NOT_EXPECTED),
        () -> {
          assertThat(tables.move()).isTrue();
          assertThat(tables.get(KEY)).isEqualTo("value");
          tables.isWhole();
        });
  }

  @Test
  void whatOthersHaveMovedOnIsNotMovedAgain() {
    int accesses =
        beforeEach(
            () -> {},
            () -> {
              if (tables.move()) {
                tables.grow(4);
                assertThat(tables.move()).isTrue();
              }
            },
            () -> {
              for (int turn = 0; turn < 20 && tables.newest().before() != null; turn++) {
                help();
                tables.move();
              }
              assertThat(tables.get(KEY)).isEqualTo("value");
              tables.isWhole();
            });
    assertThat(accesses).isGreaterThan(10);
  }

  private void evictsTheDeadUnless(Runnable other, Predicate<List<String>> isRight) {
    int[] runs = {0};
    beforeEach(
        () -> tables.ends.dead.add(HI),
        other,
        () -> {
          assertThat(isRight.test(tables.ends.ended)).as("%s", tables.ends.ended).isTrue();
          runs[0]++;
        });
    assertThat(runs[0]).isGreaterThan(3);
  }

  @Test
  void whatIsDeadAndLeavesMeanwhileLeavesOnce() {
    evictsTheDeadUnless(
        () -> tables.erase(KEY, null),
        ended -> {
          assertThat(tables.move()).isTrue();
          tables.isWhole();
          return ended.size() == 1;
        });
  }

  @Test
  void whatIsDeadAndHeldMeanwhileMoves() {
    TableFixture.Pin[] pin = {null};
    evictsTheDeadUnless(
        () -> {
          pin[0] = tables.pin(KEY);
          if (pin[0] != null) {
            tables.ends.held.add(pin[0].value());
          }
        },
        ended -> {
          boolean isHeld = tables.ends.held.remove("value");
          if (isHeld) {
            pin[0].release(true, false);
          }
          return ended.isEmpty() == isHeld;
        });
  }

  /** Every place is held: what nobody holds is evicted, and that is the end of its slot. */
  @Test
  void whatFindsNoPlaceIsEvictedInTheSamePass() {
    tables.insert(KEY, "value");
    tables.policy.mayEvict = false;
    tables.grow(2);
    List<TableFixture.Pin> pins = new ArrayList<>();
    for (long lo = 100; lo < 116; lo++) {
      assertThat(tables.insert(lo, "held")).isZero();
      pins.add(tables.pin(lo));
    }
    assertThat(help()).as("one block").isTrue();
    assertThat(tables.ends.ended).hasSize(1).allMatch(ended -> ended.startsWith(KEY + "=value"));
    assertThat(tables.get(KEY)).isNull();
    pins.forEach(pin -> pin.release(true, false));
  }
}
