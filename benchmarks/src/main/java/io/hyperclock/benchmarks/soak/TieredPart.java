/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.soak;

import io.hyperclock.BlockCache;
import io.hyperclock.BlockCacheBuilder;
import io.hyperclock.CapacityMode;
import io.hyperclock.Handle;
import io.hyperclock.ReplacementPolicy;
import io.hyperclock.SlotStorage;
import io.hyperclock.entry.EntryRole;
import io.hyperclock.entry.EntryType;
import io.hyperclock.secondary.AdmissionPolicy;
import io.hyperclock.secondary.SecondaryCache;
import io.hyperclock.secondary.TieredBlockCache;
import io.hyperclock.secondary.TieredBlockCacheBuilder;
import io.hyperclock.secondary.compressed.CompressedSecondaryCache;
import io.hyperclock.secondary.disk.DiskSecondaryCache;
import io.hyperclock.secondary.disk.FileDevice;
import io.hyperclock.secondary.remote.RemoteSecondaryCache;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Executor;

/** A cache with tiers below it: compressed, on disk, on a server, any of them in this order. */
final class TieredPart implements Part {
  /** High word of all keys. */
  private static final long HI = 99;

  private static final int AVERAGE_CHARGE = 2700;
  private static final int REGION_BYTES = 64 << 10;
  private static final int REGIONS = 32;

  final SoakBlocks blocks;
  final SoakFindings findings;
  final Counts counts;
  final Mishaps mishaps;
  final Space space;
  final EntryType<SoakBlock> countedType;
  final EntryType<SoakBlock> collectedType;
  private final long capacityBytes;
  private final boolean isShared;
  private final boolean hasDisk;
  private final String settings;
  private final TieredBlockCache<SoakBlock> built;
  private final TieredBlockCache<SoakBlock> cache;
  private final ThreadLocal<Boolean> inside = ThreadLocal.withInitial(() -> false);
  private volatile boolean closing;

  TieredPart(
      SplittableRandom random,
      int entries,
      DiskPlace place,
      Executor executor,
      SoakCaches caches,
      SoakFindings findings,
      Counts counts,
      Mishaps mishaps) {
    this.findings = findings;
    this.counts = counts;
    this.mishaps = mishaps;
    blocks = new SoakBlocks(findings, counts, mishaps);
    countedType =
        blocks.countedType(
            "freed", EntryRole.DATA_BLOCK, true, (hi, lo, block) -> callBack("disposer"));
    collectedType = blocks.collectedType("collected", EntryRole.INDEX_BLOCK, true);
    capacityBytes = Math.max(64, entries / 8) * (long) AVERAGE_CHARGE;
    CapacityMode mode = one(random, CapacityMode.values());
    AdmissionPolicy admission = one(random, AdmissionPolicy.values());
    boolean hasCompressed = random.nextBoolean();
    hasDisk = random.nextInt(3) != 0;
    boolean hasRemote = random.nextInt(3) == 0 || !hasCompressed && !hasDisk;
    if (!hasDisk || random.nextInt(4) == 0) {
      place.renew();
    }
    space = new Space(HI, place.versions());
    List<SecondaryCache> tiers = new ArrayList<>();
    if (hasCompressed) {
      tiers.add(compressed());
    }
    if (hasDisk) {
      tiers.add(disk(place));
    }
    if (hasRemote) {
      tiers.add(remote(executor));
    }
    BlockCacheBuilder<SoakBlock> primary =
        BlockCache.<SoakBlock>builder()
            .capacityBytes(capacityBytes)
            .capacityMode(mode)
            .storage(one(random, SlotStorage.values()))
            .replacementPolicy(one(random, ReplacementPolicy.values()))
            .defaultType(collectedType)
            .shards(1 + random.nextInt(2));
    if (random.nextBoolean()) {
      primary.estimatedEntryCharge(AVERAGE_CHARGE);
    }
    TieredBlockCacheBuilder<SoakBlock> builder =
        TieredBlockCache.builder(primary)
            .admission(admission)
            .handOffEntries(1 + random.nextInt(256))
            .evictionListener(
                (hi, lo, block, type, charge, wasHit) -> {
                  counts.evictions.increment();
                  callBack("listener");
                  return false;
                });
    isShared = hasCompressed && random.nextBoolean();
    if (isShared) {
      builder.totalCapacityBytes(capacityBytes * 2, 0.3);
    }
    for (SecondaryCache tier : tiers) {
      builder.tier(mishaps.on() ? new FlakyTier(tier, executor, mishaps) : tier);
    }
    built = builder.build();
    cache = caches.tiered(built);
    settings =
        "%s, %s, tiers=%s, one budget=%s"
            .formatted(
                mode, admission, tiers.stream().map(SecondaryCache::name).toList(), isShared);
  }

  /** Reads or erases a key inside of a callback, and throws at times. */
  private void callBack(String callback) {
    SplittableRandom random = mishaps.random();
    if (random.nextInt(16) == 0 && !inside.get() && !closing) {
      inside.set(true);
      try {
        useCache(random);
      } catch (IllegalStateException e) {
        if (!closing) {
          throw e;
        }
      } finally {
        inside.set(false);
      }
    }
    mishaps.throwOneIn(500, random, callback);
  }

  private void useCache(SplittableRandom random) {
    TieredBlockCache<SoakBlock> open = cache;
    if (open == null) {
      return;
    }
    int key = key(random);
    if (random.nextInt(4) == 0) {
      SoakVersions.Write write = space.versions.begin(key);
      try {
        open.erase(HI, Space.lo(key));
      } finally {
        space.versions.end(write, false);
      }
      return;
    }
    long floor = space.versions.floor(key);
    try (Handle<SoakBlock> handle = open.lookup(HI, Space.lo(key), type(key))) {
      String wrong = handle == null ? "" : space.wrong(key, floor, handle.value());
      if (!wrong.isEmpty()) {
        findings.report("inside of a callback " + wrong + ": " + handle);
      }
    }
  }

  private static <E> E one(SplittableRandom random, E[] all) {
    return all[random.nextInt(all.length)];
  }

  private SecondaryCache compressed() {
    return CompressedSecondaryCache.builder()
        .capacityBytes(capacityBytes)
        .estimatedEntryCharge(600)
        .build();
  }

  private SecondaryCache disk(DiskPlace place) {
    DiskSecondaryCache disk =
        DiskSecondaryCache.builder()
            .device(new FlakyDevice(FileDevice.open(place.directory()), mishaps))
            .capacityBytes((long) REGIONS * REGION_BYTES)
            .regionBytes(REGION_BYTES)
            .estimatedRecordBytes(512)
            .probeInterval(Duration.ofMillis(100))
            .build();
    if (disk.diskStats().warmStart()) {
      counts.warmStarts.increment();
    }
    return disk;
  }

  private SecondaryCache remote(Executor executor) {
    return RemoteSecondaryCache.builder()
        .store(new FlakyStore(executor, mishaps))
        .namespace("soak")
        .timeout(Duration.ofMillis(30))
        .probeInterval(Duration.ofMillis(100))
        .build();
  }

  TieredBlockCache<SoakBlock> cache() {
    return cache;
  }

  long capacityBytes() {
    return capacityBytes;
  }

  /** Whether cache and nearest tier have one budget. */
  boolean isShared() {
    return isShared;
  }

  /** Any key, some far more often than others. */
  int key(SplittableRandom random) {
    double skewed = random.nextDouble();
    return (int) (skewed * skewed * space.versions.keys());
  }

  EntryType<SoakBlock> type(int key) {
    return Space.isCounted(key) ? countedType : collectedType;
  }

  @Override
  public Session session(SoakWorker worker) {
    return new TieredSession(this, worker);
  }

  @Override
  public boolean isClosing() {
    return closing;
  }

  @Override
  public void close() {
    if (!closing) {
      closing = true;
      counts.closedInUse.increment();
    }
    cache.close();
  }

  @Override
  public String describe() {
    return "tiered: " + settings;
  }

  @Override
  public List<String> end(Patience patience) {
    List<String> wrong = new ArrayList<>();
    if (!closing) {
      BlockPart.require(
          wrong,
          patience.until(() -> BlockPart.isUnpinned(built.primary().monitor().stats())),
          "nothing must be pinned any more: " + built.primary().monitor().stats());
      BlockPart.requireWhole(wrong, built.primary(), patience);
    }
    closing = true;
    cache.close();
    BlockPart.require(
        wrong,
        patience.until(() -> blocks.liveCount() == 0),
        "all values must be freed: not freed="
            + blocks.liveCount()
            + ", among them "
            + blocks.someLive());
    BlockPart.requireWhole(wrong, built.primary(), patience);
    BlockPart.require(
        wrong,
        patience.until(() -> built.primary().monitor().scopeStats().openScopes() == 0),
        "open scopes must be 0: " + built.primary().monitor().scopeStats());
    return wrong;
  }
}
