/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.BlockCache;
import io.hyperclock.Handle;
import io.hyperclock.InsertResult;
import io.hyperclock.entry.Disposer;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.Priority;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;

/** Disposers that call back into the cache, and disposers that fail. */
abstract class CallbackContractTest extends CacheContract {
  CallbackContractTest(Variant variant) {
    super(variant);
  }

  private static EntryType<Block> freedBy(Disposer<Block> disposer) {
    return EntryType.<Block>named("custom").disposer(disposer).build();
  }

  private void insert(BlockCache<Object> cache, EntryType<Block> type, long lo) {
    assertThat(cache.insert(HI, lo, block(lo), type, 1, Priority.LOW))
        .isEqualTo(InsertResult.INSERTED);
  }

  @Test
  void disposerMayEraseOtherEntries() {
    BlockCache<Object> cache = roomy(50);
    EntryType<Block> type =
        freedBy(
            (hi, lo, block) -> {
              block.free(hi, lo);
              assertThat(cache.lookup(hi, lo)).as("already gone").isNull();
              cache.erase(hi, lo);
              cache.erase(hi, lo + 1);
            });
    for (long lo = 0; lo < 50; lo++) {
      insert(cache, type, lo);
    }
    assertThat(cache.erase(HI, 0)).isTrue();
    assertThat(cache.monitor().occupancy()).isZero();
    assertThat(cache.monitor().usageBytes()).isZero();
    assertThat(cache.monitor().stats().callbackFailures()).isZero();
  }

  @Test
  void disposerMayReadAndInsert() {
    BlockCache<Object> cache = cache(20L * variant.shards(), 1);
    CacheContract.insert(cache, 5000, 1);
    EntryType<Block> type =
        freedBy(
            (hi, lo, block) -> {
              block.free(hi, lo);
              cache.get(HI, 5000);
              cache.monitor().usageBytes();
              if (lo < 1000) {
                cache.insert(hi, lo + 1000, text(lo), 1);
              }
            });
    for (long lo = 0; lo < 500; lo++) {
      insert(cache, type, lo);
      assertThat(cache.monitor().usageBytes()).isLessThanOrEqualTo(22L * variant.shards());
    }
    assertThat(cache.monitor().stats().callbackFailures()).isZero();
    cache.eraseUnreferenced();
    cache.eraseUnreferenced();
    assertThat(cache.monitor().occupancy()).isZero();
  }

  @Test
  void disposerMayReleaseHandlesOfOthers() {
    BlockCache<Object> cache = roomy(10);
    List<Handle<Object>> held = new ArrayList<>();
    EntryType<Block> type =
        freedBy(
            (hi, lo, block) -> {
              block.free(hi, lo);
              release(held);
            });
    Block inner = inserted(cache, 1, 1);
    held.add(pin(cache, 1));
    cache.erase(HI, 1);
    insert(cache, type, 2);
    cache.erase(HI, 2);
    assertThat(inner.timesFreed()).isEqualTo(1);
    assertThat(cache.monitor().usageBytes()).isZero();
  }

  /** Where no slot is free, an overwrite makes the older value leave first. */
  @Test
  void aPutEndsAlthoughEachValueOfItsKeyInsertsAnotherAsItIsFreed() {
    BlockCache<Object> cache = cache(200L * variant.shards(), 1);
    Successors successors = new Successors(cache);
    EntryType<Block> putting =
        freedBy(
            (hi, lo, block) -> {
              block.free(hi, lo);
              successors.put();
            });
    successors.put();
    for (long lo = 1; lo < 2000L * variant.shards(); lo++) {
      Block block = block(lo);
      if (cache.insert(HI, lo, block, putting, 0, Priority.LOW).callerKeepsValue()) {
        blocks.keep(block);
      }
    }
    successors.isOver = true;
    assertThat(successors.puts).isGreaterThan(1);
    assertThat(successors.mostInOnePut).isPositive().isLessThanOrEqualTo(3);
    assertThat(cache.monitor().stats().callbackFailures()).isZero();
  }

  /** Values of one key, each of which inserts another one when it is freed. */
  private final class Successors {
    private static final long KEY = 0;

    private final BlockCache<Object> cache;
    private final EntryType<Block> type = freedBy(this::freed);
    private boolean isOver;
    private boolean isInserting;
    private int puts;
    private int inOnePut;
    private int mostInOnePut;

    Successors(BlockCache<Object> cache) {
      this.cache = cache;
    }

    private void freed(long hi, long lo, Block block) {
      block.free(hi, lo);
      if (!isInserting && !isOver) {
        isInserting = true;
        inOnePut++;
        settle(block(KEY), next -> cache.insert(HI, KEY, next, type, 0, Priority.LOW));
        isInserting = false;
      }
    }

    void put() {
      if (!isOver) {
        puts++;
        inOnePut = 0;
        settle(block(KEY), next -> cache.put(HI, KEY, next, type, 0, Priority.LOW));
        mostInOnePut = Math.max(mostInOnePut, inOnePut);
      }
    }

    private void settle(Block block, Function<Block, InsertResult> write) {
      if (write.apply(block).callerKeepsValue()) {
        blocks.keep(block);
      }
    }
  }

  private EntryType<Block> failing() {
    return freedBy(
        (hi, lo, block) -> {
          block.free(hi, lo);
          throw new IllegalArgumentException("disposer of " + lo);
        });
  }

  @Test
  void failingDisposerIsCountedAndTheEntryIsGone() {
    BlockCache<Object> cache = roomy(20);
    EntryType<Block> type = failing();
    insert(cache, type, 1);
    assertThat(cache.erase(HI, 1)).isTrue();
    assertThat(cache.monitor().stats().callbackFailures()).isEqualTo(1);

    insert(cache, type, 2);
    assertThat(pin(cache, 2).eraseIfLast()).isTrue();
    assertThat(cache.monitor().stats().callbackFailures()).isEqualTo(2);

    insert(cache, type, 3);
    assertThat(cache.insert(HI, 3, block(3), type, 1, Priority.LOW))
        .isEqualTo(InsertResult.KEPT_EXISTING);
    assertThat(cache.monitor().stats().callbackFailures()).isEqualTo(3);

    Handle<Object> alone = cache.createStandalone(HI, 4, block(4), type, 1, false);
    assertThat(alone.discard()).isTrue();
    assertThat(cache.monitor().stats().callbackFailures()).isEqualTo(4);

    insert(cache, type, 5);
    cache.eraseUnreferenced();
    assertThat(cache.monitor().stats().callbackFailures()).isEqualTo(6);
    assertThat(cache.monitor().occupancy()).isZero();
    assertThat(cache.monitor().usageBytes()).isZero();
  }

  @Test
  void failingDisposerDoesNotStopEvictionNorClose() {
    BlockCache<Object> cache = cache(10L * variant.shards(), 1);
    EntryType<Block> type = failing();
    for (long lo = 0; lo < 500; lo++) {
      insert(cache, type, lo);
      assertThat(cache.monitor().usageBytes()).isLessThanOrEqualTo(10L * variant.shards());
    }
    assertThat(cache.monitor().stats().callbackFailures())
        .isEqualTo(500 - cache.monitor().occupancy());
    close(cache);
  }

  @Test
  void failuresAreLogged() {
    BlockCache<Object> cache = roomy(10);
    AtomicReference<LogRecord> logged = new AtomicReference<>();
    Handler handler =
        new Handler() {
          @Override
          public void publish(LogRecord entry) {
            logged.set(entry);
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    insert(cache, failing(), 7);
    LOGGER.setUseParentHandlers(false);
    LOGGER.setLevel(Level.ALL);
    LOGGER.addHandler(handler);
    try {
      cache.erase(HI, 7);
    } finally {
      LOGGER.removeHandler(handler);
      LOGGER.setLevel(Level.OFF);
      LOGGER.setUseParentHandlers(true);
    }
    assertThat(logged.get()).isNotNull();
    assertThat(logged.get().getThrown()).hasMessage("disposer of 7");
    assertThat(logged.get().getLevel().intValue()).isGreaterThanOrEqualTo(Level.WARNING.intValue());
  }
}
