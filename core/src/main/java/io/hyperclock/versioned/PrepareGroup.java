/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.versioned;

/**
 * Prepares that are decided together: one compare-and-set commits or aborts all keys at once. From
 * that moment on every read of any of them finds the new value; before it, none does. Reads of two
 * keys are two moments: what is read first may be of before and what is read second of after, never
 * the other way round.
 *
 * <pre>{@code
 * PrepareGroup transfer = rows.newGroup();
 * boolean voted = false;
 * try {
 *   rows.prepare(table, from, debit, debit.length, PrepareMode.PLAIN, transfer).orThrow();
 *   rows.prepare(table, to, credit, credit.length, PrepareMode.PLAIN, transfer).orThrow();
 *   voted = true;
 * } finally {
 *   if (!voted) {
 *     transfer.abort();  // else the first key stays prepared until its lease ends
 *   }
 * }
 * if (transfer.commit() != Decision.OK) {  // else every read from here on finds the new rows
 *   log("not committed");  // STALE: a lease ended first; IN_PROGRESS: a prepare has not returned
 * }
 * }</pre>
 *
 * <p>If one prepare fails, abort the group: else the others stay until a lease ends.
 *
 * <p>Made by {@link VersionedCache#newGroup}. Thread-safe. When the lease of one prepare ends, the
 * whole group is aborted. Readers of its keys take the slower path of keys in doubt until the group
 * is decided, but those of keys that are not in doubt are answered.
 */
public interface PrepareGroup {
  /**
   * Commits all prepares of the group, then writes each of them into its slot.
   *
   * @return {@link Decision#OK}, also if it was committed before; {@link Decision#STALE} if it was
   *     aborted or its lease had ended; {@link Decision#IN_PROGRESS} if a prepare of the group has
   *     not returned yet
   */
  Decision commit();

  /**
   * Aborts all prepares of the group.
   *
   * @return {@link Decision#OK}, also if it was aborted before; {@link Decision#STALE} if it was
   *     committed or its lease had ended
   */
  Decision abort();
}
