/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.remote;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hyperclock.secondary.testing.TierTestLimits;
import io.lettuce.core.ConnectionFuture;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Attempts to connect go on, whatever an attempt or its scheduling throws. */
class LettuceConnectorTest {
  private static final RedisURI NOWHERE = RedisURI.create("redis://127.0.0.1:1");

  private final ClientResources resources = DefaultClientResources.create();
  private final FailingClient client = new FailingClient(resources);
  private final FailingScheduler scheduler = new FailingScheduler();
  private final LettuceConnector connector =
      new LettuceConnector(client, NOWHERE, RemoteTiers.PATIENT, scheduler);

  /** Never connects, unless it has connections; once it throws an error. */
  private static final class FailingClient extends RedisClient {
    final AtomicInteger attempts = new AtomicInteger();
    final Queue<StatefulRedisConnection<?, ?>> connections = new ConcurrentLinkedQueue<>();
    volatile int attemptThatThrows;

    /** What the next attempt ends with, unless it is null. */
    volatile @Nullable CompletableFuture<?> next;

    FailingClient(ClientResources resources) {
      super(resources, NOWHERE);
    }

    @SuppressWarnings("unchecked")
    @Override
    public <K, V> ConnectionFuture<StatefulRedisConnection<K, V>> connectAsync(
        RedisCodec<K, V> codec, RedisURI uri) {
      if (attempts.incrementAndGet() == attemptThatThrows) {
        throw new OutOfMemoryError("on purpose");
      }
      CompletableFuture<?> later = next;
      next = null;
      if (later != null) {
        return ConnectionFuture.from(
            InetSocketAddress.createUnresolved("nowhere", 1),
            (CompletableFuture<StatefulRedisConnection<K, V>>) later);
      }
      StatefulRedisConnection<?, ?> made = connections.poll();
      return ConnectionFuture.from(
          InetSocketAddress.createUnresolved("nowhere", 1),
          made == null
              ? CompletableFuture.failedFuture(new IllegalStateException("on purpose"))
              : CompletableFuture.completedFuture((StatefulRedisConnection<K, V>) made));
    }
  }

  /** A connection that is open until it is lost, of which nobody is told; counts its ends. */
  private static final class FakeConnection implements InvocationHandler {
    final AtomicInteger closes = new AtomicInteger();
    final StatefulRedisConnection<?, ?> connection =
        (StatefulRedisConnection<?, ?>)
            Proxy.newProxyInstance(
                LettuceConnectorTest.class.getClassLoader(),
                new Class<?>[] {StatefulRedisConnection.class},
                this);
    volatile boolean isOpen = true;
    volatile boolean takesListeners = true;

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) {
      switch (method.getName()) {
        case "isOpen":
          return isOpen;
        case "closeAsync":
          closes.incrementAndGet();
          return CompletableFuture.completedFuture(null);
        case "addListener":
          if (!takesListeners) {
            throw new OutOfMemoryError("on purpose");
          }
          return null;
        default:
          return method.getName().equals("equals") ? proxy == arguments[0] : 1;
      }
    }
  }

  /**
   * Throws an error some times, as if there were no thread. Where it keeps tasks, it keeps those at
   * which it throws too, and runs none before it is told to.
   */
  private static final class FailingScheduler extends ScheduledThreadPoolExecutor {
    final AtomicInteger failures = new AtomicInteger();
    final AtomicInteger refused = new AtomicInteger();
    final AtomicInteger taken = new AtomicInteger();
    volatile boolean keepsTasks;
    private final Queue<Callable<?>> kept = new ConcurrentLinkedQueue<>();

    FailingScheduler() {
      super(1);
    }

    @Override
    public <V> ScheduledFuture<V> schedule(Callable<V> task, long delay, TimeUnit unit) {
      if (keepsTasks) {
        kept.add(task);
      }
      if (refused.get() == failures.get()) {
        taken.incrementAndGet();
        return super.schedule(task, keepsTasks ? Long.MAX_VALUE : delay, unit);
      }
      refused.incrementAndGet();
      throw new OutOfMemoryError("on purpose");
    }

    /** Runs what it has kept so far; what these tasks schedule is kept again. */
    void runKept() throws Exception {
      for (Callable<?> task : List.copyOf(kept)) {
        kept.remove(task);
        task.call();
      }
    }

    @Override
    public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
      return schedule(Executors.callable(task), delay, unit);
    }
  }

  @AfterEach
  void close() {
    connector.close();
    scheduler.shutdownNow();
    client.shutdown(0, 1, SECONDS);
    resources.shutdown(0, 1, SECONDS);
  }

  /** The test framework ends at such an error. */
  private void start() {
    try {
      connector.start();
    } catch (OutOfMemoryError e) {
      throw new AssertionError("must not be thrown", e);
    }
  }

  private void awaitAttempts(int atLeast) {
    await().atMost(TierTestLimits.SECONDS, SECONDS).until(() -> client.attempts.get() >= atLeast);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void attemptThatThrowsAnErrorIsNotTheLast(int number) {
    client.attemptThatThrows = number;
    start();
    awaitAttempts(number);
    awaitAttempts(number + 3);
    assertThat(connector.cause().type()).isEqualTo("FAILED");
  }

  @Test
  void commandAsksForAnAttemptWhereNoneCouldBeScheduled() {
    scheduler.failures.set(3);
    start();
    assertThat(client.attempts).hasValue(1);
    for (int refused = 1; refused <= 3; refused++) {
      assertThat(scheduler.refused).hasValue(refused);
      assertThat(connector.connection()).isNull();
    }
    awaitAttempts(4);
  }

  /** Of attempts that a scheduler kept although it threw, only the newest is made. */
  @Test
  void attemptsThatWereKeptDoNotAddUp() throws Exception {
    scheduler.failures.set(20);
    scheduler.keepsTasks = true;
    start();
    for (int refused = 1; refused <= 20; refused++) {
      assertThat(scheduler.refused).hasValue(refused);
      assertThat(connector.connection()).isNull();
    }
    assertThat(scheduler.kept).hasSize(21);
    for (int attempts = 2; attempts <= 10; attempts++) {
      scheduler.runKept();
      // One more, and one that it has scheduled; not one for each that was kept.
      assertThat(client.attempts).hasValue(attempts);
      assertThat(scheduler.kept).hasSize(1);
    }
  }

  /** Both find that no attempt is scheduled before either of them schedules one. */
  @Test
  void commandsThatAskAtOnceGetOneAttempt() throws Exception {
    scheduler.failures.set(1);
    start();
    FakeConnection made = new FakeConnection();
    client.connections.add(made.connection);
    List<Thread> asking =
        List.of(new Thread(connector::connection), new Thread(connector::connection));
    synchronized (connector) {
      asking.forEach(Thread::start);
      await()
          .atMost(60, SECONDS)
          .until(() -> asking.stream().allMatch(t -> t.getState() == Thread.State.BLOCKED));
    }
    for (Thread thread : asking) {
      thread.join(60_000);
    }
    await().atMost(60, SECONDS).until(() -> connector.connection() != null);
    assertThat(scheduler.taken).hasValue(1);
    assertThat(client.attempts).hasValue(2);
    assertThat(made.closes).hasValue(0);
  }

  /** A lost connection that could not be listened to is closed when the next one is there. */
  @Test
  void connectionThatIsReplacedIsClosed() {
    FakeConnection first = new FakeConnection();
    FakeConnection second = new FakeConnection();
    first.takesListeners = false;
    client.connections.addAll(List.of(first.connection, second.connection));
    start();
    assertThat(connector.connection()).isSameAs(first.connection);
    first.isOpen = false;
    await().atMost(60, SECONDS).until(() -> connector.connection() != null);
    assertThat(connector.connection()).isSameAs(second.connection);
    await().atMost(60, SECONDS).untilAsserted(() -> assertThat(first.closes).hasValue(1));
    assertThat(second.closes).hasValue(0);
  }

  /** Between those whom it tells of a connection it takes longer than there is time. */
  private static final class SlowFuture extends CompletableFuture<StatefulRedisConnection<?, ?>> {
    final CountDownLatch heard = new CountDownLatch(1);
    final CountDownLatch isOver = new CountDownLatch(1);

    private void pause() {
      try {
        assertThat(isOver.await(TierTestLimits.SECONDS, SECONDS)).isTrue();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public CompletableFuture<Void> thenAccept(
        Consumer<? super StatefulRedisConnection<?, ?>> action) {
      CompletableFuture<Void> told =
          super.thenAccept(
              made -> {
                action.accept(made);
                pause();
              });
      heard.countDown();
      return told;
    }

    @Override
    public CompletableFuture<StatefulRedisConnection<?, ?>> whenComplete(
        BiConsumer<? super StatefulRedisConnection<?, ?>, ? super Throwable> action) {
      CompletableFuture<StatefulRedisConnection<?, ?>> told =
          super.whenComplete(
              (made, failure) -> {
                pause();
                action.accept(made, failure);
              });
      heard.countDown();
      return told;
    }
  }

  @Test
  void connectionThatIsTooLateIsClosed() throws Exception {
    FakeConnection late = new FakeConnection();
    SlowFuture slow = new SlowFuture();
    client.next = slow;
    LettuceConnector hasty =
        new LettuceConnector(client, NOWHERE, Duration.ofMillis(500), scheduler);
    CompletableFuture<Void> starting = CompletableFuture.runAsync(hasty::start);
    assertThat(slow.heard.await(TierTestLimits.SECONDS, SECONDS)).isTrue();
    CompletableFuture<Void> completing =
        CompletableFuture.runAsync(() -> slow.complete(late.connection));
    awaitAttempts(2);
    slow.isOver.countDown();
    completing.get(TierTestLimits.SECONDS, SECONDS);
    starting.get(TierTestLimits.SECONDS, SECONDS);
    assertThat(late.closes).hasValue(1);
    hasty.close();
  }

  @Test
  void noneIsMadeAfterClose() {
    scheduler.failures.set(1);
    start();
    connector.close();
    assertThat(connector.connection()).isNull();
    assertThat(scheduler.getQueue()).isEmpty();
    assertThat(client.attempts).hasValue(1);
  }
}
