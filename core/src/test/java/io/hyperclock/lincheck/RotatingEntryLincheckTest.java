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
import java.lang.reflect.Method;
import java.util.List;
import java.util.stream.Stream;
import org.jetbrains.kotlinx.lincheck.Actor;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionScenario;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.Validate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * An entry that is overwritten again and again moves between two slots of its path. Two reads in a
 * row beside two overwrites in a row: a reader that has passed the first slot while it was empty
 * meets the newest entry in the second one, and must not find the one before it in the first slot
 * afterwards. Reads in scopes are those of {@code get}.
 */
@Param(name = "key", gen = IntGen.class, conf = "0:0")
@Param(name = "value", gen = IntGen.class, conf = "1:9")
public class RotatingEntryLincheckTest {
  private static final int INVOCATIONS = 2_000;

  private final BlockCache<Integer> cache =
      Lincheck.roomyCache(EntryType.of("collected"), SlotStorage.HEAP);

  @Operation
  public boolean put(@Param(name = "key") int key, @Param(name = "value") int value) {
    return cache.put(0, key, value, 1) == InsertResult.REPLACED;
  }

  @Operation
  public @Nullable Integer get(@Param(name = "key") int key) {
    return cache.get(0, key);
  }

  @Operation
  public @Nullable Integer lookup(@Param(name = "key") int key) {
    try (Handle<Integer> handle = cache.lookup(0, key)) {
      return handle == null ? null : handle.value();
    }
  }

  @Validate
  public void whole() {
    Lincheck.requireWhole(cache);
  }

  @ParameterizedTest
  @ValueSource(strings = {"get", "lookup"})
  void readsNeverGoBack(String read) {
    Lincheck.modelChecking()
        .iterations(0)
        .invocationsPerIteration(INVOCATIONS)
        .addCustomScenario(
            new ExecutionScenario(
                List.of(actor("put", 0, 1), actor("put", 0, 2)),
                List.of(
                    List.of(actor("put", 0, 3), actor("put", 0, 4)),
                    List.of(actor(read, 0), actor(read, 0))),
                List.of(actor("get", 0)),
                null))
        .check(getClass());
  }

  private static Actor actor(String name, Object... arguments) {
    Method method =
        Stream.of(RotatingEntryLincheckTest.class.getMethods())
            .filter(candidate -> candidate.getName().equals(name))
            .findFirst()
            .orElseThrow();
    return new Actor(method, List.of(arguments), false, false, false, false, false);
  }
}
