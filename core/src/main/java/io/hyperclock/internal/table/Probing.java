/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.table;

/**
 * Where the entries of a key may lie: its hash, home slot and the order in which slots are probed.
 * Immutable.
 */
public abstract class Probing {
  /** Number of slots. */
  final int slots;

  Probing(int slots) {
    this.slots = slots;
  }

  /** Number of slots. */
  public final int slots() {
    return slots;
  }

  /** What tells the two slots of a pair apart: 1, or 0 where there are no pairs. */
  public abstract int pair();

  /** Hash of a key, for the other methods. */
  public abstract long hash(long hi, long lo);

  /** Shard of a hash. */
  public abstract int shard(long hash, int shards);

  /** First slot to probe. */
  public abstract int home(long hash, long hi, long lo);

  /** Distance for {@link #next}. */
  public abstract int increment(long hash);

  /** Slot to probe after {@code slot}, which was the {@code step}-th from 0. */
  public abstract int next(int slot, int increment, int step);

  /** Third slot of a path: where there are pairs, the first of the next one. */
  public final int third(int home, long hash) {
    int increment = increment(hash);
    return next(next(home, increment, 0), increment, 1);
  }

  /** The slot one increment further. */
  final int step(int slot, int increment) {
    int next = slot + increment;
    return next >= slots ? next - slots : next;
  }
}
