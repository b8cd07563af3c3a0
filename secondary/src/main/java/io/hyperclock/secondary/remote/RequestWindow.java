/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.remote;

import io.hyperclock.secondary.internal.pool.Threads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.RunnableScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The way to the store: bounds what is under way, and ends everything in time, once, whatever the
 * store does. Two threads serve time limits; what depends on a lookup that ended by one runs there.
 * They end when idle, but not the last that is free while something is due.
 */
final class RequestWindow implements StateLog.Line {
  private static final int THREADS = 2;

  /** Why a command ended when the line was closed. */
  static final class ClosedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    ClosedException() {
      super("closed", null, false, false);
    }
  }

  private final int maxCommands;
  private final long maxBytes;
  private final Duration timeout;
  private final AtomicInteger commands = new AtomicInteger();
  private final AtomicLong bytes = new AtomicLong();
  private final Set<Runnable> pending = ConcurrentHashMap.newKeySet();
  private final ScheduledThreadPoolExecutor timers;
  private volatile boolean closed;

  /** Whether a task waits for a thread that could not be made. */
  private volatile boolean lacksThread;

  RequestWindow(String name, int maxCommands, long maxBytes, Duration timeout) {
    this(name, maxCommands, maxBytes, timeout, Duration.ofSeconds(Threads.IDLE_SECONDS));
  }

  /** {@code idle} says for how long a thread waits for something to do. */
  RequestWindow(String name, int maxCommands, long maxBytes, Duration timeout, Duration idle) {
    this.maxCommands = maxCommands;
    this.maxBytes = maxBytes;
    this.timeout = timeout;
    this.timers = new Timers(Threads.daemons(name + "-timer"), this::standIn);
    timers.setRemoveOnCancelPolicy(true);
    timers.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    timers.setKeepAliveTime(idle.toNanos(), TimeUnit.NANOSECONDS);
    timers.allowCoreThreadTimeOut(true);
  }

  /** Makes a thread for what is due while all others are busy: a logger may hold them up. */
  private void standIn() {
    if (timers.getActiveCount() >= timers.getPoolSize() && !timers.getQueue().isEmpty()) {
      lacksThread = true;
      makeThread();
    }
  }

  Duration timeout() {
    return timeout;
  }

  /** Whether the close has begun: what is under way fails because of it, if not before. */
  boolean isClosed() {
    return closed;
  }

  /** Most bytes under way at once. */
  long maxBytes() {
    return maxBytes;
  }

  /** Whether there is room for one more command; if so, the caller must release it. */
  boolean tryAcquire(long commandBytes) {
    if (commands.incrementAndGet() <= maxCommands) {
      if (bytes.addAndGet(commandBytes) <= maxBytes) {
        return true;
      }
      bytes.addAndGet(-commandBytes);
    }
    commands.decrementAndGet();
    return false;
  }

  /** Whether there is room for more bytes of a command that is under way, which it then has. */
  boolean tryGrow(long more) {
    if (bytes.addAndGet(more) <= maxBytes) {
      return true;
    }
    bytes.addAndGet(-more);
    return false;
  }

  void release(long commandBytes) {
    bytes.addAndGet(-commandBytes);
    commands.decrementAndGet();
  }

  int commandsUnderWay() {
    return commands.get();
  }

  long bytesUnderWay() {
    return bytes.get();
  }

  /**
   * Runs a task later; never, if the line is closed before. Where no thread can be made it waits
   * for one.
   */
  @Override
  public @Nullable Future<?> after(Duration delay, Runnable task) {
    Timed timed = new Timed(task);
    try {
      return timers.schedule(timed, delay.toNanos(), TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException closedNow) {
      return null;
    } catch (OutOfMemoryError noThread) {
      lacksThread = true;
      if (!timers.getQueue().contains(timed.queued)) {
        throw noThread; // The queue itself found no memory.
      }
      return timed.queued;
    }
  }

  /** Tries again to make a thread if a task waits for one. */
  void makeThread() {
    if (lacksThread) {
      lacksThread = false;
      try {
        timers.prestartCoreThread();
      } catch (OutOfMemoryError noThread) {
        lacksThread = true;
      }
    }
  }

  /** Runs a task soon, or on this thread if the line is closed or no thread can be made. */
  @Override
  public void soon(Runnable task) {
    Timed timed = new Timed(task);
    try {
      timers.execute(timed);
    } catch (RejectedExecutionException closedNow) {
      task.run();
    } catch (OutOfMemoryError noThread) {
      Future<?> queued = timed.queued;
      if (queued == null || queued.cancel(false)) {
        task.run();
      }
    }
  }

  /**
   * Runs {@code end} when the line is closed, on this thread if it is; until {@link #forget}. It
   * may run twice, and at the same time.
   */
  void onClose(Runnable end) {
    pending.add(end);
    if (closed && pending.remove(end)) {
      end.run();
    }
  }

  void forget(Runnable end) {
    pending.remove(end);
  }

  /**
   * Sends a command. {@code done} gets its answer or a failure, exactly once, on any thread: the
   * caller's, the store's, one of the timers, the closing one. What the command throws is a failure
   * too, as is a lack of memory.
   */
  <T> void send(
      Supplier<? extends CompletionStage<? extends T>> command,
      BiConsumer<@Nullable T, @Nullable Throwable> done) {
    Exchange<T> exchange;
    try {
      exchange = new Exchange<>(done);
    } catch (Throwable e) {
      done.accept(null, e);
      return;
    }
    try {
      onClose(exchange);
      if (exchange.ended.get()) {
        return;
      }
      exchange.timer = after(timeout, () -> exchange.end(null, new TimeoutException("no answer")));
      command.get().whenComplete((answer, failure) -> exchange.end(answer, unwrap(failure)));
    } catch (Throwable e) {
      exchange.end(null, e);
    }
  }

  private static @Nullable Throwable unwrap(@Nullable Throwable failure) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : null;
    return cause == null ? failure : cause;
  }

  private final class Exchange<T> implements Runnable {
    private final BiConsumer<@Nullable T, @Nullable Throwable> done;
    private final AtomicBoolean ended = new AtomicBoolean();
    private volatile @Nullable Future<?> timer;

    Exchange(BiConsumer<@Nullable T, @Nullable Throwable> done) {
      this.done = done;
    }

    private void end(@Nullable T answer, @Nullable Throwable failure) {
      if (!ended.compareAndSet(false, true)) {
        return;
      }
      forget(this);
      Future<?> running = timer;
      if (running != null) {
        running.cancel(false);
      }
      done.accept(answer, failure);
    }

    @Override
    public void run() {
      end(null, new ClosedException());
    }
  }

  /**
   * Ends everything, and runs a last task; returns when that is done, or after a while. Without a
   * thread for it the caller runs the task, however long it takes.
   */
  void close(Duration atMost, Runnable last, ThreadFactory threads) {
    closed = true;
    CountDownLatch ended = new CountDownLatch(1);
    soon(
        () -> {
          endPending();
          ended.countDown();
        });
    Thread closer = start(last, threads);
    try {
      if (!ended.await(atMost.toNanos(), TimeUnit.NANOSECONDS)) {
        endPending();
      }
      if (closer != null) {
        closer.join(Math.max(1, atMost.toMillis()));
      }
    } catch (InterruptedException e) {
      endPending();
      Thread.currentThread().interrupt();
    }
    timers.shutdown();
  }

  private static @Nullable Thread start(Runnable last, ThreadFactory threads) {
    try {
      Thread closer = threads.newThread(last);
      closer.start();
      return closer;
    } catch (OutOfMemoryError noThread) {
      last.run();
      return null;
    }
  }

  /** Another thread may be at it, and be held up. */
  private void endPending() {
    for (Runnable end : new ArrayList<>(pending)) {
      end.run();
      pending.remove(end);
    }
  }

  /** A task, and what can call it off even if no thread was found for it. */
  private static final class Timed implements Runnable {
    private final Runnable task;
    private @Nullable Future<?> queued;

    Timed(Runnable task) {
      this.task = task;
    }

    @Override
    public void run() {
      task.run();
    }
  }

  /** Calls {@code standIn} when one of its threads has something to do, and when one has ended. */
  private static final class Timers extends ScheduledThreadPoolExecutor {
    private final Runnable standIn;

    Timers(ThreadFactory threads, Runnable standIn) {
      super(
          THREADS,
          work ->
              threads.newThread(
                  () -> {
                    work.run();
                    standIn.run();
                  }));
      this.standIn = standIn;
    }

    @Override
    protected void beforeExecute(Thread thread, Runnable task) {
      standIn.run();
    }

    @Override
    protected <V> RunnableScheduledFuture<V> decorateTask(
        Runnable task, RunnableScheduledFuture<V> queued) {
      if (task instanceof Timed timed) {
        timed.queued = queued;
      }
      return queued;
    }
  }
}
