/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.remote;

import io.hyperclock.secondary.TierMetric;
import io.hyperclock.secondary.TierState;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The few commands that a {@link RemoteSecondaryCache} needs of a store of keys and values.
 *
 * <p>The implementation MUST be thread-safe and MUST NOT block in any method but {@link #close}. It
 * may carry commands out in any order, also late, and may fail, throw, or never answer: the tier
 * takes none of it on trust, and orderly behaviour only makes more hits. It may complete its stages
 * on a thread that serves its I/O; the tier runs no foreign code there.
 *
 * <p>A command that failed with {@link Failure} was certainly not carried out and never will be;
 * after any other failure, {@link java.util.concurrent.TimeoutException} included, it may be, at
 * any time.
 */
public interface RemoteStore extends AutoCloseable {
  /**
   * Reads values.
   *
   * @param keys keys, at least one, which may be equal
   * @return the values in the order of the keys, null for those that are absent or not of bytes
   */
  CompletionStage<? extends List<byte @Nullable []>> mget(List<byte[]> keys);

  /**
   * Puts a value in place of any older one.
   *
   * @param key the key
   * @param ttlMillis time to live from now on, in milliseconds, greater than 0
   * @param value the value, not to be changed
   * @return completes when the value is there
   */
  CompletionStage<?> psetex(byte[] key, long ttlMillis, byte[] value);

  /**
   * Removes keys, present or not.
   *
   * @param keys keys, at least one
   * @return completes when they are gone
   */
  CompletionStage<?> del(List<byte[]> keys);

  /**
   * Says how large answers may be: called once, before the first command. A store that holds whole
   * answers in memory MUST NOT keep more of them, or a server that lies can use up the heap: it
   * gives null for what is too large, or gives the connection up. One that does not override this
   * is only for servers that are trusted.
   *
   * @param maxValueBytes largest value that the tier reads
   * @param maxReplyBytes sum of the values of one {@link #mget} that the tier takes, at least
   *     {@code maxValueBytes}
   */
  default void limitReplies(int maxValueBytes, int maxReplyBytes) {}

  /**
   * What the store can tell of itself, for people who watch it.
   *
   * @return a new snapshot; names begin with {@code remote.}
   */
  default List<TierMetric> metrics() {
    return List.of();
  }

  /**
   * Gives up what the store has opened itself. Returns within seconds; again does nothing. The tier
   * logs what it throws.
   */
  @Override
  void close();

  /** A command that was certainly not carried out. Has no stack trace. */
  final class Failure extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** Why not. */
    public enum Kind {
      /** There is no connection; nothing was sent. */
      NOT_SENT,
      /** The server answered with an error. */
      REFUSED
    }

    /** Why not. */
    private final Kind kind;

    /** What led to it. */
    private final transient TierState.@Nullable Cause why;

    /**
     * Makes a failure.
     *
     * @param kind why not
     * @param message for people to read
     */
    public Failure(Kind kind, String message) {
      this(kind, message, null);
    }

    /**
     * Makes a failure that is shown in {@link TierState#cause()}.
     *
     * @param kind why not
     * @param why what led to it, such as that the server refused the password
     */
    public Failure(Kind kind, TierState.Cause why) {
      this(kind, why.toString(), why);
    }

    private Failure(Kind kind, String message, TierState.@Nullable Cause why) {
      super(message, null, false, false);
      this.kind = Objects.requireNonNull(kind, "kind must not be null");
      this.why = why;
    }

    /**
     * What led to it.
     *
     * @return null if nothing is known but the message
     */
    public TierState.@Nullable Cause why() {
      return why;
    }

    /**
     * Why the command was not carried out.
     *
     * @return the kind
     */
    public Kind kind() {
      return kind;
    }
  }
}
