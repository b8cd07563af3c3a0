/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.remote;

import io.hyperclock.secondary.TierMetric;
import io.hyperclock.secondary.TierState;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.KeyValue;
import io.lettuce.core.MaintNotificationsConfig;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SetArgs;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.protocol.CommandHandler;
import io.lettuce.core.protocol.ProtocolVersion;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import io.lettuce.core.resource.NettyCustomizer;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
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
 * <p>{@link #builder} and {@link #connect} make a client of the store's own, which ends with the
 * store. {@link #using} takes a connection that stays the caller's, with the caller's options.
 *
 * <p>While there is no connection commands fail at once, with the cause, and none is sent again
 * after a connection was lost. Connections are made again by themselves, within about a second of
 * the server's return; one on which nothing has been answered for ten time limits is given up for a
 * new one.
 *
 * <p>With a client of its own the store takes nothing from the server but what answers its
 * commands: values above the tier's limits are misses and take no memory; an answer of another form
 * ends the connection. With a connection of the caller's the client decodes without these limits.
 */
public final class LettuceRemoteStore implements RemoteStore {
  private static final long CLOSE_MILLIS = 1_000;
  private static final int SILENT_TIMEOUTS = 10;

  private final @Nullable ClientResources resources;
  private final @Nullable RedisClient client;
  private final @Nullable LettuceConnector connector;
  private final @Nullable StatefulRedisConnection<byte[], byte[]> foreign;
  private final ReplyLimits limits = new ReplyLimits();
  private final long silentNanos;
  private volatile boolean closed;

  /** When the first command timed out since the last answer; 0 if none did. */
  private volatile long silentSinceNanos;

  private LettuceRemoteStore(StatefulRedisConnection<byte[], byte[]> foreign) {
    this.resources = null;
    this.client = null;
    this.connector = null;
    this.foreign = foreign;
    this.silentNanos = Long.MAX_VALUE;
  }

  LettuceRemoteStore(LettuceRemoteStoreBuilder settings) {
    Duration connectTimeout = settings.connectTimeout;
    Duration commandTimeout = settings.commandTimeout;
    RedisURI uri = settings.uri;
    uri.setTimeout(connectTimeout); // What limits the client's handshake.
    this.resources =
        DefaultClientResources.builder()
            .ioThreadPoolSize(2)
            .computationThreadPoolSize(2)
            .nettyCustomizer(new Guarding())
            .build();
    this.client = RedisClient.create(resources);
    client.setOptions(
        ClientOptions.builder()
            .autoReconnect(false)
            .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
            .maintNotificationsConfig(MaintNotificationsConfig.disabled())
            .protocolVersion(ProtocolVersion.RESP2)
            .socketOptions(
                SocketOptions.builder().connectTimeout(connectTimeout).keepAlive(true).build())
            .sslOptions(
                settings
                    .sslOptions
                    .mutate()
                    // Shorter, so that it is TLS that is named where TLS is what hangs.
                    .handshakeTimeout(connectTimeout.multipliedBy(9).dividedBy(10))
                    .build())
            .timeoutOptions(TimeoutOptions.enabled(commandTimeout))
            .build());
    this.connector =
        new LettuceConnector(client, uri, connectTimeout, resources.eventExecutorGroup());
    this.foreign = null;
    this.silentNanos = SILENT_TIMEOUTS * commandTimeout.toNanos();
    try {
      connector.start();
    } catch (Throwable e) {
      connector.close();
      shutDown(client, resources);
      throw e;
    }
  }

  /** Puts the guard between the connection and the client's decoder. */
  private final class Guarding implements NettyCustomizer {
    @Override
    public void afterChannelInitialized(Channel channel) {
      ChannelHandlerContext decoder = channel.pipeline().context(CommandHandler.class);
      channel.pipeline().addBefore(decoder.name(), null, new ReplyGuard(limits, this::violated));
    }

    private void violated(TierState.Cause why) {
      Objects.requireNonNull(connector).violated(why);
    }
  }

  /**
   * Starts a store with a client of its own.
   *
   * @param uri the server, as in {@code redis://user:password@host:6379/0}; {@code rediss://} for
   *     TLS
   * @return a new builder
   * @throws IllegalArgumentException if {@code uri} is none
   */
  public static LettuceRemoteStoreBuilder builder(String uri) {
    return new LettuceRemoteStoreBuilder(uri);
  }

  /**
   * Makes a store with a client of its own. Waits for a connection, at most {@code connectTimeout};
   * without one the store is made all the same, and tries again.
   *
   * @param uri the server, as in {@code redis://user:password@host:6379/0}
   * @param connectTimeout time limit of making a connection as a whole, the handshake included
   * @param commandTimeout time limit of each command, in the client; as long as the tier's or
   *     longer
   * @return a new store
   * @throws IllegalArgumentException if {@code uri} is none, or a limit is not in [1 ms, 1 day]
   */
  public static LettuceRemoteStore connect(
      String uri, Duration connectTimeout, Duration commandTimeout) {
    return builder(uri).connectTimeout(connectTimeout).commandTimeout(commandTimeout).build();
  }

  /**
   * Makes a store over a connection that stays the caller's. Nothing bounds what its client
   * allocates for answers: use it with servers that are trusted.
   *
   * @param connection an open connection; best with time limits, rejecting commands while it is
   *     disconnected
   * @return a new store
   */
  public static LettuceRemoteStore using(StatefulRedisConnection<byte[], byte[]> connection) {
    return new LettuceRemoteStore(
        Objects.requireNonNull(connection, "connection must not be null"));
  }

  @Override
  public void limitReplies(int maxValueBytes, int maxReplyBytes) {
    limits.set(maxValueBytes, maxReplyBytes);
  }

  @Override
  public List<TierMetric> metrics() {
    return List.of(TierMetric.count("remote.oversized", "values", limits.oversized.sum()));
  }

  private @Nullable StatefulRedisConnection<byte[], byte[]> connection() {
    if (connector != null) {
      return connector.connection();
    }
    return !closed && foreign != null && foreign.isOpen() ? foreign : null;
  }

  private Failure notConnected() {
    return connector == null
        ? new Failure(Failure.Kind.NOT_SENT, "not connected")
        : new Failure(Failure.Kind.NOT_SENT, connector.cause());
  }

  private <T, R> CompletionStage<R> send(
      Function<RedisAsyncCommands<byte[], byte[]>, CompletionStage<T>> command,
      Function<T, R> result) {
    StatefulRedisConnection<byte[], byte[]> open = connection();
    if (open == null) {
      return CompletableFuture.failedFuture(notConnected());
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
              if (connector != null) {
                connector.answered();
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
    } else if (connector != null && now - since > silentNanos) {
      silentSinceNanos = 0;
      connector.lost(open);
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
    if (connector == null || client == null || resources == null) {
      return;
    }
    connector.close();
    shutDown(client, resources);
  }

  private static void shutDown(RedisClient client, ClientResources resources) {
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
