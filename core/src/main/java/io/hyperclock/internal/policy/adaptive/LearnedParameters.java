/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.policy.adaptive;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * What the {@linkplain AdmissionDuels duels} have taught, for everybody to read: a score for each
 * class of difference in frequency, the share of the probation, and the epoch; and what newcomers
 * are like: how many return, and how much they differ in size. Each number stands alone, and a
 * stale one costs nothing. Any thread that inserts writes what newcomers are like; the duels write
 * the rest, those of one table one thread at a time, but two tables share the object while one
 * takes the place of the other. Of two changes to a number at once one is lost: it is one vote of
 * many.
 */
final class LearnedParameters {
  /** Differences of frequency beyond this count as this. */
  static final int MAX_DIFFERENCE = 3;

  private static final int CLASSES = 2 * MAX_DIFFERENCE + 1;

  /** So far from 0 that chance seldom brings a score back over it, see {@link AdmissionDuels}. */
  private static final int MAX_SCORE = 24;

  private static final int START_BEHIND = -4;
  private static final int START_AHEAD = 4;

  private static final int EPOCH = 0;
  private static final int PROBATION_HALVES = 1;
  private static final int TURNS = 2;
  private static final int RETURNING = 3;
  private static final int SPREAD = 4;
  private static final int LARGEST = 5;
  private static final int MAY_STAY = 6;
  private static final int FIRST_SCORE = 7;

  /** Share of the keys that return: of how many, and over how many it is a mean. */
  private static final int ALL_RETURN = 4096;

  private static final int RETURN_SHIFT = 6;
  private static final int SOME_RETURN = ALL_RETURN / 32;

  /** Newcomers over which their mean difference in size is taken. */
  private static final int SPREAD_NEWCOMERS = 16;

  /** It is kept in sixteenths. */
  private static final int SPREAD_PARTS = 16;

  /** After so many newcomers a third of the largest weight is left. */
  private static final int LARGEST_NEWCOMERS = 1024;

  private static final double MIN_PROBATION = 0.02;
  private static final double MAX_PROBATION = 0.25;

  private final AtomicLongArray figures = new AtomicLongArray(FIRST_SCORE + CLASSES);

  LearnedParameters() {
    set(RETURNING, ALL_RETURN);
    set(MAY_STAY, 1);
    for (int difference = -MAX_DIFFERENCE; difference <= MAX_DIFFERENCE; difference++) {
      set(FIRST_SCORE + MAX_DIFFERENCE + difference, difference > 0 ? START_AHEAD : START_BEHIND);
    }
  }

  private long get(int figure) {
    // Opaque: a stale number makes one decision by the value of a moment ago.
    return figures.getOpaque(figure);
  }

  private void set(int figure, long value) {
    if (get(figure) != value) {
      // Opaque: as get.
      figures.setOpaque(figure, value);
    }
  }

  static int clamped(int difference) {
    return Math.max(-MAX_DIFFERENCE, Math.min(MAX_DIFFERENCE, difference));
  }

  /** Positive if candidates whose frequency differs by this from the victim's should stay. */
  int score(int difference) {
    return (int) get(FIRST_SCORE + MAX_DIFFERENCE + difference);
  }

  /** Whether a candidate may stay at all, by some difference in frequency. */
  boolean mayCandidatesStay() {
    // Inserts ask for each candidate, so the answer is kept.
    return get(MAY_STAY) != 0;
  }

  void vote(int difference, int votes) {
    int score = score(difference) + votes;
    set(
        FIRST_SCORE + MAX_DIFFERENCE + difference,
        Math.max(-MAX_SCORE, Math.min(MAX_SCORE, score)));
    set(MAY_STAY, isAnyScorePositive() ? 1 : 0);
  }

  private boolean isAnyScorePositive() {
    for (int difference = MAX_DIFFERENCE; difference >= -MAX_DIFFERENCE; difference--) {
      if (score(difference) > 0) {
        return true;
      }
    }
    return false;
  }

  /** Share of the probation in half entries. */
  long probationHalves(long entries) {
    long least = Math.max(2, (long) (2 * MIN_PROBATION * entries));
    long most = (long) (2 * MAX_PROBATION * entries);
    return Math.max(least, Math.min(most, get(PROBATION_HALVES)));
  }

  void resizeProbation(int halves, long entries) {
    set(PROBATION_HALVES, probationHalves(entries) + halves);
  }

  long epoch() {
    return get(EPOCH);
  }

  void nextEpoch() {
    set(EPOCH, epoch() + 1);
  }

  /** Turns of the duels so far: what time is here. */
  long turns() {
    return get(TURNS);
  }

  void nextTurn() {
    set(TURNS, turns() + 1);
  }

  /** A key of the sample has come, for the first time in a while or again. */
  void came(boolean again) {
    long returning = get(RETURNING);
    set(RETURNING, returning + ((again ? ALL_RETURN : 0) - returning >> RETURN_SHIFT));
  }

  /** Whether so many keys come again that it is worth remembering all, not only the sample. */
  boolean doKeysReturn() {
    return get(RETURNING) >= SOME_RETURN;
  }

  /**
   * Entries have come.
   *
   * @param differences sum of what their weights differ from the average
   * @param weight of the largest
   */
  void sizes(int newcomers, long differences, long weight) {
    long spread = get(SPREAD);
    long mean = differences * SPREAD_PARTS / newcomers;
    set(SPREAD, spread + (mean - spread) / Math.max(1, SPREAD_NEWCOMERS / newcomers));
    long largest = get(LARGEST);
    // At least one, so that small weights are forgotten, too.
    long lost = Math.max(1, largest / Math.max(1, LARGEST_NEWCOMERS / newcomers));
    set(LARGEST, Math.max(weight, largest - lost));
  }

  /** So many times the mean difference of a newcomer's weight from the average. */
  long spreads(int count) {
    return count * get(SPREAD) / SPREAD_PARTS;
  }

  /** Weight of the largest newcomer of late. */
  long largest() {
    return get(LARGEST);
  }
}
