/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.versioned;

import io.hyperclock.CapacityMode;
import io.hyperclock.HashSeed;
import io.hyperclock.MetadataCharge;
import io.hyperclock.ReplacementPolicy;
import io.hyperclock.SlotStorage;
import io.hyperclock.internal.versioned.TwoVersionCache;
import io.hyperclock.internal.versioned.VersionedConfig;
import java.time.Duration;
import java.util.Objects;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a {@link VersionedCache}. {@link #capacityBytes} and {@link #estimatedEntryCharge}
 * have no default. Each setter checks its argument and returns this. Not thread-safe.
 *
 * @param <V> type of the values
 */
public final class VersionedCacheBuilder<V> {
  /** Largest number of namespaces. */
  public static final int MAX_NAMESPACES = 1 << 16;

  private static final int MAX_SHARDS = 4096;

  private long capacityBytes;
  private long estimatedEntryCharge;
  private CapacityMode mode = CapacityMode.NON_STRICT;
  private int shards;
  private MetadataCharge metadataCharge = MetadataCharge.FULL;
  private SlotStorage storage = SlotStorage.HEAP;
  private ReplacementPolicy policy = ReplacementPolicy.ADAPTIVE;
  private @Nullable HashSeed seed;
  private double maxPreparedShare = 0.05;
  private Duration lease = Duration.ofSeconds(30);
  private LongSupplier nanoClock = System::nanoTime;
  private int namespaces = 1;
  private NamespaceFunction namespaceOf = (hi, lo) -> 0;

  VersionedCacheBuilder() {}

  /**
   * Sets the memory that all versions and the slots may take.
   *
   * @param capacityBytes bytes, in [1, {@link io.hyperclock.BlockCache#MAX_CAPACITY_BYTES}]
   * @return this
   */
  public VersionedCacheBuilder<V> capacityBytes(long capacityBytes) {
    this.capacityBytes = VersionedConfig.requireCapacity(capacityBytes);
    return this;
  }

  /**
   * Sets the average charge to expect of a committed value; the number of slots follows from it.
   *
   * @param estimatedEntryCharge bytes, greater than 0
   * @return this
   */
  public VersionedCacheBuilder<V> estimatedEntryCharge(long estimatedEntryCharge) {
    this.estimatedEntryCharge = requirePositive("estimatedEntryCharge", estimatedEntryCharge);
    return this;
  }

  /**
   * Sets what happens when room cannot be made; default {@link CapacityMode#NON_STRICT}.
   *
   * @param mode the mode
   * @return this
   */
  public VersionedCacheBuilder<V> capacityMode(CapacityMode mode) {
    this.mode = Objects.requireNonNull(mode, "mode must not be null");
    return this;
  }

  /**
   * Sets the number of independent parts, as {@link io.hyperclock.BlockCacheBuilder#shards} does.
   *
   * @param shards in [1, 4096]
   * @return this
   */
  public VersionedCacheBuilder<V> shards(int shards) {
    if (shards < 1 || shards > MAX_SHARDS) {
      throw new IllegalArgumentException(
          "shards must be in [1, " + MAX_SHARDS + "]: shards=" + shards);
    }
    this.shards = shards;
    return this;
  }

  /**
   * Sets whether the memory of the slots counts against the capacity; default {@link
   * MetadataCharge#FULL}. Four bytes a slot for prepared versions come on top where they are used.
   *
   * @param metadataCharge the choice
   * @return this
   */
  public VersionedCacheBuilder<V> metadataCharge(MetadataCharge metadataCharge) {
    this.metadataCharge = Objects.requireNonNull(metadataCharge, "metadataCharge must not be null");
    return this;
  }

  /**
   * Sets where the slot metadata lives; default {@link SlotStorage#HEAP}.
   *
   * @param storage the choice
   * @return this
   */
  public VersionedCacheBuilder<V> storage(SlotStorage storage) {
    this.storage = Objects.requireNonNull(storage, "storage must not be null");
    return this;
  }

  /**
   * Sets how the values that make room for others are chosen; default {@link
   * ReplacementPolicy#ADAPTIVE}.
   *
   * @param policy the policy
   * @return this
   */
  public VersionedCacheBuilder<V> replacementPolicy(ReplacementPolicy policy) {
    this.policy = Objects.requireNonNull(policy, "policy must not be null");
    return this;
  }

  /**
   * Sets the seed of the key hash; default {@link HashSeed#random()}.
   *
   * @param seed the seed
   * @return this
   */
  public VersionedCacheBuilder<V> hashSeed(HashSeed seed) {
    this.seed = Objects.requireNonNull(seed, "seed must not be null");
    return this;
  }

  /**
   * Sets how many prepares may be in flight, as a share of the slots; default 0.05. A prepare keeps
   * its slot from being evicted, so too many leave little to choose from.
   *
   * @param maxPreparedShare in (0, 1]; at least one prepare is allowed
   * @return this
   */
  public VersionedCacheBuilder<V> maxPreparedShare(double maxPreparedShare) {
    if (!(maxPreparedShare > 0 && maxPreparedShare <= 1)) {
      throw new IllegalArgumentException(
          "maxPreparedShare must be in (0, 1]: maxPreparedShare=" + maxPreparedShare);
    }
    this.maxPreparedShare = maxPreparedShare;
    return this;
  }

  /**
   * Sets how long a prepare may wait for its decision; default 30 seconds.
   *
   * @param lease time, greater than 0
   * @return this
   */
  public VersionedCacheBuilder<V> lease(Duration lease) {
    if (lease.isNegative() || lease.isZero()) {
      throw new IllegalArgumentException("lease must be > 0: lease=" + lease);
    }
    this.lease = lease;
    return this;
  }

  /**
   * Sets the clock of the leases; default {@link System#nanoTime}.
   *
   * @param nanoClock nanoseconds from any origin, never going back
   * @return this
   */
  public VersionedCacheBuilder<V> nanoClock(LongSupplier nanoClock) {
    this.nanoClock = Objects.requireNonNull(nanoClock, "nanoClock must not be null");
    return this;
  }

  /**
   * Sets into which parts the keys are divided for counting; default one for all.
   *
   * @param namespaces number of parts, in [1, {@link #MAX_NAMESPACES}]
   * @param namespaceOf tells the part of a key
   * @return this
   */
  public VersionedCacheBuilder<V> namespaces(int namespaces, NamespaceFunction namespaceOf) {
    if (namespaces < 1 || namespaces > MAX_NAMESPACES) {
      throw new IllegalArgumentException(
          "namespaces must be in [1, " + MAX_NAMESPACES + "]: namespaces=" + namespaces);
    }
    this.namespaces = namespaces;
    this.namespaceOf = Objects.requireNonNull(namespaceOf, "namespaceOf must not be null");
    return this;
  }

  /**
   * Makes a cache; its slots are allocated at once.
   *
   * @return a new, empty cache
   * @throws IllegalStateException if a setting without default is missing
   * @throws IllegalArgumentException if the settings do not fit together
   */
  public VersionedCache<V> build() {
    requireSet("capacityBytes", capacityBytes);
    requireSet("estimatedEntryCharge", estimatedEntryCharge);
    return new TwoVersionCache<>(
        new VersionedConfig(
            capacityBytes,
            estimatedEntryCharge,
            mode,
            shards,
            metadataCharge,
            storage,
            policy,
            seed == null ? HashSeed.random() : seed,
            maxPreparedShare,
            lease,
            nanoClock,
            namespaces,
            namespaceOf));
  }

  private static long requirePositive(String name, long value) {
    if (value <= 0) {
      throw new IllegalArgumentException(name + " must be > 0: " + name + "=" + value);
    }
    return value;
  }

  private static void requireSet(String name, long value) {
    if (value == 0) {
      throw new IllegalStateException(name + " must be set: " + name + "=0");
    }
  }
}
