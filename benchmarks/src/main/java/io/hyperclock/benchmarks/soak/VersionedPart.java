/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.soak;

import io.hyperclock.CapacityMode;
import io.hyperclock.ReplacementPolicy;
import io.hyperclock.SlotStorage;
import io.hyperclock.versioned.VersionedCache;
import io.hyperclock.versioned.VersionedStats;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A cache of two versions of each key. Its clock is moved forward at random. */
final class VersionedPart implements Part {
  /** High word of all keys. */
  private static final long HI = 77;

  private static final int NAMESPACES = 4;
  private static final int CHARGE = 1000;
  private static final Duration LEASE = Duration.ofMillis(20);

  final SoakFindings findings;
  final Counts counts;
  final Mishaps mishaps;
  final Space space;

  private final AtomicLong clockAhead = new AtomicLong();
  private final String settings;
  private final VersionedCache<Proposal> built;
  private final VersionedCache<Proposal> cache;

  VersionedPart(
      SplittableRandom random,
      int entries,
      SoakCaches caches,
      SoakFindings findings,
      Counts counts,
      Mishaps mishaps) {
    this.findings = findings;
    this.counts = counts;
    this.mishaps = mishaps;
    space = new Space(HI, new SoakVersions(Math.max(4, entries / 2)));
    CapacityMode mode = CapacityMode.values()[random.nextInt(2)];
    SlotStorage storage = SlotStorage.values()[random.nextInt(2)];
    ReplacementPolicy policy = ReplacementPolicy.values()[random.nextInt(2)];
    int shards = 1 + random.nextInt(3);
    settings = "%s, slots %s, %s, shards=%d".formatted(mode, storage, policy, shards);
    built =
        VersionedCache.<Proposal>builder()
            .capacityBytes(Math.max(64, entries / 3) * (long) CHARGE)
            .estimatedEntryCharge(CHARGE)
            .capacityMode(mode)
            .storage(storage)
            .replacementPolicy(policy)
            .shards(shards)
            .maxPreparedShare(random.nextBoolean() ? 0.05 : 0.3)
            .lease(LEASE)
            .nanoClock(() -> System.nanoTime() + clockAhead.get())
            .namespaces(NAMESPACES, (hi, lo) -> Space.key(lo) % NAMESPACES)
            .build();
    cache = caches.versioned(built);
  }

  VersionedCache<Proposal> cache() {
    return cache;
  }

  /** Any key, some far more often than others. */
  int key(SplittableRandom random) {
    double skewed = random.nextDouble();
    return (int) (skewed * skewed * skewed * space.versions.keys());
  }

  /** Moves the clock forward by half of a lease. */
  void advanceClock() {
    clockAhead.addAndGet(LEASE.toNanos() / 2);
  }

  static int namespaces() {
    return NAMESPACES;
  }

  @Override
  public Session session(SoakWorker worker) {
    return new VersionedSession(this, worker);
  }

  @Override
  public boolean isClosing() {
    return false;
  }

  /** There is nothing to close. */
  @Override
  public void close() {}

  @Override
  public String describe() {
    return "versioned: " + settings;
  }

  @Override
  public List<String> end(Patience patience) {
    List<String> wrong = new ArrayList<>();
    advanceClock();
    advanceClock();
    advanceClock();
    built.expireLeases();
    VersionedStats stats = built.monitor().stats();
    BlockPart.require(
        wrong,
        stats.prepares() == 0 && stats.preparedBytes() == 0 && stats.inDoubt() == 0,
        "no prepare must outlive its lease: " + stats);
    BlockPart.require(
        wrong,
        stats.usageBytes() == stats.metadataBytes() + stats.itemBytes(),
        "usage must be that of slots and items: " + stats);
    long[] bytes = {0};
    Set<Long> seen = new HashSet<>();
    built
        .monitor()
        .forEach(
            (hi, lo, versions) -> {
              Proposal committed = versions.committed();
              BlockPart.require(wrong, seen.add(lo), "a key must be there once: lo=" + lo);
              if (committed != null) {
                bytes[0] += committed.chargeBytes();
                String damage = space.wrong(Space.key(lo), 0, committed.block());
                BlockPart.require(wrong, damage.isEmpty(), "the cache holds: " + damage);
              }
            });
    BlockPart.require(
        wrong,
        seen.size() == stats.items() && bytes[0] == stats.itemBytes(),
        "items must be what a visit finds: keys="
            + seen.size()
            + ", bytes="
            + bytes[0]
            + ", "
            + stats);
    return wrong;
  }
}
