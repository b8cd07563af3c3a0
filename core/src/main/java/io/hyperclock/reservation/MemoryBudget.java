/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.reservation;

import io.hyperclock.entry.EntryRole;
import org.jspecify.annotations.Nullable;

/**
 * Memory that several parties share, and of which a {@link ReservationManager} takes a part. A
 * cache with tiers is one, if it was built with a total:
 *
 * <pre>{@code
 * ReservationManager buffers = ReservationManager.of(tieredCache, EntryRole.WRITE_BUFFER);
 * }</pre>
 *
 * <p>The implementation MUST be thread-safe, and must not hold a lock that its callers need while
 * it makes room.
 */
@FunctionalInterface
public interface MemoryBudget {
  /**
   * Takes a part of the budget; what shares it shrinks before this method returns, as far as it
   * can.
   *
   * @param role what the memory is for
   * @param bytes how much, in [0, {@link io.hyperclock.BlockCache#MAX_CHARGE_BYTES}]; a new manager
   *     takes 0 and gives it back
   * @return gives the part back, to be called once, by any thread, also after the budget was
   *     closed; null if the budget refuses, and then nothing is taken
   * @throws IllegalStateException if the budget is closed
   */
  @Nullable Runnable tryReserve(EntryRole role, long bytes);
}
