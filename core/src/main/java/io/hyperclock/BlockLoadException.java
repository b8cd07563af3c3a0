/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock;

/**
 * Thrown to a caller who wanted a block loaded and did not get it. {@link #getCause()} tells why:
 *
 * <ul>
 *   <li>the checked exception that the caller's own loader threw; of a future any throwable of it,
 *       or the executor's {@link java.util.concurrent.RejectedExecutionException};
 *   <li>any throwable of the loader of another caller who was loading the same key;
 *   <li>{@link InterruptedException}: the thread was interrupted while it waited for another
 *       caller's load, which goes on, or its own loader threw it. The thread's interrupt flag is
 *       set.
 * </ul>
 *
 * <p>Each caller has an exception object of its own. The cache is unchanged; the next caller loads
 * again.
 */
public final class BlockLoadException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * Made by the cache.
   *
   * @param message rule and values
   * @param cause why there is no block
   */
  public BlockLoadException(String message, Throwable cause) {
    super(message, cause);
  }

  /**
   * Throws what the loader has thrown, if it was of the type given. Callers who waited for another
   * caller's load get this exception even for an unchecked one, so this is how all of them see the
   * same:
   *
   * <pre>{@code
   * try {
   *   return cache.get(hi, lo, loader);
   * } catch (BlockLoadException e) {
   *   throw e.throwIf(IOException.class).throwIf(RuntimeException.class);
   * }
   * }</pre>
   *
   * @param type type of what is thrown
   * @param <X> type of what is thrown
   * @return this, if the cause is none of that type
   * @throws X the cause
   */
  public <X extends Throwable> BlockLoadException throwIf(Class<X> type) throws X {
    if (type.isInstance(getCause())) {
      throw type.cast(getCause());
    }
    return this;
  }
}
