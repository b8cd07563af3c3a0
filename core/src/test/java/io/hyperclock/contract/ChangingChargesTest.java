/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperclock.BlockCache;
import io.hyperclock.BlockLoader;
import io.hyperclock.Handle;
import io.hyperclock.HashSeed;
import io.hyperclock.entry.EntryType;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Slots for entries whose charge changes: small ones, then large ones, and both. */
class ChangingChargesTest extends AutomaticSizingContract {
  @Test
  void shrinksWhenEntriesGetLarge() {
    BlockCache<Object> cache =
        track(BlockCache.<Object>builder().capacityBytes(32 * MIB).executor(Runnable::run).build());
    fill(cache, 0, 100_000, 512);
    long before = cache.monitor().slots();
    assertThat(before).as("%s", cache.monitor().stats()).isGreaterThan(50_000);
    fill(cache, 1_000_000, 200, MIB);
    assertThat(cache.monitor().slots()).isLessThan(before / 16);
    assertThat(metadataShare(cache)).isLessThan(0.01);
    use(cache, 2_000_000, 60_000, 600_000);
    assertThat(cache.monitor().slots()).isGreaterThan(50_000);
    assertThat(cache.monitor().usageBytes()).isGreaterThan(30 * MIB);
  }

  /** Small entries that were in use, and are no more, give way to large ones with their slots. */
  @Test
  void idleSmallEntriesLeaveWhenEntriesGetLarge() {
    BlockCache<Object> cache = withExecutor(24 * MIB, Runnable::run);
    insertMissing(cache, 0, 600_000, 64, 36 * MIB);
    assertThat(metadataShare(cache)).isBetween(0.3, 0.51);
    insertMissing(cache, 2_000_000, 1_100, 64_000, 48 * MIB);
    assertThat(metadataShare(cache)).isLessThan(0.3);
    insertMissing(cache, 2_000_000, 1_100, 64_000, 48 * MIB);
    assertThat(metadataShare(cache)).isLessThan(0.04);
  }

  @Test
  void heldSmallEntriesStayBesideLargeOnes() {
    BlockCache<Object> cache = withExecutor(8 * MIB, Runnable::run);
    List<Handle<Object>> held = new ArrayList<>();
    for (long lo = 0; lo < 60_000; lo++) {
      cache.insert(HI, lo, text(lo), 64);
      if (lo % 100 == 0 && has(cache, lo)) {
        held.add(pin(cache, lo));
        cache.get(HI, lo);
      }
    }
    fill(cache, 1_000_000, 500, 64_000);
    assertThat(countPresent(cache, 0, 60_000)).isBetween((long) held.size(), 5_000L);
    for (Handle<Object> handle : held) {
      assertThat(cache.get(HI, handle.keyLo())).isSameAs(handle.value());
    }
    release(held);
    assertThat(cache.monitor().pinnedUsageBytes()).isZero();
    fill(cache, 2_000_000, 500, 64_000);
  }

  /** Small entries that stay in use stay, whatever large ones come. */
  @Test
  void usedSmallEntriesStayBesideLargeOnes() {
    BlockCache<Object> cache = open(16 * MIB);
    fill(cache, 0, 20_000, 64);
    long misses = 0;
    for (int large = 0; large < 3_000; large++) {
      for (int i = 0; i < 400; i++) {
        long lo = random.nextInt(20_000);
        if (cache.get(HI, lo) == null) {
          misses++;
          cache.insert(HI, lo, "x", 64);
        }
      }
      cache.insert(HI, 1_000_000 + large, "x", 64_000);
    }
    assertThat(misses).isLessThan(3_000 * 400 / 20);
  }

  /** Reads keys, small numbers more often, and inserts what is missing, so many bytes in all. */
  private void insertMissing(
      BlockCache<Object> cache, long from, int keys, long charge, long bytes) {
    for (long inserted = 0; inserted < bytes; ) {
      long lo = from + (long) Math.exp(random.nextDouble() * Math.log(keys));
      if (cache.get(HI, lo) == null) {
        cache.insert(HI, lo, "x", charge);
        inserted += charge;
      }
    }
  }

  /** Keys that come again, some often: entries of others give way to them. */
  private void use(BlockCache<Object> cache, long from, int keys, int reads) {
    for (int i = 0; i < reads; i++) {
      double u = random.nextDouble();
      long lo = from + (long) (u * u * keys);
      if (cache.get(HI, lo) == null) {
        cache.insert(HI, lo, "x", 512);
      }
    }
  }

  /**
   * Room for a larger table is made in parts: no insert evicts for all of it. By the seed the table
   * has grown to about 0.2, 0.1 or 0.4 of the capacity then.
   */
  @ParameterizedTest
  @ValueSource(ints = {2, 4, 6})
  void noInsertPaysForAWholeTable(int seed) {
    long[] evictions = {0};
    BlockCache<Object> cache =
        track(
            BlockCache.<Object>builder()
                .capacityBytes(16 * MIB)
                .hashSeed(HashSeed.fixed(seed))
                .executor(Runnable::run)
                .evictionListener(
                    (hi, lo, value, type, charge, used) -> {
                      evictions[0]++;
                      return false;
                    })
                .build());
    fill(cache, 0, 300, 64_000);
    long most = 0;
    long slots = cache.monitor().slots();
    for (long lo = 0; lo < 400_000; lo++) {
      long before = evictions[0];
      cache.insert(HI, 1_000_000 + lo, "x", 64);
      most = Math.max(most, evictions[0] - before);
    }
    assertThat(cache.monitor().slots()).isGreaterThan(20 * slots);
    assertThat(most).isLessThanOrEqualTo(200);
    // Up to half of the capacity, and that of a table to which entries are being moved.
    assertThat(metadataShare(cache)).isBetween(0.1, 0.9);
  }

  @Test
  void loadedBytesAreChargedByTheirLength() {
    BlockCache<Object> cache = open(MIB);
    long before = cache.monitor().usageBytes();
    assertThat(cache.get(HI, 1, (hi, lo) -> new byte[1000])).isInstanceOf(byte[].class);
    assertThat(cache.monitor().usageBytes()).isEqualTo(before + 1000);
    cache.get(HI, 2, (hi, lo) -> ByteBuffer.allocate(500).limit(10));
    assertThat(cache.monitor().usageBytes()).isEqualTo(before + 1500);
    cache.get(HI, 3, BlockLoader.of(EntryType.of("sized"), value -> 7, (hi, lo) -> new byte[1000]));
    assertThat(cache.monitor().usageBytes()).isEqualTo(before + 1507);
  }

  @Test
  void loadsMustTellTheCharge() {
    BlockCache<Object> cache = open(MIB);
    assertThatThrownBy(() -> cache.get(HI, 1, (hi, lo) -> "loaded"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("chargeBytes must be known");
  }
}
