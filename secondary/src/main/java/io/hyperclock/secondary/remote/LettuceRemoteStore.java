/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.remote;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.KeyValue;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SetArgs;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import io.lettuce.core.resource.Delay;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A store on a Redis or Valkey server, through Lettuce, over one connection that all commands
 * share. Needs {@code io.lettuce:lettuce-core}.
 *
 * <p>{@link #connect} makes a client of the store's own, which ends with the store. {@link #using}
 * takes a connection that stays the caller's, with the caller's options.
 *
 * <p>While there is no connection commands fail at once, and none is sent again after a connection
 * was lost. Connections are made again by themselves, within about a second of the server's return;
 * one on which nothing has been answered for ten time limits is given up for a new one.
 */
public final class LettuceRemoteStore implements RemoteStore {
  private static final long CLOSE_MILLIS = 1_000;
  private static final Duration LONGEST_RECONNECT_DELAY = Duration.ofSeconds(1);
  private static final int SILENT_TIMEOUTS = 10;
  private static final Failure NOT_CONNECTED = new Failure(Failure.Kind.NOT_SENT, "not connected");

  private final @Nullable ClientResources resources;
  private final @Nullable RedisClient client;
  private final @Nullable RedisURI uri;
  private @Nullable CompletableFuture<StatefulRedisConnection<byte[], byte[]>> connecting;
  private boolean closed;

  /** When the first command timed out since the last answer; 0 if none did. */
  private volatile long silentSinceNanos;

  private LettuceRemoteStore(
      @Nullable ClientResources resources, @Nullable RedisClient client, @Nullable RedisURI uri) {
    this.resources = resources;
    this.client = client;
    this.uri = uri;
  }

  /**
   * Makes a store with a client of its own. Waits for a connection, at most {@code connectTimeout};
   * without one the store is made all the same, and tries again whenever it is asked something.
   *
   * @param uri the server, as in {@code redis://user:password@host:6379/0}
   * @param connectTimeout time limit of making a connection
   * @param commandTimeout time limit of each command, in the client; as long as the tier's or
   *     longer
   * @return a new store
   * @throws IllegalArgumentException if {@code uri} is none
   */
  public static LettuceRemoteStore connect(
      String uri, Duration connectTimeout, Duration commandTimeout) {
    RedisURI parsed = RedisURI.create(uri);
    parsed.setTimeout(commandTimeout);
    ClientResources resources =
        DefaultClientResources.builder()
            .ioThreadPoolSize(2)
            .computationThreadPoolSize(2)
            .reconnectDelay(
                Delay.exponential(
                    Duration.ofMillis(10), LONGEST_RECONNECT_DELAY, 2, TimeUnit.MILLISECONDS))
            .build();
    RedisClient client = RedisClient.create(resources);
    client.setOptions(
        ClientOptions.builder()
            .autoReconnect(true)
            .replayFilter(command -> true)
            .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
            .socketOptions(
                SocketOptions.builder().connectTimeout(connectTimeout).keepAlive(true).build())
            .timeoutOptions(TimeoutOptions.enabled(commandTimeout))
            .build());
    LettuceRemoteStore store = new LettuceRemoteStore(resources, client, parsed);
    store.awaitConnection(connectTimeout);
    return store;
  }

  /**
   * Makes a store over a connection that stays the caller's.
   *
   * @param connection an open connection; best with time limits, rejecting commands while it is
   *     disconnected
   * @return a new store
   */
  public static LettuceRemoteStore using(StatefulRedisConnection<byte[], byte[]> connection) {
    LettuceRemoteStore store = new LettuceRemoteStore(null, null, null);
    store.connecting =
        CompletableFuture.completedFuture(
            Objects.requireNonNull(connection, "connection must not be null"));
    return store;
  }

  private void awaitConnection(Duration atMost) {
    try {
      connection().get(atMost.toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException | TimeoutException e) {
      return;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The connection, or the present attempt to make the first one. */
  private synchronized CompletableFuture<StatefulRedisConnection<byte[], byte[]>> connection() {
    CompletableFuture<StatefulRedisConnection<byte[], byte[]>> present = connecting;
    if (closed) {
      return CompletableFuture.failedFuture(NOT_CONNECTED);
    }
    if (present == null || present.isCompletedExceptionally()) {
      present =
          Objects.requireNonNull(client)
              .connectAsync(ByteArrayCodec.INSTANCE, Objects.requireNonNull(uri))
              .toCompletableFuture();
      connecting = present;
    }
    return present;
  }

  private <T, R> CompletionStage<R> send(
      Function<RedisAsyncCommands<byte[], byte[]>, CompletionStage<T>> command,
      Function<T, R> result) {
    CompletableFuture<StatefulRedisConnection<byte[], byte[]>> present = connection();
    StatefulRedisConnection<byte[], byte[]> open =
        present.isDone() && !present.isCompletedExceptionally() ? present.join() : null;
    if (open == null || !open.isOpen()) {
      return CompletableFuture.failedFuture(NOT_CONNECTED);
    }
    return command
        .apply(open.async())
        .handle(
            (answer, failure) -> {
              if (failure instanceof RedisCommandTimeoutException) {
                unanswered(open);
              } else {
                silentSinceNanos = 0;
              }
              if (failure != null) {
                throw translated(failure);
              }
              return result.apply(answer);
            });
  }

  /** The peer may be gone without a word. */
  private synchronized void unanswered(StatefulRedisConnection<byte[], byte[]> open) {
    long now = System.nanoTime();
    long since = silentSinceNanos;
    if (since == 0) {
      silentSinceNanos = now == 0 ? 1 : now;
    } else if (uri != null && now - since > SILENT_TIMEOUTS * uri.getTimeout().toNanos()) {
      silentSinceNanos = 0;
      connecting = null;
      open.closeAsync();
    }
  }

  private static RuntimeException translated(Throwable failure) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    if (cause instanceof RedisCommandExecutionException) {
      return new Failure(Failure.Kind.REFUSED, String.valueOf(cause.getMessage()));
    }
    return new CompletionException(
        cause instanceof RedisCommandTimeoutException
            ? new TimeoutException(cause.getMessage())
            : cause);
  }

  @Override
  public CompletionStage<List<byte @Nullable []>> mget(List<byte[]> keys) {
    byte[][] all = keys.toArray(byte[][]::new);
    return send(commands -> commands.mget(all), LettuceRemoteStore::values);
  }

  private static List<byte @Nullable []> values(List<KeyValue<byte[], byte[]>> pairs) {
    List<byte @Nullable []> values = new ArrayList<>(pairs.size());
    for (KeyValue<byte[], byte[]> pair : pairs) {
      values.add(pair.getValueOrElse(null));
    }
    return values;
  }

  @Override
  public CompletionStage<String> psetex(byte[] key, long ttlMillis, byte[] value) {
    return send(
        commands -> commands.set(key, value, SetArgs.Builder.px(ttlMillis)), Function.identity());
  }

  @Override
  public CompletionStage<Long> del(List<byte[]> keys) {
    byte[][] all = keys.toArray(byte[][]::new);
    return send(commands -> commands.del(all), Function.identity());
  }

  @Override
  public void close() {
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
    }
    if (client == null || resources == null) {
      return;
    }
    try {
      client
          .shutdownAsync(0, CLOSE_MILLIS, TimeUnit.MILLISECONDS)
          .get(CLOSE_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException | RuntimeException e) {
      System.getLogger(LettuceRemoteStore.class.getName())
          .log(System.Logger.Level.DEBUG, "client did not end in time", e);
    }
    resources.shutdown(0, CLOSE_MILLIS, TimeUnit.MILLISECONDS);
  }
}
