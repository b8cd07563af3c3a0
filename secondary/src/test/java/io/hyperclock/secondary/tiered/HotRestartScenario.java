/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.tiered;

import static java.time.Duration.ZERO;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hyperclock.BlockCache;
import io.hyperclock.MetadataCharge;
import io.hyperclock.entry.Priority;
import io.hyperclock.secondary.AdmissionPolicy;
import io.hyperclock.secondary.BuilderSettings;
import io.hyperclock.secondary.RecordKey;
import io.hyperclock.secondary.SecondaryCache;
import io.hyperclock.secondary.TieredBlockCache;
import io.hyperclock.secondary.WarmRestart;
import io.hyperclock.secondary.disk.DiskSecondaryCache;
import io.hyperclock.secondary.testing.DiskWriters;
import io.hyperclock.secondary.testing.TierTestLimits;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * A cache over a disk tier that starts anew with what it had: its parts, and what is checked after
 * each test.
 */
@Timeout(value = TierTestLimits.TEST_SECONDS, threadMode = ThreadMode.SEPARATE_THREAD)
abstract class HotRestartScenario {
  static final long HI = 7;
  static final int KEYS = 60;
  static final RecordKey SECRET = RecordKey.hmacSha256(new byte[32]);

  @TempDir Path directory;
  final Blocks blocks = new Blocks();
  @RegisterExtension final DiskWriters writers = new DiskWriters();
  UnaryOperator<WarmRestart<Blocks.Block>> settings = warm -> warm;
  AdmissionPolicy policy = AdmissionPolicy.ALL;
  @Nullable RecordKey secret;
  @Nullable TieredBlockCache<Blocks.Block> open;

  @AfterEach
  void everyValueIsFreed() {
    if (open != null) {
      open.close();
    }
    await().pollDelay(ZERO).atMost(TierTestLimits.SECONDS, SECONDS).until(() -> blocks.live() == 0);
    blocks.assertSound();
  }

  /** Closes a cache, and waits until its tier has written its files. */
  void close(TieredBlockCache<Blocks.Block> cache) {
    cache.close();
    writers.awaitEnd();
  }

  /** Opens the tier, once the one that was closed before has left the directory. */
  DiskSecondaryCache disk() {
    writers.awaitEnd();
    var builder =
        DiskSecondaryCache.builder()
            .directory(directory)
            .capacityBytes(16 << 16)
            .regionBytes(1 << 16)
            .stallLimit(TierTestLimits.TIME)
            .estimatedRecordBytes(64); // Many slots: keys are hardly ever taken for others.
    return (secret == null ? builder : builder.recordKey(secret)).build();
  }

  TieredBlockCache<Blocks.Block> open(boolean warm, SecondaryCache... tiers) {
    var builder =
        TieredBlockCache.builder(
                BlockCache.<Blocks.Block>builder()
                    .capacityBytes(2 * KEYS * Blocks.CHARGE)
                    .estimatedEntryCharge(Blocks.CHARGE / 4)
                    .metadataCharge(MetadataCharge.NONE)
                    .shards(1))
            .admission(policy)
            .tierTimeout(TierTestLimits.TIME);
    BuilderSettings.saveAll(builder);
    if (warm) {
      builder.warmRestart(settings.apply(WarmRestart.of(blocks.data)));
    }
    for (SecondaryCache tier : tiers) {
      builder.tier(tier);
    }
    open = builder.build();
    return open;
  }

  TieredBlockCache<Blocks.Block> open() {
    return open(true, disk());
  }

  void put(TieredBlockCache<Blocks.Block> cache, long key, int version) {
    cache.put(HI, key, blocks.make(key, version), blocks.data, Blocks.CHARGE, Priority.LOW);
  }

  void fill(TieredBlockCache<Blocks.Block> cache) {
    for (long key = 0; key < KEYS; key++) {
      put(cache, key, 1);
    }
  }

  /** What the primary has: keys to versions are checked. */
  static Set<Long> inPrimary(TieredBlockCache<Blocks.Block> cache, int version) {
    Set<Long> keys = new HashSet<>();
    cache.forEachEntry(
        (hi, lo, block, type, charge) -> {
          assertThat(block.key).isEqualTo(lo);
          assertThat(block.version).isEqualTo(version);
          keys.add(lo);
        });
    return keys;
  }

  static void awaitWarm(TieredBlockCache<Blocks.Block> cache, int count) {
    await()
        .pollDelay(ZERO)
        .atMost(TierTestLimits.SECONDS, SECONDS)
        .until(() -> countVisible(cache) >= count);
  }

  private static int countVisible(TieredBlockCache<Blocks.Block> cache) {
    AtomicInteger count = new AtomicInteger();
    cache.forEachEntry((hi, lo, block, type, charge) -> count.incrementAndGet());
    return count.get();
  }

  static void awaitNoWarmUp() {
    await()
        .pollDelay(ZERO)
        .atMost(TierTestLimits.SECONDS, SECONDS)
        .until(
            () ->
                Thread.getAllStackTraces().keySet().stream()
                    .noneMatch(thread -> thread.getName().equals("hyperclock-warm-up")));
  }

  int version(TieredBlockCache<Blocks.Block> cache, long key) {
    return TieredRig.check(key, cache.lookup(HI, key, blocks.data));
  }
}
