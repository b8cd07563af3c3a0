/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.remote;

import io.hyperclock.secondary.TierState;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Makes a connection, and another one when it is lost, until it is closed; keeps the cause while
 * there is none. An attempt has its time limit as a whole: address, TCP, TLS and handshake. Between
 * attempts it waits, from 10 ms to a second, twice as long each time; the first answer to a command
 * makes it short again. Errors, such as those of a JVM without memory or threads, fail an attempt
 * as exceptions do; where no attempt could be scheduled the next command asks for one. Thread-safe.
 */
final class LettuceConnector {
  private static final long SHORTEST_DELAY_MILLIS = 10;
  private static final long LONGEST_DELAY_MILLIS = 1_000;
  private static final TierState.Cause NOT_YET =
      new TierState.Cause("NOT_CONNECTED", "no attempt to connect has ended yet");
  private static final TierState.Cause LOST =
      new TierState.Cause("CONNECTION_LOST", "the connection was closed");

  private final RedisClient client;
  private final RedisURI uri;
  private final Duration connectTimeout;
  private final ScheduledExecutorService scheduler;
  private volatile @Nullable StatefulRedisConnection<byte[], byte[]> connection;
  private volatile TierState.Cause cause = NOT_YET;

  /** Guarded by this, as are writes of the next two. */
  private TierState.@Nullable Cause violation;

  private volatile long delayMillis = SHORTEST_DELAY_MILLIS;
  private boolean closed;

  /** Number of the next attempt: of those that are scheduled only this one is made. */
  private long next;

  /** Whether no attempt is scheduled or under way, because of an error. Written under this. */
  private volatile boolean stalled;

  LettuceConnector(
      RedisClient client,
      RedisURI uri,
      Duration connectTimeout,
      ScheduledExecutorService scheduler) {
    this.client = client;
    this.uri = uri;
    this.connectTimeout = connectTimeout;
    this.scheduler = scheduler;
  }

  /** The connection, or null if there is none now. */
  @Nullable StatefulRedisConnection<byte[], byte[]> connection() {
    StatefulRedisConnection<byte[], byte[]> present = connection;
    if (present != null && present.isOpen()) {
      return present;
    }
    if (stalled) {
      schedule(delayMillis, true);
    }
    return null;
  }

  /** Why there is none. */
  TierState.Cause cause() {
    return cause;
  }

  /** Makes the first attempt; returns when it has ended. */
  void start() {
    try {
      attempt(0).get();
    } catch (ExecutionException e) {
      return; // Noted, and tried again.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private CompletableFuture<?> attempt(long number) {
    try {
      return connect(number);
    } catch (Throwable e) {
      stall();
      throw e;
    }
  }

  private synchronized void stall() {
    stalled = true;
  }

  private CompletableFuture<?> connect(long number) {
    // Made before the attempt: once there is a connection, only the stage that waits for the
    // attempt may be missing to close it.
    CompletableFuture<StatefulRedisConnection<byte[], byte[]>> inTime = new CompletableFuture<>();
    CompletableFuture<?> end =
        inTime.whenComplete(
            (connected, failure) -> {
              try {
                ended(connected, failure);
              } catch (Throwable e) {
                stall();
                throw e;
              }
            });
    BiConsumer<StatefulRedisConnection<byte[], byte[]>, Throwable> relay =
        (connected, failure) -> {
          if (failure != null) {
            inTime.completeExceptionally(failure);
          } else if (!inTime.complete(connected)) {
            connected.closeAsync(); // Too late.
          }
        };
    CompletableFuture<StatefulRedisConnection<byte[], byte[]>> made;
    synchronized (this) { // Not while the client is being shut down.
      if (closed || number != next) {
        return CompletableFuture.completedFuture(null);
      }
      next++;
      stalled = false;
      try {
        made = client.connectAsync(ByteArrayCodec.INSTANCE, uri).toCompletableFuture();
      } catch (Throwable e) {
        made = CompletableFuture.failedFuture(e);
      }
    }
    made.whenComplete(relay);
    try {
      inTime.orTimeout(connectTimeout.toNanos(), TimeUnit.NANOSECONDS);
    } catch (Throwable e) { // No thread for the time limit.
      inTime.completeExceptionally(e);
    }
    return end;
  }

  private void ended(
      @Nullable StatefulRedisConnection<byte[], byte[]> made, @Nullable Throwable failure) {
    if (made == null) {
      noConnection(
          failure instanceof TimeoutException
              ? new TierState.Cause("CONNECT_TIMED_OUT", "no connection within " + connectTimeout)
              : ConnectFailures.of(failure == null ? new TimeoutException() : failure));
      return;
    }
    boolean late;
    StatefulRedisConnection<byte[], byte[]> before = null;
    synchronized (this) {
      late = closed;
      if (!late) {
        violation = null;
        before = connection;
        connection = made;
      }
    }
    if (late) {
      made.closeAsync();
      return;
    }
    if (before != null) {
      before.closeAsync(); // It was lost, but was not listened to.
    }
    made.addListener(
        new RedisConnectionStateListener() {
          @Override
          public void onRedisDisconnected(RedisChannelHandler<?, ?> gone) {
            lost(made);
          }
        });
    if (!made.isOpen()) {
      lost(made); // Before it was listened to.
    }
  }

  /** The connection is gone, or is given up. */
  void lost(StatefulRedisConnection<byte[], byte[]> gone) {
    TierState.Cause why;
    synchronized (this) {
      if (connection != gone) {
        return;
      }
      connection = null;
      why = violation == null ? LOST : violation;
    }
    gone.closeAsync();
    noConnection(why);
  }

  /** What the server has sent is refused; the connection is about to be closed. */
  synchronized void violated(TierState.Cause why) {
    violation = why;
    cause = why;
  }

  /** A command was answered: the connection is of use. */
  void answered() {
    if (delayMillis != SHORTEST_DELAY_MILLIS) {
      synchronized (this) {
        delayMillis = SHORTEST_DELAY_MILLIS;
      }
    }
  }

  private void noConnection(TierState.Cause why) {
    long delay;
    synchronized (this) {
      cause = why;
      if (closed) {
        return;
      }
      delay = delayMillis;
      delayMillis = Math.min(2 * delay, LONGEST_DELAY_MILLIS);
    }
    schedule(delay, false);
  }

  private void schedule(long delay, boolean onlyIfStalled) {
    long number;
    synchronized (this) {
      if (closed || onlyIfStalled && !stalled) {
        return;
      }
      stalled = false;
      number = ++next;
    }
    try {
      scheduler.schedule(() -> attempt(number), delay, TimeUnit.MILLISECONDS);
    } catch (Throwable e) {
      synchronized (this) { // The scheduler may have kept the task, and may have begun it.
        stalled |= number == next;
      }
    }
  }

  /** No more attempts. */
  synchronized void close() {
    closed = true;
    connection = null;
    cause = new TierState.Cause("CLOSED", "the store was closed");
  }
}
