/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.loading;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.BlockCache;
import io.hyperclock.BlockLoader;
import io.hyperclock.BulkLoader;
import io.hyperclock.entry.EntryType;
import io.hyperclock.interleaving.Initializations;
import java.lang.reflect.Method;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/**
 * A load initializes no class: where the stack ends in that, the class can never be used again. Not
 * part of the mutation runs, which give classes initializers of their own.
 */
class InitializationTest {
  private static final String PACKAGE = InitializationTest.class.getPackageName();

  /** Loaded anew, with all classes of the library. */
  static final class Loads {
    private final BlockCache<Object> cache =
        BlockCache.<Object>builder()
            .capacityBytes(10_000)
            .estimatedEntryCharge(100)
            .shards(1)
            .build();

    private Loads() {}

    static Runnable afterBuilding() {
      return new Loads()::all;
    }

    private void all() {
      BlockLoader<Object> texts = (hi, lo) -> "text " + lo;
      cache.get(1, 1, texts);
      cache.getAsync(1, 2, Runnable::run, texts);
      cache.getAsync(1, 3, (hi, lo) -> CompletableFuture.completedFuture("staged"));
      BulkLoader<Object> bulk = (keys, values) -> values[0] = "bulk";
      cache.getAll(new long[] {1, 4}, new Object[1], bulk);
      EntryType<Object> type =
          EntryType.named("freed").disposer((hi, lo, value) -> cache.erase(1, 1)).build();
      BlockLoader<Object> freed = BlockLoader.of(type, value -> 100, texts);
      cache.lookup(1, 5, freed).close();
      cache.erase(1, 5);
      CompletableFuture<Object> later = new CompletableFuture<>();
      cache.getAsync(1, 6, (hi, lo) -> later);
      cache.get(
          1,
          7,
          (hi, lo) -> {
            cache.erase(1, 7);
            return cache.get(1, 6, texts);
          });
      later.complete("later");
    }
  }

  @Test
  void buildingACacheInitializesAllThatLoadsNeed() throws Exception {
    ClassLoader loader = Initializations.loader(PACKAGE);
    Method building = loader.loadClass(Loads.class.getName()).getDeclaredMethod("afterBuilding");
    building.setAccessible(true);
    Runnable loads = (Runnable) building.invoke(null);
    Set<String> before = Initializations.begun();
    loads.run();
    assertThat(before).isNotEmpty().containsExactlyInAnyOrderElementsOf(Initializations.begun());
  }
}
