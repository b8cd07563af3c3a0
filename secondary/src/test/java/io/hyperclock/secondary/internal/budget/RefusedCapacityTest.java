/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.internal.budget;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.BlockCache;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A tier that refuses a capacity, as one without memory for its tables does. */
class RefusedCapacityTest {
  private static final long MB = 1 << 20;

  private final BlockCache<byte[]> primary =
      BlockCache.<byte[]>builder().capacityBytes(100 * MB).estimatedEntryCharge(64 << 10).build();
  private final List<Long> asked = new ArrayList<>();
  private boolean refuses;
  private final SharedBudget budget = new SharedBudget(primary, this::set, 100 * MB, 0);

  private boolean set(long bytes) {
    asked.add(bytes);
    return !refuses;
  }

  @AfterEach
  void close() {
    primary.close();
  }

  private void refuse() {
    refuses = true;
    budget.setRatio(0.3);
    asked.clear();
  }

  @Test
  void isAskedAgainAtTheNextChange() {
    refuse();
    budget.setRatio(0.3);
    assertThat(asked).containsExactly(30 * MB);
    refuses = false;
    budget.setRatio(0.3);
    assertThat(asked).containsExactly(30 * MB, 30 * MB);
    budget.setRatio(0.3);
    assertThat(asked).as("it has it now").hasSize(2);
  }

  @Test
  void isAskedAgainByARetry() {
    refuse();
    refuses = false;
    budget.retry();
    assertThat(asked).containsExactly(30 * MB);
    budget.retry();
    assertThat(asked).as("it has it now").hasSize(1);
  }

  @Test
  void isAskedEverMoreSeldomWhileItRefuses() {
    refuse();
    for (int i = 0; i < 10_000; i++) {
      budget.retry();
    }
    assertThat(asked).hasSizeBetween(10, 30);
    refuses = false;
    for (int i = 0; i < 1 << 10; i++) {
      budget.retry();
    }
    int tries = asked.size();
    budget.retry();
    assertThat(asked).as("it has it now").hasSize(tries);
  }

  /** What it has is what it had, so a return to that needs no call. */
  @Test
  void keepsWhatItHad() {
    refuse();
    budget.setRatio(0);
    budget.retry();
    assertThat(asked).isEmpty();
    assertThat(primary.monitor().capacityBytes()).isEqualTo(100 * MB);
  }
}
