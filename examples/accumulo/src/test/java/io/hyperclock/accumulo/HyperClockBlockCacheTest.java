/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.accumulo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperclock.entry.EntryRole;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.accumulo.core.spi.cache.BlockCache.Stats;
import org.apache.accumulo.core.spi.cache.CacheEntry;
import org.apache.accumulo.core.spi.cache.CacheEntry.Weighable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HyperClockBlockCacheTest {
  private static final long MAX_BYTES = 1 << 20;

  private final HyperClockBlockCache cache = open(MAX_BYTES, 4096);

  HyperClockBlockCache open(long maxBytes, long entryBytes) {
    return new HyperClockBlockCache(maxBytes, entryBytes, EntryRole.DATA_BLOCK);
  }

  /** Memory of the part of the cache that a block must fit into. */
  long largestPart(long maxBytes) {
    return maxBytes;
  }

  @Test
  void findsWhatWasCached() {
    byte[] bytes = {1, 2, 3};

    CacheEntry cached = cache.cacheBlock("f+0", bytes);

    assertThat(cached.getBuffer()).isSameAs(bytes);
    assertThat(cache.getBlock("f+0")).isSameAs(cached);
    assertThat(cache.getBlock("f+1")).isNull();
  }

  @Test
  void keepsTheFirstBlockOfAName() {
    CacheEntry first = cache.cacheBlock("f+0", new byte[] {1});

    assertThat(cache.cacheBlock("f+0", new byte[] {1})).isSameAs(first);
    assertThat(cache.getBlock("f+0")).isSameAs(first);
  }

  @Test
  void loadsABlockOnce() {
    TestLoader loader = TestLoader.ofBytes(new byte[] {7});

    CacheEntry loaded = cache.getBlock("f+0", loader);

    assertThat(loaded.getBuffer()).containsExactly(7);
    assertThat(cache.getBlock("f+0", loader)).isSameAs(loaded);
    assertThat(loader.loads()).isOne();
  }

  @Test
  void passesDependenciesToTheLoaderAndCachesThem() {
    TestLoader a = TestLoader.ofBytes(new byte[] {1});
    TestLoader b = TestLoader.ofBytes(new byte[] {2}).needs("a", a);
    TestLoader sum =
        TestLoader.of(d -> new byte[] {(byte) (d.get("a")[0] + d.get("b")[0])})
            .needs("a", a)
            .needs("b", b);

    assertThat(cache.getBlock("sum", sum).getBuffer()).containsExactly(3);

    assertThat(cache.getBlock("a").getBuffer()).containsExactly(1);
    assertThat(cache.getBlock("b").getBuffer()).containsExactly(2);
    assertThat(a.loads()).isOne();
  }

  @Test
  void doesNotLoadWithoutADependency() {
    TestLoader tooLarge = TestLoader.of(d -> null);
    TestLoader loader = TestLoader.ofBytes(new byte[1]).needs("a", tooLarge);

    assertThat(cache.getBlock("f+0", loader)).isNull();
    assertThat(loader.loads()).isZero();
  }

  @Test
  void cachesNothingWhereTheLoaderDeclines() {
    assertThat(cache.getBlock("f+0", TestLoader.of(d -> null))).isNull();
    assertThat(cache.getBlock("f+0")).isNull();
  }

  @Test
  void failedLoadReachesTheCallerAndLeavesTheNameFree() {
    UncheckedIOException failure = new UncheckedIOException(new IOException("disk"));
    TestLoader failing =
        TestLoader.of(
            d -> {
              throw failure;
            });

    assertThatThrownBy(() -> cache.getBlock("f+0", failing)).isSameAs(failure);
    assertThat(cache.getBlock("f+0", TestLoader.ofBytes(new byte[] {5})).getBuffer())
        .containsExactly(5);
  }

  @Test
  void loaderMayAskForItsOwnBlock() {
    TestLoader inner = TestLoader.ofBytes(new byte[] {1});
    TestLoader outer = TestLoader.of(d -> cache.getBlock("f+0", inner).getBuffer());

    assertThat(cache.getBlock("f+0", outer).getBuffer()).containsExactly(1);
    assertThat(cache.getBlock("f+0").getBuffer()).containsExactly(1);
  }

  @Test
  void countsEachGetBlockAsOneRequest() {
    TestLoader loader = TestLoader.ofBytes(new byte[1]).needs("a", TestLoader.ofBytes(new byte[1]));

    cache.getBlock("none");
    cache.getBlock("f+0", loader);
    cache.getBlock("f+0", loader);
    cache.getBlock("f+0");

    Stats stats = cache.getStats();
    assertThat(stats.requestCount()).isEqualTo(5);
    assertThat(stats.hitCount()).isEqualTo(2);
  }

  @Test
  void neverUsesMoreThanItsSize() {
    for (int i = 0; i < 5_000; i++) {
      cache.cacheBlock("f+" + i, new byte[1 + i * 7919 % 9_000]);
      assertThat(cache.usageBytes()).isLessThanOrEqualTo(MAX_BYTES);
    }
    assertThat(cache.usageBytes()).isGreaterThan(largestPart(MAX_BYTES) * 9 / 10);
  }

  @Test
  void chargesABlockWithItsBytesAndObjects() {
    long empty = cache.usageBytes();

    cache.cacheBlock("f+0", new byte[1000]);

    assertThat(cache.usageBytes() - empty).isEqualTo(1000 + 56);
  }

  @Test
  void handsOutABlockThatDoesNotFitWithoutKeepingIt() {
    byte[] large = new byte[(int) MAX_BYTES];
    cache.cacheBlock("small", new byte[10]);

    assertThat(cache.cacheBlock("large", large).getBuffer()).isSameAs(large);

    assertThat(cache.getBlock("large")).isNull();
    assertThat(cache.getBlock("small")).isNotNull();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 63, 64, 100, 1000})
  void tellsLoadersTheLargestBlockThatFits(int megabytes) {
    long maxBytes = (long) megabytes << 20;
    HyperClockBlockCache sized = open(maxBytes, 16 << 10);
    TestLoader loader = TestLoader.of(d -> null);
    sized.getBlock("f+0", loader);
    int largest = loader.maxSize();

    long part = largestPart(maxBytes);
    assertThat((double) largest).isBetween(0.97 * Math.min(part, 32 << 20), 1.0 * part);
    sized.cacheBlock("fits", new byte[largest & -8]);
    assertThat(sized.getBlock("fits")).isNotNull();
  }

  @Test
  void sizesAreThoseConfigured() {
    assertThat(cache.getMaxSize()).isEqualTo(MAX_BYTES);
    assertThat(cache.getMaxHeapSize()).isEqualTo(MAX_BYTES);
  }

  @Test
  void indexIsMadeOnce() {
    AtomicInteger made = new AtomicInteger();
    CacheEntry entry = cache.cacheBlock("f+0", new byte[10]);

    Index index = entry.getIndex(() -> new Index(made.incrementAndGet()));

    assertThat(cache.getBlock("f+0").<Index>getIndex(() -> new Index(made.incrementAndGet())))
        .isSameAs(index);
    assertThat(made).hasValue(1);
  }

  @Test
  void chargeFollowsTheWeightOfTheIndex() {
    CacheEntry entry = cache.cacheBlock("f+0", new byte[1000]);
    long before = cache.usageBytes();
    Index index = entry.getIndex(() -> new Index(0));

    index.weight = 500;
    entry.indexWeightChanged();
    assertThat(cache.usageBytes() - before).isEqualTo(500);

    index.weight = 200;
    entry.indexWeightChanged();
    assertThat(cache.usageBytes() - before).isEqualTo(200);
  }

  @Test
  void growingIndexesMakeRoomForThemselves() {
    for (int i = 0; i < 200; i++) {
      CacheEntry entry = cache.cacheBlock("f+" + i, new byte[4000]);
      entry.getIndex(() -> new Index(6000));
      entry.indexWeightChanged();
      assertThat(cache.usageBytes()).isLessThanOrEqualTo(MAX_BYTES);
      assertThat(cache.getBlock("f+" + i)).isSameAs(entry);
    }
  }

  @Test
  void blockWhoseIndexLeavesNoRoomIsDropped() {
    long empty = cache.usageBytes();
    CacheEntry entry = cache.cacheBlock("f+0", new byte[1000]);
    entry.getIndex(() -> new Index((int) MAX_BYTES));

    entry.indexWeightChanged();

    assertThat(cache.getBlock("f+0")).isNull();
    assertThat(cache.usageBytes()).isEqualTo(empty);
  }

  @Test
  void aWeightThatIsNoneLeavesNoPin() {
    long empty = cache.usageBytes();
    CacheEntry entry = cache.cacheBlock("f+0", new byte[1000]);
    entry.getIndex(() -> new Index(-5000));

    assertThatThrownBy(entry::indexWeightChanged).isInstanceOf(IllegalArgumentException.class);

    cache.clear();
    assertThat(cache.usageBytes()).as("a pinned block would stay").isEqualTo(empty);
  }

  @Test
  void indexOfADroppedBlockIsNotCharged() {
    long empty = cache.usageBytes();
    CacheEntry dropped = cache.cacheBlock("f+0", new byte[1000]);
    dropped.getIndex(() -> new Index(700));
    cache.clear();

    dropped.indexWeightChanged();
    assertThat(cache.usageBytes()).isEqualTo(empty);

    cache.cacheBlock("f+0", new byte[1000]);
    dropped.indexWeightChanged();
    assertThat(cache.usageBytes() - empty).isEqualTo(1056);
    assertThat(dropped.getBuffer()).hasSize(1000);
  }

  @Test
  void weightChangeWithoutAnIndexIsNothing() {
    CacheEntry entry = cache.cacheBlock("f+0", new byte[1000]);
    long before = cache.usageBytes();

    entry.indexWeightChanged();

    assertThat(cache.usageBytes()).isEqualTo(before);
  }

  private static final class Index implements Weighable {
    private int weight;

    Index(int weight) {
      this.weight = weight;
    }

    @Override
    public int weight() {
      return weight;
    }
  }
}
