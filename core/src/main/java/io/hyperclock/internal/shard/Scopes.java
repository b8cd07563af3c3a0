/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.shard;

import io.hyperclock.OpenScope;
import io.hyperclock.ReadScope;
import io.hyperclock.ReadScopeStats;
import io.hyperclock.internal.scope.ReadEpochs;
import io.hyperclock.internal.scope.Reclaimer;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The read scopes of one cache. */
final class Scopes {
  private final Reclaimer reclaimer =
      new Reclaimer(new ReadEpochs(Runtime.getRuntime().availableProcessors()), this::watch);
  private final @Nullable ScopeRegistry registry;

  Scopes(boolean track) {
    this.registry = track ? new ScopeRegistry(reclaimer) : null;
  }

  private void watch() {
    ScopeRegistry scopes = registry;
    if (scopes != null) {
      scopes.checkNowAndThen();
    }
  }

  Reclaimer reclaimer() {
    return reclaimer;
  }

  @Nullable ScopeRegistry registry() {
    return registry;
  }

  <V> ReadScope<V> open(HyperClockCache<V> cache) {
    Thread opener = Thread.currentThread();
    ScopeRegistry scopes = registry;
    if (scopes == null) {
      return new EpochScope<>(cache, opener, null).open(reclaimer);
    }
    scopes.checkNowAndThen();
    // Before anything is held: it is what needs most of stack and memory.
    List<StackTraceElement> openedAt = ScopeRegistry.place();
    ScopeRegistry.Entry entry = new ScopeRegistry.Entry(opener, openedAt);
    EpochScope<V> scope = new EpochScope<>(cache, opener, entry);
    scopes.add(entry);
    boolean opened = false;
    try {
      scope.open(reclaimer);
      entry.opened(scope.cell());
      opened = true;
      return scope;
    } finally {
      if (!opened) {
        scopes.remove(entry);
      }
    }
  }

  /** Ends a scope; whatever this throws, it has not been ended. */
  void end(int cell, ScopeRegistry.@Nullable Entry tracked) {
    if (tracked == null) {
      reclaimer.end(cell);
    } else {
      tracked.end(reclaimer);
    }
  }

  /** Frees what only a scope that was ended held back. */
  void ended(int cell, ScopeRegistry.@Nullable Entry tracked) {
    ScopeRegistry scopes = registry;
    if (scopes != null && tracked != null) {
      scopes.remove(tracked);
    }
    reclaimer.ended(cell);
  }

  List<OpenScope> list() {
    ScopeRegistry scopes = registry;
    if (scopes == null) {
      throw new IllegalStateException(
          "read scopes must be tracked to be listed: trackScopes=false");
    }
    return scopes.list();
  }

  ReadScopeStats stats() {
    ScopeRegistry scopes = registry;
    if (scopes != null) {
      scopes.check(System.nanoTime());
    }
    return new ReadScopeStats(
        reclaimer.openScopes(),
        reclaimer.retiredValues(),
        reclaimer.retiredBytes(),
        Duration.ofNanos(reclaimer.stuckNanos()));
  }
}
