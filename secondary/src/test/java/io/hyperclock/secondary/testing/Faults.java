/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.testing;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How often a {@link FaultySecondaryCache} does what. Each share is in [0, 1] of the calls it
 * applies to; the first of the lookup faults that strikes hides the others.
 *
 * @param fail lookups that miss with {@code UNAVAILABLE}
 * @param corrupt lookups that miss with {@code CORRUPT}
 * @param stall lookups that read at once but answer later
 * @param stallFor when they answer; null: when they are released or the tier is closed
 * @param decline inserts that are declined
 * @param forget inserts that are said to be accepted, but nothing is kept
 * @param lie hits that say the opposite of whether the value was kept
 * @param ignoreAdvice lookups whose advice to erase is not followed
 */
public record Faults(
    double fail,
    double corrupt,
    double stall,
    @Nullable Duration stallFor,
    double decline,
    double forget,
    double lie,
    double ignoreAdvice) {
  /** Does what it should. */
  public static final Faults NONE = new Faults(0, 0, 0, null, 0, 0, 0, 0);

  /** All kinds at once, stalls for a time. */
  public static Faults all(double share, Duration stallFor) {
    return new Faults(share, share, share, stallFor, share, share, share, share);
  }

  /** The same with another share of failing lookups. */
  public Faults withFail(double share) {
    return new Faults(share, corrupt, stall, stallFor, decline, forget, lie, ignoreAdvice);
  }

  /** The same with another share of corrupt records. */
  public Faults withCorrupt(double share) {
    return new Faults(fail, share, stall, stallFor, decline, forget, lie, ignoreAdvice);
  }

  /** The same with lookups that wait until they are released. */
  public Faults withStall(double share) {
    return new Faults(fail, corrupt, share, null, decline, forget, lie, ignoreAdvice);
  }

  /** The same with lookups that answer after a time. */
  public Faults withStall(double share, Duration time) {
    return new Faults(fail, corrupt, share, time, decline, forget, lie, ignoreAdvice);
  }

  /** The same with another share of declined inserts. */
  public Faults withDecline(double share) {
    return new Faults(fail, corrupt, stall, stallFor, share, forget, lie, ignoreAdvice);
  }

  /** The same with another share of forgotten inserts. */
  public Faults withForget(double share) {
    return new Faults(fail, corrupt, stall, stallFor, decline, share, lie, ignoreAdvice);
  }

  /** The same with another share of lies about what was kept. */
  public Faults withLie(double share) {
    return new Faults(fail, corrupt, stall, stallFor, decline, forget, share, ignoreAdvice);
  }

  /** The same with another share of ignored advice. */
  public Faults withIgnoreAdvice(double share) {
    return new Faults(fail, corrupt, stall, stallFor, decline, forget, lie, share);
  }
}
