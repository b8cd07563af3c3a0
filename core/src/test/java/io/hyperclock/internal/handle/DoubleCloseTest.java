/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.handle;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.Handle;
import io.hyperclock.LogLines;
import io.hyperclock.internal.slot.ChargeWord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is logged of a handle that is closed again. */
class DoubleCloseTest {
  private final LogLines lines = new LogLines("io.hyperclock", "closed twice on purpose");
  private final OneTable table = new OneTable();

  @AfterEach
  void leave() {
    lines.close();
  }

  private void assertLogged(Handle<?> handle, String message) {
    handle.close();
    assertThat(lines.with("")).isEmpty();
    assertThat(handle.discard()).isFalse();
    assertThat(lines.with(""))
        .containsExactly("WARNING closed twice on purpose: " + message + ", count=1");
  }

  @Test
  void aHandleOnAnEntryOfTheTableTellsItsSlot() {
    int slot = table.insert(1, "value", table.type);
    assertLogged(table.entries.handle(slot, "value"), "slot " + slot + ", now with key 5:1");
  }

  @Test
  void aHandleOnAStandaloneEntryTellsItsKey() {
    table.ledger.addUsage(3);
    long cold = ChargeWord.of(table.types.idOf(table.type), 3);
    assertLogged(
        StandaloneEntry.create(table.support, 6, 7, "value", cold), "standalone entry 6:7");
  }

  @Test
  void aHandleOnAValueThatWasOverwrittenTellsItsKey() {
    int slot = table.insert(1, "value", table.type);
    assertLogged(table.entries.pinnedValue(slot), "overwritten entry 5:1");
  }

  @Test
  void aTrackedHandleTellsWhereItWasOpenedAndClosedAgain() {
    int slot = table.insert(1, "value", table.type);
    Handle<String> handle = table.tracked.handle(slot, "value");
    String thread = Thread.currentThread().getName();
    assertLogged(handle, "tracked, key=5:1, type=" + table.type + ", thread=" + thread);
    Throwable logged = lines.causesWith("").get(0);
    assertThat(logged).hasMessage("closed again here");
    assertThat(logged.getCause()).hasMessage("opened here");
  }
}
