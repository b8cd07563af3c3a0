/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.cachebench;

import static io.hyperclock.benchmarks.cachebench.Checks.require;
import static io.hyperclock.benchmarks.cachebench.Checks.requireIn;

import io.hyperclock.BlockCache;
import io.hyperclock.BlockCacheBuilder;
import io.hyperclock.HashSeed;
import io.hyperclock.ReplacementPolicy;
import io.hyperclock.SlotStorage;
import io.hyperclock.benchmarks.cachebench.model.RocksDbModel;
import io.hyperclock.metrics.JfrEvents;
import io.hyperclock.secondary.TieredBlockCache;
import io.hyperclock.secondary.compressed.CompressedSecondaryCache;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** Options of the cache that runs the workload. */
final class CacheOptions {
  private static final String DEFAULT = " (default: ${DEFAULT-VALUE}).";
  private static final int MAX_SHARD_BITS = 12;
  private static final String COMPRESSED = "compressed:";
  private static final int RECORD_BYTES = 32;

  @Option(
      names = "--cache",
      defaultValue = "pin-free",
      description =
          "One of pin-free, pinned, off-heap (all HyperClock), parity (a model of RocksDB's rules,"
              + " for its hit ratios and not for speed), caffeine, cache2k, lru"
              + DEFAULT)
  private String cacheName = "";

  @Option(
      names = "--policy",
      description =
          "How HyperClock chooses what to evict: classic or adaptive (default: adaptive).")
  private @Nullable String policyName;

  @Option(
      names = "--num_shard_bits",
      defaultValue = "-1",
      description = "log2 of the shards of HyperClock or parity; -1 lets it choose" + DEFAULT)
  int shardBits;

  @Option(
      names = "--value_bytes_estimate",
      defaultValue = "0",
      description =
          "HyperClock's or parity's estimate of the charge; 0 takes --value_bytes" + DEFAULT)
  private long valueBytesEstimate;

  @Option(
      names = "--eviction_effort_cap",
      defaultValue = "30",
      description = "Pinned entries that HyperClock or parity passes per freed one" + DEFAULT)
  private int effortCap;

  @Option(
      names = "--secondary_cache",
      paramLabel = "compressed:BYTES",
      description =
          "A tier of that capacity below HyperClock, which keeps what is evicted, compressed"
              + " (default: none).")
  private @Nullable String secondaryCache;

  @Option(
      names = "--jfr",
      description =
          "File for a flight recording of what HyperClock does, to be shown by inspect; hits are"
              + " counted then, which costs some speed (default: none).")
  private @Nullable Path recording;

  @Spec(Target.MIXEE)
  private CommandSpec spec;

  /** Checks the options against each other and against the workload. */
  void check(BenchOptions workload) {
    requireIn("--value_bytes_estimate", valueBytesEstimate, 0, 1L << 48);
    requireIn("--num_shard_bits", shardBits, -1, MAX_SHARD_BITS);
    for (String name :
        new String[] {"--num_shard_bits", "--value_bytes_estimate", "--eviction_effort_cap"}) {
      require(
          kind().hasTable() || !isGiven(name),
          name + " is for HyperClock and parity only: cache=" + cacheName);
    }
    for (String name : new String[] {"--policy", "--secondary_cache", "--jfr"}) {
      require(
          kind().isHyperClock() || !isGiven(name),
          name + " is for HyperClock only: cache=" + cacheName);
    }
    policy();
    if (secondaryCache != null) {
      require(
          secondaryBytes() > 0,
          "--secondary_cache must be compressed:BYTES, with BYTES in [1, 10^15): secondary_cache="
              + secondaryCache);
      require(
          workload.storeValues,
          "--secondary_cache must have values to compress: store_values=false");
    }
  }

  private boolean isGiven(String name) {
    return spec.commandLine().getParseResult().hasMatchedOption(name);
  }

  /** Where to write a flight recording, or null. */
  @Nullable Path recording() {
    return recording;
  }

  CacheKind kind() {
    return CacheKind.named(cacheName);
  }

  ReplacementPolicy policy() {
    if (policyName == null) {
      return ReplacementPolicy.ADAPTIVE;
    }
    return switch (policyName) {
      case "classic" -> ReplacementPolicy.CLASSIC;
      case "adaptive" -> ReplacementPolicy.ADAPTIVE;
      default ->
          throw new IllegalArgumentException(
              "--policy must be one of classic, adaptive: policy=" + policyName);
    };
  }

  /** Capacity of the tier below, 0 for no tier, -1 for what names none. */
  long secondaryBytes() {
    if (secondaryCache == null) {
      return 0;
    }
    return secondaryCache.matches(COMPRESSED + "[1-9][0-9]{0,14}")
        ? Long.parseLong(secondaryCache.substring(COMPRESSED.length()))
        : -1;
  }

  /** Adds the names that were chosen or filled in. */
  void record(Map<String, Object> values) {
    values.put("cache", kind().optionName());
    if (kind().isHyperClock()) {
      values.put("policy", policy().name().toLowerCase(Locale.ROOT));
    }
  }

  /**
   * Makes the cache that was chosen.
   *
   * @return a new, empty cache, to be closed by the caller
   * @throws IllegalArgumentException if the options do not fit this cache
   */
  BenchCache<?> open(BenchOptions workload) {
    long bytes = workload.cacheSize;
    int charge = workload.valueBytes;
    BlockCacheBuilder<byte[]> builder = builder(workload);
    return switch (kind()) {
      case PIN_FREE, OFF_HEAP -> {
        if (kind() == CacheKind.OFF_HEAP) {
          builder.storage(SlotStorage.OFF_HEAP);
        }
        yield secondaryCache == null
            ? new HyperClockBench.PinFree(builder.build(), charge)
            : new TieredBench.PinFree(tiered(builder, workload), charge);
      }
      case PINNED ->
          secondaryCache == null
              ? new HyperClockBench.Pinned(builder.build(), charge)
              : new TieredBench.Pinned(tiered(builder, workload), charge);
      case PARITY -> new ModelBench(model(workload));
      case CAFFEINE -> new ObjectKeyBench.CaffeineBench(bytes, charge);
      case CACHE2K -> new ObjectKeyBench.Cache2kBench(bytes, charge);
      case LRU -> new ObjectKeyBench.LruBench(bytes, charge);
    };
  }

  private RocksDbModel.Settings model(BenchOptions workload) {
    return new RocksDbModel.Settings(
        workload.cacheSize,
        workload.valueBytes,
        estimate(workload),
        shardBits,
        effortCap,
        hashSeed(workload));
  }

  private long estimate(BenchOptions workload) {
    return valueBytesEstimate == 0 ? workload.valueBytes : valueBytesEstimate;
  }

  private static long hashSeed(BenchOptions workload) {
    return workload.seed & 0x7fffffff;
  }

  private TieredBlockCache<byte[]> tiered(
      BlockCacheBuilder<byte[]> builder, BenchOptions workload) {
    double share = Math.max(workload.compressibleToRatio, 1.0 / workload.valueBytes);
    CompressedSecondaryCache tier =
        CompressedSecondaryCache.builder()
            .capacityBytes(secondaryBytes())
            .estimatedEntryCharge((long) (workload.valueBytes * share) + RECORD_BYTES)
            .build();
    return TieredBlockCache.builder(builder).tier(tier).build();
  }

  private BlockCacheBuilder<byte[]> builder(BenchOptions workload) {
    BlockCacheBuilder<byte[]> builder =
        BlockCache.<byte[]>builder()
            .capacityBytes(workload.cacheSize)
            .estimatedEntryCharge(estimate(workload))
            .evictionEffortCap(effortCap)
            .hashSeed(HashSeed.fixed(hashSeed(workload)))
            .replacementPolicy(policy());
    if (recording != null) {
      builder.recordHits(true).observer(JfrEvents.named("cache-bench"));
    }
    return shardBits < 0 ? builder : builder.shards(1 << shardBits);
  }
}
