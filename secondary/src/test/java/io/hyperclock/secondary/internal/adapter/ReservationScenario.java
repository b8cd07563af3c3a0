/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.internal.adapter;

import io.hyperclock.BlockCache;
import io.hyperclock.CapacityMode;
import io.hyperclock.Handle;
import io.hyperclock.entry.EntryRole;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.Priority;
import io.hyperclock.faults.FaultScenario;
import io.hyperclock.reservation.ReservationManager;
import io.hyperclock.secondary.TieredBlockCache;
import io.hyperclock.secondary.TieredStats;
import io.hyperclock.secondary.testing.MapSecondaryCache;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** An operation on the budget of a cache and the tier below it. */
final class ReservationScenario implements FaultScenario {
  static final long MIB = 1 << 20;
  private static final long TOTAL = 16 * MIB;
  private static final long CHARGE = 64 << 10;
  private static final double RATIO = 0.25;

  /** Freed by hand: the bound of an eviction then needs memory. */
  private static final EntryType<byte[]> TYPE =
      EntryType.<byte[]>named("freed by hand").disposer((hi, lo, value) -> {}).build();

  /** A piece of a scenario. */
  interface Step {
    void run(ReservationScenario it);
  }

  private final MapSecondaryCache tier = new MapSecondaryCache(0);
  private final Step arrange;
  private final Step act;
  private final List<Handle<byte[]>> pins = new ArrayList<>();
  final TieredCache<byte[]> cache;
  final ReservationManager manager;

  /** Held by the caller, who gives it back by hand. */
  Runnable part;

  /** What is reserved by {@code reserve}: less than a step, so that one byte more moves nothing. */
  private long reserved = 1;

  private boolean isAltered;

  ReservationScenario(boolean strict, Step arrange, Step act) {
    this.arrange = arrange;
    this.act = act;
    cache =
        (TieredCache<byte[]>)
            TieredBlockCache.builder(
                    BlockCache.<byte[]>builder()
                        .capacityBytes(TOTAL)
                        .estimatedEntryCharge(CHARGE)
                        .shards(1)
                        .capacityMode(strict ? CapacityMode.STRICT : CapacityMode.NON_STRICT))
                .tier(tier)
                .totalCapacityBytes(TOTAL, RATIO)
                .executor(Runnable::run)
                .build();
    manager = ReservationManager.of(cache, EntryRole.WRITE_BUFFER);
  }

  void pin(int entries) {
    for (int i = 0; i < entries; i++) {
      pins.add(cache.insertPinned(1, i, new byte[0], TYPE, CHARGE, Priority.LOW));
    }
  }

  void takePart() {
    part = cache.tryReserve(EntryRole.TABLE_READER, 2 * MIB);
  }

  void givePartBack() {
    part.run();
    part = null;
  }

  void reserve() {
    cache.reserve(2 * MIB);
    reserved += 2 * MIB;
  }

  void release() {
    cache.release(2 * MIB);
    reserved -= 2 * MIB;
  }

  /** Sets the whole or the ratio: if that throws, it is not known which is in force. */
  void alter(Step change) {
    isAltered = true;
    change.run(this);
  }

  /** On another thread, as if this one had never used the cache. */
  @Override
  public void arrange() {
    CompletableFuture.runAsync(
            () -> {
              pin(4);
              cache.reserve(reserved);
              arrange.run(this);
            },
            task -> new Thread(task).start())
        .join();
  }

  @Override
  public void act() {
    act.run(this);
  }

  @Override
  public List<String> violations() {
    List<String> found = new ArrayList<>();
    TierScenario.check(found, !cache.bounds.isNested(), "an operation goes on");
    expect(found, EntryRole.WRITE_BUFFER, manager.reservedBytes());
    expect(found, EntryRole.TABLE_READER, part == null ? 0 : 2 * MIB);
    expect(found, EntryRole.MISC, reserved);
    cache.reserve(1); // Within a step.
    cache.release(1);
    checkCapacity(found, "after the next change");
    if (isAltered) {
      cache.setTotalCapacityBytes(TOTAL);
    }
    cache.setSecondaryRatio(RATIO);
    TierScenario.check(
        found,
        tier.stats().capacityBytes() == cache.stats().budget().belowBytes(),
        "the tier has " + tier.stats().capacityBytes());
    pins.forEach(Handle::close);
    manager.close();
    if (part != null) {
      part.run();
    }
    cache.release(Math.min(reserved, cache.stats().budget().reservedBytes()));
    TierScenario.check(
        found, cache.stats().budget().reservedBytes() == 0, "something stays reserved");
    checkCapacity(found, "in the end");
    cache.close();
    return found;
  }

  private void expect(List<String> found, EntryRole role, long bytes) {
    long is = cache.stats().budget().reserved().getOrDefault(role, 0L);
    TierScenario.check(found, is == bytes, role + " has " + is + " instead of " + bytes);
  }

  private void checkCapacity(List<String> found, String when) {
    TieredStats.Budget budget = cache.stats().budget();
    long capacity = cache.primary().monitor().capacityBytes();
    TierScenario.check(
        found, capacity == budget.primaryBytes(), when + " the primary has " + capacity);
  }
}
