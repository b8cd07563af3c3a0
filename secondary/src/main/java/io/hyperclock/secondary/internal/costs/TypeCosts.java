/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.internal.costs;

import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.IntStream;

/**
 * What the values of one entry type cost. Thread-safe.
 *
 * <p>Counts of evictions and returns are halved now and then, so that they tell of the present.
 */
final class TypeCosts {
  /** A type of which fewer evictions are known is moved like any other. */
  static final int LEARNT_AFTER = 64;

  /** Each time in vain makes the next chance rarer by half, up to here. */
  private static final int MOST_IN_VAIN = 5;

  /** So many hits that took less than a load show that a chance was not in vain. */
  private static final int PROOF = 16;

  final Average load = new Average();
  final Average[] hit;
  final Average[] encode;
  final Average before = new Average();
  final Average after = new Average();

  /** Sampled, and racy on purpose: a lost count is one of many. */
  private volatile long evictions;

  private volatile long returns;

  /** Tiers that are not asked at present, a bit each. */
  private volatile long passed;

  /** How often a tier was passed by since it last proved to pay. */
  private final AtomicIntegerArray passings;

  private final AtomicIntegerArray proofs;
  private final AtomicIntegerArray probes;

  TypeCosts(int tiers) {
    passings = new AtomicIntegerArray(tiers);
    proofs = new AtomicIntegerArray(tiers);
    probes = new AtomicIntegerArray(tiers);
    hit = IntStream.range(0, tiers).mapToObj(i -> new Average()).toArray(Average[]::new);
    encode = IntStream.range(0, tiers).mapToObj(i -> new Average()).toArray(Average[]::new);
  }

  void evicted() {
    long count = evictions + 1;
    evictions = count;
    if (count >= 32 * LEARNT_AFTER) {
      halve();
    }
  }

  void returned() {
    long count = returns;
    returns = count + 1;
  }

  private void halve() {
    evictions = evictions / 2;
    returns = returns / 2;
  }

  boolean isLearnt() {
    return evictions >= LEARNT_AFTER && load.isKnown();
  }

  /** Evictions that count, sampled. */
  long count() {
    return evictions;
  }

  /** How many of the values that leave are asked for again in time. */
  double chanceOfReturn() {
    return Math.min(1, (double) returns / Math.max(1, evictions));
  }

  /**
   * Whether a tier's hits cost more than loads. To be passed by they must cost an eighth more, to
   * be asked again an eighth less: in between it stays as it is.
   */
  boolean passesBy(int tier) {
    long hitNanos = hit[tier].or(0);
    long loadNanos = load.or(Long.MAX_VALUE / 2);
    long bit = 1L << tier;
    boolean now = (passed & bit) != 0;
    if (!now && hitNanos > loadNanos + loadNanos / 8) {
      passings.incrementAndGet(tier);
      proofs.set(tier, 0);
      passed |= bit;
      return true;
    }
    if (now && hitNanos < loadNanos - loadNanos / 8) {
      passed &= ~bit;
      return false;
    }
    return now;
  }

  /** A tier has given a value. */
  void hit(int tier, long nanos) {
    hit[tier].add(nanos);
    if (passings.get(tier) > 0
        && nanos < load.or(0)
        && (passed & 1L << tier) == 0
        && proofs.incrementAndGet(tier) >= PROOF) {
      passings.set(tier, 0);
    }
  }

  /**
   * A tier that is passed by was asked all the same. What is known of its hits fades, because one
   * that is not used has nothing to hit: in the end it gets a chance. Until it has filled, a chance
   * costs more than it tells, so that those in vain make the next ones rare.
   */
  void probed(int tier) {
    int inVain = Math.max(0, Math.min(passings.get(tier) - 1, MOST_IN_VAIN));
    if (probes.incrementAndGet(tier) % (1 << inVain) == 0) {
      hit[tier].fade();
    }
  }

  /** Whether the room that a value takes is hardly less than it had above. */
  boolean isIncompressible() {
    return before.isKnown() && 8 * after.or(0) > 7 * before.or(0);
  }

  /** Whether moving a value down saves more than it costs. */
  boolean isWorthMoving(int tier) {
    double saving = chanceOfReturn() * Math.max(0, load.or(0) - hit[tier].or(0));
    return saving > encode[tier].or(0);
  }
}
