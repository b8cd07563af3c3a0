/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.loading;

import io.hyperclock.BlockLoadException;
import io.hyperclock.CapacityExceededException;
import io.hyperclock.PinRequiredException;
import io.hyperclock.entry.Key128;
import java.util.Objects;

/** Turns what went wrong into the exception of one caller. */
final class LoadFailures {
  private LoadFailures() {}

  /** For a caller whose own loader threw; errors and unchecked exceptions pass as they are. */
  static RuntimeException forLeader(Throwable failure, Key128 key) {
    if (failure instanceof Error error) {
      throw error;
    }
    if (failure instanceof RuntimeException unchecked) {
      return unchecked;
    }
    if (failure instanceof InterruptedException) {
      Thread.currentThread().interrupt();
    }
    return loadFailed(failure, key);
  }

  /**
   * What the others get.
   *
   * @param loading whether the loader threw it, not the cache or the rules
   */
  static <V> SharedResult<V> shared(Throwable failure, boolean loading) {
    boolean needsPin = !loading && failure instanceof PinRequiredException;
    if (needsPin || failure instanceof InterruptedException) {
      return SharedResult.again();
    }
    try {
      return SharedResult.threw(failure, !loading);
    } catch (OutOfMemoryError e) {
      // They find out for themselves.
      return SharedResult.again();
    }
  }

  /** For a caller who waited: a new exception each. */
  static RuntimeException forWaiter(SharedResult<?> shared, Key128 key) {
    Throwable failure = Objects.requireNonNull(shared.failure());
    if (shared.isOfCache()) {
      if (failure instanceof CapacityExceededException) {
        CapacityExceededException exceeded = new CapacityExceededException(failure.getMessage());
        exceeded.initCause(failure);
        return exceeded;
      }
      if (failure instanceof PinRequiredException) {
        PinRequiredException required = new PinRequiredException(failure.getMessage());
        required.initCause(failure);
        return required;
      }
      if (failure instanceof IllegalStateException) {
        return new IllegalStateException(failure.getMessage(), failure);
      }
    }
    return loadFailed(failure, key);
  }

  static BlockLoadException loadFailed(Throwable failure, Key128 key) {
    return new BlockLoadException(
        "a load must not fail: keyHi="
            + key.hi()
            + ", keyLo="
            + key.lo()
            + ", failure="
            + failure.getClass().getName(),
        failure);
  }

  /** For a loader that asks for the key it is to load. */
  static IllegalStateException ownKey(Key128 key) {
    return new IllegalStateException(
        "a loader must not ask for its own key: keyHi=" + key.hi() + ", keyLo=" + key.lo());
  }
}
