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
  CLASSIC(ClassicClock.MAX_COUNTDOWN, 0) {
    @Override
    Replacement create(SlotProtocol slots, CapacityView capacity, int entries) {
      return new ClassicClock(slots);
    }
  },

  ADAPTIVE(AdaptiveClock.MAX_COUNTDOWN, AdaptiveClock.BYTES_PER_SLOT) {
    @Override
    Replacement create(SlotProtocol slots, CapacityView capacity, int entries) {
      return new AdaptiveClock(slots, capacity, entries);
    }
  };

  /** Largest countdown of an entry. */
  final int maxCountdown;

  /** What the policy keeps for each slot, beside it. */
  final int bytesPerSlot;

  PolicyFactory(int maxCountdown, int bytesPerSlot) {
    this.maxCountdown = maxCountdown;
    this.bytesPerSlot = bytesPerSlot;
  }

  /** The replacement of one table. */
  abstract Replacement create(SlotProtocol slots, CapacityView capacity, int entries);

  static PolicyFactory of(ReplacementPolicy policy) {
    return valueOf(policy.name());
  }
}
