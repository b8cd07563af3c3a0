/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.handle;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.Handle;
import io.hyperclock.entry.EntryType;
import io.hyperclock.interleaving.Scenario;
import io.hyperclock.interleaving.Woven;
import io.hyperclock.internal.slot.ChargeWord;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;

/** Two handles on one entry are used at the same moment. */
@Woven({"handle", "slot"})
class SharedEntryInterleavingTest {
  private static final int PREEMPTIONS = 2;

  /** An entry outside of a table, with two handles. */
  private static final class Shared {
    final OneTable table = new OneTable();
    final Queue<Boolean> freed = new ConcurrentLinkedQueue<>();
    final EntryType<String> type = table.disposable;
    final Handle<String> one;
    final Handle<String> other;

    Shared() {
      table.ledger.addUsage(5);
      long cold = ChargeWord.of(table.types.idOf(type), 5);
      one = StandaloneEntry.create(table.support, 1, 2, "value", cold);
      other = one.ref();
    }

    void discard(Handle<String> handle) {
      freed.add(handle.discard());
    }

    void checkFreed() {
      assertThat(freed).containsExactlyInAnyOrder(true, false);
      assertThat(table.disposed).containsExactly("value");
      assertThat(table.ledger.usage()).isZero();
      assertThat(table.ledger.standaloneUsage()).isZero();
    }
  }

  @Test
  void theLastOfTwoReleasesFreesIt() {
    new Scenario<>(
            "two releases",
            Shared::new,
            Shared::checkFreed,
            shared -> shared.discard(shared.one),
            shared -> shared.discard(shared.other))
        .explore(PREEMPTIONS);
  }

  @Test
  void aChargeThatChangesTwiceAtOnceLeavesBothSumsWithNothing() {
    new Scenario<>(
            "two charges",
            Shared::new,
            Shared::checkFreed,
            shared -> {
              shared.one.adjustCharge(9);
              shared.discard(shared.one);
            },
            shared -> {
              shared.other.adjustCharge(3);
              shared.discard(shared.other);
            })
        .explore(PREEMPTIONS);
  }

  /** An entry of a table, with two handles. */
  private static final class InTable {
    final OneTable table = new OneTable();
    final int slot = table.insert(1, "value", table.type);
    final Handle<String> one = table.entries.handle(slot, "value");
    final Handle<String> other = one.ref();

    void adjust(Handle<String> handle, long charge) {
      assertThat(handle.adjustCharge(charge)).isTrue();
    }

    void check() {
      assertThat(table.ledger.usage()).isEqualTo(one.chargeBytes());
      assertThat(table.recharged)
          .containsAnyOf("100 to 9", "100 to 3")
          .containsAnyOf("9 to 3", "3 to 9")
          .hasSize(2);
    }
  }

  @Test
  void aChargeInATableThatChangesTwiceAtOnceIsToldInTurn() {
    new Scenario<>(
            "two charges in a table",
            InTable::new,
            InTable::check,
            shared -> shared.adjust(shared.one, 9),
            shared -> shared.adjust(shared.other, 3))
        .explore(1);
  }
}
