/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.scope;

import static io.hyperclock.TestLimits.WAIT_MILLIS;
import static io.hyperclock.TestLimits.WAIT_SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("scope")
final class ReclaimerTest {
  private static final long PASSED_NANOS = 20_000_000;
  private static final int CHAIN = 100_000;

  private final AtomicInteger watched = new AtomicInteger();
  private final Reclaimer reclaimer = new Reclaimer(new ReadEpochs(2), watched::incrementAndGet);
  private final List<String> freed = Collections.synchronizedList(new ArrayList<>());

  private final class Value extends RetiredValue {
    private final String name;
    private final Runnable onFree;

    Value(String name, Runnable onFree) {
      super(10);
      this.name = name;
      this.onFree = onFree;
    }

    @Override
    public void free() {
      freed.add(name);
      onFree.run();
    }
  }

  private void retire(String name) {
    reclaimer.retire(new Value(name, () -> {}));
  }

  @AfterEach
  void nothingIsLeft() {
    assertThat(reclaimer.openScopes()).isZero();
    assertThat(reclaimer.retiredValues()).isZero();
    assertThat(reclaimer.retiredBytes()).isZero();
    assertThat(reclaimer.stuckNanos()).isZero();
  }

  @Test
  void freesAtOnceWithoutScopes() {
    assertThat(reclaimer.mustRetire()).isFalse();
    retire("a");
    assertThat(freed).containsExactly("a");
    assertThat(watched).hasValue(1);
  }

  @Test
  void holdsBackWhileAnyScopeOfTheMomentIsOpen() {
    int first = reclaimer.enter();
    int second = reclaimer.enter();
    assertThat(reclaimer.mustRetire()).isTrue();
    retire("a");
    retire("b");
    assertThat(reclaimer.retiredValues()).isEqualTo(2);
    assertThat(reclaimer.retiredBytes()).isEqualTo(20);
    int later = reclaimer.enter();
    Scopes.exit(reclaimer, first);
    assertThat(freed).isEmpty();
    Scopes.exit(reclaimer, second);
    Scopes.exit(reclaimer, later);
    assertThat(freed).containsExactlyInAnyOrder("a", "b");
  }

  @Test
  void aLaterScopeDoesNotHoldBackForEver() {
    int open = reclaimer.enter();
    retire("a");
    for (int i = 0; i < 10; i++) {
      int next = reclaimer.enter();
      Scopes.exit(reclaimer, open);
      open = next;
    }
    assertThat(freed).containsExactly("a");
    Scopes.exit(reclaimer, open);
  }

  @Test
  void valuesOfSeveralEpochsAreEachFreedInTime() {
    int open = reclaimer.enter();
    for (int i = 0; i < 20; i++) {
      retire("v" + i);
      int next = reclaimer.enter();
      Scopes.exit(reclaimer, open);
      open = next;
    }
    assertThat(freed).hasSizeBetween(15, 20);
    Scopes.exit(reclaimer, open);
    assertThat(freed).hasSize(20).doesNotHaveDuplicates();
  }

  @Test
  void aChainOfCallbacksDoesNotGrowTheStack() {
    int[] left = {CHAIN};
    Runnable[] step = new Runnable[1];
    step[0] =
        () -> {
          if (left[0]-- > 0) {
            int scope = reclaimer.enter();
            reclaimer.retire(new Value("link", step[0]));
            Scopes.exit(reclaimer, scope);
          }
        };
    int scope = reclaimer.enter();
    reclaimer.retire(new Value("first", step[0]));
    Scopes.exit(reclaimer, scope);
    assertThat(freed).hasSize(CHAIN + 1);
  }

  @Test
  void callbacksRunOutsideOfTheGuard() {
    int scope = reclaimer.enter();
    reclaimer.retire(
        new Value(
            "outer",
            () -> {
              Thread other =
                  new Thread(
                      () -> {
                        int inner = reclaimer.enter();
                        reclaimer.retire(new Value("inner", () -> {}));
                        Scopes.exit(reclaimer, inner);
                      });
              other.start();
              try {
                other.join(WAIT_MILLIS);
              } catch (InterruptedException e) {
                throw new AssertionError(e);
              }
              assertThat(freed).containsExactly("outer", "inner");
            }));
    Scopes.exit(reclaimer, scope);
    assertThat(freed).containsExactly("outer", "inner");
  }

  /** Retires three values of which the first to be freed does something. */
  private void retireThree(Runnable onFirst) {
    AtomicBoolean isFirst = new AtomicBoolean(true);
    for (String name : List.of("a", "b", "c")) {
      reclaimer.retire(
          new Value(
              name,
              () -> {
                if (isFirst.getAndSet(false)) {
                  onFirst.run();
                }
              }));
    }
  }

  @Test
  void aSlowCallbackHoldsBackItsOwnValueOnly() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    int scope = reclaimer.enter();
    retireThree(
        () -> {
          begun.countDown();
          await(goOn);
        });
    Thread slow = new Thread(() -> Scopes.exit(reclaimer, scope));
    slow.start();
    await(begun);
    assertThat(freed).hasSize(1);
    assertThat(reclaimer.retiredValues()).isEqualTo(2);
    reclaimer.reclaim();
    assertThat(freed).containsExactlyInAnyOrder("a", "b", "c");
    assertThat(reclaimer.retiredBytes()).isZero();
    goOn.countDown();
    slow.join(WAIT_MILLIS);
    assertThat(slow.isAlive()).isFalse();
    assertThat(freed).hasSize(3);
  }

  @Test
  void whatACallbackLeavesBehindByAnErrorIsFreedLater() {
    int scope = reclaimer.enter();
    retireThree(
        () -> {
          throw new StackOverflowError("on purpose");
        });
    Scopes.exit(reclaimer, scope);
    assertThat(freed).hasSize(1);
    Scopes.exit(reclaimer, reclaimer.enter());
    assertThat(freed).containsExactlyInAnyOrder("a", "b", "c");
  }

  @Test
  void manyThreadsFreeEachValueOnce() throws Exception {
    int values = 50_000;
    AtomicIntegerArray count = new AtomicIntegerArray(values);
    int scope = reclaimer.enter();
    for (int i = 0; i < values; i++) {
      int value = i;
      reclaimer.retire(
          new RetiredValue(1) {
            @Override
            public void free() {
              count.incrementAndGet(value);
            }
          });
    }
    Thread[] threads = new Thread[4];
    for (int t = 0; t < threads.length; t++) {
      boolean ends = t == 0;
      threads[t] =
          new Thread(
              () -> {
                if (ends) {
                  Scopes.exit(reclaimer, scope);
                }
                while (reclaimer.retiredValues() != 0) {
                  reclaimer.reclaim();
                }
              });
    }
    for (Thread thread : threads) {
      thread.start();
    }
    for (Thread thread : threads) {
      thread.join(WAIT_MILLIS);
      assertThat(thread.isAlive()).isFalse();
    }
    for (int i = 0; i < values; i++) {
      assertThat(count.get(i)).as("value %d", i).isEqualTo(1);
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(WAIT_SECONDS, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void nothingIsLeftBehindByRacingScopesAndRetirements() throws Exception {
    AtomicInteger count = new AtomicInteger();
    int rounds = 20_000;
    Thread[] threads = new Thread[4];
    for (int t = 0; t < threads.length; t++) {
      boolean retires = t < 2;
      threads[t] =
          new Thread(
              () -> {
                for (int i = 0; i < rounds; i++) {
                  int scope = reclaimer.enter();
                  if (retires) {
                    reclaimer.retire(
                        new RetiredValue(1) {
                          @Override
                          public void free() {
                            count.incrementAndGet();
                          }
                        });
                  }
                  Scopes.exit(reclaimer, scope);
                }
              });
    }
    for (Thread thread : threads) {
      thread.start();
    }
    for (Thread thread : threads) {
      thread.join(WAIT_MILLIS);
      assertThat(thread.isAlive()).isFalse();
    }
    assertThat(count).hasValue(2 * rounds);
  }

  @Test
  void tellsHowLongTheFirstValueHasWaited() {
    long before = System.nanoTime();
    int cell = reclaimer.enter();
    retire("a");
    long retired = System.nanoTime();
    retire("b");
    long stuck = reclaimer.stuckNanos();
    assertThat(stuck).isBetween(0L, System.nanoTime() - before);
    long now = System.nanoTime();
    assertThat(reclaimer.stuckNanos())
        .as("a later value does not begin the wait anew")
        .isGreaterThanOrEqualTo(now - retired);
    Scopes.exit(reclaimer, cell);
  }

  @Test
  void theWaitBeginsAnewWhenTheEpochMoves() {
    int first = reclaimer.enter();
    retire("a");
    int second = reclaimer.enter();
    long before = System.nanoTime();
    Scopes.exit(reclaimer, first);
    retire("b");
    assertThat(reclaimer.stuckNanos()).isBetween(0L, System.nanoTime() - before);
    Scopes.exit(reclaimer, second);
  }

  /**
   * Others are freed by their threads, or by the next one that comes, whether scopes end or not.
   */
  @Test
  void whatNoScopeHoldsBackDoesNotWaitForScopes() {
    int first = reclaimer.enter();
    retire("b");
    reclaimer.retire(
        new Value(
            "slow",
            () -> {
              assertThat(reclaimer.retiredValues()).as("not freed yet").isEqualTo(1);
              assertThat(reclaimer.stuckNanos()).isZero();
            }));
    Scopes.exit(reclaimer, first);
    assertThat(freed).containsExactly("slow", "b");
  }

  /** The values before it have become free, but the thread that frees them is slow. */
  @Test
  void aValueDoesNotWaitLongerThanItIsThere() {
    int first = reclaimer.enter();
    retire("b");
    reclaimer.retire(
        new Value(
            "slow",
            () -> {
              int second = reclaimer.enter();
              // The epoch goes as far as the second scope lets it.
              reclaimer.reclaim();
              letTimePass();
              long before = System.nanoTime();
              retire("c");
              assertThat(reclaimer.stuckNanos()).isBetween(0L, System.nanoTime() - before);
              Scopes.exit(reclaimer, second);
            }));
    Scopes.exit(reclaimer, first);
    assertThat(freed).containsExactlyInAnyOrder("slow", "b", "c");
  }

  /** Returns when the clock has moved. */
  private static void letTimePass() {
    long begin = System.nanoTime();
    while (System.nanoTime() - begin < PASSED_NANOS) {
      Thread.onSpinWait();
    }
  }
}
