/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.shard;

/** The hands of all shards that search for blocks of dropped files. */
record PurgeHands(Shard[] shards) implements DroppedFiles.Hands {
  @Override
  public int count() {
    return shards.length;
  }

  @Override
  public long passed(int hand) {
    return shards[hand].replacement().searchedForDead();
  }

  @Override
  public long turn(int hand) {
    return shards[hand].store().slots();
  }
}
