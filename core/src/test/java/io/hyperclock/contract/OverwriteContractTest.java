/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.hyperclock.BlockCache;
import io.hyperclock.Handle;
import io.hyperclock.InsertResult;
import io.hyperclock.PinRequiredException;
import io.hyperclock.entry.Priority;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** What each overwriting call answers, and who owns, frees and is charged for which value. */
abstract class OverwriteContractTest extends OverwriteContract {
  OverwriteContractTest(Variant variant) {
    super(variant);
  }

  @Test
  void putAddsThenReplaces() {
    Object older = new Object();
    Object newer = new Object();
    assertThat(cache.put(HI, 1, older, 3)).isEqualTo(InsertResult.INSERTED);
    assertThat(cache.get(HI, 1)).isSameAs(older);
    totals(1, 3);
    assertThat(cache.put(HI, 1, newer, 5)).isEqualTo(InsertResult.REPLACED);
    assertThat(cache.get(HI, 1)).isSameAs(newer);
    assertThat(cache.peek(HI, 1)).isSameAs(newer);
    totals(1, 5);
    holds(1, newer, 5);
    assertThat(cache.erase(HI, 1)).isTrue();
    assertThat(cache.erase(HI, 1)).isFalse();
    assertThat(cache.get(HI, 1)).isNull();
    totals(0, 0);
  }

  @Test
  void replacedBlockIsFreedAtOnceAndOnce() {
    Block first = put(1, 2, InsertResult.INSERTED);
    Block second = put(1, 4, InsertResult.REPLACED);
    assertThat(first.timesFreed()).isEqualTo(1);
    assertThat(second.timesFreed()).isZero();
    totals(1, 4);
    for (int i = 0; i < 1000; i++) {
      Block next = put(1, i % 7, InsertResult.REPLACED);
      assertThat(second.timesFreed()).isEqualTo(1);
      second = next;
    }
    totals(1, 999 % 7);
    holds(1, second, 999 % 7);
  }

  @Test
  void manyKeysOverwrittenInTurnsStayApart() {
    BlockCache<Object> many = roomy(40);
    Object[] newest = new Object[40];
    for (int step = 0; step < 4000; step++) {
      int lo = random.nextInt(newest.length);
      Object value = step;
      if (random.nextInt(5) == 0) {
        assertThat(many.erase(HI, lo)).isEqualTo(newest[lo] != null);
        newest[lo] = null;
      } else {
        assertThat(many.put(HI, lo, value, 1))
            .isEqualTo(newest[lo] == null ? InsertResult.INSERTED : InsertResult.REPLACED);
        newest[lo] = value;
      }
      int other = random.nextInt(newest.length);
      assertThat(many.get(HI, other)).isSameAs(newest[other]);
    }
    long present = 0;
    for (int lo = 0; lo < newest.length; lo++) {
      assertThat(many.get(HI, lo)).isSameAs(newest[lo]);
      present += newest[lo] == null ? 0 : 1;
    }
    assertThat(many.monitor().occupancy())
        .isEqualTo(present)
        .isEqualTo(many.monitor().usageBytes());
  }

  @Test
  void kindOfValueMayChange() {
    Block block = put(1, 2, InsertResult.INSERTED);
    assertThatThrownBy(() -> cache.get(HI, 1)).isInstanceOf(PinRequiredException.class);
    assertThat(cache.put(HI, 1, "text", COLLECTED, 3, Priority.HIGH))
        .isEqualTo(InsertResult.REPLACED);
    assertThat(block.timesFreed()).isEqualTo(1);
    assertThat(cache.get(HI, 1)).isEqualTo("text");
    try (Handle<Object> handle = pin(cache, 1)) {
      assertThat(handle.type()).isSameAs(COLLECTED);
    }
    Block again = put(1, 4, InsertResult.REPLACED);
    assertThatThrownBy(() -> cache.get(HI, 1)).isInstanceOf(PinRequiredException.class);
    assertThatThrownBy(() -> cache.peek(HI, 1)).isInstanceOf(PinRequiredException.class);
    holds(1, again, 4);
    totals(1, 4);
  }

  @Test
  void heldOlderValueLivesUntilItsLastHandleIsClosed() {
    Block older = put(1, 3, InsertResult.INSERTED);
    Handle<Object> held = pin(cache, 1);
    Block newer = put(1, 5, InsertResult.REPLACED);
    totals(2, 8);
    assertThat(cache.monitor().pinnedUsageBytes()).isEqualTo(3);
    assertThat(held.value()).isSameAs(older);
    assertThat(held.chargeBytes()).isEqualTo(3);
    assertThat(held.type()).isSameAs(Block.TYPE);
    assertThat(held.keyHi()).isEqualTo(HI);
    assertThat(held.keyLo()).isEqualTo(1);
    Handle<Object> second = held.ref();
    assertThat(second.value()).isSameAs(older);
    assertThat(held.adjustCharge(4)).isTrue();
    totals(2, 9);
    assertThat(cache.monitor().pinnedUsageBytes()).isEqualTo(4);
    assertThat(held.discard()).isFalse();
    assertThat(older.timesFreed()).isZero();
    try (Handle<Object> present = pin(cache, 1)) {
      assertThat(present.value()).isSameAs(newer);
      assertThat(cache.monitor().pinnedUsageBytes()).isEqualTo(9);
    }
    assertThat(second.eraseIfLast()).isTrue();
    assertThat(older.timesFreed()).isEqualTo(1);
    assertThat(newer.timesFreed()).isZero();
    totals(1, 5);
  }

  @Test
  void manyHeldGenerationsOfOneKey() {
    BlockCache<Object> deep = roomy(60);
    List<Handle<Object>> held = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      Block block = block(1);
      assertThat(deep.put(HI, 1, block, Block.TYPE, 1, Priority.LOW))
          .isEqualTo(i == 0 ? InsertResult.INSERTED : InsertResult.REPLACED);
      held.add(pin(deep, 1));
      assertThat(held.get(i).value()).isSameAs(block);
    }
    assertThat(deep.monitor().usageBytes()).isEqualTo(12);
    assertThat(deep.monitor().pinnedUsageBytes()).isEqualTo(12);
    int[] visible = new int[1];
    deep.monitor()
        .forEachEntry(
            (hi, lo, value, type, charge) -> {
              visible[0]++;
              assertThat(value).isSameAs(held.get(11).value());
            });
    assertThat(visible[0]).isEqualTo(1);
    while (held.size() > 1) {
      Handle<Object> any = held.remove(random.nextInt(held.size() - 1));
      Block block = (Block) any.value();
      assertThat(block.timesFreed()).isZero();
      any.close();
      assertThat(block.timesFreed()).isEqualTo(1);
      assertThat(deep.monitor().usageBytes()).isEqualTo(held.size());
    }
    assertThat(deep.erase(HI, 1)).isTrue();
    assertThat(deep.lookup(HI, 1)).isNull();
    release(held);
    assertThat(deep.monitor().occupancy()).isZero();
  }

  /** All entries of a key, held ones too, are in its two buckets. */
  @Test
  void anOverwriteWithoutASlotLeavesTheNewestOrNothing() {
    assumeThat(variant.isAutomatic()).isFalse();
    BlockCache<Object> deep = roomy(60);
    List<Handle<Object>> held = new ArrayList<>();
    Block newest = null;
    for (int i = 0; i < 16; i++) {
      newest = block(1);
      deep.put(HI, 1, newest, Block.TYPE, 1, Priority.LOW);
      held.add(pin(deep, 1));
    }
    for (int i = 0; i < 3; i++) {
      Block more = block(1);
      InsertResult result = deep.put(HI, 1, more, Block.TYPE, 1, Priority.LOW);
      assertThat(result).isEqualTo(variant.strict() ? InsertResult.REFUSED : InsertResult.DROPPED);
      if (result.callerKeepsValue()) {
        blocks.keep(more);
      } else {
        assertThat(more.timesFreed()).isEqualTo(1);
      }
      try (Handle<Object> present = deep.lookup(HI, 1)) {
        // What was there, or nothing, but nothing older.
        assertThat(present == null || present.value() == newest).isTrue();
      }
      assertThat(newest.timesFreed()).isZero();
    }
    held.remove(3).close();
    Block last = block(1);
    deep.put(HI, 1, last, Block.TYPE, 1, Priority.LOW);
    try (Handle<Object> present = pin(deep, 1)) {
      assertThat(present.value()).isSameAs(last);
    }
    release(held);
    assertThat(deep.monitor().occupancy()).isEqualTo(1);
  }

  @Test
  void eraseTakesTheNewestAndLeavesNothingOlder() {
    put(1, 1, InsertResult.INSERTED);
    Handle<Object> held = pin(cache, 1);
    Block newer = put(1, 1, InsertResult.REPLACED);
    assertThat(cache.erase(HI, 1)).isTrue();
    assertThat(newer.timesFreed()).isEqualTo(1);
    assertThat(cache.lookup(HI, 1)).as("older one is still held").isNull();
    assertThat(cache.erase(HI, 1)).isFalse();
    Block third = put(1, 1, InsertResult.INSERTED);
    held.close();
    holds(1, third, 1);
    totals(1, 1);
  }

  @Test
  void sameObjectAgain() {
    String same = "same";
    assertThat(cache.put(HI, 1, same, 1)).isEqualTo(InsertResult.INSERTED);
    assertThat(cache.put(HI, 1, same, 4)).isEqualTo(InsertResult.REPLACED);
    assertThat(cache.get(HI, 1)).isSameAs(same);
    totals(1, 4);
    assertThat(cache.compareAndReplace(HI, 1, same, same, COLLECTED, 2))
        .isEqualTo(InsertResult.REPLACED);
    assertThat(cache.get(HI, 1)).isSameAs(same);
    totals(1, 2);
  }

  @Test
  void statisticsCountWhatCameIntoTheTable() {
    cache.put(HI, 1, "a", 1);
    cache.put(HI, 1, "b", 1);
    cache.replace(HI, 1, "c", COLLECTED, 1);
    cache.replace(HI, 2, "c", COLLECTED, 1);
    cache.compareAndReplace(HI, 1, "z", "d", COLLECTED, 1);
    cache.putIfAbsent(HI, 3, "e", 1);
    cache.putIfAbsent(HI, 3, "f", 1);
    assertThat(cache.monitor().stats().inserts()).isEqualTo(2);
    assertThat(cache.monitor().stats().replaced()).isEqualTo(2);
    assertThat(cache.monitor().stats().evictions()).isZero();
    assertThat(cache.monitor().stats().dropped() + cache.monitor().stats().refused()).isZero();
    assertThat(cache.monitor().stats().occupancy()).isEqualTo(2);
  }

  /** No eviction could make room for it, so none is tried: the value below it stays too. */
  @Test
  void refusedPutOfWhatCannotFitLeavesTheOlderValue() {
    assumeThat(variant.strict()).isTrue();
    Block older = put(1, 2, InsertResult.INSERTED);
    blocks.keep(put(1, 1000L * variant.shards(), InsertResult.REFUSED));
    holds(1, older, 2);
    totals(1, 2);
    try (Handle<Object> beside = cache.createStandalone(HI, 1, block(1), Block.TYPE, 30, false)) {
      assertThat(beside).isNotNull();
      blocks.keep(put(1, 7, InsertResult.REFUSED));
      totals(1, 32);
    }
    holds(1, older, 2);
    totals(1, 2);
    assertThat(older.timesFreed()).isZero();
    assertThat(cache.erase(HI, 1)).isTrue();
    assertThat(older.timesFreed()).isEqualTo(1);
    totals(0, 0);
  }

  @Test
  void badArgumentsChangeNothing() {
    cache.put(HI, 1, "a", 3);
    for (long bad : new long[] {-1, Long.MIN_VALUE, BlockCache.MAX_CHARGE_BYTES + 1}) {
      refused(bad, () -> cache.put(HI, 1, "x", bad));
      refused(bad, () -> cache.put(HI, 2, "x", COLLECTED, bad, Priority.LOW));
      refused(bad, () -> cache.putIfAbsent(HI, 2, "x", bad));
      refused(bad, () -> cache.replace(HI, 1, "x", COLLECTED, bad));
      refused(bad, () -> cache.compareAndReplace(HI, 1, "a", "x", COLLECTED, bad));
    }
    nullRefused("value", () -> cache.put(HI, 1, null, 1));
    nullRefused("value", () -> cache.put(HI, 1, null, COLLECTED, 1, Priority.LOW));
    nullRefused("type", () -> cache.put(HI, 1, "x", null, 1, Priority.LOW));
    nullRefused("priority", () -> cache.put(HI, 1, "x", COLLECTED, 1, null));
    nullRefused("value", () -> cache.putIfAbsent(HI, 2, null, 1));
    nullRefused("value", () -> cache.replace(HI, 1, null, COLLECTED, 1));
    nullRefused("type", () -> cache.replace(HI, 1, "x", null, 1));
    nullRefused("expected", () -> cache.compareAndReplace(HI, 1, null, "x", COLLECTED, 1));
    nullRefused("value", () -> cache.compareAndReplace(HI, 1, "a", null, COLLECTED, 1));
    nullRefused("type", () -> cache.compareAndReplace(HI, 1, "a", "x", null, 1));
    assertThat(cache.get(HI, 1)).isEqualTo("a");
    totals(1, 3);
    assertThat(cache.monitor().stats().inserts()).isEqualTo(1);
  }

  private static void refused(long charge, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("chargeBytes=" + charge);
  }

  private static void nullRefused(String name, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOf(NullPointerException.class)
        .hasMessageContaining(name + " must not be null");
  }
}
