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
import io.hyperclock.Handle;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.Priority;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Disposers and listeners that erase a key whose loaded value is just being inserted, by a thread
 * that stands still until they have returned.
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
}
