/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.internal.tier;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.LogLines;
import io.hyperclock.entry.EntryType;
import io.hyperclock.secondary.SecondaryCache;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Values that nobody gets are freed, whatever their disposers throw; the log says so rarely. */
class LookupDisposalTest {
  @Test
  void theDisposerOfTheTypeGetsKeyAndValue() {
    List<String> freed = new ArrayList<>();
    EntryType<String> type =
        EntryType.<String>named("text")
            .disposer((hi, lo, v) -> freed.add(hi + "/" + lo + v))
            .build();
    LookupDisposal.dispose(type, 1, 2, "x");
    LookupDisposal.dispose(EntryType.<String>named("kept").build(), 3, 4, "y");
    assertThat(freed).containsExactly("1/2x");
  }

  @Test
  void whatDisposersThrowIsLoggedEverMoreRarely() {
    EntryType<String> type =
        EntryType.<String>named("thrower")
            .disposer(
                (hi, lo, value) -> {
                  throw new IllegalStateException(value);
                })
            .build();
    try (LogLines lines = new LogLines(SecondaryCache.class.getName())) {
      for (int i = 0; i < 1000; i++) {
        LookupDisposal.dispose(type, 0, i, "x");
      }
      // The count is that of the process: others may have gone before.
      assertThat(lines.with("WARNING the disposer of a value threw: type=thrower, count="))
          .hasSizeBetween(1, 10);
      assertThat(lines.causesWith("")).allSatisfy(cause -> assertThat(cause).hasMessage("x"));
    }
  }
}
