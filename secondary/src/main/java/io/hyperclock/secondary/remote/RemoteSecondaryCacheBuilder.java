/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.remote;

import io.hyperclock.entry.EntryRole;
import io.hyperclock.secondary.RecordKey;
import io.hyperclock.secondary.compression.Compression;
import io.hyperclock.secondary.compression.Compressor;
import io.hyperclock.secondary.internal.record.Encoding;
import io.hyperclock.secondary.internal.record.RecordAuthenticator;
import io.hyperclock.secondary.internal.tier.Arguments;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a {@link RemoteSecondaryCache}. {@link #store} and {@link #namespace} have no
 * default. Each setter checks its argument and returns this. Not thread-safe.
 */
public final class RemoteSecondaryCacheBuilder {
  private static final int LONGEST_DAYS = 3650;

  String name = "remote";
  private @Nullable String namespace;
  private @Nullable RemoteStore store;
  private @Nullable RecordKey recordKey;
  private List<RecordKey> formerKeys = List.of();
  Duration ttl = Duration.ofHours(1);
  Duration timeout = Duration.ofMillis(100);
  Duration probeInterval = Duration.ofSeconds(1);
  int failuresToOpen = 5;
  int maxInFlightCommands = 256;
  long maxInFlightBytes = 64L << 20;
  int maxBatchKeys = 64;
  int maxBatchBytes = 1 << 20;
  int maxValueBytes = 1 << 20;
  int maxOwedRemovals = 1 << 14;
  final Encoding encoding = new Encoding();
  @Nullable Executor executor;
  private System.@Nullable Logger logger;

  RemoteSecondaryCacheBuilder() {}

  /**
   * Sets the name for statistics, messages and threads; default "remote".
   *
   * @param name the name, not blank
   * @return this
   */
  public RemoteSecondaryCacheBuilder name(String name) {
    this.name = Arguments.notBlank("name", name);
    return this;
  }

  /**
   * Sets the store; the tier closes it.
   *
   * @param store a store that no other tier has
   * @return this
   */
  public RemoteSecondaryCacheBuilder store(RemoteStore store) {
    this.store = Objects.requireNonNull(store, "store must not be null");
    return this;
  }

  /**
   * Sets what keeps the keys of this cache apart from others on the same server. Processes that
   * share their blocks have the same; a new one after a change of what keys or encoded values mean.
   *
   * @param namespace any text, not blank; its UTF-8 bytes are a part of every key
   * @return this
   * @throws IllegalArgumentException if it is blank or has an unpaired surrogate, which UTF-8
   *     cannot represent
   */
  public RemoteSecondaryCacheBuilder namespace(String namespace) {
    this.namespace = WireFormat.checkedNamespace(Arguments.notBlank("namespace", namespace));
    return this;
  }

  /**
   * Sets the secret that distinguishes values from forged ones; default none. All who share a
   * namespace must have it. Names and roles of entry types are then a part of what is verified, so
   * they must be the same in all processes.
   *
   * <p>To change it, give all processes the new one as a former key, then make it the current one;
   * when the time to live has passed, take the old one away.
   *
   * @param current signs what is written, and verifies what is read
   * @param former verify only
   * @return this
   */
  public RemoteSecondaryCacheBuilder recordKey(RecordKey current, RecordKey... former) {
    this.formerKeys = Arguments.former(current, former);
    this.recordKey = current;
    return this;
  }

  /**
   * Sets how long a value lives on the server, from its insert on; default one hour. All who share
   * a namespace should have the same.
   *
   * @param ttl from 1 ms to 3650 days
   * @return this
   */
  public RemoteSecondaryCacheBuilder ttl(Duration ttl) {
    this.ttl = Arguments.upToDays("ttl", ttl, LONGEST_DAYS);
    return this;
  }

  /**
   * Sets how long a lookup or a write may take; default 100 ms.
   *
   * @param timeout from 1 ms to 3650 days
   * @return this
   */
  public RemoteSecondaryCacheBuilder timeout(Duration timeout) {
    this.timeout = Arguments.upToDays("timeout", timeout, LONGEST_DAYS);
    return this;
  }

  /**
   * Sets after how many failures in a row the server is left alone; default 5. Failures to answer
   * count apart from refused values.
   *
   * @param failures at least 1
   * @return this
   */
  public RemoteSecondaryCacheBuilder failuresToOpen(int failures) {
    this.failuresToOpen = (int) Arguments.positive("failures", failures);
    return this;
  }

  /**
   * Sets how often a server that was left alone is probed; default 1 s.
   *
   * @param probeInterval from 1 ms to 3650 days
   * @return this
   */
  public RemoteSecondaryCacheBuilder probeInterval(Duration probeInterval) {
    this.probeInterval = Arguments.upToDays("probeInterval", probeInterval, LONGEST_DAYS);
    return this;
  }

  /**
   * Sets how many commands may be under way; more are not sent: lookups are busy, inserts declined.
   * A batch of lookups is one command. Default 256.
   *
   * @param commands at least 1
   * @return this
   */
  public RemoteSecondaryCacheBuilder maxInFlightCommands(int commands) {
    this.maxInFlightCommands = (int) Arguments.positive("commands", commands);
    return this;
  }

  /**
   * Sets how many bytes may be under way: those of values written, and those expected of values
   * read. Default 64 MiB.
   *
   * @param bytes at least twice the largest batch and the largest value, when built
   * @return this
   */
  public RemoteSecondaryCacheBuilder maxInFlightBytes(long bytes) {
    this.maxInFlightBytes = Arguments.positive("bytes", bytes);
    return this;
  }

  /**
   * Sets how many keys are read by one command, at most; default 64.
   *
   * @param keys at least 1
   * @return this
   */
  public RemoteSecondaryCacheBuilder maxBatchKeys(int keys) {
    this.maxBatchKeys = (int) Arguments.positive("keys", keys);
    return this;
  }

  /**
   * Sets how many bytes one command is to read, judged by the average of values read so far;
   * default 1 MiB. Of an answer with more than twice as much, or twice {@link #maxValueBytes} if
   * that is larger, the rest is a miss.
   *
   * @param bytes at least 1
   * @return this
   */
  public RemoteSecondaryCacheBuilder maxBatchBytes(int bytes) {
    this.maxBatchBytes = (int) Arguments.positive("bytes", bytes);
    return this;
  }

  /**
   * Sets up to which size values are taken and given, as they are encoded and before they are
   * compressed; default 1 MiB. A value on the server that is larger, or would unfold to more, is a
   * miss; no memory is allocated for it. Those who share a namespace should have the same.
   *
   * @param bytes at least 1
   * @return this
   */
  public RemoteSecondaryCacheBuilder maxValueBytes(int bytes) {
    this.maxValueBytes = (int) Arguments.positive("bytes", bytes);
    return this;
  }

  /**
   * Sets how many keys the tier remembers that could not be removed from the server, about 150
   * bytes each; default 16384. With more of them, it forgets them and gives nothing that was
   * written before, until that has reached the end of its time to live.
   *
   * @param keys at least 1
   * @return this
   */
  public RemoteSecondaryCacheBuilder maxOwedRemovals(int keys) {
    this.maxOwedRemovals = (int) Arguments.positive("keys", keys);
    return this;
  }

  /**
   * Sets how to compress: the first of these that can be used here, or {@link Compression#DEFLATE}
   * if none can. Default LZ4, then Zstandard. Values that others compressed otherwise can be read
   * where that compressor can be used.
   *
   * @param first first choice
   * @param next what to use instead, in this order
   * @return this
   */
  public RemoteSecondaryCacheBuilder compression(Compression first, Compression... next) {
    encoding.prefer(first, next);
    return this;
  }

  /**
   * Sets a compressor of the caller's, which all who share the namespace must have.
   *
   * @param compressor used by this tier as long as it lives
   * @return this
   */
  public RemoteSecondaryCacheBuilder compressor(Compressor compressor) {
    encoding.use(compressor);
    return this;
  }

  /**
   * Sets whose values are stored as they are encoded; default filters.
   *
   * @param roles any roles
   * @return this
   */
  public RemoteSecondaryCacheBuilder uncompressedRoles(Set<EntryRole> roles) {
    encoding.leaveRaw(roles);
    return this;
  }

  /**
   * Sets who decodes values and runs what depends on lookups; default a few threads of the tier.
   *
   * @param executor stays the caller's; must not run tasks on the thread that submits them
   * @return this
   */
  public RemoteSecondaryCacheBuilder executor(Executor executor) {
    this.executor = Objects.requireNonNull(executor, "executor must not be null");
    return this;
  }

  /**
   * Sets where the tier logs changes of its {@linkplain RemoteSecondaryCache#state state}, at most
   * one line a second: WARNING with the cause, INFO when it serves again. Default: the system's
   * logger that has the name of the class {@link RemoteSecondaryCache}.
   *
   * @param logger called on threads of the tier
   * @return this
   */
  public RemoteSecondaryCacheBuilder logger(System.Logger logger) {
    this.logger = Objects.requireNonNull(logger, "logger must not be null");
    return this;
  }

  /**
   * Makes a tier. Waits for the server's first answer, at most the {@linkplain #timeout time
   * limit}; without one the tier is made all the same, and uses the server once it answers.
   *
   * @return a new tier, to be closed by the caller
   * @throws IllegalStateException if the store or the namespace is missing
   * @throws IllegalArgumentException if the settings do not fit together
   */
  public RemoteSecondaryCache build() {
    RemoteStore using = store;
    if (using == null || namespace == null) {
      throw new IllegalStateException(
          "store and namespace must be set: store=" + using + ", namespace=" + namespace);
    }
    long least = 2L * Math.max(maxBatchBytes, maxValueBytes);
    if (maxInFlightBytes < least) {
      throw new IllegalArgumentException(
          "maxInFlightBytes must be >= twice maxBatchBytes and maxValueBytes: maxInFlightBytes="
              + maxInFlightBytes
              + ", maxBatchBytes="
              + maxBatchBytes
              + ", maxValueBytes="
              + maxValueBytes);
    }
    return new RemoteSecondaryCache(this, using);
  }

  String namespace() {
    return Objects.requireNonNull(namespace);
  }

  /** Null without a key. */
  @Nullable RecordAuthenticator authenticator() {
    RecordKey current = recordKey;
    return current == null
        ? null
        : new RecordAuthenticator("remote", WireFormat.utf8(namespace()), current, formerKeys);
  }

  System.Logger logger() {
    return logger == null ? System.getLogger(RemoteSecondaryCache.class.getName()) : logger;
  }
}
