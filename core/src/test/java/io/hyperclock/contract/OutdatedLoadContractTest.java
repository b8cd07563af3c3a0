/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.contract;

import static io.hyperclock.contract.LoadContractTest.assertIdle;
import static io.hyperclock.contract.LoadContractTest.never;
import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.BlockCache;
import io.hyperclock.Handle;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.Priority;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Loads under way whose key is erased, written or inserted, and loads of a cache that closes. */
abstract class OutdatedLoadContractTest extends SharedLoadContract {
  OutdatedLoadContractTest(Variant variant) {
    super(variant);
  }

  @Test
  void callersAfterAnEraseStartANewLoad() throws Exception {
    BlockCache<Object> cache = roomy(10);
    HeldLoader old = held((hi, lo) -> "old");
    Call<Object> leader = leader(cache, old);
    Call<Object> waiter = Call.startWaiting(() -> cache.get(HI, 1, never()));
    cache.erase(HI, 1);
    assertThat(cache.get(HI, 1, (hi, lo) -> "new")).isEqualTo("new");
    old.letGo();
    assertThat(leader.result()).isEqualTo("old");
    assertThat(waiter.result()).isEqualTo("old");
    assertThat(cache.peek(HI, 1)).isEqualTo("new");
    cache.erase(HI, 1);
    assertThat(cache.get(HI, 1, (hi, lo) -> "newer")).isEqualTo("newer");
    assertIdle(cache);
  }

  @Test
  void overwriteMakesTheLoadStale() throws Exception {
    BlockCache<Object> cache = roomy(10);
    HeldLoader old = held((hi, lo) -> "old");
    Call<Object> leader = leader(cache, old);
    cache.put(HI, 1, "new", 1);
    cache.eraseUnreferenced();
    assertThat(cache.get(HI, 1, (hi, lo) -> "newer")).isEqualTo("newer");
    old.letGo();
    assertThat(leader.result()).isEqualTo("old");
    assertThat(cache.peek(HI, 1)).isEqualTo("newer");
    assertIdle(cache);
  }

  @Test
  void pinnedOverwriteMakesTheLoadStale() throws Exception {
    BlockCache<Object> cache = roomy(10);
    HeldLoader old = held((hi, lo) -> "old");
    Call<Object> leader = leader(cache, old);
    cache.putPinned(HI, 1, "new", EntryType.of("new"), 1, Priority.LOW).discard();
    cache.eraseUnreferenced();
    old.letGo();
    assertThat(leader.result()).isEqualTo("old");
    assertThat(cache.peek(HI, 1)).isNull();
    assertIdle(cache);
  }

  @Test
  void outdatedLoadIsNotCachedAndLeavesTheEntryAlone() throws Exception {
    BlockCache<Object> cache = roomy(10);
    HeldLoader old = held((hi, lo) -> "old");
    Call<Object> leader = leader(cache, old);
    cache.invalidateLoad(HI, 1);
    insert(cache, 1, 1);
    cache.invalidateLoad(HI, 1);
    assertThat(cache.peek(HI, 1)).isEqualTo(text(1));
    cache.eraseUnreferenced();
    old.letGo();
    assertThat(leader.result()).isEqualTo("old");
    assertThat(cache.peek(HI, 1)).isNull();
    assertIdle(cache);
  }

  @Test
  void insertWhileLoadingWins() throws Exception {
    BlockCache<Object> cache = roomy(10);
    HeldLoader loader = held((hi, lo) -> "loaded");
    Call<Object> leader = leader(cache, loader);
    List<Call<Object>> waiters = waiters(cache);
    insert(cache, 1, 1);
    loader.letGo();
    assertThat(leader.result()).isEqualTo(text(1));
    for (Call<Object> waiter : waiters) {
      assertThat(waiter.result()).isEqualTo(text(1));
    }
  }

  /** Ways to add a value unless the key is present. */
  private List<Consumer<BlockCache<Object>>> inserts() {
    return List.of(
        cache -> insert(cache, 1, 1),
        cache -> inserted(cache, 1, 1),
        cache -> cache.putIfAbsent(HI, 1, text(1), 1),
        cache -> insertPinned(cache, 1, 1).close());
  }

  @Test
  void insertOutdatesALoad() throws Exception {
    for (Consumer<BlockCache<Object>> insert : inserts()) {
      BlockCache<Object> cache = roomy(10);
      HeldLoader old = held((hi, lo) -> "old");
      Call<Object> leader = leader(cache, old);
      insert.accept(cache);
      cache.eraseUnreferenced();
      // Whoever comes now does not get what was read before the insert.
      assertThat(cache.get(HI, 1, (hi, lo) -> "new")).isEqualTo("new");
      cache.eraseUnreferenced();
      old.letGo();
      assertThat(leader.result()).isEqualTo("old");
      assertThat(cache.peek(HI, 1)).isNull();
      assertIdle(cache);
    }
  }

  @Test
  void insertWhileLoadingWinsOverPinnedLoads() throws Exception {
    BlockCache<Object> cache = roomy(10);
    HeldLoader loader = held(blockLoader(1));
    Call<Handle<Object>> leader = pinningLeader(cache, loader);
    List<Call<Handle<Object>>> waiters = pinningWaiters(cache);
    Block inserted = inserted(cache, 1, 1);
    loader.letGo();
    assertThat(leader.result().value()).isSameAs(inserted);
    leader.result().close();
    for (Call<Handle<Object>> waiter : waiters) {
      assertThat(waiter.result().value()).isSameAs(inserted);
      waiter.result().close();
    }
    assertThat(cache.monitor().usageBytes()).isEqualTo(1);
    assertIdle(cache);
  }

  @Test
  void pinnedLoadThatAnInsertHasOutdatedIsNotCached() throws Exception {
    BlockCache<Object> cache = roomy(10);
    HeldLoader loader = held(blockLoader(1));
    Call<Handle<Object>> leader = pinningLeader(cache, loader);
    inserted(cache, 1, 1);
    cache.eraseUnreferenced();
    loader.letGo();
    try (Handle<Object> loaded = leader.result()) {
      assertThat(loaded.isStandalone()).isTrue();
      assertThat(has(cache, 1)).isFalse();
    }
    assertIdle(cache);
  }

  @Test
  void closeReleasesTheWaiters() throws Exception {
    BlockCache<Object> cache = roomy(10);
    HeldLoader loader = held(blockLoader(1));
    Call<Handle<Object>> leader = pinningLeader(cache, loader);
    List<Call<Handle<Object>>> waiters = pinningWaiters(cache);
    close(cache);
    loader.letGo();
    assertThat(leader.failure()).isInstanceOf(IllegalStateException.class);
    for (Call<Handle<Object>> waiter : waiters) {
      assertThat(waiter.failure())
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("closed=true");
    }
    assertIdle(cache);
  }
}
