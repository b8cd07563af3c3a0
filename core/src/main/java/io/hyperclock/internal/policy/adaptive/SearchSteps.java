/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.policy.adaptive;

import io.hyperclock.internal.policy.EvictableEntries;
import io.hyperclock.internal.policy.EvictionRequest;
import io.hyperclock.internal.slot.MetaWord;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What the parts of a {@link VictimSearch} share: how many slots it may still look at, and the
 * steps on an entry that it has found.
 */
final class SearchSteps {
  private final AdaptiveEntries clock;
  private final EvictionRequest request;

  /** Those of the table, from the first search on. */
  private @Nullable EvictableEntries residents;

  /** As of {@link EvictableEntries#deaths}, when the search began. */
  long deaths;

  private long epoch;

  /** Slots that may still be looked at. */
  int looks;

  private int least;
  private long leastMeta;

  SearchSteps(AdaptiveEntries clock, EvictionRequest request) {
    this.clock = clock;
    this.request = request;
  }

  /** A search begins that may look at so many slots. */
  void begin(EvictableEntries all, int most) {
    residents = all;
    deaths = all.deaths();
    epoch = clock.learned.epoch();
    looks = most;
    leastMeta = 0;
  }

  EvictableEntries residents() {
    return Objects.requireNonNull(residents);
  }

  /** Whether an entry without a handle is invisible, or dead. */
  boolean isUseless(int slot, long meta) {
    return !MetaWord.isVisible(meta) || deaths != 0 && residents().isDead(slot);
  }

  int frequency(long meta) {
    return PolicyBits.frequency(MetaWord.policy(meta), epoch);
  }

  /** Takes the use of an entry into its frequency, and notes the least frequent one. */
  void credit(int slot, long meta) {
    long credited = clock.creditUse(slot, meta);
    if (credited != 0 && (leastMeta == 0 || frequency(credited) < frequency(leastMeta))) {
      least = slot;
      leastMeta = credited;
    }
  }

  /** Takes the least frequent of the entries in use that were met, if there was one. */
  void evictLeastOfUsed() {
    if (leastMeta != 0) {
      evict(least, leastMeta);
    }
  }

  /**
   * Takes an entry and frees it.
   *
   * @return as of {@link AdaptiveEntries#evict}
   */
  long evict(int slot, long meta) {
    return clock.evict(slot, meta, residents(), request);
  }
}
