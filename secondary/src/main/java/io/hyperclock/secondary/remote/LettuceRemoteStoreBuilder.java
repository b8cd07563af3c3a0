/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.remote;

import io.hyperclock.secondary.internal.tier.Arguments;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SslOptions;
import java.time.Duration;
import java.util.Objects;

/**
 * Settings of a {@link LettuceRemoteStore} with a client of its own. Each setter checks its
 * argument and returns this. Not thread-safe.
 *
 * <pre>{@code
 * RemoteStore store =
 *     LettuceRemoteStore.builder("rediss://user:password@cache.example:6380")
 *         .connectTimeout(Duration.ofSeconds(5))
 *         .commandTimeout(Duration.ofMillis(100))
 *         .build();
 * }</pre>
 */
public final class LettuceRemoteStoreBuilder {
  final RedisURI uri;
  Duration connectTimeout = Duration.ofSeconds(5);
  Duration commandTimeout = Duration.ofSeconds(1);
  SslOptions sslOptions = SslOptions.create();

  LettuceRemoteStoreBuilder(String uri) {
    this.uri = RedisURI.create(Objects.requireNonNull(uri, "uri must not be null"));
  }

  /**
   * Sets how long making a connection may take as a whole: looking up the address, TCP, TLS, and
   * the handshake, which is two or three round trips. Default 5 s. Lookups do not wait for it;
   * {@link #build} does.
   *
   * @param connectTimeout from 1 ms to a day
   * @return this
   */
  public LettuceRemoteStoreBuilder connectTimeout(Duration connectTimeout) {
    this.connectTimeout = Arguments.upToDays("connectTimeout", connectTimeout, 1);
    return this;
  }

  /**
   * Sets how long a command may take in the client; default 1 s. As long as the tier's own limit or
   * longer: it is what a connection is judged by, not what a lookup costs.
   *
   * @param commandTimeout from 1 ms to a day
   * @return this
   */
  public LettuceRemoteStoreBuilder commandTimeout(Duration commandTimeout) {
    this.commandTimeout = Arguments.upToDays("commandTimeout", commandTimeout, 1);
    return this;
  }

  /**
   * Sets which certificates are trusted, and which is shown, on connections with TLS ({@code
   * rediss://}); default those of the JDK, and none.
   *
   * @param sslOptions options of the client; their time limit of the handshake is replaced by the
   *     {@linkplain #connectTimeout limit of connecting}
   * @return this
   */
  public LettuceRemoteStoreBuilder sslOptions(SslOptions sslOptions) {
    this.sslOptions = Objects.requireNonNull(sslOptions, "sslOptions must not be null");
    return this;
  }

  /**
   * Makes a store. Waits for the first attempt to connect, at most the {@linkplain #connectTimeout
   * limit of connecting}; without a connection the store is made all the same, and tries again.
   *
   * @return a new store
   */
  public LettuceRemoteStore build() {
    return new LettuceRemoteStore(this);
  }
}
