/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.versioned;

/**
 * Stands for one prepare of one cache. Made by the cache only: another implementation is answered
 * with {@link Decision#STALE}, and so is the token of another cache. Keeps the prepared value
 * reachable.
 *
 * <pre>{@code
 * PrepareToken vote = rows.prepare(table, id, row, row.length, PrepareMode.PLAIN).orThrow();
 * Decision decision = rows.commit(vote);
 * }</pre>
 */
public interface PrepareToken {
  /**
   * High word of the prepared key.
   *
   * @return the word
   */
  long keyHi();

  /**
   * Low word of the prepared key.
   *
   * @return the word
   */
  long keyLo();

  /**
   * A number that no other prepare of this cache has.
   *
   * @return greater than 0, for logs
   */
  long id();
}
