/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.cassandra;

import static io.hyperclock.cassandra.TestTable.key;
import static io.hyperclock.cassandra.TestTable.partition;
import static io.hyperclock.cassandra.TestTable.textOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashSet;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Set;
import org.apache.cassandra.cache.ICache;
import org.apache.cassandra.cache.IRowCacheEntry;
import org.apache.cassandra.cache.RowCacheKey;
import org.apache.cassandra.cache.RowCacheSentinel;
import org.apache.cassandra.db.partitions.CachedPartition;
import org.apache.cassandra.schema.TableId;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What Cassandra expects of a row cache, whoever provides it. */
abstract class RowCacheContract {
  private static final long CAPACITY = (long) TestTable.CACHE_MEBIBYTES << 20;

  protected ICache<RowCacheKey, IRowCacheEntry> cache;

  /** An empty cache of the size that the configuration says. */
  abstract ICache<RowCacheKey, IRowCacheEntry> create();

  @BeforeEach
  void createCache() {
    assertThat(TestTable.METADATA).isNotNull();
    cache = create();
  }

  private String textAt(String customer) {
    IRowCacheEntry found = cache.get(key(customer));
    return found == null ? null : textOf((CachedPartition) found);
  }

  private static Set<RowCacheKey> all(Iterator<RowCacheKey> keys) {
    Set<RowCacheKey> all = new HashSet<>();
    keys.forEachRemaining(key -> assertThat(all.add(key)).as("%s twice", key).isTrue());
    return all;
  }

  @Test
  void aPartitionComesBackWithAllItHas() {
    CachedPartition put = partition("ann", 100, "tea");
    cache.put(key("ann"), put);

    CachedPartition found = (CachedPartition) cache.get(key("ann"));

    assertThat(textOf(found)).isEqualTo("tea");
    assertThat(found.partitionKey()).isEqualTo(put.partitionKey());
    assertThat(found.rowCount()).isEqualTo(100);
    assertThat(found.cachedLiveRows()).isEqualTo(put.cachedLiveRows());
    assertThat(found.rowsWithNonExpiringCells()).isEqualTo(put.rowsWithNonExpiringCells());
    assertThat(found).isNotSameAs(put);
  }

  @Test
  void whatWasNeverPutIsNotFound() {
    assertThat(cache.get(key("ann"))).isNull();
    assertThat(cache.containsKey(key("ann"))).isFalse();
    cache.remove(key("ann"));
    assertThat(cache.size()).isZero();
    assertThat(cache.keyIterator().hasNext()).isFalse();
    assertThat(cache.hotKeyIterator(3).hasNext()).isFalse();
  }

  @Test
  void keysAreTheTableTheIndexAndThePartition() {
    byte[] bytes = {1};
    TableId table = TableId.generate();
    RowCacheKey plain = new RowCacheKey(table, null, bytes);
    RowCacheKey ofIndex = new RowCacheKey(table, "by_text", bytes);
    RowCacheKey ofAnother = new RowCacheKey(TableId.generate(), null, bytes);
    RowCacheKey empty = new RowCacheKey(table, null, new byte[0]);

    cache.put(plain, partition("ann", "plain"));
    cache.put(ofIndex, partition("ann", "index"));
    cache.put(ofAnother, partition("ann", "another"));
    cache.put(empty, partition("ann", "empty"));

    assertThat(textOf((CachedPartition) cache.get(plain))).isEqualTo("plain");
    assertThat(textOf((CachedPartition) cache.get(ofIndex))).isEqualTo("index");
    assertThat(textOf((CachedPartition) cache.get(ofAnother))).isEqualTo("another");
    assertThat(textOf((CachedPartition) cache.get(empty))).isEqualTo("empty");
    assertThat(all(cache.keyIterator()))
        .containsExactlyInAnyOrder(plain, ofIndex, ofAnother, empty);
    cache.remove(ofIndex);
    assertThat(cache.containsKey(plain)).isTrue();
    assertThat(cache.containsKey(ofIndex)).isFalse();
  }

  @Test
  void putOverwrites() {
    cache.put(key("ann"), partition("ann", "tea"));
    cache.put(key("ann"), partition("ann", "coffee"));

    assertThat(textAt("ann")).isEqualTo("coffee");
    assertThat(cache.size()).isEqualTo(1);
  }

  @Test
  void putIfAbsentKeepsWhatIsThere() {
    assertThat(cache.putIfAbsent(key("ann"), partition("ann", "tea"))).isTrue();
    assertThat(cache.putIfAbsent(key("ann"), partition("ann", "coffee"))).isFalse();

    assertThat(textAt("ann")).isEqualTo("tea");
    assertThat(cache.size()).isEqualTo(1);
  }

  @Test
  void aSentinelComesBackAsItself() {
    RowCacheSentinel sentinel = new RowCacheSentinel();
    assertThat(cache.putIfAbsent(key("ann"), sentinel)).isTrue();

    assertThat(cache.get(key("ann"))).isEqualTo(sentinel).isNotEqualTo(new RowCacheSentinel());
    assertThat(cache.containsKey(key("ann"))).isTrue();
  }

  @Test
  void onlyItsOwnSentinelIsReplaced() {
    RowCacheSentinel sentinel = new RowCacheSentinel();
    cache.putIfAbsent(key("ann"), sentinel);

    assertThat(cache.replace(key("ann"), new RowCacheSentinel(), partition("ann", "old")))
        .isFalse();
    assertThat(cache.get(key("ann"))).isEqualTo(sentinel);
    assertThat(cache.replace(key("ann"), sentinel, partition("ann", "tea"))).isTrue();
    assertThat(textAt("ann")).isEqualTo("tea");
    assertThat(cache.replace(key("ann"), sentinel, partition("ann", "old"))).isFalse();
    assertThat(textAt("ann")).isEqualTo("tea");
    assertThat(cache.size()).isEqualTo(1);
  }

  @Test
  void removeTakesOneAway() {
    cache.put(key("ann"), partition("ann", "tea"));
    cache.put(key("bob"), partition("bob", "milk"));

    cache.remove(key("ann"));

    assertThat(cache.get(key("ann"))).isNull();
    assertThat(cache.containsKey(key("ann"))).isFalse();
    assertThat(textAt("bob")).isEqualTo("milk");
    assertThat(cache.size()).isEqualTo(1);
  }

  @Test
  void clearTakesAllAway() {
    long weightWhenEmpty = cache.weightedSize();
    for (int i = 0; i < 100; i++) {
      cache.put(key("c" + i), partition("c" + i, "tea"));
    }
    assertThat(cache.size()).isEqualTo(100);
    assertThat(cache.weightedSize()).isGreaterThan(weightWhenEmpty);

    cache.clear();

    assertThat(cache.size()).isZero();
    assertThat(cache.weightedSize()).isEqualTo(weightWhenEmpty);
    assertThat(cache.get(key("c7"))).isNull();
    assertThat(all(cache.keyIterator())).isEmpty();
    assertThat(cache.putIfAbsent(key("c7"), partition("c7", "milk"))).isTrue();
    assertThat(textAt("c7")).isEqualTo("milk");
  }

  @Test
  void keysAreListedOnceAndCanBeRemovedMeanwhile() {
    Set<RowCacheKey> put = new HashSet<>();
    for (int i = 0; i < 1_000; i++) {
      cache.put(key("c" + i), partition("c" + i, 1, "tea"));
      put.add(key("c" + i));
    }
    assertThat(all(cache.keyIterator())).isEqualTo(put);

    // As Cassandra does when a table is truncated.
    Iterator<RowCacheKey> keys = cache.keyIterator();
    while (keys.hasNext()) {
      RowCacheKey key = keys.next();
      if (key.hashCode() % 2 == 0) {
        keys.remove();
        put.remove(key);
      }
    }

    assertThat(put).isNotEmpty().hasSizeLessThan(1_000);
    assertThat(all(cache.keyIterator())).isEqualTo(put);
    assertThat(cache.size()).isEqualTo(put.size());
    assertThatThrownBy(keys::next).isInstanceOf(NoSuchElementException.class);
  }

  @Test
  void hotKeysAreOfRowsThatAreThere() {
    for (int i = 0; i < 100; i++) {
      cache.put(key("c" + i), partition("c" + i, 1, "tea"));
    }

    Set<RowCacheKey> hot = all(cache.hotKeyIterator(20));

    // OHC may list some more or fewer.
    assertThat(hot).hasSizeBetween(10, 40);
    assertThat(all(cache.keyIterator())).containsAll(hot);
    assertThat(all(cache.hotKeyIterator(1_000))).hasSize(100);
  }

  @Test
  void theCapacityHolds() {
    assertThat(cache.capacity()).isEqualTo(CAPACITY);
    String text = "t".repeat(1_000);
    for (int i = 0; i < 12_000; i++) {
      cache.put(key("c" + i), partition("c" + i, 1, text));
    }

    assertThat(cache.weightedSize()).isBetween(CAPACITY * 3 / 4, CAPACITY);
    assertThat(cache.size()).isBetween(5_000, 8_000);
    assertThat(all(cache.keyIterator())).hasSize(cache.size());
  }

  @Test
  void theCapacityCanBeChanged() {
    String text = "t".repeat(1_000);
    for (int i = 0; i < 12_000; i++) {
      cache.put(key("c" + i), partition("c" + i, 1, text));
    }
    cache.setCapacity(CAPACITY / 2);
    for (int i = 0; i < 500; i++) {
      cache.put(key("d" + i), partition("d" + i, 1, text));
    }
    assertThat(cache.capacity()).isEqualTo(CAPACITY / 2);
    assertThat(cache.weightedSize()).isLessThanOrEqualTo(CAPACITY / 2);

    cache.setCapacity(2 * CAPACITY);
    for (int i = 0; i < 12_000; i++) {
      cache.put(key("c" + i), partition("c" + i, 1, text));
    }
    assertThat(cache.weightedSize()).isBetween(CAPACITY, 2 * CAPACITY);
    assertThat(cache.size()).isGreaterThan(10_000);
  }

  @Test
  void aPartitionLargerThanTheCacheIsNotKeptNorIsWhatItOverwrote() {
    cache.put(key("ann"), partition("ann", "tea"));

    cache.put(key("ann"), partition("ann", 10, "t".repeat((int) CAPACITY / 9)));

    assertThat(cache.get(key("ann"))).isNull();
    assertThat(cache.weightedSize()).isLessThanOrEqualTo(CAPACITY);
  }

  @Test
  void aSentinelIsGoneWhenItsPartitionIsTooLarge() {
    RowCacheSentinel sentinel = new RowCacheSentinel();
    cache.putIfAbsent(key("ann"), sentinel);

    // Cassandra counts on it, whatever the answer: nobody could cache the key otherwise.
    cache.replace(key("ann"), sentinel, partition("ann", 10, "t".repeat((int) CAPACITY / 9)));

    assertThat(cache.get(key("ann"))).isNull();
    assertThat(cache.putIfAbsent(key("ann"), new RowCacheSentinel())).isTrue();
  }
}
