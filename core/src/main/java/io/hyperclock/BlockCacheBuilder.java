/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock;

import io.hyperclock.entry.EntryType;
import io.hyperclock.internal.cache.CacheConfig;
import io.hyperclock.internal.cache.HyperClockCache;
import io.hyperclock.internal.observe.ObserverNotifier;
import io.hyperclock.internal.sizing.AutomaticSizing;
import io.hyperclock.internal.sizing.ForcedSizes;
import io.hyperclock.internal.sizing.TableSizing;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a {@link BlockCache}. {@link #capacityBytes} has no default. Each setter checks its
 * argument and returns this. Not thread-safe; may be used to build several caches.
 *
 * <pre>{@code
 * BlockCache<byte[]> cache =
 *     BlockCache.<byte[]>builder()
 *         .capacityBytes(1L << 30)
 *         .capacityMode(CapacityMode.STRICT)  // an insert without room is refused
 *         .recordHits(true)
 *         .build();
 * }</pre>
 *
 * @param <V> type of the values
 */
public final class BlockCacheBuilder<V> extends CacheBuilder<BlockCacheBuilder<V>> {
  private int evictionEffortCap = 30;
  private AutomaticSizing automatic = AutomaticSizing.DEFAULT;
  private boolean recordHits;
  private EntryType<? super V> defaultType = EntryType.of("block");
  private @Nullable EvictionListener<? super V> evictionListener;
  private @Nullable CacheObserver observer;
  private LeakDetection leakDetection = LeakDetection.off();
  private Duration longPinAfter = Duration.ofMinutes(1);

  BlockCacheBuilder() {}

  /**
   * Sets how many entries to have room for from the beginning; default 256 slots for each shard. A
   * cache without {@link #estimatedEntryCharge} sizes itself: its tables grow as entries come, and
   * this spares it that while it fills. Of no use in a cache with an estimate, whose slots are made
   * at once. More than the capacity pays for counts as that.
   *
   * @param initialEntries entries of all shards, greater than 0
   * @return this
   */
  public BlockCacheBuilder<V> initialEntries(long initialEntries) {
    this.automatic = automatic.withInitialEntries(positive("initialEntries", initialEntries));
    return this;
  }

  /**
   * Sets who allocates tables of more than 16,384 slots; default {@link ForkJoinPool#commonPool()}.
   * A cache without {@link #estimatedEntryCharge} sizes itself, and to allocate such a table takes
   * longer than an insert should; inserts go on with the present table meanwhile, and evict if it
   * is full. One task at a time for each shard, and it does nothing but allocate. Where the
   * executor refuses a task, or has not begun it for 65,536 inserts, one insert allocates the table
   * itself; {@code Runnable::run} makes all do so.
   *
   * @param executor the executor; stays the caller's
   * @return this
   */
  public BlockCacheBuilder<V> executor(Executor executor) {
    this.automatic =
        automatic.withExecutor(Objects.requireNonNull(executor, "executor must not be null"));
    return this;
  }

  /** For tests: each shard has the sizes given, of use or not. */
  BlockCacheBuilder<V> resizeBy(Supplier<ForcedSizes> sizes, long loadCharge) {
    this.automatic =
        new AutomaticSizing(automatic.initialEntries(), sizes, loadCharge, automatic.executor());
    return this;
  }

  /**
   * Sets how hard a non-strict insert tries when nearly everything is pinned: it gives up when
   * (freed entries + 1) × cap pinned ones were seen. Default 30; values below 1 count as 1; strict
   * mode ignores it.
   *
   * @param evictionEffortCap pinned entries to pass per freed one
   * @return this
   */
  public BlockCacheBuilder<V> evictionEffortCap(int evictionEffortCap) {
    this.evictionEffortCap = evictionEffortCap;
    return this;
  }

  /**
   * Sets whether reads count hits and misses; default false. It costs one striped counter step a
   * read.
   *
   * @param recordHits true to count
   * @return this
   */
  public BlockCacheBuilder<V> recordHits(boolean recordHits) {
    this.recordHits = recordHits;
    return this;
  }

  /**
   * Sets the type of entries inserted without one; default a type "block" that leaves values to the
   * garbage collector.
   *
   * @param defaultType the type
   * @return this
   */
  public BlockCacheBuilder<V> defaultType(EntryType<? super V> defaultType) {
    this.defaultType = Objects.requireNonNull(defaultType, "defaultType must not be null");
    return this;
  }

  /**
   * Sets the listener of evictions; default none.
   *
   * @param evictionListener called on evicting threads
   * @return this
   */
  public BlockCacheBuilder<V> evictionListener(EvictionListener<? super V> evictionListener) {
    this.evictionListener =
        Objects.requireNonNull(evictionListener, "evictionListener must not be null");
    return this;
  }

  /**
   * Sets the observer of rare events: long sweeps, refusals, leaked handles and the like; default
   * none. An observer may be made for one cache only.
   *
   * @param observer called on the threads to which the events happen
   * @return this
   */
  public BlockCacheBuilder<V> observer(CacheObserver observer) {
    this.observer = Objects.requireNonNull(observer, "observer must not be null");
    return this;
  }

  /**
   * Sets which handles and read scopes are tracked, so that leaked ones are reported with the place
   * where they were opened; default {@link LeakDetection#off()}. A leaked handle is reported and
   * counted, but the pin is not given back: the value may still be in use although its handle is
   * not. A tracked scope whose thread has died is ended and reported. {@link
   * CacheMonitor#longestHeld} and {@link CacheMonitor#openScopes()} list those that are open.
   *
   * @param leakDetection the choice
   * @return this
   */
  public BlockCacheBuilder<V> leakDetection(LeakDetection leakDetection) {
    this.leakDetection = Objects.requireNonNull(leakDetection, "leakDetection must not be null");
    return this;
  }

  /**
   * Sets from when on a tracked handle or read scope counts as open for long and is reported;
   * default one minute. There is no timer: {@link CacheMonitor#stats()} and {@link
   * CacheMonitor#problems()} look, and now and then so does what opens the next one.
   *
   * @param longPinAfter time, greater than 0
   * @return this
   */
  public BlockCacheBuilder<V> longPinAfter(Duration longPinAfter) {
    Objects.requireNonNull(longPinAfter, "longPinAfter must not be null");
    if (longPinAfter.isNegative() || longPinAfter.isZero()) {
      throw new IllegalArgumentException("longPinAfter must be > 0: longPinAfter=" + longPinAfter);
    }
    this.longPinAfter = longPinAfter;
    return this;
  }

  /**
   * Says how many bytes of the capacity the slots would take, with what is set so far; nothing is
   * made. Of a cache that sizes itself: those that it begins with. With {@link MetadataCharge#NONE}
   * they take memory, but none of the capacity.
   *
   * @return bytes, those of {@link io.hyperclock.stats.CacheStats#metadataBytes()}
   * @throws IllegalStateException if a setting without default is missing
   * @throws IllegalArgumentException if the settings do not fit together, as {@link #build}
   */
  public long metadataBytes() {
    return TableSizing.of(config()).allMetadataBytes();
  }

  /**
   * Makes a cache. With an estimate all of its slots are allocated at once, else those to begin
   * with.
   *
   * @return a new, empty cache, to be closed by the caller
   * @throws IllegalStateException if a setting without default is missing
   * @throws IllegalArgumentException if the settings do not fit together, or ask for more slots
   *     than the heap of this JVM could hold
   */
  public BlockCache<V> build() {
    return new HyperClockCache<>(config());
  }

  private CacheConfig<V> config() {
    requireCapacity();
    return new CacheConfig<>(
        capacityBytes,
        estimatedEntryCharge,
        mode,
        shards,
        evictionEffortCap,
        metadataCharge,
        storage,
        policy,
        seed(),
        recordHits,
        defaultType,
        evictionListener,
        new ObserverNotifier.Settings(observer, leakDetection, longPinAfter),
        automatic);
  }
}
