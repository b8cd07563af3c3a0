/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.sizing;

import io.hyperclock.EntryAttributes;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a cache that sizes itself.
 *
 * @param initialEntries entries to have room for from the beginning, or 0 if unknown
 * @param forced for tests, what makes the sizes of each shard; null to change it when that is of
 *     use
 * @param loadCharge charge of what is loaded if neither loader nor codec knows one, for tests;
 *     {@link EntryAttributes#UNKNOWN_CHARGE} to refuse such loads
 * @param executor allocates large tables
 */
public record AutomaticSizing(
    long initialEntries,
    @Nullable Supplier<ForcedSizes> forced,
    long loadCharge,
    Executor executor) {
  /** Nothing is known. */
  public static final AutomaticSizing DEFAULT =
      new AutomaticSizing(0, null, EntryAttributes.UNKNOWN_CHARGE, ForkJoinPool.commonPool());

  /** The same, with room for so many entries from the beginning. */
  public AutomaticSizing withInitialEntries(long entries) {
    return new AutomaticSizing(entries, forced, loadCharge, executor);
  }

  /** The same, with another executor. */
  public AutomaticSizing withExecutor(Executor other) {
    return new AutomaticSizing(initialEntries, forced, loadCharge, other);
  }
}
