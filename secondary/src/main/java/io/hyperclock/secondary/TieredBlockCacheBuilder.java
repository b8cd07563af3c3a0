/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary;

import io.hyperclock.BlockCache;
import io.hyperclock.BlockCacheBuilder;
import io.hyperclock.EvictionListener;
import io.hyperclock.secondary.internal.adapter.TierOwnership;
import io.hyperclock.secondary.internal.adapter.TieredCache;
import io.hyperclock.secondary.internal.adapter.TieredConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a {@link TieredBlockCache}. Each setter checks its argument and returns this. Not
 * thread-safe; builds one cache, which owns its tiers.
 *
 * @param <V> type of the values
 */
public final class TieredBlockCacheBuilder<V> {
  private final BlockCacheBuilder<V> primary;
  private final List<SecondaryCache> tiers = new ArrayList<>();
  private AdmissionPolicy admission = AdmissionPolicy.SECOND_HIT;
  private @Nullable EvictionListener<? super V> evictionListener;
  private long handOffBytes = 16L << 20;
  private int handOffEntries = 1024;
  private long totalBytes;
  private double ratio;
  private @Nullable Executor executor;
  private @Nullable TierObserver observer;
  private Duration slowReadAfter = Duration.ofMillis(100);
  private Duration tierTimeout = Duration.ofSeconds(30);
  private @Nullable WarmRestart<V> warmRestart;
  private LongSupplier clock = System::nanoTime;
  private RandomGenerator random = () -> ThreadLocalRandom.current().nextLong();
  private Duration mostSaving = Duration.ofSeconds(5);
  private boolean built;

  TieredBlockCacheBuilder(BlockCacheBuilder<V> primary) {
    this.primary = Objects.requireNonNull(primary, "primary must not be null");
  }

  /**
   * Adds a tier below those added before. None at all is allowed. The tier is the cache's from the
   * build on: it serves no other cache, and only the cache closes it. A tier that is closed earlier
   * keeps what the cache erases or overwrites afterwards; one on disk shows it after a restart.
   *
   * @param tier an open tier, closed with the cache
   * @return this
   */
  public TieredBlockCacheBuilder<V> tier(SecondaryCache tier) {
    Objects.requireNonNull(tier, "tier must not be null");
    if (tiers.contains(tier)) {
      throw new IllegalArgumentException("tier must be added once: tier=" + tier.name());
    }
    tiers.add(tier);
    return this;
  }

  /**
   * Sets what moves down; default {@link AdmissionPolicy#SECOND_HIT}.
   *
   * @param admission the policy
   * @return this
   */
  public TieredBlockCacheBuilder<V> admission(AdmissionPolicy admission) {
    this.admission = Objects.requireNonNull(admission, "admission must not be null");
    return this;
  }

  /**
   * Sets who else sees evicted entries; one set at the primary's builder is replaced. It is asked
   * first: an entry that it takes over does not move down.
   *
   * @param evictionListener called on evicting threads
   * @return this
   */
  public TieredBlockCacheBuilder<V> evictionListener(EvictionListener<? super V> evictionListener) {
    this.evictionListener =
        Objects.requireNonNull(evictionListener, "evictionListener must not be null");
    return this;
  }

  /**
   * Sets how many bytes of values may be on their way down, beyond the capacity of the primary;
   * default 16 MiB. Until they have arrived they keep what they hold, such as a buffer: a pool
   * needs as much beyond the capacity.
   *
   * @param handOffBytes bytes, at least 0; with 0 only values without charge move down
   * @return this
   */
  public TieredBlockCacheBuilder<V> handOffBytes(long handOffBytes) {
    if (handOffBytes < 0) {
      throw new IllegalArgumentException("handOffBytes must be >= 0: handOffBytes=" + handOffBytes);
    }
    this.handOffBytes = handOffBytes;
    return this;
  }

  /**
   * Sets how many values may be on their way down; default 1024.
   *
   * @param handOffEntries a count, at least 0; with 0 nothing moves down
   * @return this
   */
  public TieredBlockCacheBuilder<V> handOffEntries(int handOffEntries) {
    if (handOffEntries < 0) {
      throw new IllegalArgumentException(
          "handOffEntries must be >= 0: handOffEntries=" + handOffEntries);
    }
    this.handOffEntries = handOffEntries;
    return this;
  }

  /**
   * Sets who encodes values that move down, one at a time, and who moves values up for lookups that
   * no thread waits for; default daemon threads of the cache, one more than there are tiers and at
   * least two, because each tier may keep one in an insert that hangs. What depends on futures of
   * lookups runs there too, so it should not block.
   *
   * @param executor stays the caller's; if it refuses a task, values are dropped, or the thread
   *     that completed the lookup does the work
   * @return this
   */
  public TieredBlockCacheBuilder<V> executor(Executor executor) {
    this.executor = Objects.requireNonNull(executor, "executor must not be null");
    return this;
  }

  /**
   * Sets one budget for the primary and the nearest tier, which must live in memory, in place of a
   * capacity for each; default none. A primary with {@code estimatedEntryCharge} has slots for all
   * of it.
   *
   * @param totalBytes bytes, in [1, {@link BlockCache#MAX_CHARGE_BYTES}]
   * @param secondaryRatio share of the nearest tier, in [0, 1]
   * @return this
   */
  public TieredBlockCacheBuilder<V> totalCapacityBytes(long totalBytes, double secondaryRatio) {
    if (!(secondaryRatio >= 0 && secondaryRatio <= 1)) {
      throw new IllegalArgumentException(
          "secondaryRatio must be in [0, 1]: secondaryRatio=" + secondaryRatio);
    }
    return total(totalBytes, secondaryRatio);
  }

  /**
   * Sets one budget for the primary and the nearest tier, as {@link #totalCapacityBytes(long,
   * double)}, whose shares find themselves: the tier's begins with a sixteenth and moves towards
   * less time per lookup, between nothing and three quarters. This takes {@link
   * AdmissionPolicy#ADAPTIVE}, which it sets. {@link TieredBlockCache#setSecondaryRatio} ends it.
   *
   * @param totalBytes bytes, in [1, {@link BlockCache#MAX_CHARGE_BYTES}]
   * @return this
   */
  public TieredBlockCacheBuilder<V> totalCapacityBytes(long totalBytes) {
    return total(totalBytes, TieredConfig.FINDS_ITSELF).admission(AdmissionPolicy.ADAPTIVE);
  }

  private TieredBlockCacheBuilder<V> total(long totalBytes, double secondaryRatio) {
    if (totalBytes <= 0 || totalBytes > BlockCache.MAX_CHARGE_BYTES) {
      throw new IllegalArgumentException(
          "totalBytes must be in [1, "
              + BlockCache.MAX_CHARGE_BYTES
              + "]: totalBytes="
              + totalBytes);
    }
    this.totalBytes = totalBytes;
    this.ratio = secondaryRatio;
    return this;
  }

  /**
   * Sets the observer of dropped values and slow tiers.
   *
   * @param observer called as it says; default: none, and nothing is measured
   * @return this
   */
  public TieredBlockCacheBuilder<V> observer(TierObserver observer) {
    this.observer = Objects.requireNonNull(observer, "observer must not be null");
    return this;
  }

  /**
   * How slow an answer of a tier must be for the observer to be notified.
   *
   * @param slowReadAfter at least 0; default 100 ms
   * @return this
   */
  public TieredBlockCacheBuilder<V> slowReadAfter(Duration slowReadAfter) {
    if (Objects.requireNonNull(slowReadAfter, "slowReadAfter must not be null").isNegative()) {
      throw new IllegalArgumentException(
          "slowReadAfter must be >= 0: slowReadAfter=" + slowReadAfter);
    }
    this.slowReadAfter = slowReadAfter;
    return this;
  }

  /**
   * Sets how long the cache waits for one tier, in case it hangs: for the answer to a lookup, for
   * the end of an insert of a key that is looked up, or was written when the cache closes, for its
   * close. A lookup then asks the next tier, and is a miss if there is none; a value that comes
   * later is freed. The close of the tier goes on without the cache, see {@link
   * TierObserver#onCloseTimeout}. Tiers have limits of their own that are much shorter; this one is
   * for those that do not keep to theirs.
   *
   * @param tierTimeout greater than 0, without limit from 73 years on (such as {@code
   *     ChronoUnit.FOREVER.getDuration()}); default 30 s
   * @return this
   */
  public TieredBlockCacheBuilder<V> tierTimeout(Duration tierTimeout) {
    Objects.requireNonNull(tierTimeout, "tierTimeout must not be null");
    if (tierTimeout.isNegative() || tierTimeout.isZero()) {
      throw new IllegalArgumentException("tierTimeout must be > 0: tierTimeout=" + tierTimeout);
    }
    this.tierTimeout = tierTimeout;
    return this;
  }

  /**
   * Sets that the hottest entries of the primary come back after a restart; default none. Does
   * nothing without a tier that {@linkplain SecondaryCache#keepsRestartList() keeps} the list.
   *
   * @param warmRestart what to list, and how to read it
   * @return this
   */
  public TieredBlockCacheBuilder<V> warmRestart(WarmRestart<V> warmRestart) {
    this.warmRestart = Objects.requireNonNull(warmRestart, "warmRestart must not be null");
    return this;
  }

  /** Nanoseconds by which tiers and loads are measured, but limits are not; for tests. */
  TieredBlockCacheBuilder<V> clock(LongSupplier clock) {
    this.clock = clock;
    return this;
  }

  /** What is chosen at random is chosen by, on any thread; for tests. */
  TieredBlockCacheBuilder<V> random(RandomGenerator random) {
    this.random = random;
    return this;
  }

  /** For how long a close saves values for the next start; for tests. */
  TieredBlockCacheBuilder<V> mostSaving(Duration mostSaving) {
    this.mostSaving = mostSaving;
    return this;
  }

  /**
   * Makes a cache. If it throws, the tiers stay the caller's.
   *
   * @return a new cache with an empty primary, to be closed by the caller
   * @throws IllegalStateException if a cache was built before, a setting of the primary is missing,
   *     a total is set and there is no tier or the nearest one keeps its values outside of this
   *     process, shares are to find themselves and the policy is not {@link
   *     AdmissionPolicy#ADAPTIVE}, or a tier is closed or serves another cache
   * @throws IllegalArgumentException if the settings of the primary do not fit together
   */
  public TieredBlockCache<V> build() {
    if (built) {
      throw new IllegalStateException(
          "a builder must build one cache, which owns its tiers: built=true");
    }
    if (totalBytes > 0) {
      requireToShare();
      primary.capacityBytes(totalBytes);
    }
    TierOwnership.claim(tiers);
    try {
      TieredBlockCache<V> cache = new TieredCache<>(primary, config());
      built = true;
      return cache;
    } finally {
      if (!built) {
        TierOwnership.release(tiers);
      }
      // Another cache that is built of these settings must not move its values into these tiers.
      primary.evictionListener((keyHi, keyLo, value, type, chargeBytes, wasHit) -> false);
    }
  }

  private void requireToShare() {
    if (tiers.isEmpty()) {
      throw new IllegalStateException("a tier must be added to share a total: tiers=0");
    }
    SecondaryCache nearest = tiers.get(0);
    if (nearest.keepsRestartList() || nearest.isShared()) {
      throw new IllegalStateException(
          "the nearest tier must live in memory to share a total: tier=" + nearest.name());
    }
    if (ratio == TieredConfig.FINDS_ITSELF && admission != AdmissionPolicy.ADAPTIVE) {
      throw new IllegalStateException(
          "admission must be ADAPTIVE for shares that find themselves: admission=" + admission);
    }
  }

  private TieredConfig<V> config() {
    return new TieredConfig<>(
        tiers,
        admission,
        evictionListener,
        handOffBytes,
        handOffEntries,
        totalBytes,
        ratio,
        executor,
        observer,
        slowReadAfter,
        tierTimeout,
        warmRestart,
        clock,
        random,
        mostSaving);
  }
}
