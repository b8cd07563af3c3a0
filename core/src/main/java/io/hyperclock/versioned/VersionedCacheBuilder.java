/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.versioned;

import io.hyperclock.CacheBuilder;
import io.hyperclock.internal.slot.ChargeWord;
import io.hyperclock.internal.versioned.DefaultVersionedCache;
import io.hyperclock.internal.versioned.VersionedConfig;
import java.time.Duration;
import java.util.Objects;
import java.util.function.LongSupplier;

/**
 * Settings of a {@link VersionedCache}. All versions are charged. Once there has been a prepared
 * version, four more bytes a slot are used, which are not charged. The charge to estimate is that
 * of a committed value.
 *
 * <pre>{@code
 * VersionedCache<byte[]> rows =
 *     VersionedCache.<byte[]>builder()
 *         .capacityBytes(1 << 30)
 *         .estimatedEntryCharge(200)
 *         .lease(Duration.ofSeconds(10))
 *         .build();
 * }</pre>
 *
 * @param <V> type of the values
 */
public final class VersionedCacheBuilder<V> extends CacheBuilder<VersionedCacheBuilder<V>> {
  /**
   * Largest number of namespaces: 32,768. A slot keeps that of its key where others have a type.
   */
  public static final int MAX_NAMESPACES = ChargeWord.MAX_TYPES;

  private double maxPreparedShare = 0.05;
  private Duration lease = Duration.ofSeconds(30);
  private LongSupplier nanoClock = System::nanoTime;
  private int namespaces = 1;
  private NamespaceFunction namespaceOf = (hi, lo) -> 0;

  VersionedCacheBuilder() {}

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
   * Sets how long a prepare may wait for its verdict; default 30 seconds.
   *
   * @param lease time, greater than 0
   * @return this
   */
  public VersionedCacheBuilder<V> lease(Duration lease) {
    Objects.requireNonNull(lease, "lease must not be null");
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
    requireComplete();
    return new DefaultVersionedCache<>(
        new VersionedConfig(
            capacityBytes,
            estimatedEntryCharge,
            mode,
            shards,
            metadataCharge,
            storage,
            policy,
            seed(),
            maxPreparedShare,
            lease,
            nanoClock,
            namespaces,
            namespaceOf));
  }
}
