/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.BlockCache;
import io.hyperclock.BlockCacheBuilder;
import io.hyperclock.CapacityMode;
import io.hyperclock.Handle;
import io.hyperclock.HashSeed;
import io.hyperclock.SlotStorage;
import io.hyperclock.stats.CacheStats;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.LongUnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tables that size themselves come to rest while what is written stays of one kind. */
class AutomaticRestTest extends CacheContract {
  private static final long MIB = 1 << 20;
  private static final int SLOT = 53;

  AutomaticRestTest() {
    super(Variant.adaptive(SlotStorage.HEAP, CapacityMode.NON_STRICT, 1));
  }

  private long next;

  private static BlockCacheBuilder<Object> builder(long capacityBytes) {
    return BlockCache.<Object>builder()
        .capacityBytes(capacityBytes)
        .shards(1)
        .hashSeed(HashSeed.fixed(5))
        .executor(Runnable::run);
  }

  private static double share(BlockCache<Object> cache, long bytes) {
    return bytes / (double) cache.monitor().capacityBytes();
  }

  /** Writes so many times the capacity, slots included; the mean share of it that is in use. */
  private double write(BlockCache<Object> cache, double capacities, LongUnaryOperator charges) {
    double sum = 0;
    long writes = 0;
    long bytes = (long) (capacities * cache.monitor().capacityBytes());
    for (long written = 0; written < bytes; writes++) {
      long charge = charges.applyAsLong(next);
      cache.insert(HI, next++, "x", charge);
      written += charge + SLOT;
      sum += share(cache, cache.monitor().usageBytes());
    }
    return sum / writes;
  }

  static Stream<Arguments> mixes() {
    SplittableRandom random = new SplittableRandom(7);
    LongUnaryOperator rare = n -> random.nextInt(10_000) == 0 ? 4 * MIB : 64;
    LongUnaryOperator few = n -> random.nextInt(10) == 0 ? 64 << 10 : 100;
    LongUnaryOperator wide = n -> (long) (64 * Math.exp(random.nextDouble() * Math.log(1 << 16)));
    LongUnaryOperator turns = n -> n / 5_000 % 2 == 0 ? 1 << 10 : 64 << 10;
    LongUnaryOperator around = n -> 1 + (long) (-1000 * Math.log(1 - random.nextDouble()));
    return Stream.of(
        Arguments.of("one in 10,000 of 4 MiB", rare, 64 * MIB, 0.9, 4),
        Arguments.of("one in ten of 64 KiB", few, MIB, 0.85, 4),
        Arguments.of("one in ten of 64 KiB", few, 16 * MIB, 0.95, 2),
        Arguments.of("64 bytes to 4 MiB", wide, 64 * MIB, 0.9, 4),
        Arguments.of("1 KiB and 64 KiB in turn", turns, 64 * MIB, 0.97, 4),
        Arguments.of("1 KiB on the average", around, 16 * MIB, 0.97, 1));
  }

  @ParameterizedTest
  @MethodSource("mixes")
  void restsWhereChargesAreMixed(
      String mix, LongUnaryOperator charges, long capacity, double least, long most) {
    for (BlockCacheBuilder<Object> builder :
        List.of(
            builder(capacity),
            builder(capacity).initialEntries(capacity / 16),
            builder(capacity).capacityMode(CapacityMode.STRICT),
            builder(capacity).storage(SlotStorage.OFF_HEAP))) {
      BlockCache<Object> cache = track(builder.build());
      write(cache, 3, charges);
      long resizes = cache.monitor().stats().resizes();
      double used = write(cache, 2, charges);
      CacheStats stats = cache.monitor().stats();
      assertThat(stats.resizes() - resizes).as("%s: %s", mix, stats).isLessThanOrEqualTo(most);
      assertThat(used).as("%s: share in use", mix).isGreaterThan(least);
      assertThat(share(cache, stats.metadataBytes())).as(mix).isLessThan(0.5);
      close(cache);
    }
  }

  /** Sizes go up and down while handles stay: the tables that these hold stay within bounds. */
  @ParameterizedTest
  @ValueSource(longs = {1, 16})
  void heldTablesTakeNoMoreThanSlotsMay(long mib) {
    BlockCache<Object> cache = track(builder(mib * MIB).build());
    List<Handle<Object>> held = new ArrayList<>();
    for (int round = 0; round < 12; round++) {
      long charge = round % 2 == 0 ? 64 : 6_400;
      write(cache, 0.6, n -> charge);
      inserted(cache, next, charge);
      held.add(pin(cache, next++));
      write(cache, 0.9, n -> charge);
      assertThat(share(cache, cache.monitor().stats().heldTableBytes())).isLessThanOrEqualTo(0.5);
      assertThat(cache.monitor().usageBytes()).isLessThanOrEqualTo(mib * MIB);
    }
    release(held);
    assertThat(cache.monitor().stats().heldTableBytes()).isZero();
    write(cache, 3, n -> 6_400);
    write(cache, 3, n -> 300);
    assertThat(cache.monitor().usageBytes()).isBetween(mib * MIB * 9 / 10, mib * MIB);
  }
}
