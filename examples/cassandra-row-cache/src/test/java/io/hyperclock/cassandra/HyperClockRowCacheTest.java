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

import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.function.LongFunction;
import org.apache.cassandra.cache.CacheProvider;
import org.apache.cassandra.cache.ICache;
import org.apache.cassandra.cache.IRowCacheEntry;
import org.apache.cassandra.cache.RowCacheKey;
import org.apache.cassandra.cache.RowCacheSentinel;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.marshal.BytesType;
import org.apache.cassandra.db.marshal.UTF8Type;
import org.apache.cassandra.db.partitions.CachedBTreePartition;
import org.apache.cassandra.db.partitions.CachedPartition;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.io.util.Memory;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.utils.FBUtilities;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HyperClockRowCacheTest extends RowCacheContract {
  private final CountedMemory.Ledger ledger = new CountedMemory.Ledger();
  private LongFunction<Memory> allocator = ledger::give;

  @Override
  ICache<RowCacheKey, IRowCacheEntry> create() {
    return new HyperClockRowCache(
        (long) TestTable.CACHE_MEBIBYTES << 20, bytes -> allocator.apply(bytes));
  }

  @AfterEach
  void allMemoryIsBackOnce() {
    cache.clear();
    assertThat(cache.size()).isZero();
    assertThat(ledger.freed.get()).isEqualTo(ledger.given.get());
    assertThat(ledger.freedAgain.get()).isZero();
  }

  @Test
  @SuppressWarnings("unchecked")
  void cassandraMakesItByItsName() throws Exception {
    Class<CacheProvider<RowCacheKey, IRowCacheEntry>> found =
        (Class<CacheProvider<RowCacheKey, IRowCacheEntry>>)
            (Class<?>)
                FBUtilities.classForNameWithoutInitialization(
                    DatabaseDescriptor.getRowCacheClassName(),
                    "row cache provider",
                    CacheProvider.class);

    ICache<RowCacheKey, IRowCacheEntry> made =
        found.getDeclaredConstructor().newInstance().create();

    assertThat(made).isInstanceOf(HyperClockRowCache.class);
    assertThat(made.capacity()).isEqualTo((long) TestTable.CACHE_MEBIBYTES << 20);
    made.put(key("ann"), partition("ann", "tea"));
    assertThat(textOf((CachedPartition) made.get(key("ann")))).isEqualTo("tea");
    made.clear();
  }

  @Test
  void aRowOfBeforeAWriteDoesNotGoInAfterIt() {
    RowCacheSentinel sentinel = new RowCacheSentinel();
    cache.putIfAbsent(key("ann"), sentinel);
    cache.remove(key("ann"));

    assertThat(cache.replace(key("ann"), sentinel, partition("ann", "of before"))).isFalse();
    assertThat(cache.get(key("ann"))).isNull();
  }

  @Test
  void aPartitionIsReplacedIfItHasTheSameBytes() {
    CachedPartition tea = partition("ann", "tea");
    cache.put(key("ann"), tea);

    assertThat(cache.replace(key("ann"), partition("ann", "milk"), partition("ann", "juice")))
        .isFalse();
    assertThat(cache.replace(key("ann"), tea, partition("ann", "coffee"))).isTrue();
    assertThat(textOf((CachedPartition) cache.get(key("ann")))).isEqualTo("coffee");
  }

  @Test
  void whatIsBroughtInWhileTheCacheIsClearedIsNotFoundAfterwards() {
    RowCacheSentinel sentinel = new RowCacheSentinel();
    cache.putIfAbsent(key("bob"), sentinel);
    allocator =
        bytes -> {
          cache.clear();
          return ledger.give(bytes);
        };
    cache.put(key("ann"), partition("ann", "of before"));
    assertThat(cache.putIfAbsent(key("cid"), partition("cid", "of before"))).isTrue();
    assertThat(cache.replace(key("bob"), sentinel, partition("bob", "of before"))).isFalse();
    allocator = ledger::give;

    for (String customer : new String[] {"ann", "bob", "cid"}) {
      assertThat(cache.get(key(customer))).isNull();
      assertThat(cache.containsKey(key(customer))).isFalse();
      assertThat(cache.replace(key(customer), partition(customer, "of before"), sentinel))
          .isFalse();
      assertThat(cache.putIfAbsent(key(customer), partition(customer, "new"))).isTrue();
      assertThat(textOf((CachedPartition) cache.get(key(customer)))).isEqualTo("new");
    }
  }

  @Test
  void keysOfBeforeAClearAreNotListed() {
    allocator =
        bytes -> {
          cache.clear();
          return ledger.give(bytes);
        };
    cache.put(key("ann"), partition("ann", "of before"));

    assertThat(cache.size()).isEqualTo(1);
    assertThat(cache.keyIterator().hasNext()).isFalse();
    assertThat(cache.hotKeyIterator(1).hasNext()).isFalse();
  }

  @Test
  void keysWithTheSameHashAreToldApart() {
    RowCacheKey[] keys = Collisions.pair(TableId.generate());
    assertThat(keys[0]).isNotEqualTo(keys[1]);
    RowKey first = RowKey.of(keys[0]);
    RowKey second = RowKey.of(keys[1]);
    assertThat(first.hi()).isEqualTo(second.hi());
    assertThat(first.lo()).isEqualTo(second.lo());

    cache.put(keys[0], partition("ann", "first"));
    assertThat(cache.get(keys[1])).isNull();
    assertThat(cache.containsKey(keys[1])).isFalse();
    assertThat(cache.replace(keys[1], partition("ann", "first"), partition("ann", "second")))
        .isFalse();
    assertThat(textOf((CachedPartition) cache.get(keys[0]))).isEqualTo("first");

    assertThat(cache.putIfAbsent(keys[1], partition("ann", "second"))).isTrue();
    assertThat(cache.get(keys[0])).isNull();
    assertThat(textOf((CachedPartition) cache.get(keys[1]))).isEqualTo("second");
    cache.put(keys[0], partition("ann", "third"));
    assertThat(cache.get(keys[1])).isNull();
    assertThat(cache.size()).isEqualTo(1);
    cache.remove(keys[0]);
    assertThat(cache.size()).isZero();
  }

  private static void awaitNextTime() {
    long now = CachedRow.now();
    while (CachedRow.now() == now) {
      Thread.onSpinWait();
    }
  }

  @Test
  void hotKeysComeInTheOrderOfTheirUse() {
    for (int i = 0; i < 50; i++) {
      cache.put(key("c" + i), partition("c" + i, 1, "tea"));
    }
    for (int i : new int[] {31, 7, 19}) {
      awaitNextTime();
      cache.get(key("c" + i));
    }
    awaitNextTime();
    cache.containsKey(key("c11"));

    Iterator<RowCacheKey> hot = cache.hotKeyIterator(3);
    assertThat(hot).toIterable().containsExactly(key("c19"), key("c7"), key("c31"));
    assertThat(cache.hotKeyIterator(0).hasNext()).isFalse();
  }

  @Test
  void aCacheOfNoCapacityKeepsNothing() {
    cache.put(key("ann"), partition("ann", "tea"));
    cache.setCapacity(0);
    assertThat(cache.capacity()).isZero();
    assertThat(cache.size()).isZero();

    cache.put(key("ann"), partition("ann", "tea"));
    assertThat(cache.putIfAbsent(key("bob"), partition("bob", "tea"))).isFalse();
    assertThat(cache.size()).isZero();

    cache.setCapacity(1 << 20);
    cache.put(key("ann"), partition("ann", "tea"));
    assertThat(cache.get(key("ann"))).isNotNull();
  }

  @Test
  void withoutMemoryNothingGoesInAndNoOlderRowStays() {
    RowCacheSentinel sentinel = new RowCacheSentinel();
    cache.put(key("ann"), partition("ann", "tea"));
    cache.put(key("bob"), sentinel);
    allocator =
        bytes -> {
          throw new OutOfMemoryError();
        };

    cache.put(key("ann"), partition("ann", "coffee"));
    assertThat(cache.get(key("ann"))).isNull();
    assertThat(cache.putIfAbsent(key("ann"), partition("ann", "coffee"))).isFalse();
    assertThat(cache.replace(key("bob"), sentinel, partition("bob", "tea"))).isFalse();
    assertThat(cache.get(key("bob"))).isNull();
  }

  @Test
  void memoryIsFreedWhenARowCannotBeWritten() {
    allocator = bytes -> ledger.give(bytes - 1);

    assertThatThrownBy(() -> cache.put(key("ann"), partition("ann", "tea")))
        .isInstanceOf(Throwable.class);

    assertThat(ledger.given.get()).isEqualTo(1);
    assertThat(ledger.freed.get()).isEqualTo(1);
  }

  @Test
  void aRowOfADroppedTableIsNotFound() {
    TableMetadata dropped =
        TableMetadata.builder("shop", "dropped")
            .addPartitionKeyColumn("customer", UTF8Type.instance)
            .addRegularColumn("blob", BytesType.instance)
            .build();
    PartitionUpdate.SimpleBuilder update = PartitionUpdate.simpleBuilder(dropped, "ann");
    update.row().add("blob", ByteBuffer.allocate(10));
    RowCacheKey key = new RowCacheKey(dropped.id, null, UTF8Type.instance.decompose("ann"));
    cache.put(
        key,
        CachedBTreePartition.create(
            update.build().unfilteredIterator(), FBUtilities.nowInSeconds()));

    assertThat(cache.get(key)).isNull();
  }
}
