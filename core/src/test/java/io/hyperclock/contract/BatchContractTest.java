/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperclock.BlockCache;
import io.hyperclock.Handle;
import io.hyperclock.PinRequiredException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reading many keys at once. */
abstract class BatchContractTest extends CacheContract {
  BatchContractTest(Variant variant) {
    super(variant);
  }

  /** Every third key is absent. */
  private BlockCache<Object> filled(int keys, boolean freedByHand) {
    BlockCache<Object> cache = roomy(keys);
    for (long lo = 0; lo < keys; lo++) {
      if (lo % 3 != 2) {
        if (freedByHand) {
          inserted(cache, lo, 1);
        } else {
          insert(cache, lo, 1);
        }
      }
    }
    return cache;
  }

  private static long[] keys(int count) {
    long[] keys = new long[2 * count];
    for (int i = 0; i < count; i++) {
      keys[2 * i] = HI;
      keys[2 * i + 1] = i;
    }
    return keys;
  }

  @SuppressWarnings("unchecked")
  private static Handle<Object>[] handles(int count) {
    return new Handle[count];
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 32, 33, 64, 65, 1000})
  void getAllFindsWhatGetFinds(int count) {
    BlockCache<Object> cache = filled(count, false);
    Object[] values = new Object[count];
    Arrays.fill(values, "left over");
    int found = cache.getAll(keys(count), values);
    assertThat(found).isEqualTo(count - count / 3);
    for (int i = 0; i < count; i++) {
      assertThat(values[i]).isEqualTo(i % 3 == 2 ? null : text(i));
    }
  }

  @Test
  void getAllFillsAnArrayOfTheValuesClass() {
    BlockCache<Object> cache = filled(100, false);
    String[] values = new String[100];
    Arrays.fill(values, "left over");
    assertThat(cache.getAll(keys(100), values)).isEqualTo(67);
    assertThat(values[99]).isEqualTo(text(99));
    assertThat(values[98]).isNull();
    assertThatThrownBy(() -> cache.getAll(keys(100), new Integer[100]))
        .isInstanceOf(ArrayStoreException.class);
    assertThat(cache.get(HI, 99)).isEqualTo(text(99));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 32, 33, 64, 65, 1000})
  void lookupAllPinsWhatLookupFinds(int count) {
    BlockCache<Object> cache = filled(count, true);
    Handle<Object>[] handles = handles(count);
    int found = cache.lookupAll(keys(count), handles);
    assertThat(found).isEqualTo(count - count / 3);
    assertThat(cache.monitor().pinnedUsageBytes()).isEqualTo(found);
    for (int i = 0; i < count; i++) {
      if (i % 3 == 2) {
        assertThat(handles[i]).isNull();
      } else {
        assertThat(((Block) handles[i].value()).lo).isEqualTo(i);
        handles[i].close();
      }
    }
  }

  @Test
  void oldHandlesInTheOutputAreOverwrittenNotClosed() {
    BlockCache<Object> cache = filled(3, true);
    Handle<Object> old = pin(cache, 0);
    Handle<Object>[] handles = handles(3);
    Arrays.fill(handles, old);
    assertThat(cache.lookupAll(keys(3), handles)).isEqualTo(2);
    assertThat(handles[2]).isNull();
    assertThat(old.isReleased()).isFalse();
    old.close();
    handles[0].close();
    handles[1].close();
  }

  @Test
  void repeatedKeysAreAnsweredEach() {
    BlockCache<Object> cache = roomy(10);
    insert(cache, 1, 1);
    long[] keys = {HI, 1, HI, 2, HI, 1, HI, 1};
    Object[] values = new Object[4];
    assertThat(cache.getAll(keys, values)).isEqualTo(3);
    assertThat(values).containsExactly(text(1), null, text(1), text(1));
    Handle<Object>[] handles = handles(4);
    assertThat(cache.lookupAll(keys, handles)).isEqualTo(3);
    handles[0].close();
    handles[2].close();
    assertThat(cache.monitor().pinnedUsageBytes()).isEqualTo(1);
    handles[3].close();
  }

  @Test
  void outputMayBeLongerThanNeeded() {
    BlockCache<Object> cache = filled(3, false);
    Object[] values = new Object[5];
    assertThat(cache.getAll(keys(3), values)).isEqualTo(2);
    assertThat(values).startsWith(text(0), text(1), null);
    Handle<Object>[] handles = handles(5);
    assertThat(cache.lookupAll(keys(3), handles)).isEqualTo(2);
    handles[0].close();
    handles[1].close();
  }

  @Test
  void badArraysAreRefused() {
    BlockCache<Object> cache = filled(3, false);
    assertThatThrownBy(() -> cache.getAll(new long[3], new Object[3]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageMatching(".+: .*=3\\b.*");
    assertThatThrownBy(() -> cache.lookupAll(new long[3], handles(3)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageMatching(".+: .*=3\\b.*");
    Object[] tooFew = new Object[2];
    assertThatThrownBy(() -> cache.getAll(keys(3), tooFew))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageMatching(".+: .*=2\\b.*");
    assertThat(tooFew).containsOnlyNulls();
    Handle<Object>[] tooFewHandles = handles(2);
    assertThatThrownBy(() -> cache.lookupAll(keys(3), tooFewHandles))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageMatching(".+: .*=2\\b.*");
    assertThat(tooFewHandles).containsOnlyNulls();
    assertThat(cache.monitor().pinnedUsageBytes()).isZero();
  }

  @Test
  void nullArraysAreRefused() {
    BlockCache<Object> cache = filled(3, false);
    assertThatThrownBy(() -> cache.getAll(null, new Object[1]))
        .isInstanceOf(NullPointerException.class)
        .hasMessageContaining("keys must not be null");
    assertThatThrownBy(() -> cache.getAll(new long[2], null))
        .isInstanceOf(NullPointerException.class)
        .hasMessageContaining("values must not be null");
    assertThatThrownBy(() -> cache.lookupAll(null, handles(1)))
        .isInstanceOf(NullPointerException.class)
        .hasMessageContaining("keys must not be null");
    assertThatThrownBy(() -> cache.lookupAll(new long[2], null))
        .isInstanceOf(NullPointerException.class)
        .hasMessageContaining("handles must not be null");
  }

  @Test
  void valueFreedByHandStopsGetAll() {
    BlockCache<Object> cache = filled(3, false);
    Block block = inserted(cache, 2, 1);
    assertThatThrownBy(() -> cache.getAll(keys(3), new Object[3]))
        .isInstanceOf(PinRequiredException.class);
    assertThat(block.timesFreed()).isZero();
    assertThat(cache.monitor().pinnedUsageBytes()).isZero();
  }

  /** A reused array must not show values of an earlier call as hits of this one. */
  @ParameterizedTest
  @ValueSource(ints = {0, 31, 32, 35, 39})
  void noValueIsLeftOverBehindTheOneThatStopsGetAll(int stop) {
    BlockCache<Object> cache = roomy(40);
    for (int lo = 0; lo < 40; lo++) {
      if (lo != stop) {
        insert(cache, lo, 1);
      }
    }
    inserted(cache, stop, 1);
    Object[] values = new Object[41];
    Arrays.fill(values, "left over");
    assertThatThrownBy(() -> cache.getAll(keys(40), values))
        .isInstanceOf(PinRequiredException.class);
    for (int i = 0; i < 40; i++) {
      assertThat(values[i]).as("key %s", i).isEqualTo(i < stop / 32 * 32 ? text(i) : null);
    }
    assertThat(values[40]).isEqualTo("left over");
  }

  @Test
  void noValueIsLeftOverWhereTheArrayCannotHoldOne() {
    BlockCache<Object> cache = filled(40, false);
    Integer[] values = new Integer[40];
    Arrays.fill(values, 7);
    assertThatThrownBy(() -> cache.getAll(keys(40), values))
        .isInstanceOf(ArrayStoreException.class);
    assertThat(values).containsOnlyNulls();
  }
}
