/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.lincheck;

import io.hyperclock.BlockCache;
import io.hyperclock.Handle;
import io.hyperclock.InsertResult;
import io.hyperclock.SlotStorage;
import io.hyperclock.entry.EntryType;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.Validate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Reads, inserts and erases of values that the collector owns, on a table so small that the keys'
 * probe paths cross but with room for all of them, are linearizable.
 */
@Param(name = "key", gen = IntGen.class, conf = "0:2")
@Param(name = "value", gen = IntGen.class, conf = "1:9")
public class CollectedValuesLincheckTest {
  private final BlockCache<Integer> cache =
      Lincheck.cache(EntryType.of("collected"), SlotStorage.HEAP);

  @Operation
  public @Nullable Integer get(@Param(name = "key") int key) {
    return cache.get(0, key);
  }

  @Operation
  public @Nullable Integer peek(@Param(name = "key") int key) {
    return cache.peek(0, key);
  }

  @Operation
  public @Nullable Integer lookup(@Param(name = "key") int key) {
    try (Handle<Integer> handle = cache.lookup(0, key)) {
      return handle == null ? null : handle.value();
    }
  }

  @Operation
  public boolean insert(@Param(name = "key") int key, @Param(name = "value") int value) {
    return cache.insert(0, key, value, 1) == InsertResult.INSERTED;
  }

  @Operation
  public boolean erase(@Param(name = "key") int key) {
    return cache.erase(0, key);
  }

  @Validate
  public void whole() {
    Lincheck.requireWhole(cache);
  }

  @Test
  void modelChecking() {
    Lincheck.modelChecking().check(getClass());
  }

  @Test
  void stress() {
    Lincheck.stress().check(getClass());
  }
}
