/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.soak;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A value of a cache of two versions: what it is, and how far its decision has come. */
final class Proposal {
  /** How far the decision about a prepared version has come. */
  enum State {
    /** Not to be read as committed. */
    PREPARED,
    /** May be read as committed, or not. */
    BEING_COMMITTED,
    /** May be read as committed. */
    COMMITTED,
    /** Never to be read as committed. */
    UNDONE
  }

  /**
   * Another key that is committed at the same moment.
   *
   * @param key the key
   * @param version oldest version that may be read of it by who has read this value
   */
  record Partner(int key, long version) {}

  private final SoakBlock block;
  private final AtomicReference<State> state;
  private volatile @Nullable Partner partner;

  Proposal(SoakBlock block, State state) {
    this.block = block;
    this.state = new AtomicReference<>(state);
  }

  SoakBlock block() {
    return block;
  }

  long chargeBytes() {
    return SoakBlocks.chargeBytes(block);
  }

  State state() {
    return state.get();
  }

  void state(State next) {
    state.set(next);
  }

  @Nullable Partner partner() {
    return partner;
  }

  void partner(Partner other) {
    partner = other;
  }

  @Override
  public String toString() {
    return block + ", " + state;
  }
}
