/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.scope;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** When a pass is made, how far it goes, and what is left if there is no stack for it. */
@Tag("scope")
final class ReclaimerPassesTest {
  private static final int ROUNDS = 20;
  private static final int SUCCESSES = 10;
  private static final long JOIN_MILLIS = 60_000;

  private final ReadEpochs epochs = new ReadEpochs(2);
  private Runnable watch = () -> {};
  private final Reclaimer reclaimer = new Reclaimer(epochs, () -> watch.run());
  private final List<String> freed = new ArrayList<>();

  private void retire(String name) {
    retire(name, () -> {});
  }

  private void retire(String name, Runnable onFree) {
    reclaimer.retire(
        new RetiredValue(1) {
          @Override
          public void free() {
            freed.add(name);
            onFree.run();
          }
        });
  }

  @Test
  void aPassGoesTwoEpochsOn() {
    for (int i = 0; i < 5; i++) {
      long before = epochs.epoch();
      retire("a");
      assertThat(epochs.epoch()).isEqualTo(before + 2);
    }
  }

  @Test
  void theEpochStaysWhileNoValueWaits() {
    long before = epochs.epoch();
    int cell = reclaimer.enter();
    reclaimer.reclaim();
    Scopes.exit(reclaimer, cell);
    reclaimer.reclaim();
    assertThat(epochs.epoch()).isEqualTo(before);
  }

  @Test
  void theFirstValueBeginsTheWaitAlthoughTheEpochDoesNotMove() {
    int cell = reclaimer.enter();
    assertThat(epochs.tryAdvance()).isTrue();
    long before = System.nanoTime();
    retire("a");
    assertThat(reclaimer.stuckNanos()).isBetween(0L, System.nanoTime() - before);
    Scopes.exit(reclaimer, cell);
    assertThat(freed).containsExactly("a");
  }

  @Test
  void threadsCountInCellsOfTheirOwn() throws Exception {
    Set<Integer> cells = new HashSet<>();
    for (int i = 0; i < 100 && cells.size() < 4; i++) {
      onThread(
          () -> {
            int cell = reclaimer.enter();
            cells.add(cell);
            Scopes.exit(reclaimer, cell);
          });
    }
    assertThat(cells).as("as many as stripes").hasSize(4);
  }

  /** The epoch has not moved, so that a scope that ends would have no reason for a pass. */
  @Test
  void whatARetirementHadNoStackForTheNextScopeThatEndsDoes() {
    for (Error error : List.of(new StackOverflowError("test"), new OutOfMemoryError("test"))) {
      freed.clear();
      int cell = reclaimer.enter();
      watch =
          () -> {
            throw error;
          };
      long before = epochs.epoch();
      retire("a");
      watch = () -> {};
      assertThat(epochs.epoch()).isEqualTo(before);
      assertThat(epochs.isBehind(cell)).isFalse();
      Scopes.exit(reclaimer, cell);
      assertThat(freed).containsExactly("a");
    }
  }

  @Test
  void whatAScopeThatEndedHadNoMemoryForTheNextOneDoes() {
    int cell = reclaimer.enter();
    retire("a");
    retire(
        "error",
        () -> {
          throw new OutOfMemoryError("test");
        });
    Scopes.exit(reclaimer, cell);
    assertThat(freed).containsExactly("error");
    Scopes.exit(reclaimer, reclaimer.enter());
    assertThat(freed).containsExactly("error", "a");
  }

  @Test
  void whatAPassHasTakenIsFreedWithoutAnotherPass() {
    leaveTaken("a");
    assertThat(freed).containsExactly("error");
    long before = epochs.epoch();
    reclaimer.freeTaken();
    assertThat(freed).containsExactly("error", "a");
    assertThat(epochs.epoch()).isEqualTo(before);
  }

  /** A pass that ended in the middle would keep all others out. */
  @Test
  void aPassBeginsOnlyWhereThereIsStackForIt() throws Exception {
    onThread(
        () -> {
          for (int i = 0; i < ROUNDS; i++) {
            freed.clear();
            int cell = reclaimer.enter();
            retire("a");
            atEveryDepth(reclaimer::reclaim);
            Scopes.exit(reclaimer, cell);
            assertThat(freed).containsExactly("a");
          }
        });
  }

  /** Where the stack ended in the middle, a value would be taken and not freed. */
  @Test
  void valuesAreTakenOnlyWhereThereIsStackForIt() throws Exception {
    onThread(
        () -> {
          for (int i = 0; i < ROUNDS; i++) {
            freed.clear();
            leaveTaken("a");
            atEveryDepth(reclaimer::freeTaken);
            reclaimer.freeTaken();
            assertThat(freed).containsExactly("error", "a");
          }
        });
  }

  /** Retires a value that a pass takes and does not come to. */
  private void leaveTaken(String name) {
    int cell = reclaimer.enter();
    retire(name);
    // Of a later epoch, so that it is on top.
    retire(
        "error",
        () -> {
          throw new StackOverflowError("test");
        });
    Scopes.exit(reclaimer, cell);
  }

  /** Makes a call where the stack ends, and at each depth above that until it often went well. */
  private static void atEveryDepth(Runnable call) {
    int[] overflows = {0};
    int[] successes = {0};
    descend(call, overflows, successes);
    assertThat(overflows[0]).isPositive();
    assertThat(successes[0]).isEqualTo(SUCCESSES);
  }

  private static void descend(Runnable call, int[] overflows, int[] successes) {
    try {
      descend(call, overflows, successes);
    } catch (StackOverflowError e) {
      overflows[0]++;
    }
    if (successes[0] < SUCCESSES) {
      call.run();
      successes[0]++;
    }
  }

  private static void onThread(Runnable work) throws InterruptedException {
    AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    Thread thread = new Thread(null, work, "scopes", 256 << 10);
    thread.setUncaughtExceptionHandler((t, e) -> failure.set(e));
    thread.start();
    thread.join(JOIN_MILLIS);
    assertThat(thread.isAlive()).isFalse();
    assertThat(failure.get()).isNull();
  }
}
