/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.shard;

import io.hyperclock.EntryAttributes;

/**
 * What a cache was told that sizes itself.
 *
 * @param initialEntries entries to have room for from the beginning, or 0 if unknown
 * @param forcedEvery writes of a shard from one change of its size to the next, for tests; 0 to
 *     change it when that is of use
 * @param loadCharge charge of what is loaded if neither loader nor codec knows one, for tests;
 *     {@link EntryAttributes#UNKNOWN_CHARGE} to refuse such loads
 */
public record AutomaticSizing(long initialEntries, int forcedEvery, long loadCharge) {
  /** Nothing is known. */
  public static final AutomaticSizing DEFAULT =
      new AutomaticSizing(0, 0, EntryAttributes.UNKNOWN_CHARGE);
}
