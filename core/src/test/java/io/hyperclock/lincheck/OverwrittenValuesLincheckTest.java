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
 * Overwrites of values freed explicitly, among reads, inserts and erases, are linearizable: no read
 * misses a key between two values, no update is lost, no conditional one goes past an erase, and no
 * value is freed while it is held, or twice. The table is so small that the probe paths cross.
 */
@Param(name = "key", gen = IntGen.class, conf = "0:1")
@Param(name = "value", gen = IntGen.class, conf = "1:3")
public class OverwrittenValuesLincheckTest {
  private final FreedValues values = new FreedValues();
  private final BlockCache<Value> cache = Lincheck.roomyCache(values.type, SlotStorage.HEAP);

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
  public boolean put(@Param(name = "key") int key, @Param(name = "value") int number) {
    return cache.put(0, key, new Value(number), 1) == InsertResult.REPLACED;
  }

  @Operation
  public int putPinned(@Param(name = "key") int key, @Param(name = "value") int number) {
    Value value = new Value(number);
    try (Handle<Value> handle = cache.putPinned(0, key, value, values.type, 1, Priority.LOW)) {
      return handle.value() == value ? value.read() : -2;
    }
  }

  @Operation
  public boolean replace(@Param(name = "key") int key, @Param(name = "value") int number) {
    return cache.replace(0, key, new Value(number), values.type, 1) == InsertResult.REPLACED;
  }

  /** Adds ten to the number under a key, once. */
  @Operation
  public @Nullable Integer increase(@Param(name = "key") int key) {
    for (; ; ) {
      try (Handle<Value> handle = cache.lookup(0, key)) {
        if (handle == null) {
          return null;
        }
        Value seen = handle.value();
        Value next = new Value(seen.number + 10);
        if (cache.compareAndReplace(0, key, seen, next, values.type, 1) == InsertResult.REPLACED) {
          return seen.number;
        }
      }
    }
  }

  @Operation
  public boolean erase(@Param(name = "key") int key) {
    return cache.erase(0, key);
  }

  /** Erases what is there, if it is still what was seen. */
  @Operation
  public @Nullable Integer take(@Param(name = "key") int key) {
    for (; ; ) {
      try (Handle<Value> handle = cache.lookup(0, key)) {
        if (handle == null) {
          return null;
        }
        Value seen = handle.value();
        if (cache.erase(0, key, seen)) {
          return seen.number;
        }
      }
    }
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
