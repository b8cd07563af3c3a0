/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperclock.BlockCache;
import io.hyperclock.BlockLoader;
import io.hyperclock.CapacityExceededException;
import io.hyperclock.Handle;
import io.hyperclock.PinRequiredException;
import io.hyperclock.entry.EntryCodec;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.Priority;
import io.hyperclock.stats.LoadStats;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Loading by one caller: hits, results, rules and failures. */
@Tag("loading")
abstract class LoadContractTest extends CacheContract {
  static final BlockLoader<Object> TEXTS = (hi, lo) -> text(lo);

  LoadContractTest(Variant variant) {
    super(variant);
  }

  /** Loads blocks of charge 1 that are freed explicitly. */
  final BlockLoader<Object> blockLoader() {
    return blockLoader(1);
  }

  static BlockLoader<Object> failing(Throwable failure) {
    return (hi, lo) -> {
      if (failure instanceof Error error) {
        throw error;
      }
      throw (Exception) failure;
    };
  }

  static BlockLoader<Object> never() {
    return failing(new AssertionError("must not be called"));
  }

  @SuppressWarnings("unchecked")
  static EntryType<Object> widened(EntryType<?> type) {
    return (EntryType<Object>) type;
  }

  static void assertIdle(BlockCache<?> cache) {
    assertThat(cache.monitor().loadStats().underWay()).isZero();
  }

  @Test
  void missIsLoadedAndCached() {
    BlockCache<Object> cache = roomy(10);
    assertThat(cache.get(HI, 1, TEXTS)).isEqualTo(text(1));
    assertThat(cache.peek(HI, 1)).isEqualTo(text(1));
    assertThat(cache.get(HI, 1, never())).isEqualTo(text(1));
    LoadStats stats = cache.monitor().loadStats();
    assertThat(stats.loads()).isEqualTo(1);
    assertThat(stats.totalLoadNanos()).isPositive();
    assertThat(stats.waiters() + stats.loadFailures() + stats.underWay()).isZero();
  }

  @Test
  void missIsLoadedAndPinned() {
    BlockCache<Object> cache = roomy(10);
    try (Handle<Object> loaded = cache.lookup(HI, 1, blockLoader())) {
      assertThat(loaded.isStandalone()).isFalse();
      assertThat(cache.monitor().pinnedUsageBytes()).isEqualTo(1);
      try (Handle<Object> again = cache.lookup(HI, 1, never())) {
        assertThat(again.value()).isSameAs(loaded.value());
      }
    }
    assertThat(cache.monitor().pinnedUsageBytes()).isZero();
    assertIdle(cache);
  }

  @Test
  void nullIsNotCached() {
    BlockCache<Object> cache = roomy(10);
    assertThat(cache.get(HI, 1, (hi, lo) -> null)).isNull();
    assertThat(cache.lookup(HI, 1, (hi, lo) -> null)).isNull();
    assertThat(has(cache, 1)).isFalse();
    assertThat(cache.monitor().loadStats().loads()).isEqualTo(2);
    assertIdle(cache);
  }

  @Test
  void valueFreedByHandIsNotLoadedWithoutPin() {
    BlockCache<Object> cache = roomy(10);
    BlockLoader<Object> loader = blockLoader();
    assertThatThrownBy(() -> cache.get(HI, 1, loader)).isInstanceOf(PinRequiredException.class);
    inserted(cache, 1, 1);
    assertThatThrownBy(() -> cache.get(HI, 1, TEXTS)).isInstanceOf(PinRequiredException.class);
    assertThat(cache.monitor().loadStats().loads()).isZero();
    assertIdle(cache);
  }

  @Test
  void nullLoaderIsRefusedOnHitsToo() {
    BlockCache<Object> cache = roomy(10);
    insert(cache, 1, 1);
    BlockLoader<Object> none = null;
    assertThatThrownBy(() -> cache.get(HI, 1, none))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("loader must not be null");
    assertThatThrownBy(() -> cache.lookup(HI, 1, none)).isInstanceOf(NullPointerException.class);
  }

  @Test
  void rulesChooseTypeChargeAndPriority() {
    BlockCache<Object> cache = roomy(20);
    BlockLoader<Object> loader =
        new BlockLoader<>() {
          @Override
          public Object load(long hi, long lo) {
            return text(lo);
          }

          @Override
          public EntryType<? super Object> type() {
            return TEXT;
          }

          @Override
          public long chargeBytes(Object value) {
            return 7;
          }

          @Override
          public Priority priority() {
            return Priority.HIGH;
          }
        };
    try (Handle<Object> handle = cache.lookup(HI, 1, loader)) {
      assertThat(handle.type()).isSameAs(TEXT);
      assertThat(handle.chargeBytes()).isEqualTo(7);
    }
    cache.get(HI, 2, loader);
    try (Handle<Object> handle = pin(cache, 2)) {
      assertThat(handle.type()).isSameAs(TEXT);
      assertThat(handle.chargeBytes()).isEqualTo(7);
    }
  }

  private static final EntryType<Object> TEXT = EntryType.of("text");

  @Test
  void chargeComesFromTheEstimateOrTheCodec() {
    BlockCache<Object> cache = track(builder(1000L * variant.shards(), 5).build());
    cache.get(HI, 1, TEXTS);
    try (Handle<Object> handle = pin(cache, 1)) {
      assertThat(handle.chargeBytes()).isEqualTo(5);
    }
    EntryType<Object> coded = EntryType.named("coded").codec(new NineBytes()).build();
    BlockCache<Object> other =
        track(builder(1000L * variant.shards(), 5).defaultType(coded).build());
    other.get(HI, 1, TEXTS);
    try (Handle<Object> handle = pin(other, 1)) {
      assertThat(handle.type()).isSameAs(coded);
      assertThat(handle.chargeBytes()).isEqualTo(9);
    }
  }

  /** Charges 9 for everything. */
  private static final class NineBytes implements EntryCodec<Object> {
    @Override
    public int encodedSizeBytes(Object value) {
      return 0;
    }

    @Override
    public void encode(Object value, ByteBuffer target) {}

    @Override
    public Object decode(ByteBuffer source, @Nullable Object context) {
      return "";
    }

    @Override
    public long chargeBytes(Object value) {
      return 9;
    }
  }

  @Test
  void presentValueWinsOverTheLoadedOne() {
    BlockCache<Object> cache = roomy(10);
    Object got =
        cache.get(
            HI,
            1,
            (hi, lo) -> {
              insert(cache, 1, 1);
              return "loaded";
            });
    assertThat(got).isEqualTo(text(1));
    BlockLoader<Object> racing =
        BlockLoader.of(
            widened(Block.TYPE),
            b -> 1,
            (hi, lo) -> {
              inserted(cache, 2, 1);
              return block(2);
            });
    try (Handle<Object> handle = cache.lookup(HI, 2, racing)) {
      assertThat(handle.isStandalone()).isFalse();
      assertThat(((Block) handle.value()).timesFreed()).isZero();
      assertThat(cache.monitor().usageBytes()).isEqualTo(2);
    }
  }

  @Test
  void valueWithoutRoomIsReturnedUncached() {
    BlockCache<Object> cache = track(builder(10L * variant.shards(), 1).build());
    assertThat(cache.get(HI, 1, BlockLoader.of(TEXT, v -> 11, TEXTS))).isEqualTo(text(1));
    assertThat(has(cache, 1)).isFalse();
    if (variant.strict()) {
      assertThatThrownBy(() -> cache.lookup(HI, 1, blockLoader(11)))
          .isInstanceOf(CapacityExceededException.class);
    } else {
      try (Handle<Object> handle = cache.lookup(HI, 1, blockLoader(11))) {
        assertThat(((Block) handle.value()).timesFreed()).isZero();
        assertThat(handle.isStandalone()).isTrue();
      }
    }
    assertIdle(cache);
  }

  @Test
  void everythingPinnedStillServesGet() {
    BlockCache<Object> cache = track(builder(4L * variant.shards(), 1).build());
    List<Handle<Object>> held = new ArrayList<>();
    for (long lo = 100; held.size() < 8 * variant.shards() && lo < 1000; lo++) {
      try {
        held.add(cache.lookup(HI, lo, blockLoader()));
      } catch (CapacityExceededException e) {
        assertThat(variant.strict()).isTrue();
      }
    }
    for (long lo = 0; lo < 10; lo++) {
      assertThat(cache.get(HI, lo, TEXTS)).isEqualTo(text(lo));
    }
    release(held);
    assertIdle(cache);
  }

  @Test
  void valueErasedWhileItLoadsIsNotCached() {
    BlockCache<Object> cache = roomy(10);
    Object got =
        cache.get(
            HI,
            1,
            (hi, lo) -> {
              cache.erase(HI, 1);
              return "stale";
            });
    assertThat(got).isEqualTo("stale");
    assertThat(has(cache, 1)).isFalse();
    BlockLoader<Object> erasing =
        BlockLoader.of(
            widened(Block.TYPE),
            b -> 1,
            (hi, lo) -> {
              cache.erase(HI, 2);
              return block(2);
            });
    try (Handle<Object> handle = cache.lookup(HI, 2, erasing)) {
      assertThat(handle.isStandalone()).isTrue();
      assertThat(has(cache, 2)).isFalse();
    }
    assertIdle(cache);
  }

  @Test
  void closedCacheFailsTheLoadAndFreesTheValue() {
    BlockCache<Object> cache = roomy(10);
    BlockLoader<Object> closing =
        BlockLoader.of(
            widened(Block.TYPE),
            b -> 1,
            (hi, lo) -> {
              close(cache);
              return block(lo);
            });
    assertThatThrownBy(() -> cache.lookup(HI, 1, closing))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("closed=true");
    assertThatThrownBy(() -> cache.get(HI, 1, TEXTS)).isInstanceOf(IllegalStateException.class);
    assertIdle(cache);
  }

  @Test
  void disposerMayEraseTheKeyThatIsBeingInserted() {
    BlockCache<Object> cache = track(builder(4L * variant.shards(), 1).build());
    AtomicInteger disposed = new AtomicInteger();
    EntryType<Object> erasing =
        EntryType.named("erasing")
            .disposer(
                (hi, lo, value) -> {
                  disposed.incrementAndGet();
                  cache.erase(HI, 1000);
                })
            .build();
    for (long lo = 0; lo < 100L * variant.shards(); lo++) {
      cache.insert(HI, lo, text(lo), erasing, 1, Priority.LOW);
    }
    int before = disposed.get();
    for (int i = 0; i < 20; i++) {
      assertThat(cache.get(HI, 1000, TEXTS)).isEqualTo(text(1000));
      if (disposed.get() > before) {
        assertThat(has(cache, 1000)).isFalse();
      }
      cache.erase(HI, 1000);
      before = disposed.get();
      for (long lo = 0; lo < 10L * variant.shards(); lo++) {
        cache.insert(HI, lo, text(lo), erasing, 1, Priority.LOW);
      }
      before = disposed.get();
    }
    assertIdle(cache);
  }
}
