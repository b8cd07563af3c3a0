/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.sizing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class TableMakerTest {
  private static final int SMALL = TableMaker.SLOTS_AT_ONCE;
  private static final int LARGE = SMALL + 8;

  private final Queue<Runnable> tasks = new ArrayDeque<>();
  private final TableMaker<String> maker = new TableMaker<>(tasks::add);

  @Test
  void smallTableIsMadeAtOnce() throws Exception {
    assertThat(maker.make("a", SMALL, () -> "b")).isEqualTo("b");
    assertThat(tasks).isEmpty();
    assertThat(maker.slotsFor("a")).isZero();
  }

  @Test
  void largeTableIsMadeByTheExecutor() throws Exception {
    assertThat(maker.make("a", LARGE, () -> "b")).isNull();
    assertThat(maker.make("a", LARGE, () -> "never")).isNull();
    assertThat(maker.slotsFor("a")).isEqualTo(LARGE);
    assertThat(maker.slotsFor("other")).isZero();
    assertThat(tasks).hasSize(1);
    tasks.remove().run();
    assertThat(maker.make("a", LARGE, () -> "never")).isEqualTo("b");
    assertThat(maker.slotsFor("a")).isZero();
    assertThat(maker.make("a", LARGE, () -> "c")).as("another one").isNull();
    assertThat(tasks).hasSize(1);
  }

  @Test
  void anotherSizeOrShardGivesUpTheFirst() throws Exception {
    AtomicInteger made = new AtomicInteger();
    maker.make("a", LARGE, () -> "b" + made.incrementAndGet());
    maker.make("a", LARGE + 8, () -> "c");
    maker.make("other", LARGE + 8, () -> "d");
    assertThat(tasks).hasSize(3);
    tasks.forEach(Runnable::run);
    assertThat(made.get()).as("cancelled").isZero();
    assertThat(maker.make("other", LARGE + 8, () -> "never")).isEqualTo("d");
    maker.make("a", LARGE, () -> "e");
    assertThat(maker.make("a", SMALL, () -> "small")).isEqualTo("small");
    assertThat(maker.slotsFor("a")).isZero();
  }

  @Test
  void executorThatRefusesMakesTheCallerDoIt() throws Exception {
    TableMaker<String> refused =
        new TableMaker<>(
            task -> {
              throw new RejectedExecutionException("full");
            });
    assertThat(refused.make("a", LARGE, () -> "b")).isEqualTo("b");
  }

  @Test
  void callerThatHasAskedOftenDoesItItself() throws Exception {
    for (int i = 0; i < TableMaker.MOST_ASKED; i++) {
      assertThat(maker.make("a", LARGE, () -> "b")).isNull();
    }
    assertThat(maker.make("a", LARGE, () -> "b")).isEqualTo("b");
    tasks.remove().run();
    assertThat(maker.slotsFor("a")).isZero();
  }

  @Test
  void failureReachesTheCallerOnce() throws Exception {
    OutOfMemoryError thrown = new OutOfMemoryError("planned");
    maker.make(
        "a",
        LARGE,
        () -> {
          throw thrown;
        });
    tasks.remove().run();
    assertThatThrownBy(() -> maker.make("a", LARGE, () -> "b")).isSameAs(thrown);
    assertThat(maker.slotsFor("a")).isZero();
    maker.make(
        "a",
        LARGE,
        () -> {
          throw new IllegalStateException("planned");
        });
    tasks.remove().run();
    assertThatThrownBy(() -> maker.make("a", LARGE, () -> "b"))
        .isInstanceOf(ExecutionException.class)
        .hasRootCauseInstanceOf(IllegalStateException.class);
    assertThat(maker.make("a", LARGE, () -> "c")).isNull();
    tasks.remove().run();
    assertThat(maker.make("a", LARGE, () -> "never")).isEqualTo("c");
  }
}
