/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperclock.BlockCache;
import io.hyperclock.CacheMonitor;
import io.hyperclock.CapacityMode;
import io.hyperclock.Handle;
import io.hyperclock.InsertResult;
import io.hyperclock.entry.Priority;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** The end of a cache. */
abstract class CloseContractTest extends CacheContract {
  CloseContractTest(Variant variant) {
    super(variant);
  }

  private static final Set<String> WORK_AFTER_CLOSE =
      Set.of("close", "monitor", "loadStats", "scopeStats", "openScopes", "fileKeys");

  @Test
  void filesAreDroppedAfterwardsToo() {
    BlockCache<Object> cache = roomy(10);
    io.hyperclock.entry.FileKey file = io.hyperclock.entry.FileKey.unique();
    assertThat(file).isNotEqualTo(io.hyperclock.entry.FileKey.unique());
    close(cache);
    assertThat(cache.fileKeys().dropAll(java.util.List.of(file, file))).isEqualTo(1);
    assertThat(cache.fileKeys().isDropped(file.hi())).isTrue();
  }

  @Test
  void closingTwiceIsHarmless() {
    BlockCache<Object> cache = roomy(10);
    Block block = inserted(cache, 1, 1);
    close(cache);
    close(cache);
    assertThat(block.timesFreed()).isEqualTo(1);
  }

  @Test
  void monitorIsOneThatTellsAfterwardsWhatWasLoadedAndHeldBack() {
    BlockCache<Object> cache = roomy(10);
    CacheMonitor<Object> monitor = cache.monitor();
    cache.get(HI, 1, (hi, lo) -> "loaded");
    close(cache);
    assertThat(cache.monitor()).isSameAs(monitor);
    assertThat(monitor.loadStats().loads()).isEqualTo(1);
    assertThat(monitor.scopeStats().openScopes()).isZero();
  }

  @Test
  void everyMethodRefusesAfterClose() {
    BlockCache<Object> cache = roomy(10);
    inserted(cache, 1, 1);
    Handle<Object> made = cache.newHandle();
    close(cache);
    Block block = block(2);
    blocks.keep(block);
    Map<String, ThrowingCallable> calls = new LinkedHashMap<>();
    calls.put("get", () -> cache.get(HI, 1));
    calls.put("peek", () -> cache.peek(HI, 1));
    calls.put("getAll", () -> cache.getAll(new long[] {HI, 1}, new Object[1]));
    calls.put("openScope", cache::openScope);
    calls.put("lookup", () -> cache.lookup(HI, 1));
    calls.put("lookupAll", () -> cache.lookupAll(new long[] {HI, 1}, new Handle[1]));
    calls.put("insert", () -> cache.insert(HI, 2, "x", 1));
    calls.put("insert typed", () -> cache.insert(HI, 2, block, Block.TYPE, 1, Priority.LOW));
    calls.put("put", () -> cache.put(HI, 2, "x", 1));
    calls.put("put typed", () -> cache.put(HI, 2, block, Block.TYPE, 1, Priority.LOW));
    calls.put("putIfAbsent", () -> cache.putIfAbsent(HI, 2, "x", 1));
    calls.put("replace", () -> cache.replace(HI, 2, block, Block.TYPE, 1));
    calls.put("compareAndReplace", () -> cache.compareAndReplace(HI, 2, "x", block, Block.TYPE, 1));
    calls.put("insertPinned", () -> cache.insertPinned(HI, 2, block, Block.TYPE, 1, Priority.LOW));
    calls.put("putPinned", () -> cache.putPinned(HI, 2, block, Block.TYPE, 1, Priority.LOW));
    calls.put("createStandalone", () -> cache.createStandalone(HI, 2, block, Block.TYPE, 1, true));
    calls.put("erase if", () -> cache.erase(HI, 1, "value"));
    calls.put("invalidateLoad", () -> cache.invalidateLoad(HI, 1));
    calls.put("erase", () -> cache.erase(HI, 1));
    calls.put("eraseUnreferenced", cache::eraseUnreferenced);
    calls.put("forEachEntry", () -> cache.monitor().forEachEntry((hi, lo, v, t, c) -> {}));
    calls.put("forEachHottest", () -> cache.monitor().forEachHottest(1, (hi, lo, v, t, c) -> {}));
    calls.put("newHandle", cache::newHandle);
    calls.put("lookupInto", () -> cache.lookupInto(HI, 1, made));
    calls.put("contains", () -> cache.contains(HI, 1));
    calls.put("touch", () -> cache.touch(HI, 1));
    calls.put("prefetch", () -> cache.prefetch(HI, 1, Runnable::run, (hi, lo) -> "x"));
    calls.put("capacityBytes", cache.monitor()::capacityBytes);
    calls.put("setCapacityBytes", () -> cache.setCapacityBytes(1));
    calls.put("capacityMode", cache.monitor()::capacityMode);
    calls.put("setCapacityMode", () -> cache.setCapacityMode(CapacityMode.STRICT));
    calls.put("usageBytes", cache.monitor()::usageBytes);
    calls.put("pinnedUsageBytes", cache.monitor()::pinnedUsageBytes);
    calls.put("occupancy", cache.monitor()::occupancy);
    calls.put("droppedFileBytes", cache.monitor()::droppedFileBytes);
    calls.put("slots", cache.monitor()::slots);
    calls.put("stats", cache.monitor()::stats);
    calls.put("getAsync", () -> cache.getAsync(HI, 1, Runnable::run, (hi, lo) -> "x"));
    calls.put("lookupAsync", () -> cache.lookupAsync(HI, 1, Runnable::run, (hi, lo) -> "x"));
    calls.put("problems", cache.monitor()::problems);
    calls.put("longestHeld", () -> cache.monitor().longestHeld(1));
    calls.forEach(
        (name, call) ->
            assertThatThrownBy(call)
                .as(name)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed"));
    assertThat(calls.keySet().stream().map(name -> name.split(" ")[0]).distinct())
        .containsExactlyInAnyOrderElementsOf(
            Stream.of(BlockCache.class, CacheMonitor.class)
                .flatMap(type -> Stream.of(type.getMethods()))
                .filter(m -> !java.lang.reflect.Modifier.isStatic(m.getModifiers()))
                .map(java.lang.reflect.Method::getName)
                .filter(name -> !WORK_AFTER_CLOSE.contains(name))
                .distinct()
                .toList());
    assertThat(cache.toString()).isNotEmpty();
  }

  @Test
  void openHandlesOutliveTheCache() {
    BlockCache<Object> cache = roomy(10);
    Block inTable = inserted(cache, 1, 2);
    Block erased = inserted(cache, 2, 2);
    Block unpinned = inserted(cache, 3, 2);
    Block alone = block(4);
    Handle<Object> ofTable = pin(cache, 1);
    Handle<Object> second = pin(cache, 1);
    Handle<Object> ofErased = pin(cache, 2);
    cache.erase(HI, 2);
    Handle<Object> ofAlone = cache.createStandalone(HI, 4, alone, Block.TYPE, 2, false);
    close(cache);

    assertThat(unpinned.timesFreed()).isEqualTo(1);
    assertThat(ofTable.value()).isSameAs(inTable);
    assertThat(ofTable.keyLo()).isEqualTo(1);
    assertThat(ofTable.chargeBytes()).isEqualTo(2);
    assertThat(ofTable.type()).isSameAs(Block.TYPE);
    Handle<Object> third = ofTable.ref();
    for (Block block : List.of(inTable, erased, alone)) {
      assertThat(block.timesFreed()).isZero();
    }
    assertThat(ofTable.discard()).isFalse();
    assertThat(third.discard()).isFalse();
    assertThat(inTable.timesFreed()).isZero();
    assertThat(second.discard()).isTrue();
    assertThat(inTable.timesFreed()).isEqualTo(1);
    assertThat(ofErased.eraseIfLast()).isTrue();
    assertThat(erased.timesFreed()).isEqualTo(1);
    assertThat(ofAlone.discard()).isTrue();
    assertThat(alone.timesFreed()).isEqualTo(1);
    second.close();
    assertThat(second.isReleased()).isTrue();
    assertThatThrownBy(second::value).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void handlesClosedWhileTheCacheClosesFreeTheirValuesOnce() throws Exception {
    for (int round = 0; round < 50; round++) {
      BlockCache<Object> cache = roomy(16);
      List<List<Handle<Object>>> pins = List.of(new ArrayList<>(), new ArrayList<>());
      List<Block> all = new ArrayList<>();
      for (long lo = 0; lo < 16; lo++) {
        all.add(inserted(cache, lo, 1));
        pins.get(0).add(pin(cache, lo));
        pins.get(1).add(pin(cache, lo));
      }
      Crew.run(
          3,
          thread -> {
            if (thread == 2) {
              close(cache);
            } else {
              release(pins.get(thread));
            }
          });
      assertThat(all).allSatisfy(block -> assertThat(block.timesFreed()).isEqualTo(1));
    }
  }

  @Test
  void insertsRacingWithCloseLeakNothing() throws Exception {
    for (int round = 0; round < 20; round++) {
      BlockCache<Object> cache = roomy(100);
      Crew.run(
          3,
          thread -> {
            if (thread == 2) {
              while (cache.monitor().occupancy() < 10) {
                Thread.onSpinWait();
              }
              close(cache);
            } else {
              insertUntilClosed(cache, thread);
            }
          });
    }
  }

  private void insertUntilClosed(BlockCache<Object> cache, int thread) {
    for (long i = 0; ; i++) {
      Block block = block(thread * 1000L + i % 50);
      try {
        switch ((int) (i % 4)) {
          case 0 -> {
            Handle<Object> handle =
                cache.insertPinned(HI, block.lo, block, Block.TYPE, 1, Priority.LOW);
            assertThat(block.timesFreed()).isZero();
            if (i % 8 == 0) {
              handle.eraseIfLast();
            } else {
              handle.close();
            }
          }
          case 1 -> cache.createStandalone(HI, block.lo, block, Block.TYPE, 1, true).close();
          default -> {
            InsertResult result = cache.insert(HI, block.lo, block, Block.TYPE, 1, Priority.LOW);
            assertThat(result).isIn(InsertResult.INSERTED, InsertResult.KEPT_EXISTING);
          }
        }
      } catch (IllegalStateException closed) {
        blocks.keep(block);
        return;
      }
    }
  }

  @Test
  void readsRacingWithCloseSeeLiveValuesOrTheEnd() throws Exception {
    for (int round = 0; round < 50; round++) {
      BlockCache<Object> cache = roomy(20);
      for (long lo = 0; lo < 20; lo++) {
        inserted(cache, lo, 1);
      }
      Crew.run(
          3,
          thread -> {
            if (thread == 2) {
              close(cache);
              return;
            }
            for (long i = 0; ; i++) {
              try (Handle<Object> handle = cache.lookup(HI, i % 20)) {
                if (handle != null) {
                  assertThat(((Block) handle.value()).timesFreed()).isZero();
                }
              } catch (IllegalStateException closed) {
                return;
              }
            }
          });
    }
  }
}
