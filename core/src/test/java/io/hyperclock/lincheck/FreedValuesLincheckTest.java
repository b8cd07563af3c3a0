/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.lincheck;

import io.hyperclock.BlockCache;
import io.hyperclock.Handle;
import io.hyperclock.InsertResult;
import io.hyperclock.SlotStorage;
import io.hyperclock.entry.Priority;
import io.hyperclock.lincheck.FreedValues.Value;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.Validate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Pinned reads, inserts and erases of values that are freed explicitly are linearizable, and no
 * value is freed while it is held, or twice.
 */
@Param(name = "key", gen = IntGen.class, conf = "0:2")
@Param(name = "value", gen = IntGen.class, conf = "1:9")
public class FreedValuesLincheckTest {
  private final FreedValues values = new FreedValues();
  private final BlockCache<Value> cache = Lincheck.cache(values.type, SlotStorage.HEAP);

  @Operation
  public @Nullable Integer lookup(@Param(name = "key") int key) {
    try (Handle<Value> handle = cache.lookup(0, key)) {
      return handle == null ? null : handle.value().read();
    }
  }

  @Operation
  public boolean insert(@Param(name = "key") int key, @Param(name = "value") int number) {
    return cache.insert(0, key, new Value(number), 1) == InsertResult.INSERTED;
  }

  @Operation
  public int insertPinned(@Param(name = "key") int key, @Param(name = "value") int number) {
    Value value = new Value(number);
    try (Handle<Value> handle = cache.insertPinned(0, key, value, values.type, 1, Priority.LOW)) {
      return handle.value() == value ? value.read() : -2;
    }
  }

  @Operation
  public boolean erase(@Param(name = "key") int key) {
    return cache.erase(0, key);
  }

  @Validate
  public void whole() {
    Lincheck.requireWhole(cache);
    values.requireFreedOnce();
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
