/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock;

import io.hyperclock.internal.sizing.TableSizing;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Settings that the builders of all caches have. {@link #capacityBytes} has no default, and in a
 * cache of two versions {@link #estimatedEntryCharge} has none either. Each setter checks its
 * argument and returns this. Not thread-safe; may be used to build several caches.
 *
 * <pre>{@code
 * CacheBuilder<?> settings =
 *     BlockCache.builder().storage(SlotStorage.OFF_HEAP).hashSeed(HashSeed.fixed(42));
 * settings.capacityBytes(1L << 30).estimatedEntryCharge(16 << 10);
 * }</pre>
 *
 * @param <B> type of the builder
 */
public abstract class CacheBuilder<B extends CacheBuilder<B>> {
  /** Largest number of shards. */
  public static final int MAX_SHARDS = 4096;

  protected long capacityBytes;
  protected long estimatedEntryCharge;
  protected CapacityMode mode = CapacityMode.NON_STRICT;
  protected int shards;
  protected MetadataCharge metadataCharge = MetadataCharge.FULL;
  protected SlotStorage storage = SlotStorage.HEAP;
  protected ReplacementPolicy policy = ReplacementPolicy.ADAPTIVE;
  private @Nullable HashSeed seed;

  /** With the defaults. */
  protected CacheBuilder() {}

  @SuppressWarnings("unchecked")
  private B self() {
    return (B) this;
  }

  /**
   * Sets the memory that the values (and, by default, the slots) may take.
   *
   * @param capacityBytes bytes, in [1, {@link BlockCache#MAX_CAPACITY_BYTES}]
   * @return this
   */
  public B capacityBytes(long capacityBytes) {
    this.capacityBytes = TableSizing.requireCapacity(capacityBytes);
    return self();
  }

  /**
   * Sets the average charge to expect of an entry; the number of slots follows from it, once and
   * for all. A {@link BlockCache} without it sizes itself; others need it. Too high wastes
   * capacity, because slots run out first; too low wastes memory for slots. {@link
   * CacheMonitor#problems()} recommends a better one once the cache is full.
   *
   * @param estimatedEntryCharge bytes, greater than 0
   * @return this
   */
  public B estimatedEntryCharge(long estimatedEntryCharge) {
    this.estimatedEntryCharge = positive("estimatedEntryCharge", estimatedEntryCharge);
    return self();
  }

  /**
   * Sets what happens when room cannot be made; default {@link CapacityMode#NON_STRICT}.
   *
   * @param mode the mode
   * @return this
   */
  public B capacityMode(CapacityMode mode) {
    this.mode = Objects.requireNonNull(mode, "mode must not be null");
    return self();
  }

  /**
   * Sets the number of independent parts. Each has an equal share of the capacity, and no entry may
   * be larger than that. Default: with an estimate as many as have 32 MiB and about 16,384 entries
   * each, at most 64; without one, one for each 64 MiB up to 4, for each 256 MiB up to 64, for each
   * 512 MiB up to 1,024. The hit ratio suffers in smaller ones.
   *
   * @param shards in [1, {@link #MAX_SHARDS}], a power of two or not
   * @return this
   */
  public B shards(int shards) {
    if (shards < 1 || shards > MAX_SHARDS) {
      throw new IllegalArgumentException(
          "shards must be in [1, " + MAX_SHARDS + "]: shards=" + shards);
    }
    this.shards = shards;
    return self();
  }

  /**
   * Sets whether the memory of the slots counts against the capacity; default {@link
   * MetadataCharge#FULL}.
   *
   * @param metadataCharge the choice
   * @return this
   */
  public B metadataCharge(MetadataCharge metadataCharge) {
    this.metadataCharge = Objects.requireNonNull(metadataCharge, "metadataCharge must not be null");
    return self();
  }

  /**
   * Sets where the slot metadata lives; default {@link SlotStorage#HEAP}.
   *
   * @param storage the choice
   * @return this
   */
  public B storage(SlotStorage storage) {
    this.storage = Objects.requireNonNull(storage, "storage must not be null");
    return self();
  }

  /**
   * Sets how the entries that make room for others are chosen; default {@link
   * ReplacementPolicy#ADAPTIVE}.
   *
   * @param policy the policy
   * @return this
   */
  public B replacementPolicy(ReplacementPolicy policy) {
    this.policy = Objects.requireNonNull(policy, "policy must not be null");
    return self();
  }

  /**
   * Sets the seed of the key hash; default {@link HashSeed#random()} for each cache built.
   *
   * @param seed the seed
   * @return this
   */
  public B hashSeed(HashSeed seed) {
    this.seed = Objects.requireNonNull(seed, "seed must not be null");
    return self();
  }

  /** The seed of the next cache. */
  protected final HashSeed seed() {
    return seed == null ? HashSeed.random() : seed;
  }

  /** Refuses to go on if the capacity is missing. */
  protected final void requireCapacity() {
    requireSet("capacityBytes", capacityBytes);
  }

  /** Refuses to go on if a setting without default is missing. */
  protected final void requireComplete() {
    requireCapacity();
    requireSet("estimatedEntryCharge", estimatedEntryCharge);
  }

  static long positive(String name, long setting) {
    if (setting <= 0) {
      throw new IllegalArgumentException(name + " must be > 0: " + name + "=" + setting);
    }
    return setting;
  }

  private static void requireSet(String name, long setting) {
    if (setting == 0) {
      throw new IllegalStateException(name + " must be set: " + name + "=0");
    }
  }
}
