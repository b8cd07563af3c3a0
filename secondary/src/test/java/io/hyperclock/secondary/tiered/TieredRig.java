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
import io.hyperclock.BlockCacheBuilder;
import io.hyperclock.CapacityMode;
import io.hyperclock.Handle;
import io.hyperclock.InsertResult;
import io.hyperclock.LeakDetection;
import io.hyperclock.MetadataCharge;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.Priority;
import io.hyperclock.secondary.AdmissionPolicy;
import io.hyperclock.secondary.SecondaryCache;
import io.hyperclock.secondary.TieredBlockCache;
import io.hyperclock.secondary.TieredBlockCacheBuilder;
import io.hyperclock.secondary.TieredRoleStats;
import io.hyperclock.secondary.TieredStats;
import io.hyperclock.secondary.testing.TierTestLimits;
import io.hyperclock.stats.CacheStats;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A tiered cache of {@link Blocks} and what every test must leave behind. */
final class TieredRig implements AutoCloseable {
  static final long HI = 7;
  static final long CAPACITY = 64 * Blocks.CHARGE;

  /** Unless a test is about it no pause of the machine may end a read. */
  private static final Duration EVER = Duration.ofHours(1);

  final Blocks blocks = new Blocks();
  final Tasks tasks = new Tasks();
  final TieredBlockCache<Blocks.Block> cache;

  /** Runs tasks at once, or keeps them until told. */
  static final class Tasks implements Executor {
    private final Deque<Runnable> held = new ArrayDeque<>();
    private boolean holding;

    @Override
    public void execute(Runnable task) {
      synchronized (this) {
        if (holding) {
          held.add(task);
          return;
        }
      }
      task.run();
    }

    synchronized void hold() {
      holding = true;
    }

    synchronized int size() {
      return held.size();
    }

    /** Lets go of what is held and of all that comes. */
    void release() {
      for (Runnable task = next(); task != null; task = next()) {
        task.run();
      }
    }

    private synchronized @Nullable Runnable next() {
      holding = !held.isEmpty();
      return held.poll();
    }
  }

  TieredRig(SecondaryCache... tiers) {
    this(builder -> {}, tiers);
  }

  TieredRig(Consumer<TieredBlockCacheBuilder<Blocks.Block>> settings, SecondaryCache... tiers) {
    this(CapacityMode.NON_STRICT, settings, tiers);
  }

  TieredRig(
      CapacityMode mode,
      Consumer<TieredBlockCacheBuilder<Blocks.Block>> settings,
      SecondaryCache... tiers) {
    BlockCacheBuilder<Blocks.Block> primary =
        BlockCache.<Blocks.Block>builder()
            .capacityBytes(CAPACITY)
            .capacityMode(mode)
            .estimatedEntryCharge(Blocks.CHARGE / 4)
            .metadataCharge(MetadataCharge.NONE)
            .shards(1)
            .recordHits(true)
            .leakDetection(LeakDetection.sampled(8));
    TieredBlockCacheBuilder<Blocks.Block> builder =
        TieredBlockCache.builder(primary)
            .admission(AdmissionPolicy.ALL)
            .executor(tasks)
            .tierTimeout(EVER);
    for (SecondaryCache tier : tiers) {
      builder.tier(tier);
    }
    settings.accept(builder);
    cache = builder.build();
  }

  InsertResult insert(long key) {
    return insert(key, 0, blocks.data);
  }

  InsertResult insert(long key, int version, EntryType<Blocks.Block> type) {
    return cache.insert(HI, key, blocks.make(key, version), type, Blocks.CHARGE, Priority.LOW);
  }

  InsertResult put(long key, int version) {
    return cache.put(HI, key, blocks.make(key, version), blocks.data, Blocks.CHARGE, Priority.LOW);
  }

  boolean erase(long key) {
    return cache.erase(HI, key);
  }

  @Nullable Handle<Blocks.Block> lookup(long key) {
    return cache.lookup(HI, key, blocks.data);
  }

  /** Version found by a lookup, -1 if none; the value is checked and released. */
  int version(long key) {
    return check(key, lookup(key));
  }

  static int check(long key, @Nullable Handle<Blocks.Block> handle) {
    if (handle == null) {
      return -1;
    }
    try (handle) {
      Blocks.Block block = handle.value();
      assertThat(block.key).isEqualTo(key);
      assertThat(block.isFreed()).isFalse();
      return block.version;
    }
  }

  /** Evicts everything that is not pinned, marks included. */
  void evictAll() {
    cache.setCapacityBytes(1);
    cache.setCapacityBytes(CAPACITY);
  }

  boolean isInPrimary(long key) {
    try (Handle<?> handle = cache.primary().lookup(HI, key)) {
      return handle != null;
    }
  }

  TieredRoleStats total() {
    return cache.stats().total();
  }

  /** Waits for a latch that must open. */
  static void awaitLatch(CountDownLatch latch) {
    try {
      assertThat(latch.await(TierTestLimits.SECONDS, SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private boolean isQuiet() {
    TieredStats stats = cache.stats();
    return stats.pendingOffers() == 0 && stats.primary().pinnedUsageBytes() == 0;
  }

  /** Nothing under way, nothing held, everything adds up; then closes and counts the values. */
  @Override
  public void close() {
    tasks.release();
    await().pollDelay(ZERO).atMost(TierTestLimits.SECONDS, SECONDS).until(this::isQuiet);
    await()
        .pollDelay(ZERO)
        .atMost(TierTestLimits.SECONDS, SECONDS)
        .untilAsserted(this::assertSettled);
    cache.close();
    cache.close();
    await().pollDelay(ZERO).atMost(TierTestLimits.SECONDS, SECONDS).until(() -> blocks.live() == 0);
    blocks.assertSound();
  }

  private void assertSettled() {
    TieredStats stats = cache.stats();
    assertThat(stats.pendingOfferBytes()).isZero();
    CacheStats primary = stats.primary();
    assertThat(cache.primary().monitor().longestHeld(10)).isEmpty();
    assertThat(primary.pinnedUsageBytes()).isZero();
    assertThat(primary.standaloneUsageBytes()).isZero();
    assertThat(primary.erasedEntries()).isZero();
    assertThat(primary.doubleCloses()).isZero();
    assertThat(primary.leakedHandles()).isZero();
    assertThat(primary.callbackFailures()).isZero();
    TieredRoleStats moved = stats.total();
    assertThat(moved.offered())
        .isEqualTo(
            moved.accepted()
                + moved.declined()
                + moved.overflowed()
                + moved.superseded()
                + moved.putBack());
  }
}
