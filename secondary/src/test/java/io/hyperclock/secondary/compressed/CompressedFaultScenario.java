/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.compressed;

import io.hyperclock.faults.FaultScenario;
import io.hyperclock.secondary.TierRequest;
import io.hyperclock.secondary.compression.Compression;
import io.hyperclock.secondary.testing.CountedValues;
import io.hyperclock.secondary.testing.TierTestLimits;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** An operation on a compressed tier; another thread uses the tier afterwards. */
final class CompressedFaultScenario implements FaultScenario {
  /** A piece of a scenario. */
  interface Step {
    void run(CompressedFaultScenario it);
  }

  private static final long CAPACITY = 1 << 20;
  private static final byte OLD = 1;
  private static final byte NEW = 2;

  private final CountedValues values = new CountedValues();
  private final CompressedSecondaryCache tier =
      CompressedSecondaryCache.builder()
          .capacityBytes(CAPACITY)
          .compression(Compression.NONE)
          .build();
  private final Step act;

  /** Whether the key may not have its old value any more. */
  private boolean outdated;

  CompressedFaultScenario(Step act) {
    this.act = act;
  }

  void put() {
    tier.insert(1, 1, new byte[] {NEW}, values.type, true);
    outdated = true;
  }

  void erase() {
    tier.erase(1, 1);
    outdated = true;
  }

  void lookup(boolean adviseErase) {
    values.given(tier.lookup(new TierRequest<>(1, 1, values.type, null, adviseErase)).join());
  }

  void shrink() {
    tier.setCapacity(CAPACITY / 2);
  }

  void deflate() {
    tier.deflate(CAPACITY / 2);
  }

  @Override
  public void arrange() {
    tier.insert(1, 1, new byte[] {OLD}, values.type, true);
  }

  @Override
  public void act() {
    act.run(this);
  }

  @Override
  public List<String> violations() throws Exception {
    List<String> found = new ArrayList<>();
    try {
      CompletableFuture.runAsync(() -> useIt(found), task -> new Thread(task).start())
          .get(TierTestLimits.SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      found.add("the tier is held up");
    }
    return found;
  }

  private void useIt(List<String> found) {
    byte[] old = values.given(tier.lookup(TierRequest.of(1, 1, values.type)).join());
    check(found, !outdated || old == null || old[0] != OLD, "the key has what it had before");
    tier.setCapacity(CAPACITY);
    check(found, tier.insert(2, 2, new byte[] {NEW}, values.type, true), "nothing is taken");
    check(
        found,
        values.given(tier.lookup(TierRequest.of(2, 2, values.type)).join()) != null,
        "what was taken is not found");
    tier.close();
    values.check(found);
  }

  private static void check(List<String> found, boolean holds, String otherwise) {
    if (!holds) {
      found.add(otherwise);
    }
  }
}
