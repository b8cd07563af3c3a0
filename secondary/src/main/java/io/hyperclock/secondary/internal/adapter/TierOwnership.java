/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.internal.adapter;

import io.hyperclock.secondary.SecondaryCache;
import io.hyperclock.secondary.TierState;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;

/**
 * Which tiers belong to a cache. A cache closes its tiers, so one that has served a cache never
 * serves another.
 */
public final class TierOwnership {
  private static final List<WeakReference<SecondaryCache>> OWNED = new ArrayList<>();

  private TierOwnership() {}

  /**
   * Makes all the tiers those of one cache, or none of them.
   *
   * @throws IllegalStateException if one belongs to a cache already, or is closed
   */
  public static void claim(List<SecondaryCache> tiers) {
    tiers.forEach(TierOwnership::requireOpen);
    synchronized (OWNED) {
      OWNED.removeIf(owned -> owned.refersTo(null));
      tiers.forEach(TierOwnership::requireFree);
      tiers.forEach(tier -> OWNED.add(new WeakReference<>(tier)));
    }
  }

  /** Takes the tiers back from a cache that could not be built. */
  public static void release(List<SecondaryCache> tiers) {
    synchronized (OWNED) {
      OWNED.removeIf(owned -> tiers.stream().anyMatch(owned::refersTo));
    }
  }

  private static void requireFree(SecondaryCache tier) {
    if (OWNED.stream().anyMatch(owned -> owned.refersTo(tier))) {
      throw new IllegalStateException("a tier must serve one cache only: tier=" + tier.name());
    }
  }

  private static void requireOpen(SecondaryCache tier) {
    if (isClosed(tier)) {
      throw new IllegalStateException("a tier must be open: tier=" + tier.name());
    }
  }

  /** False also of one that cannot tell: a broken tier costs misses. */
  private static boolean isClosed(SecondaryCache tier) {
    try {
      return tier.state().mode() == TierState.Mode.CLOSED;
    } catch (Throwable broken) {
      return false;
    }
  }
}
