/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.faults;

import static io.hyperclock.faults.CacheScenario.ABSENT;
import static io.hyperclock.faults.CacheScenario.HI;
import static io.hyperclock.faults.CacheScenario.KEY;

import io.hyperclock.BulkLoader;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** All operations of a {@link io.hyperclock.BlockCache} that call loaders. */
public final class LoadScenarios {
  private static final CacheScenario.Step NOTHING = it -> {};
  private static final CacheScenario.Step ENTER_TEXT = it -> it.enterText(KEY);
  private static final long[] KEYS = {HI, KEY, HI, ABSENT, HI, KEY};

  private final Map<String, Supplier<FaultScenario>> all = new LinkedHashMap<>();
  private final boolean tracked;

  private LoadScenarios(boolean tracked) {
    this.tracked = tracked;
  }

  /** Scenarios by name; handles are tracked and the capacity is strict, or not. */
  public static Map<String, Supplier<FaultScenario>> all(boolean tracked) {
    LoadScenarios made = new LoadScenarios(tracked);
    made.loads();
    made.bulkAndAsyncLoads();
    return made.all;
  }

  private void add(String name, CacheScenario.Step arrange, CacheScenario.Step act) {
    all.put(name, () -> new CacheScenario(CacheScenario.Setting.of(tracked), arrange, act));
  }

  private void loads() {
    add("get, loading", NOTHING, it -> it.cache.get(HI, ABSENT, it.textLoader()));
    add(
        "get, loading and evicting",
        CacheScenario::fillWithTexts,
        it -> it.cache.get(HI, ABSENT, it.textLoader()));
    add(
        "get, loading for others",
        NOTHING,
        it -> it.cache.get(HI, ABSENT, it.awaited(it.textLoader())));
    add(
        "get whose loader throws for others",
        NOTHING,
        it -> {
          try {
            it.cache.get(HI, ABSENT, it.awaited(it.failingLoader()));
          } catch (IllegalArgumentException e) {
            // The loader's.
          }
        });
    add("lookup, loading", NOTHING, it -> it.keep(it.cache.lookup(HI, ABSENT, it.bufferLoader())));
    add(
        "lookup, loading and evicting",
        CacheScenario::fillWithTexts,
        it -> it.keep(it.cache.lookup(HI, ABSENT, it.bufferLoader())));
    add(
        "lookup, loading for others",
        NOTHING,
        it -> it.keep(it.cache.lookup(HI, ABSENT, it.awaited(it.bufferLoader()))));
  }

  private void bulkAndAsyncLoads() {
    add(
        "getAll, loading",
        ENTER_TEXT,
        it -> it.cache.getAll(KEYS.clone(), new Object[3], bulk(it)));
    add(
        "getAll, taking over queued loads",
        it -> {
          for (long lo : new long[] {ABSENT, KEY}) {
            it.keep(it.cache.getAsync(HI, lo, it.queue::add, it.textLoader()));
          }
        },
        it -> it.cache.getAll(KEYS.clone(), new Object[3], bulk(it)));
    add(
        "getAsync",
        NOTHING,
        it -> it.keep(it.cache.getAsync(HI, ABSENT, Runnable::run, it.textLoader())));
    add(
        "lookupAsync",
        NOTHING,
        it -> it.keep(it.cache.lookupAsync(HI, ABSENT, Runnable::run, it.bufferLoader())));
    add(
        "lookupAsync of what is there",
        it -> it.enter(KEY),
        it -> it.keep(it.cache.lookupAsync(HI, KEY, Runnable::run, it.bufferLoader())));
    add(
        "lookupAsync of what is there, of a stage",
        it -> it.enter(KEY),
        it -> it.keep(it.cache.lookupAsync(HI, KEY, (hi, lo) -> new CompletableFuture<>())));
    add("prefetch", NOTHING, it -> it.cache.prefetch(HI, ABSENT, Runnable::run, it.bufferLoader()));
    add(
        "lookupAsync for others",
        NOTHING,
        it ->
            it.keep(
                it.cache.lookupAsync(HI, ABSENT, Runnable::run, it.awaited(it.bufferLoader()))));
    add(
        "getAsync of a stage",
        NOTHING,
        it ->
            it.keep(
                it.cache.getAsync(
                    HI, ABSENT, (hi, lo) -> CompletableFuture.completedFuture("of a stage"))));
    add(
        "lookupAsync of a stage for others",
        NOTHING,
        it ->
            it.keep(
                it.cache.lookupAsync(
                    HI,
                    ABSENT,
                    (hi, lo) ->
                        CompletableFuture.completedFuture(
                            it.awaited(it.bufferLoader()).load(hi, lo)))));
    add(
        "getAsync of a later stage",
        NOTHING,
        it -> {
          CompletableFuture<Object> stage = new CompletableFuture<>();
          try {
            it.keep(it.cache.getAsync(HI, ABSENT, (hi, lo) -> stage));
          } finally {
            stage.complete("of a stage");
          }
        });
  }

  private static BulkLoader<Object> bulk(CacheScenario it) {
    return (keys, values) -> {
      it.guests.come();
      for (int i = 0; i < values.length; i++) {
        values[i] = "loaded " + keys[2 * i + 1];
      }
    };
  }
}
