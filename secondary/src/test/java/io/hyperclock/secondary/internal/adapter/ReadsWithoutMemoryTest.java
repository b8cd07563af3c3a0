/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.internal.adapter;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperclock.entry.Key128;
import io.hyperclock.secondary.SecondaryCache;
import io.hyperclock.secondary.TierRequest;
import io.hyperclock.secondary.TierResult;
import io.hyperclock.secondary.internal.adapter.InFlightTable.Role;
import io.hyperclock.secondary.testing.NoOpSecondaryCache;
import io.hyperclock.secondary.testing.Patience;
import io.hyperclock.secondary.testing.ThreadShortage;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A read that fails for lack of memory or threads ends, and keeps no other from being read. */
class ReadsWithoutMemoryTest {
  private static final int BATCH = 3;

  private final List<CompletableFuture<TierResult<Object>>> answers = new ArrayList<>();

  /** Which reading of the clock fails, counted down. */
  private final AtomicInteger failing = new AtomicInteger();

  private final Parts parts =
      new Parts(
          new ConcurrentLinkedQueue<>(),
          Runnable::run,
          List.of(silent(answers)),
          () -> {
            if (failing.getAndDecrement() == 1) {
              throw new InternalError("as if there were no memory, on purpose");
            }
            return 0;
          });

  /** A tier whose answers are the test's to give. */
  private static SecondaryCache silent(List<CompletableFuture<TierResult<Object>>> answers) {
    SecondaryCache inner = new NoOpSecondaryCache();
    return (SecondaryCache)
        Proxy.newProxyInstance(
            SecondaryCache.class.getClassLoader(),
            new Class<?>[] {SecondaryCache.class},
            (proxy, method, arguments) -> {
              if (method.getName().startsWith("lookup")) {
                return arguments[0] instanceof TierRequest<?>
                    ? answer(answers)
                    : ((List<?>) arguments[0]).stream().map(any -> answer(answers)).toList();
              }
              try {
                return method.invoke(inner, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private static CompletableFuture<TierResult<Object>> answer(
      List<CompletableFuture<TierResult<Object>>> answers) {
    CompletableFuture<TierResult<Object>> answer = new CompletableFuture<>();
    answers.add(answer);
    return answer;
  }

  private void answerAll() {
    answers.forEach(answer -> answer.complete(TierResult.hit(new Object(), 10, false)));
  }

  @Test
  void readThatCannotBeStartedEnds() {
    failing.set(1);
    assertThatThrownBy(() -> parts.reads.lookup(1, 0, parts.type, null))
        .isInstanceOf(InternalError.class);
    assertThat(parts.registry.flights()).isEmpty();
  }

  @Test
  void othersOfABatchAreStartedAndTheirAnswersFreed() {
    for (int fails = 1; fails <= BATCH; fails++) {
      long[] keys = {fails, 0, fails, 1, fails, 2};
      answers.clear();
      parts.freed.set(0);
      failing.set(fails);
      assertThatThrownBy(() -> parts.reads.startAll(keys, parts.type, null))
          .isInstanceOf(InternalError.class);
      assertThat(parts.registry.flights()).isEmpty();
      assertThat(answers).hasSize(BATCH);
      answerAll();
      assertThat(parts.freed).hasValue(BATCH);
    }
  }

  /** The answer is there, but the thread that goes on with it fails. */
  @Test
  void readThatFailsWithItsAnswerEnds() {
    var lookup = parts.reads.start(1, 0, parts.type, null);
    assertThat(lookup.isDone()).isFalse();
    failing.set(1);
    answerAll();
    assertThat(failing).hasValue(0);
    assertThat(lookup.isDone()).isTrue();
    assertThat(lookup.await()).isNull();
    assertThat(parts.registry.flights()).isEmpty();
    assertThat(parts.freed).hasValue(1);
  }

  /** In a process of its own: the timer's thread is made once. */
  @Test
  void timerThatFindsNoThreadIsSetByTheNextRead() throws Exception {
    Process child =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElse("java"),
                "-Xmx64m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Child.class.getName())
            .inheritIO()
            .start();
    try {
      assertThat(child.waitFor(2 * Patience.SECONDS, SECONDS)).isTrue();
      assertThat(child.exitValue()).isZero();
    } finally {
      child.destroyForcibly();
    }
  }

  /** Ends with 0 if both reads end by the limit. */
  static final class Child {
    private static final Duration LIMIT = Duration.ofMillis(100);

    private Child() {}

    public static void main(String[] arguments) throws InterruptedException {
      CountDownLatch landed = new CountDownLatch(2);
      InFlightTable registry = new InFlightTable();
      Expiry expiry = new Expiry(registry, Runnable::run, LIMIT);
      try (ThreadShortage shortage = ThreadShortage.open()) {
        shortage.begin("main");
        start(registry, expiry, 1, landed);
        shortage.end();
        start(registry, expiry, 2, landed);
        System.exit(landed.await(Patience.SECONDS, SECONDS) ? 0 : 2);
      }
    }

    private static void start(
        InFlightTable registry, Expiry expiry, long key, CountDownLatch landed) {
      Parts types = new Parts();
      TierRead flight =
          new TierRead(
              new Key128(1, key),
              types.type,
              null,
              new Tiers(
                  List.of(silent(new ArrayList<>())),
                  new Watch(null, Duration.ZERO, System::nanoTime),
                  LIMIT),
              Runnable::run,
              expiry,
              (any, hit, tier) -> landed.countDown());
      if (registry.join(flight, new LookupWaiter(), true) != Role.LEADER) {
        throw new IllegalStateException("read must be the first: key=" + key);
      }
      flight.start(false, null, false);
    }
  }
}
