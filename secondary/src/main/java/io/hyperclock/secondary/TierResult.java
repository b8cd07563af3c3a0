/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a lookup in a tier gave: a value, owned by the caller, or the reason why there is none.
 *
 * @param value the value, null unless {@code outcome} is {@link TierOutcome#HIT}
 * @param chargeBytes bytes of memory the value occupies, 0 for a miss
 * @param kept whether the tier still holds the value, so that it need not be offered again; false
 *     for a miss
 * @param outcome hit, or reason of the miss
 * @param <V> type of the value
 */
public record TierResult<V>(
    @Nullable V value, long chargeBytes, boolean kept, TierOutcome outcome) {

  /** By reason, made before: where memory ends a lookup must still be ended with a miss. */
  private static final @Nullable TierResult<?>[] MISSES = misses();

  private static @Nullable TierResult<?>[] misses() {
    TierOutcome[] reasons = TierOutcome.values();
    TierResult<?>[] misses = new TierResult<?>[reasons.length];
    for (TierOutcome reason : reasons) {
      if (reason != TierOutcome.HIT) {
        misses[reason.ordinal()] = new TierResult<>(null, 0, false, reason);
      }
    }
    return misses;
  }

  /**
   * Checks that the parts agree.
   *
   * @throws IllegalArgumentException if a hit has no value, a miss has one, or the charge is
   *     negative
   */
  public TierResult {
    Objects.requireNonNull(outcome, "outcome must not be null");
    boolean hit = outcome == TierOutcome.HIT;
    if (hit != (value != null)) {
      throw new IllegalArgumentException("only a hit must have a value: outcome=" + outcome);
    }
    if (chargeBytes < 0 || !hit && (chargeBytes > 0 || kept)) {
      throw new IllegalArgumentException(
          "chargeBytes must be >= 0, a miss must have no charge and not be kept: outcome="
              + outcome
              + ", chargeBytes="
              + chargeBytes
              + ", kept="
              + kept);
    }
  }

  /**
   * A hit.
   *
   * @param value the value, handed over to the caller
   * @param chargeBytes bytes of memory it occupies
   * @param kept whether the tier still holds it
   * @param <V> type of the value
   * @return a new result
   */
  public static <V> TierResult<V> hit(V value, long chargeBytes, boolean kept) {
    return new TierResult<>(value, chargeBytes, kept, TierOutcome.HIT);
  }

  /**
   * A miss. Takes no memory.
   *
   * @param reason anything but {@link TierOutcome#HIT}
   * @param <V> type of the value
   * @return the result of this reason
   */
  @SuppressWarnings("unchecked")
  public static <V> TierResult<V> miss(TierOutcome reason) {
    Objects.requireNonNull(reason, "outcome must not be null");
    TierResult<?> miss = MISSES[reason.ordinal()];
    return miss == null ? new TierResult<>(null, 0, false, reason) : (TierResult<V>) miss;
  }

  /**
   * Whether there is a value.
   *
   * @return whether {@code outcome} is {@link TierOutcome#HIT}
   */
  public boolean isHit() {
    return outcome == TierOutcome.HIT;
  }
}
