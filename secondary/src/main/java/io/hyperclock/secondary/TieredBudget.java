/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary;

import io.hyperclock.entry.EntryRole;
import io.hyperclock.reservation.MemoryBudget;
import io.hyperclock.reservation.ReservationManager;
import org.jspecify.annotations.Nullable;

/**
 * The budget that the primary and the nearest tier of a {@link TieredBlockCache} share, if it was
 * built with a total.
 *
 * <pre>{@code
 * cache.setTotalCapacityBytes(2L << 30);
 * cache.setSecondaryRatio(0.3);  // of the total, for the nearest tier
 * }</pre>
 *
 * <p>Every method throws {@link IllegalStateException} if there is no total.
 */
public interface TieredBudget extends MemoryBudget {
  /**
   * Changes the budget that the primary and the nearest tier share.
   *
   * @param totalBytes bytes, greater than 0
   * @throws IllegalStateException if the cache was built without a total budget
   */
  void setTotalCapacityBytes(long totalBytes);

  /**
   * Changes the share of the nearest tier in the budget.
   *
   * @param ratio in [0, 1]
   * @throws IllegalStateException if the cache was built without a total budget
   */
  void setSecondaryRatio(double ratio);

  /**
   * Takes a part of the budget for something else, from the primary and the nearest tier by their
   * ratio, in steps of 1 MiB. Never refused: what exceeds the total is {@link
   * TieredStats.Budget#overdraftBytes}. For memory that comes and goes use a {@link
   * ReservationManager} on this cache.
   *
   * @param bytes at least 0
   * @throws IllegalStateException if the cache was built without a total budget
   */
  void reserve(long bytes);

  /**
   * Gives back what {@link #reserve} took.
   *
   * @param bytes at least 0, and no more than is reserved so, with role {@link EntryRole#MISC}
   * @throws IllegalStateException if the cache was built without a total budget
   */
  void release(long bytes);

  /**
   * As {@link #reserve}, for a {@link ReservationManager} on the cache. A strict primary refuses
   * what it cannot give: more than the total, or more than its pinned entries leave.
   *
   * @param role what the memory is for; {@link TieredStats.Budget#reserved} has its sum
   * @param bytes at least 0
   * @return gives the part back; null if it was refused
   * @throws IllegalStateException if the cache was built without a total budget, or is closed
   */
  @Override
  @Nullable Runnable tryReserve(EntryRole role, long bytes);
}
