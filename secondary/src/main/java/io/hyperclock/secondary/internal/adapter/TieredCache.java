/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.internal.adapter;

import io.hyperclock.BlockCache;
import io.hyperclock.BlockCacheBuilder;
import io.hyperclock.BlockLoader;
import io.hyperclock.CacheMonitor;
import io.hyperclock.EntryVisitor;
import io.hyperclock.Handle;
import io.hyperclock.InsertResult;
import io.hyperclock.PinRequiredException;
import io.hyperclock.entry.EntryRole;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.FileKeys;
import io.hyperclock.entry.Priority;
import io.hyperclock.internal.errors.StackReserve;
import io.hyperclock.secondary.AdmissionPolicy;
import io.hyperclock.secondary.AsyncLookup;
import io.hyperclock.secondary.SecondaryCache;
import io.hyperclock.secondary.TierState;
import io.hyperclock.secondary.TieredBlockCache;
import io.hyperclock.secondary.TieredStats;
import io.hyperclock.secondary.internal.budget.SharedBudget;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * The tiered cache: reads by {@link TierLookups}, writes between two steps of the {@link
 * InFlightTable}.
 */
public final class TieredCache<V> implements TieredBlockCache<V> {
  private final InFlightTable registry = new InFlightTable();
  final EvictionTimestamps bounds = new EvictionTimestamps(registry);
  private final RetainedCopyTypes kept = new RetainedCopyTypes();
  private final Counters counters = new Counters();
  private final Tiers tiers;
  private final Workers workers;
  private final Demotion demotion;
  private final DemotionFilter<V> descent;
  private final BlockCache<V> primary;
  private final FoundBelowMarks marks;
  private final TierLookups reads;
  private final TierWrites writes;
  private final @Nullable SharedBudget budget;
  private final Duration tierTimeout;
  private final @Nullable Restart restart;

  /** A new cache; replaces the eviction listener of the builder. */
  public TieredCache(BlockCacheBuilder<V> builder, TieredConfig<V> config) {
    Watch watch = new Watch(config.observer(), config.slowReadAfter(), config.clock());
    tiers = new Tiers(config.tiers(), watch, config.tierTimeout());
    tierTimeout = config.tierTimeout();
    workers = new Workers(config.executor(), tiers.count());
    demotion =
        new Demotion(
            registry,
            bounds,
            tiers,
            counters,
            workers,
            watch,
            config.handOffBytes(),
            config.handOffEntries(),
            new ConcurrentLinkedQueue<>());
    descent = new DemotionFilter<>(config, tiers, kept, bounds, registry, counters, demotion);
    primary = builder.evictionListener(descent).build();
    bounds.begin(() -> primary.monitor().scopeStats().retiredValues());
    BlockCache<Object> untyped = untyped(primary);
    marks = new FoundBelowMarks(untyped, config.random());
    Promotion promotion =
        new Promotion(untyped, registry, bounds, tiers, marks, kept, counters, descent);
    reads =
        new TierLookups(
            untyped,
            registry,
            bounds,
            tiers,
            marks,
            kept,
            counters,
            demotion,
            promotion,
            new Expiry(registry, workers, config.tierTimeout()));
    writes = new TierWrites(untyped, registry, bounds, tiers, demotion, descent);
    descent.begin(primary.fileKeys());
    budget =
        config.totalBytes() == 0
            ? null
            : new SharedBudget(
                primary,
                bytes -> tiers.setCapacity(0, bytes),
                config.totalBytes(),
                config.firstRatio());
    if (config.admission() == AdmissionPolicy.ADAPTIVE && tiers.count() > 0) {
      tiers.adapt(new Adaptation(primary, tiers.list(), budget, config, workers, this::evicting));
    }
    restart = Restart.of(config, tiers, untyped, kept, reads, writes);
  }

  /** The same as another type, of which the caller knows that it is one. */
  @SuppressWarnings("unchecked")
  static <T> T untyped(Object typed) {
    return (T) typed;
  }

  @Override
  public @Nullable Handle<V> lookup(
      long keyHi, long keyLo, EntryType<? extends V> type, @Nullable Object context) {
    Objects.requireNonNull(type, "type must not be null");
    Handle<V> handle = primary.lookup(keyHi, keyLo);
    if (handle != null) {
      return kept.shown(handle);
    }
    writes.expect(type);
    Handle<Object> found =
        type.codec() == null ? null : reads.lookup(keyHi, keyLo, untyped(type), context);
    return found != null ? untyped(found) : missed(keyHi, keyLo);
  }

  /** Notes a miss where a budget is shared. */
  private <T> @Nullable T missed(long keyHi, long keyLo) {
    Adaptation adapting = tiers.adaptation();
    return adapting == null ? null : adapting.missedBelow(keyHi, keyLo);
  }

  @Override
  public <T extends V> @Nullable Handle<V> lookup(
      long keyHi,
      long keyLo,
      EntryType<T> type,
      @Nullable Object context,
      BlockLoader<? extends T> loader) {
    Objects.requireNonNull(loader, "loader must not be null");
    Handle<V> found = lookup(keyHi, keyLo, type, context);
    if (found != null) {
      return found;
    }
    Handle<Object> loaded = writes.lookup(keyHi, keyLo, untyped(type), untyped(loader));
    return loaded == null ? null : untyped(kept.shown(loaded));
  }

  @Override
  public @Nullable V get(
      long keyHi, long keyLo, EntryType<? extends V> type, @Nullable Object context) {
    Objects.requireNonNull(type, "type must not be null");
    if (type.disposer() != null) {
      throw new PinRequiredException(
          "a value that is freed explicitly must be read through lookup: type=" + type.name());
    }
    V value = primary.get(keyHi, keyLo);
    if (value != null || type.codec() == null) {
      return value;
    }
    try (Handle<Object> handle = reads.lookup(keyHi, keyLo, untyped(type), context)) {
      return handle != null ? untyped(handle.value()) : missed(keyHi, keyLo);
    }
  }

  @Override
  public <T extends V> @Nullable V get(
      long keyHi,
      long keyLo,
      EntryType<T> type,
      @Nullable Object context,
      BlockLoader<? extends T> loader) {
    Objects.requireNonNull(loader, "loader must not be null");
    Object found = get(keyHi, keyLo, type, context);
    if (found == null) {
      found = writes.get(keyHi, keyLo, untyped(type), untyped(loader));
    }
    return found == null ? null : untyped(found);
  }

  @Override
  public AsyncLookup<V> startLookup(
      long keyHi, long keyLo, EntryType<? extends V> type, @Nullable Object context) {
    Objects.requireNonNull(type, "type must not be null");
    writes.expect(type);
    return reads.start(keyHi, keyLo, untyped(type), context);
  }

  @Override
  public List<AsyncLookup<V>> startLookups(
      long[] keys, EntryType<? extends V> type, @Nullable Object context) {
    Objects.requireNonNull(type, "type must not be null");
    writes.expect(type);
    return reads.startAll(keys, untyped(type), context);
  }

  @Override
  public void waitAll(Collection<? extends AsyncLookup<?>> lookups) {
    PendingLookup.awaitAll(lookups);
  }

  @Override
  public void waitAll(Collection<? extends AsyncLookup<?>> lookups, Duration timeout) {
    PendingLookup.awaitAll(lookups, timeout);
  }

  @Override
  public <T extends V> InsertResult insert(
      long keyHi, long keyLo, T value, EntryType<T> type, long chargeBytes, Priority priority) {
    return writes.write(
        keyHi,
        keyLo,
        type,
        () -> primary.insert(keyHi, keyLo, value, type, chargeBytes, priority),
        result -> result != InsertResult.KEPT_EXISTING && !result.callerKeepsValue());
  }

  @Override
  public <T extends V> Handle<V> insertPinned(
      long keyHi, long keyLo, T value, EntryType<T> type, long chargeBytes, Priority priority) {
    return writes.write(
        keyHi,
        keyLo,
        type,
        () -> primary.insertPinned(keyHi, keyLo, value, type, chargeBytes, priority),
        handle -> true);
  }

  @Override
  public <T extends V> InsertResult put(
      long keyHi, long keyLo, T value, EntryType<T> type, long chargeBytes, Priority priority) {
    return writes.write(
        keyHi,
        keyLo,
        type,
        () -> primary.put(keyHi, keyLo, value, type, chargeBytes, priority),
        result -> !result.callerKeepsValue());
  }

  @Override
  public <T extends V> Handle<V> putPinned(
      long keyHi, long keyLo, T value, EntryType<T> type, long chargeBytes, Priority priority) {
    return writes.write(
        keyHi,
        keyLo,
        type,
        () -> primary.putPinned(keyHi, keyLo, value, type, chargeBytes, priority),
        handle -> true);
  }

  @Override
  public <T extends V> InsertResult compareAndReplace(
      long keyHi, long keyLo, V expected, T value, EntryType<T> type, long chargeBytes) {
    return writes.write(
        keyHi,
        keyLo,
        type,
        () -> primary.compareAndReplace(keyHi, keyLo, expected, value, type, chargeBytes),
        result -> !result.callerKeepsValue());
  }

  @Override
  public boolean erase(long keyHi, long keyLo) {
    return writes.write(
        keyHi,
        keyLo,
        null,
        () -> {
          marks.clear(keyHi, keyLo);
          return primary.erase(keyHi, keyLo);
        },
        any -> true);
  }

  @Override
  public boolean erase(long keyHi, long keyLo, V expected) {
    Objects.requireNonNull(expected, "expected must not be null");
    return writes.write(
        keyHi,
        keyLo,
        null,
        () -> {
          boolean erased = primary.erase(keyHi, keyLo, expected);
          if (erased) {
            marks.clear(keyHi, keyLo);
          }
          return erased;
        },
        erased -> erased);
  }

  @Override
  public void forEachEntry(EntryVisitor<? super V> visitor) {
    Objects.requireNonNull(visitor, "visitor must not be null");
    CacheMonitor<Object> entries = untyped(primary.monitor());
    entries.forEachEntry(
        (hi, lo, value, type, chargeBytes) -> {
          if (!FoundBelowMarks.isMark(type)) {
            visitor.visit(hi, lo, untyped(value), kept.original(type), chargeBytes);
          }
        });
  }

  @Override
  public FileKeys fileKeys() {
    return primary.fileKeys();
  }

  @Override
  public void setCapacityBytes(long capacityBytes) {
    if (budget != null) {
      throw new IllegalStateException(
          "the total must be set where there is one: totalCapacityBytes=" + budget.totalBytes());
    }
    evicting(() -> primary.setCapacityBytes(capacityBytes));
  }

  private void evicting(Runnable task) {
    StackReserve.require();
    bounds.enter();
    try {
      task.run();
    } finally {
      bounds.exit();
    }
  }

  private SharedBudget budget() {
    if (budget == null) {
      throw new IllegalStateException("a total must be set: totalCapacityBytes=0");
    }
    return budget;
  }

  @Override
  public void setTotalCapacityBytes(long totalBytes) {
    evicting(() -> budget().setTotalBytes(totalBytes));
  }

  @Override
  public void setSecondaryRatio(double ratio) {
    evicting(() -> budget().setRatio(ratio));
  }

  @Override
  public void reserve(long bytes) {
    new BudgetPart(budget(), bounds, EntryRole.MISC, bytes).take();
  }

  @Override
  public void release(long bytes) {
    new BudgetPart(budget(), bounds, EntryRole.MISC, bytes).run();
  }

  @Override
  public @Nullable Runnable tryReserve(EntryRole role, long bytes) {
    Objects.requireNonNull(role, "role must not be null");
    BudgetPart part = new BudgetPart(budget(), bounds, role, bytes);
    return part.tryTake() ? part : null;
  }

  @Override
  public BlockCache<?> primary() {
    return primary;
  }

  @Override
  public List<SecondaryCache> tiers() {
    return tiers.list();
  }

  @Override
  public List<TierState> states() {
    return tiers.states();
  }

  @Override
  public TieredStats stats() {
    return TieredStatsBuilder.of(primary, tiers, counters, demotion, budget);
  }

  @Override
  public void close() {
    if (budget != null) {
      budget.close();
    }
    if (restart != null) {
      restart.stopReading();
      if (!bounds.isNested()) {
        restart.beforeClose(registry, demotion, descent, Expiry.nanos(tierTimeout));
      }
    }
    demotion.close();
    primary.close();
    reads.close();
    if (restart != null) {
      restart.keepList();
    }
    tiers.close(Leftovers.await(registry, tierTimeout));
    workers.close();
  }
}
