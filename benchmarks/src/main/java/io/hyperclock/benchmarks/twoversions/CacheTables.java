/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.twoversions;

import io.hyperclock.BlockCache;
import io.hyperclock.MetadataCharge;
import io.hyperclock.versioned.PrepareMode;
import io.hyperclock.versioned.VersionedCache;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Our caches as tables: with two versions, and without, where what is prepared is left out. */
final class CacheTables {
  private static final int CHARGE_BYTES = 1024;

  private CacheTables() {}

  private static long capacityBytes(int keys) {
    return (keys + (keys >>> 3)) * (long) CHARGE_BYTES;
  }

  static TwoVersionTable versioned(int keys, int namespaces) {
    VersionedCache<Object> cache =
        VersionedCache.builder()
            .capacityBytes(capacityBytes(keys))
            .estimatedEntryCharge(CHARGE_BYTES)
            .metadataCharge(MetadataCharge.NONE)
            .maxPreparedShare(1)
            .lease(Duration.ofDays(1))
            .namespaces(namespaces, (hi, lo) -> (int) (lo % namespaces))
            .build();
    return new Versioned(cache);
  }

  static TwoVersionTable plain(int keys) {
    BlockCache<Object> cache =
        BlockCache.builder()
            .capacityBytes(capacityBytes(keys))
            .estimatedEntryCharge(CHARGE_BYTES)
            .metadataCharge(MetadataCharge.NONE)
            .build();
    return new Plain(cache);
  }

  private static final class Versioned implements TwoVersionTable {
    private final VersionedCache<Object> cache;

    Versioned(VersionedCache<Object> cache) {
      this.cache = cache;
    }

    @Override
    public @Nullable Object findForRead(int number) {
      return cache.get(number / TextKeys.PER_THREAD, number);
    }

    @Override
    public @Nullable Object findForWrite(int number) {
      return cache.readForWrite(number / TextKeys.PER_THREAD, number);
    }

    @Override
    public void put(int number, Object value) {
      cache.put(number / TextKeys.PER_THREAD, number, value, CHARGE_BYTES);
    }

    @Override
    public void prepare(int number, Object value) {
      Objects.requireNonNull(
          cache.prepare(number / TextKeys.PER_THREAD, number, value, 0, PrepareMode.PLAIN).token());
    }

    @Override
    public void delete(int number) {
      cache.erase(number / TextKeys.PER_THREAD, number);
    }
  }

  private static final class Plain implements TwoVersionTable {
    private final BlockCache<Object> cache;

    Plain(BlockCache<Object> cache) {
      this.cache = cache;
    }

    @Override
    public @Nullable Object findForRead(int number) {
      return cache.get(number / TextKeys.PER_THREAD, number);
    }

    @Override
    public @Nullable Object findForWrite(int number) {
      return cache.peek(number / TextKeys.PER_THREAD, number);
    }

    @Override
    public void put(int number, Object value) {
      cache.put(number / TextKeys.PER_THREAD, number, value, CHARGE_BYTES);
    }

    @Override
    public void prepare(int number, Object value) {}

    @Override
    public void delete(int number) {
      cache.erase(number / TextKeys.PER_THREAD, number);
    }
  }
}
