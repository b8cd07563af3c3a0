/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.tiered;

import io.hyperclock.entry.EntryType;
import io.hyperclock.secondary.DropListener;
import io.hyperclock.secondary.SecondaryCache;
import io.hyperclock.secondary.TierOutcome;
import io.hyperclock.secondary.TierRequest;
import io.hyperclock.secondary.TierResult;
import io.hyperclock.secondary.TierState;
import io.hyperclock.secondary.TierStats;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A tier that holds nothing and does what its test says, against the contract if need be. */
final class ScriptedTier implements SecondaryCache {
  /** What was asked, in order; answered by the test unless there is a script. */
  private final List<Asked> asked = new ArrayList<>();

  boolean erasesOnAdvice = true;
  boolean shared;
  BooleanSupplier onInsert = () -> false;
  Runnable onErase = () -> {};
  Runnable onClose = () -> {};
  Runnable onSetCapacity = () -> {};
  @Nullable Supplier<@Nullable CompletableFuture<TierResult<Blocks.Block>>> onLookup;
  @Nullable Supplier<@Nullable List<@Nullable CompletableFuture<TierResult<Blocks.Block>>>>
      onLookupAll;

  /** Who is told of what it drops. */
  @Nullable DropListener dropListener;

  /** One lookup. */
  record Asked(TierRequest<?> request, CompletableFuture<TierResult<Blocks.Block>> answer) {
    void hit(Blocks.Block block, boolean kept) {
      answer.complete(TierResult.hit(block, Blocks.CHARGE, kept));
    }

    void miss() {
      answer.complete(TierResult.miss(TierOutcome.ABSENT));
    }
  }

  synchronized Asked asked(int index) {
    return asked.get(index);
  }

  synchronized int lookups() {
    return asked.size();
  }

  @Override
  public String name() {
    return "scripted";
  }

  @Override
  public <T> boolean insert(long keyHi, long keyLo, T value, EntryType<T> type, boolean force) {
    return onInsert.getAsBoolean();
  }

  @Override
  @SuppressWarnings("unchecked")
  public <V> CompletableFuture<TierResult<V>> lookup(TierRequest<V> request) {
    CompletableFuture<TierResult<Blocks.Block>> answer;
    if (onLookup != null) {
      answer = onLookup.get();
    } else {
      answer = new CompletableFuture<>();
      synchronized (this) {
        asked.add(new Asked(request, answer));
      }
    }
    return (CompletableFuture<TierResult<V>>) (CompletableFuture<?>) answer;
  }

  @Override
  @SuppressWarnings("unchecked")
  public <V> List<CompletableFuture<TierResult<V>>> lookupAll(List<TierRequest<V>> requests) {
    if (onLookupAll == null) {
      return SecondaryCache.super.lookupAll(requests);
    }
    return (List<CompletableFuture<TierResult<V>>>) (List<?>) onLookupAll.get();
  }

  @Override
  public void erase(long keyHi, long keyLo) {
    onErase.run();
  }

  @Override
  public boolean erasesOnAdvice() {
    return erasesOnAdvice;
  }

  @Override
  public boolean isShared() {
    return shared;
  }

  @Override
  public void setCapacity(long capacityBytes) {
    onSetCapacity.run();
  }

  @Override
  public void onDrop(DropListener listener) {
    dropListener = listener;
  }

  @Override
  public TierState state() {
    return TierState.OPEN;
  }

  @Override
  public TierStats stats() {
    return new TierStats(0, 0, 0, 0, 0, 0, Map.of(), Map.of());
  }

  @Override
  public void close() {
    onClose.run();
  }
}
