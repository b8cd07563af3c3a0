/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.internal.costs;

/** What an average value costs in a tier, by how many of each type leave the primary. */
public final class Mean {
  private final int tier;
  private double weight;
  private double load;
  private double hit;
  private double encode;
  private double returns;
  private double shrinking;
  private double shrinkingWeight;

  Mean(int tier) {
    this.tier = tier;
  }

  void add(TypeCosts costs) {
    double of = costs.isLearnt() ? costs.count() : 0;
    weight += of;
    load += of * costs.load.or(0);
    hit += of * costs.hit[tier].or(0);
    encode += of * costs.encode[tier].or(0);
    returns += of * costs.chanceOfReturn();
    if (costs.before.or(0) > 0) {
      shrinkingWeight += of;
      shrinking += of * costs.after.or(0) / costs.before.or(1);
    }
  }

  boolean isKnown() {
    return weight > 0;
  }

  private double mean(double sum) {
    return weight > 0 ? sum / weight : 0;
  }

  public double loadNanos() {
    return mean(load);
  }

  public double hitNanos() {
    return mean(hit);
  }

  public double encodeNanos() {
    return mean(encode);
  }

  /** Chance that a value which leaves is asked for again in time. */
  public double chanceOfReturn() {
    return mean(returns);
  }

  /** What is left of a byte. */
  double shrinking(double unknown) {
    return shrinkingWeight > 0 ? shrinking / shrinkingWeight : unknown;
  }
}
