/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.soak;

import io.hyperclock.BlockCache;
import io.hyperclock.BlockCacheBuilder;
import io.hyperclock.CapacityMode;
import io.hyperclock.LeakDetection;
import io.hyperclock.MetadataCharge;
import io.hyperclock.ReplacementPolicy;
import io.hyperclock.SlotStorage;
import io.hyperclock.entry.EntryRole;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.FileKey;
import io.hyperclock.internal.cache.InvariantsChecker;
import io.hyperclock.stats.CacheStats;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * A block cache with values of both kinds: those that a disposer frees and those of the collector.
 */
final class BlockPart implements Part {
  private static final int FILES = 6;

  /** Files of this part that only callbacks write. */
  private static final long CALLBACK_FILE = -7;

  private static final int AVERAGE_CHARGE = 2700;

  final SoakBlocks blocks;
  final SoakFindings findings;
  final Counts counts;
  final Mishaps mishaps;
  final Executor executor;

  /** Handles that one thread has taken and another closes. */
  final Queue<Held> parcels = new ConcurrentLinkedQueue<>();

  final List<EntryType<SoakBlock>> countedTypes;
  final EntryType<SoakBlock> collectedType;
  private final AtomicReferenceArray<Space> files = new AtomicReferenceArray<>(FILES);

  /** Written by the constructor, then guarded by this. */
  private final FileKey[] fileKeys = new FileKey[FILES];

  private long opened;
  private final boolean withLoads;
  private final int keysPerFile;
  private final long capacityBytes;
  private final String settings;
  private final BlockCache<SoakBlock> built;
  private final boolean sizesItself;
  private final BlockCache<SoakBlock> cache;
  private volatile boolean closing;

  BlockPart(
      SplittableRandom random,
      int entries,
      boolean withLoads,
      Executor executor,
      SoakCaches caches,
      SoakFindings findings,
      Counts counts,
      Mishaps mishaps) {
    this.withLoads = withLoads;
    this.executor = executor;
    this.findings = findings;
    this.counts = counts;
    this.mishaps = mishaps;
    this.blocks = new SoakBlocks(findings, counts, mishaps);
    this.keysPerFile = Math.max(3, entries * 3 / 2 / FILES);
    Callbacks callbacks = new Callbacks(this, CALLBACK_FILE);
    countedTypes =
        List.of(
            blocks.countedType("freed data", EntryRole.DATA_BLOCK, false, callbacks),
            blocks.countedType("freed index", EntryRole.INDEX_BLOCK, false, callbacks));
    collectedType = blocks.collectedType("collected", EntryRole.FILTER_BLOCK, false);
    capacityBytes = (long) entries * AVERAGE_CHARGE;
    CapacityMode mode = one(random, CapacityMode.values());
    SlotStorage storage = one(random, SlotStorage.values());
    ReplacementPolicy policy = one(random, ReplacementPolicy.values());
    int shards = 1 + random.nextInt(3);
    sizesItself = random.nextBoolean();
    settings =
        "%s, slots %s, %s, shards=%d, %s"
            .formatted(mode, storage, policy, shards, sizesItself ? "automatic" : "fixed size");
    BlockCacheBuilder<SoakBlock> builder =
        BlockCache.<SoakBlock>builder()
            .capacityBytes(capacityBytes)
            .capacityMode(mode)
            .storage(storage)
            .replacementPolicy(policy)
            .metadataCharge(one(random, MetadataCharge.values()))
            .shards(shards)
            .evictionEffortCap(1 + random.nextInt(30))
            .recordHits(random.nextBoolean())
            .leakDetection(random.nextInt(4) == 0 ? LeakDetection.sampled(16) : LeakDetection.off())
            .defaultType(collectedType)
            .observer(callbacks)
            .evictionListener(callbacks);
    built = (sizesItself ? builder : builder.estimatedEntryCharge(AVERAGE_CHARGE)).build();
    cache = caches.blocks(built);
    for (int i = 0; i < FILES; i++) {
      files.set(i, openFile(i));
    }
  }

  private static <E> E one(SplittableRandom random, E[] all) {
    return all[random.nextInt(all.length)];
  }

  private Space openFile(int index) {
    fileKeys[index] = built.fileKeys().open("file", opened++);
    return new Space(fileKeys[index].hi(), new SoakVersions(keysPerFile));
  }

  BlockCache<SoakBlock> cache() {
    return cache;
  }

  long capacityBytes() {
    return capacityBytes;
  }

  /** Whether the number of slots changes. */
  boolean sizesItself() {
    return sizesItself;
  }

  /** Any file. */
  Space file(SplittableRandom random) {
    return files.get(random.nextInt(FILES));
  }

  /** Any key of a file, some far more often than others. */
  int key(SplittableRandom random) {
    double skewed = random.nextDouble();
    return (int) (skewed * skewed * skewed * keysPerFile);
  }

  /** Drops a file and opens another one in its place. */
  synchronized void dropFile(SplittableRandom random) {
    int index = random.nextInt(FILES);
    if (!cache.fileKeys().drop(fileKeys[index])) {
      findings.report("a file that is open must be dropped: file=" + fileKeys[index]);
    }
    files.set(index, openFile(index));
  }

  /** Type of the values of a key. */
  EntryType<SoakBlock> type(int key) {
    return Space.isCounted(key) ? countedTypes.get(key % 2) : collectedType;
  }

  @Override
  public Session session(SoakWorker worker) {
    return new BlockSession(this, worker, withLoads);
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
    return "blocks: " + settings;
  }

  @Override
  public List<String> end(Patience patience) {
    for (Held held = parcels.poll(); held != null; held = parcels.poll()) {
      held.handle().close();
    }
    List<String> wrong = new ArrayList<>();
    require(
        wrong,
        patience.until(() -> built.monitor().loadStats().underWay() == 0),
        "loads under way must be 0: " + built.monitor().loadStats());
    require(
        wrong,
        patience.until(
            () ->
                built.monitor().scopeStats().openScopes() == 0
                    && built.monitor().scopeStats().retiredValues() == 0),
        "open scopes and retired values must be 0: " + built.monitor().scopeStats());
    if (!closing) {
      counts.resizes.add(built.monitor().stats().resizes());
      // A thread that has delivered a load may still have to close a handle that nobody took.
      require(
          wrong,
          patience.until(() -> isUnpinned(built.monitor().stats())),
          "nothing must be pinned any more: " + built.monitor().stats());
      requireWhole(wrong, built, patience);
      built
          .monitor()
          .forEachEntry((hi, lo, block, type, charge) -> checkVisited(hi, lo, block, wrong));
      closing = true;
      cache.close();
    }
    requireWhole(wrong, built, patience);
    require(
        wrong,
        patience.until(() -> blocks.liveCount() == 0),
        "all values must be freed: not freed="
            + blocks.liveCount()
            + ", among them "
            + blocks.someLive());
    return wrong;
  }

  static boolean isUnpinned(CacheStats stats) {
    return stats.pinnedUsageBytes() == 0
        && stats.standaloneUsageBytes() == 0
        && stats.erasedEntries() == 0;
  }

  private static void checkVisited(long hi, long lo, SoakBlock block, List<String> wrong) {
    String damage = block.damage();
    require(wrong, damage == null, "a value in the cache " + damage + ": " + block);
    require(
        wrong,
        block.hi == hi && block.lo == lo,
        "key %x:%x has the value of another: %s".formatted(hi, lo, block));
  }

  /** Asks until the cache is at rest: the last callbacks of a load may still use it. */
  static void requireWhole(List<String> wrong, BlockCache<?> cache, Patience patience) {
    AtomicReference<List<String>> last = new AtomicReference<>(List.of());
    patience.until(
        () -> {
          last.set(InvariantsChecker.violations(cache));
          return last.get().isEmpty();
        });
    wrong.addAll(last.get());
  }

  static void require(List<String> wrong, boolean valid, String rule) {
    if (!valid) {
      wrong.add(rule);
    }
  }
}
