/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.handle;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.Handle;
import io.hyperclock.internal.slot.ChargeWord;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is logged of a handle that is closed again. */
class DoubleCloseTest {
  private final Logger logger = Logger.getLogger("io.hyperclock");
  private final List<LogRecord> lines = new ArrayList<>();
  private final OneTable table = new OneTable();
  private final java.util.logging.Handler listener =
      new java.util.logging.Handler() {
        @Override
        public void publish(LogRecord line) {
          if (line.getMessage().startsWith("closed twice on purpose")) {
            lines.add(line);
          }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  @BeforeEach
  void listen() {
    logger.addHandler(listener);
    logger.setUseParentHandlers(false);
    logger.setLevel(Level.WARNING);
  }

  @AfterEach
  void leave() {
    logger.removeHandler(listener);
    logger.setUseParentHandlers(true);
    logger.setLevel(null);
  }

  private void assertLogged(Handle<?> handle, String message) {
    handle.close();
    assertThat(lines).isEmpty();
    assertThat(handle.discard()).isFalse();
    assertThat(lines)
        .extracting(LogRecord::getMessage)
        .containsExactly("closed twice on purpose: " + message + ", count=1");
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
    assertThat(lines.get(0).getThrown()).hasMessage("closed again here");
    assertThat(lines.get(0).getThrown().getCause()).hasMessage("opened here");
  }
}
