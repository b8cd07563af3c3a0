/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.sizing;

import io.hyperclock.ReplacementPolicy;
import io.hyperclock.internal.policy.CapacityView;
import io.hyperclock.internal.policy.ClassicClock;
import io.hyperclock.internal.policy.Replacement;
import io.hyperclock.internal.policy.adaptive.AdaptiveClock;
import io.hyperclock.internal.slot.SlotProtocol;

/** One row for each {@link ReplacementPolicy}, of the same name: what a table has to know of it. */
enum PolicyFactory {
  CLASSIC(ClassicClock.MAX_COUNTDOWN, 0, 0) {
    @Override
    Replacement create(SlotProtocol slots, CapacityView capacity, int entries) {
      return new ClassicClock(slots);
    }
  },

  ADAPTIVE(AdaptiveClock.MAX_COUNTDOWN, AdaptiveClock.BYTES_PER_SLOT, AdaptiveClock.MIN_ENTRIES) {
    @Override
    Replacement create(SlotProtocol slots, CapacityView capacity, int entries) {
      return new AdaptiveClock(slots, capacity, entries);
    }
  };

  /** Largest countdown of an entry. */
  final int maxCountdown;

  /** What the policy keeps for each slot, beside it. */
  final int bytesPerSlot;

  private final int minEntries;

  PolicyFactory(int maxCountdown, int bytesPerSlot, int minEntries) {
    this.maxCountdown = maxCountdown;
    this.bytesPerSlot = bytesPerSlot;
    this.minEntries = minEntries;
  }

  /** The replacement of one table. */
  abstract Replacement create(SlotProtocol slots, CapacityView capacity, int entries);

  static PolicyFactory of(ReplacementPolicy policy) {
    return valueOf(policy.name());
  }

  /** That of a table: a policy that needs more entries gives way to the classic one. */
  static PolicyFactory of(ReplacementPolicy policy, int entries) {
    PolicyFactory wanted = of(policy);
    return entries < wanted.minEntries ? CLASSIC : wanted;
  }
}
