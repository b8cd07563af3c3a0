/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.contract;

import static io.hyperclock.TestLimits.TEST_SECONDS;
import static io.hyperclock.TestLimits.WAIT_SECONDS;
import static io.hyperclock.contract.LoadContractTest.TEXTS;
import static io.hyperclock.contract.LoadContractTest.assertIdle;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Timeout.ThreadMode.SEPARATE_THREAD;

import io.hyperclock.BlockCache;
import io.hyperclock.BlockLoader;
import io.hyperclock.BulkLoader;
import io.hyperclock.Handle;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.Priority;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Disposers and listeners that meet a key whose loaded value is just being inserted: they erase it
 * while the inserting thread stands still, or read it on that thread.
 */
@Tag("loading")
@Timeout(value = TEST_SECONDS, threadMode = SEPARATE_THREAD)
abstract class CallbackDuringLoadContractTest extends CacheContract {
  private static final int ENTRIES = 40;
  private static final long LOADED = 100_000;
  private static final EntryType<Object> TEXT = EntryType.of("text");

  private final CountDownLatch inserting = new CountDownLatch(1);
  private final CountDownLatch go = new CountDownLatch(1);
  private volatile @Nullable Thread leader;
  private volatile @Nullable Runnable onEviction;
  private final EntryType<Object> freed =
      EntryType.named("freed").disposer((hi, lo, value) -> ((Runnable) value).run()).build();

  CallbackDuringLoadContractTest(Variant variant) {
    super(variant);
  }

  /** A full cache: an eviction stops the leader, and runs {@link #onEviction} on other threads. */
  private BlockCache<Object> full() {
    BlockCache<Object> cache =
        track(
            builder(1L * ENTRIES * variant.shards(), 1)
                .evictionListener((hi, lo, value, type, charge, wasHit) -> evicted())
                .build());
    for (long lo = 0; lo < 4L * ENTRIES * variant.shards(); lo++) {
      insert(cache, lo, 1);
    }
    return cache;
  }

  private boolean evicted() {
    Runnable action = onEviction;
    if (Thread.currentThread() == leader) {
      inserting.countDown();
      awaitGo();
    } else if (action != null) {
      onEviction = null;
      action.run();
    }
    return false;
  }

  private void awaitGo() {
    try {
      assertThat(go.await(2 * WAIT_SECONDS, TimeUnit.SECONDS)).as("let go").isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Runs something that calls back into the cache and erases the key there. */
  private void whileInserting(BlockCache<Object> cache, Runnable calls) throws Exception {
    BlockLoader<Object> loader = BlockLoader.of(TEXT, value -> ENTRIES / 2, TEXTS);
    Call<Object> load =
        Call.start(
            () -> {
              leader = Thread.currentThread();
              return cache.get(HI, LOADED, loader);
            });
    assertThat(inserting.await(WAIT_SECONDS, TimeUnit.SECONDS)).as("inserting").isTrue();
    try {
      Call.start(
              () -> {
                calls.run();
                return true;
              })
          .result();
    } finally {
      go.countDown();
    }
    assertThat(load.result()).isEqualTo(text(LOADED));
    assertThat(has(cache, LOADED)).isFalse();
    assertThat(cache.monitor().stats().callbackFailures()).isZero();
    assertIdle(cache);
  }

  @Test
  void listenerErases() throws Exception {
    BlockCache<Object> cache = full();
    CountDownLatch erased = new CountDownLatch(1);
    whileInserting(
        cache,
        () -> {
          onEviction =
              () -> {
                cache.erase(HI, LOADED);
                erased.countDown();
              };
          for (long lo = LOADED + 1; erased.getCount() != 0; lo++) {
            insert(cache, lo, 1);
          }
        });
  }

  @Test
  void disposerOfAStandaloneValueErases() throws Exception {
    BlockCache<Object> cache = full();
    Runnable erase = () -> cache.erase(HI, LOADED);
    Handle<Object> alone = cache.createStandalone(HI, 1, erase, freed, 0, false);
    whileInserting(cache, alone::close);
  }

  @Test
  void disposersOfErasedAndKeptValuesErase() throws Exception {
    BlockCache<Object> cache = full();
    Runnable erase = () -> cache.erase(HI, LOADED);
    Handle<Object> held = cache.insertPinned(HI, 1, erase, freed, 0, Priority.LOW);
    whileInserting(
        cache,
        () -> {
          // Keeps the present value and disposes this one, or, as RocksDB does, the other way
          // round.
          cache.insert(HI, 1, erase, freed, 0, Priority.LOW);
          held.eraseIfLast();
          cache.erase(HI, 1);
        });
  }

  /** A listener reads a key with a loader while this thread inserts what it has loaded. */
  private void listenerReads(BlockCache<Object> cache, long lo, Runnable load) {
    AtomicReference<@Nullable Object> read = new AtomicReference<>();
    onEviction = () -> read.set(cache.get(HI, lo, TEXTS));
    load.run();
    assertThat(read).hasValue(text(lo));
    assertThat(cache.monitor().stats().callbackFailures()).isZero();
  }

  @Test
  void listenerReadsTheKeyThatItsThreadInserts() {
    BlockCache<Object> cache = full();
    BlockLoader<Object> loader = BlockLoader.of(TEXT, value -> ENTRIES / 2, TEXTS);
    listenerReads(cache, LOADED, () -> cache.get(HI, LOADED, loader));
    assertIdle(cache);
  }

  @Test
  void listenerReadsAnotherKeyOfTheBatch() {
    BlockCache<Object> cache = full();
    BulkLoader<Object> loader =
        new BulkLoader<>() {
          @Override
          public void load(long[] keys, @Nullable Object[] values) {
            values[0] = text(keys[1]);
            values[1] = text(keys[3]);
          }

          @Override
          public long chargeBytes(Object value) {
            return ENTRIES / 2;
          }
        };
    Object[] values = new Object[2];
    long[] keys = {HI, LOADED, HI, LOADED + 1};
    listenerReads(cache, LOADED + 1, () -> cache.getAll(keys, values, loader));
    assertThat(values).containsExactly(text(LOADED), text(LOADED + 1));
    assertIdle(cache);
  }

  /** A load that has no thread is not waited for inside a loader. */
  @Test
  void listenerReadsTheKeyThatItsThreadLoadsByItself() {
    BlockCache<Object> cache = full();
    CompletableFuture<@Nullable Object> stage = new CompletableFuture<>();
    CompletableFuture<Object> staged = cache.getAsync(HI, LOADED, (hi, lo) -> stage);
    BlockLoader<Object> inner = BlockLoader.of(TEXT, value -> ENTRIES / 2, TEXTS);
    BlockLoader<Object> outer =
        (hi, lo) -> {
          listenerReads(cache, LOADED, () -> cache.lookup(HI, LOADED, inner).close());
          return text(lo);
        };
    assertThat(cache.get(HI, LOADED + 1, outer)).isEqualTo(text(LOADED + 1));
    stage.complete(text(LOADED));
    assertThat(staged).isCompletedWithValue(text(LOADED));
    assertIdle(cache);
  }
}
