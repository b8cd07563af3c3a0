/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.cache;

import io.hyperclock.internal.drops.DroppedFiles;
import io.hyperclock.internal.handle.HandleTracker;
import io.hyperclock.internal.observe.IncidentLog;
import io.hyperclock.internal.observe.ObserverNotifier;
import io.hyperclock.internal.observe.StatsRecorder;
import io.hyperclock.internal.observe.TypeRegistry;
import io.hyperclock.internal.observe.UserCallbacks;
import io.hyperclock.internal.scope.ReadScopes;
import io.hyperclock.internal.sizing.TableSizing;
import io.hyperclock.internal.slot.SlotStore;
import io.hyperclock.internal.table.Buckets;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** What the shards of one cache share. */
final class CacheParts {
  final CacheConfig<?> config;

  /** How large the first table of each shard is. */
  final TableSizing sizing;

  /** Makes what keeps the slots of a table, for so many. */
  final IntFunction<SlotStore> stores;

  final Buckets buckets;
  final TypeRegistry types = new TypeRegistry();
  final DroppedFiles files = new DroppedFiles();
  final StatsRecorder stats = new StatsRecorder(types);
  final UserCallbacks callbacks;
  final ReadScopes scopes;
  final ObserverNotifier observation;
  final IncidentLog doubleCloses = new IncidentLog("a handle was closed twice");
  final @Nullable HandleTracker tracker;

  CacheParts(CacheConfig<?> config, IntFunction<SlotStore> stores) {
    this.config = config;
    this.stores = stores;
    this.sizing = TableSizing.of(config);
    this.buckets = new Buckets(sizing.buckets(), config.seed().value());
    this.callbacks = new UserCallbacks(types, stats, files, config.evictionListener());
    this.scopes = new ReadScopes(config.observation());
    this.observation = new ObserverNotifier(config.observation(), callbacks.failures);
    this.tracker = HandleTracker.of(config.observation(), observation, doubleCloses);
    types.idOf(config.defaultType());
  }

  /** Looks for leaked handles and scopes, and for those that are open for long. */
  void lookForLeaks() {
    if (tracker != null) {
      tracker.look();
    }
    scopes.lookForLeaks();
  }
}
