/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.internal.adapter;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What is under way for one key. Guarded by the {@link InFlightTable}. */
final class InFlight {
  int writers;
  int promoting;
  @Nullable DemotionTask offer;

  /** The flight that lookups can join. */
  @Nullable TierRead flight;

  /** Flights that no lookup can join, if any. */
  private @Nullable Set<TierRead> apart;

  void addApart(TierRead flying) {
    Set<TierRead> more = apart == null ? new HashSet<>() : apart;
    more.add(flying);
    apart = more;
  }

  void removeApart(TierRead flying) {
    if (apart != null && apart.remove(flying) && apart.isEmpty()) {
      apart = null;
    }
  }

  Stream<TierRead> flights() {
    return Stream.concat(
        Stream.ofNullable(flight), apart == null ? Stream.of() : List.copyOf(apart).stream());
  }

  /** Ends the offer if no thread carries it out yet. */
  boolean takeOut(DemotionTask queued) {
    if (offer != queued || queued.state != DemotionTask.State.QUEUED) {
      return false;
    }
    queued.state = DemotionTask.State.ENDED;
    offer = null;
    return true;
  }

  /**
   * For a write that begins.
   *
   * @return a queued offer that is thereby cancelled, or null
   */
  @Nullable DemotionTask makeStale() {
    TierRead flying = flight;
    if (flying != null) {
      addApart(flying);
      flying.fresh = false;
      flight = null;
    }
    DemotionTask moving = offer;
    if (moving == null) {
      return null;
    }
    moving.stale = true;
    return takeOut(moving) ? moving : null;
  }

  boolean isIdle() {
    return writers == 0 && promoting == 0 && offer == null && flight == null && apart == null;
  }
}
