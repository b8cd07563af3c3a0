/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.lincheck;

import static org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt.forClasses;

import io.hyperclock.BlockCache;
import io.hyperclock.BlockCacheBuilder;
import io.hyperclock.HashSeed;
import io.hyperclock.MetadataCharge;
import io.hyperclock.SlotStorage;
import io.hyperclock.TestLimits;
import io.hyperclock.entry.EntryType;
import io.hyperclock.internal.cache.InvariantsChecker;
import io.hyperclock.internal.slot.SlotStore;
import io.hyperclock.internal.slot.Tags;
import io.hyperclock.internal.table.Buckets;
import java.util.List;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.StressOptions;

/**
 * What the Lincheck classes share: a table where all keys have the same buckets and tag, with room
 * for all of them and for entries that were erased under a pin, and the sizes of the runs.
 */
final class Lincheck {
  static final int KEYS = 3;
  private static final int SLOTS = 16;
  private static final int ROOMY_SLOTS = 32;

  static {
    // Lincheck warns of each record and lambda it cannot look into, and asks once, when it is
    // loaded.
    System.setProperty("lincheck.logLevel", "ERROR");
  }

  /** Found once: to look for one takes long, and longer under Lincheck. */
  private static final long SEED = collidingSeed(SLOTS);

  private static final long ROOMY_SEED = collidingSeed(ROOMY_SLOTS);

  private Lincheck() {}

  static <V> BlockCache<V> cache(EntryType<? super V> type, SlotStorage storage) {
    return cache(type, storage, SLOTS, SEED);
  }

  /** A cache with slots for two values of each key and for those under way. */
  static <V> BlockCache<V> roomyCache(EntryType<? super V> type, SlotStorage storage) {
    return cache(type, storage, ROOMY_SLOTS, ROOMY_SEED);
  }

  private static <V> BlockCache<V> cache(
      EntryType<? super V> type, SlotStorage storage, int slots, long seed) {
    BlockCacheBuilder<V> builder = BlockCache.builder();
    BlockCache<V> cache =
        builder
            .capacityBytes(710L * slots)
            .estimatedEntryCharge(1000)
            .shards(1)
            .metadataCharge(MetadataCharge.NONE)
            .hashSeed(HashSeed.fixed(seed))
            .storage(storage)
            .defaultType(type)
            .build();
    if (cache.monitor().slots() != slots) {
      throw new IllegalStateException(
          "slots must be " + slots + ": slots=" + cache.monitor().slots());
    }
    return cache;
  }

  private static long collidingSeed(int slots) {
    for (long seed = 0; ; seed++) {
      if (collide(new Buckets(slots / SlotStore.BUCKET_SLOTS, seed))) {
        return seed;
      }
    }
  }

  private static boolean collide(Buckets buckets) {
    long first = buckets.hash(0, 0);
    for (int key = 1; key < KEYS; key++) {
      long hash = buckets.hash(0, key);
      if (buckets.first(hash) != buckets.first(first)
          || buckets.second(hash) != buckets.second(first)
          || Tags.pattern(hash) != Tags.pattern(first)) {
        return false;
      }
    }
    return true;
  }

  /** What must hold whenever nothing is under way. */
  static void requireWhole(BlockCache<?> cache) {
    List<String> violations = InvariantsChecker.violations(cache);
    if (!violations.isEmpty()) {
      throw new AssertionError(violations.toString());
    }
  }

  /** One switch at a time, chosen by Lincheck; no operation may need another thread to go on. */
  static ModelCheckingOptions modelChecking() {
    return new ModelCheckingOptions()
        .invocationTimeout$lincheck(TestLimits.WAIT_MILLIS)
        .iterations(Integer.getInteger("hyperclock.lincheck.iterations", 5))
        .invocationsPerIteration(Integer.getInteger("hyperclock.lincheck.invocations", 150))
        .threads(2)
        .actorsPerThread(3)
        .actorsBefore(2)
        .actorsAfter(2)
        .checkObstructionFreedom(true)
        .addGuarantee(
            forClasses(
                    "io.hyperclock.internal.observe.StatsRecorder",
                    "io.hyperclock.internal.policy.adaptive.PolicyInvariants",
                    "io.hyperclock.internal.cache.InvariantsChecker",
                    // A deep recursion that shares nothing is no livelock.
                    "io.hyperclock.internal.errors.StackReserve")
                .allMethods()
                .ignore())
        .sequentialSpecification(OlderValueMap.class);
  }

  /** Real threads. */
  static StressOptions stress() {
    return new StressOptions()
        .invocationTimeout$lincheck(TestLimits.WAIT_MILLIS)
        .iterations(Integer.getInteger("hyperclock.lincheck.iterations", 5))
        .invocationsPerIteration(Integer.getInteger("hyperclock.lincheck.invocations", 150) * 5)
        .threads(3)
        .actorsPerThread(3)
        .actorsBefore(2)
        .actorsAfter(2)
        .sequentialSpecification(OlderValueMap.class);
  }
}
