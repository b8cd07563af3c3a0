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
import io.hyperclock.secondary.testing.ThreadShortage;
import io.hyperclock.secondary.testing.TierTestLimits;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** A read that fails for lack of memory or threads ends, and keeps no other from being read. */
class ReadsWithoutMemoryTest {
  private static final int BATCH = 3;

  private final List<CompletableFuture<TierResult<Object>>> answers = new ArrayList<>();

  /** Which reading of the clock fails, counted down. */
  private final AtomicInteger failing = new AtomicInteger();

  private Supplier<RuntimeException> failure =
      () -> {
        throw failure();
      };

  private Supplier<CompletableFuture<TierResult<Object>>> answer = CompletableFuture::new;

  private final Parts parts =
      new Parts(
          new ConcurrentLinkedQueue<>(),
          Runnable::run,
          List.of(silent(answers, () -> answer.get())),
          () -> {
            if (failing.getAndDecrement() == 1) {
              throw failure.get();
            }
            return 0;
          });

  /** Not an {@link OutOfMemoryError}: JUnit would end all tests, where one fails. */
  private static InternalError failure() {
    return new InternalError("as if there were no memory, on purpose");
  }

  /** A tier that keeps what it gives, and whose answers are the test's to give. */
  private static SecondaryCache silent(
      List<CompletableFuture<TierResult<Object>>> answers,
      Supplier<CompletableFuture<TierResult<Object>>> answer) {
    SecondaryCache inner = new NoOpSecondaryCache();
    return (SecondaryCache)
        Proxy.newProxyInstance(
            SecondaryCache.class.getClassLoader(),
            new Class<?>[] {SecondaryCache.class},
            (proxy, method, arguments) -> {
              if (method.getName().startsWith("lookup")) {
                return arguments[0] instanceof TierRequest<?>
                    ? added(answers, answer.get())
                    : ((List<?>) arguments[0])
                        .stream().map(any -> added(answers, answer.get())).toList();
              }
              if (method.getName().equals("erasesOnAdvice")) {
                return false;
              }
              try {
                return method.invoke(inner, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private static CompletableFuture<TierResult<Object>> added(
      List<CompletableFuture<TierResult<Object>>> answers,
      CompletableFuture<TierResult<Object>> answer) {
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
  void answersOfABatchThatFailsAreFreed() {
    failABatchAtEach(InternalError.class);
  }

  @Test
  void answersOfABatchThatFailsByAnExceptionAreFreed() {
    failure = () -> new IllegalStateException("on purpose");
    failABatchAtEach(IllegalStateException.class);
  }

  private void failABatchAtEach(Class<? extends Throwable> expected) {
    for (int fails = 1; fails <= BATCH; fails++) {
      answers.clear();
      parts.freed.set(0);
      failABatch(fails, expected);
      answerAll();
      for (int i = 0; i < BATCH; i++) {
        assertThat(parts.primary.lookup(fails, i)).isNull();
      }
      assertThat(parts.freed).hasValue(BATCH);
    }
  }

  private void failABatch(int fails, Class<? extends Throwable> expected) {
    long[] keys = {fails, 0, fails, 1, fails, 2};
    failing.set(fails);
    assertThatThrownBy(() -> parts.reads.startAll(keys, parts.type, null)).isInstanceOf(expected);
    assertThat(parts.registry.flights()).isEmpty();
    assertThat(answers).hasSize(BATCH);
  }

  /** One of the answers cannot be freed later; what is there already is freed all the same. */
  @Test
  void anAnswerThatCannotBeFreedKeepsNoOther() {
    CompletableFuture<TierResult<Object>> hard =
        new CompletableFuture<>() {
          @Override
          public CompletableFuture<Void> thenAccept(Consumer<? super TierResult<Object>> action) {
            throw failure();
          }
        };
    TierResult<Object> hit = TierResult.hit(new Object(), 10, false);
    Iterator<CompletableFuture<TierResult<Object>>> given =
        List.of(
                new CompletableFuture<TierResult<Object>>(),
                hard,
                CompletableFuture.completedFuture(hit))
            .iterator();
    answer = given::next;
    failABatch(1, InternalError.class);
    assertThat(parts.freed).hasValue(1);
  }

  /** What a read has found after its end may be outdated: writes have not seen it. */
  @Test
  void readsOfABatchThatFailsBringNothingBackThatWasErased() {
    failABatch(2, InternalError.class);
    for (int i = 0; i < BATCH; i++) {
      long lo = i;
      parts.writes.write(2, lo, null, () -> parts.primary.erase(2, lo), any -> true);
    }
    answerAll();
    for (int i = 0; i < BATCH; i++) {
      assertThat(parts.primary.lookup(2, i)).isNull();
    }
    assertThat(parts.freed).hasValue(BATCH);
  }

  /** Foreign futures may do anything; others find no memory for who waits for them. */
  private static final class HardToFollow extends CompletableFuture<TierResult<Object>> {
    private boolean isFollowed;

    @Override
    public CompletableFuture<TierResult<Object>> whenComplete(
        BiConsumer<? super TierResult<Object>, ? super Throwable> action) {
      if (!isFollowed) {
        isFollowed = true;
        throw failure();
      }
      return super.whenComplete(action);
    }
  }

  @Test
  void answerThatCannotBeFollowedIsFreed() {
    answer = HardToFollow::new;
    assertThatThrownBy(() -> parts.reads.start(1, 0, parts.type, null))
        .isInstanceOf(InternalError.class);
    assertThat(parts.registry.flights()).isEmpty();
    answerAll();
    assertThat(parts.freed).hasValue(1);
  }

  /** The first look at it by the thread that waits fails. */
  private static final class HardToWaitFor extends CompletableFuture<TierResult<Object>> {
    private boolean isFollowed;

    @Override
    public CompletableFuture<TierResult<Object>> whenComplete(
        BiConsumer<? super TierResult<Object>, ? super Throwable> action) {
      CompletableFuture<TierResult<Object>> all = super.whenComplete(action);
      isFollowed = true;
      return all;
    }

    @Override
    public boolean isDone() {
      if (isFollowed) {
        isFollowed = false;
        throw failure();
      }
      return super.isDone();
    }
  }

  @Test
  void handleIsGivenBackThatComesToALookupWhichHasFailedToWait() {
    answer = HardToWaitFor::new;
    assertThatThrownBy(() -> parts.reads.lookup(1, 0, parts.type, null))
        .isInstanceOf(InternalError.class);
    answerAll();
    assertThat(parts.primary.erase(1, 0)).isTrue();
    assertThat(parts.freed).hasValue(1);
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
      assertThat(child.waitFor(2 * TierTestLimits.SECONDS, SECONDS)).isTrue();
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
        System.exit(landed.await(TierTestLimits.SECONDS, SECONDS) ? 0 : 2);
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
                  List.of(silent(new ArrayList<>(), CompletableFuture::new)),
                  new Watch(null, Duration.ZERO, System::nanoTime),
                  LIMIT),
              expiry,
              (any, hit, tier) -> landed.countDown());
      if (registry.join(flight, new LookupWaiter(), true) != Role.LEADER) {
        throw new IllegalStateException("read must be the first: key=" + key);
      }
      flight.start(false, null, false);
    }
  }
}
