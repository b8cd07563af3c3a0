/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.cache;

import io.hyperclock.CacheMonitor;
import io.hyperclock.CapacityMode;
import io.hyperclock.Handle;
import io.hyperclock.InsertResult;
import io.hyperclock.ReadScope;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.FileKeys;
import io.hyperclock.entry.Priority;
import io.hyperclock.internal.capacity.EarlyEviction;
import io.hyperclock.internal.errors.StackReserve;
import io.hyperclock.internal.handle.PinnedHandle;
import io.hyperclock.internal.loading.LoadingFacade;
import io.hyperclock.internal.scope.EpochScope;
import io.hyperclock.internal.scope.ScopedReads;
import io.hyperclock.internal.sizing.SlotStores;
import io.hyperclock.internal.slot.ChargeWord;
import io.hyperclock.internal.slot.MetaWord;
import io.hyperclock.internal.slot.SlotStore;
import io.hyperclock.internal.table.Buckets;
import io.hyperclock.internal.table.ClockTable;
import io.hyperclock.internal.table.OptimisticReads;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The cache: checks arguments, chooses the shard, and turns slots into values and handles.
 *
 * <p>Closing: {@link #close()} sets the flag before it erases everything; an insert looks at the
 * flag after it has published its entry, with a full fence between, so that one of the two erases
 * it.
 */
public final class HyperClockCache<V> extends LoadingFacade<V>
    implements ScopedReads<V>, EarlyEviction {
  private final CacheConfig<V> config;
  final CacheParts parts;
  private final Buckets buckets;
  final Shards shards;
  private final OptimisticReads[] unpinned;
  private final KeyReads<V> reads;
  private final CacheMonitorImpl<V> monitor;
  private volatile boolean closed;

  /** Allocates all slots. */
  public HyperClockCache(CacheConfig<V> config) {
    this(config, SlotStores.of(config.storage()));
  }

  /** Keeps slots in the stores given, one for each shard. */
  HyperClockCache(CacheConfig<V> config, IntFunction<SlotStore> stores) {
    this(config, new CacheParts(config, stores));
  }

  private HyperClockCache(CacheConfig<V> config, CacheParts parts) {
    super(config.defaultType(), config.loadCharge(), parts.callbacks.failures);
    this.config = config;
    this.parts = parts;
    this.buckets = parts.buckets;
    this.shards = new Shards(parts);
    this.unpinned = shards.reads;
    this.reads = new KeyReads<>(shards, buckets, this::requireOpen);
    this.monitor = new CacheMonitorImpl<>(parts, shards, this::loadStats, this::requireOpen);
    parts.observation.opened(this);
  }

  @Override
  public @Nullable V get(long keyHi, long keyLo) {
    return read(keyHi, keyLo, MetaWord.READABLE, true);
  }

  @Override
  public @Nullable V peek(long keyHi, long keyLo) {
    return read(keyHi, keyLo, MetaWord.READABLE, false);
  }

  @SuppressWarnings("unchecked")
  private @Nullable V read(long keyHi, long keyLo, long wanted, boolean use) {
    requireOpen();
    long hash = buckets.hash(keyHi, keyLo);
    OptimisticReads shard = unpinned[Buckets.shard(hash, unpinned.length)];
    return (V) shard.read(keyHi, keyLo, hash, wanted, use);
  }

  @Override
  public boolean contains(long keyHi, long keyLo) {
    return peekInScope(keyHi, keyLo) != null;
  }

  @Override
  public boolean touch(long keyHi, long keyLo) {
    return readInScope(keyHi, keyLo) != null;
  }

  @Override
  public ReadScope<V> openScope() {
    requireOpen();
    return EpochScope.open(parts.scopes, this);
  }

  @Override
  public @Nullable V readInScope(long keyHi, long keyLo) {
    return read(keyHi, keyLo, MetaWord.VISIBLE, true);
  }

  @Override
  public @Nullable V peekInScope(long keyHi, long keyLo) {
    return read(keyHi, keyLo, MetaWord.VISIBLE, false);
  }

  @Override
  public int getAll(long[] keys, @Nullable V[] values) {
    requireOpen();
    return reads.getAll(keys, values);
  }

  @Override
  public @Nullable Handle<V> lookup(long keyHi, long keyLo) {
    requireOpen();
    return reads.pin(keyHi, keyLo, buckets.hash(keyHi, keyLo));
  }

  @Override
  protected @Nullable Handle<V> lookAgain(long keyHi, long keyLo) {
    requireOpen();
    return reads.pinUncounted(keyHi, keyLo, buckets.hash(keyHi, keyLo));
  }

  @Override
  public Handle<V> newHandle() {
    requireOpen();
    return new PinnedHandle<>();
  }

  @Override
  public boolean lookupInto(long keyHi, long keyLo, Handle<V> into) {
    requireOpen();
    return reads.pinInto(keyHi, keyLo, buckets.hash(keyHi, keyLo), into);
  }

  @Override
  public int lookupAll(long[] keys, @Nullable Handle<V>[] handles) {
    return reads.lookupAll(keys, handles);
  }

  @Override
  public <T extends V> InsertResult insert(
      long keyHi,
      long keyLo,
      T value,
      EntryType<? super T> type,
      long chargeBytes,
      Priority priority) {
    Objects.requireNonNull(priority, "priority must not be null");
    long cold = checked(value, type, chargeBytes);
    overtakeLoad(keyHi, keyLo);
    long hash = buckets.hash(keyHi, keyLo);
    InsertResult result =
        shards.writes(hash, chargeBytes).insert(keyHi, keyLo, hash, value, cold, priority);
    if (result == InsertResult.INSERTED) {
      eraseIfClosed(keyHi, keyLo, hash);
    }
    return result;
  }

  @Override
  public <T extends V> Handle<V> insertPinned(
      long keyHi,
      long keyLo,
      T value,
      EntryType<? super T> type,
      long chargeBytes,
      Priority priority) {
    Objects.requireNonNull(priority, "priority must not be null");
    long cold = checked(value, type, chargeBytes);
    overtakeLoad(keyHi, keyLo);
    long hash = buckets.hash(keyHi, keyLo);
    Shard writer = shards.writes(hash, chargeBytes);
    Handle<V> handle = PinnedWrites.insert(writer, keyHi, keyLo, hash, (V) value, cold, priority);
    eraseIfClosed(keyHi, keyLo, hash);
    return handle;
  }

  @Override
  public <T extends V> Handle<V> putPinned(
      long keyHi,
      long keyLo,
      T value,
      EntryType<? super T> type,
      long chargeBytes,
      Priority priority) {
    Objects.requireNonNull(priority, "priority must not be null");
    long cold = checked(value, type, chargeBytes);
    invalidateStarted(keyHi, keyLo);
    long hash = buckets.hash(keyHi, keyLo);
    Shard writer = shards.writes(hash, chargeBytes);
    Handle<V> handle =
        PinnedWrites.put(writer, keyHi, keyLo, hash, (V) value, cold, priority, true);
    eraseIfClosed(keyHi, keyLo, hash);
    return handle;
  }

  @Override
  public <T extends V> InsertResult put(
      long keyHi,
      long keyLo,
      T value,
      EntryType<? super T> type,
      long chargeBytes,
      Priority priority) {
    Objects.requireNonNull(priority, "priority must not be null");
    return put(keyHi, keyLo, value, type, chargeBytes, priority, true, null);
  }

  private InsertResult put(
      long keyHi,
      long keyLo,
      Object value,
      EntryType<?> type,
      long chargeBytes,
      Priority priority,
      boolean ifAbsentToo,
      @Nullable Object expected) {
    long cold = checked(value, type, chargeBytes);
    invalidateStarted(keyHi, keyLo);
    long hash = buckets.hash(keyHi, keyLo);
    Shard shard = shards.of(hash);
    // No look at "closed" behind it: it adds no entry.
    // Nor for values that are freed explicitly, stamped ones included: the older one would be lost.
    int inPlace =
        type.disposer() == null
            ? shard.table.inPlace().put(keyHi, keyLo, hash, value, cold, expected)
            : ClockTable.NOT_IN_PLACE;
    if (inPlace == ClockTable.REPLACED) {
      parts.stats.replaced.increment();
      shards.moveSome(hash);
      return InsertResult.REPLACED;
    }
    if (inPlace == ClockTable.NOT_EXPECTED) {
      return InsertResult.NOT_EXPECTED;
    }
    Shard writer = shards.writes(hash, chargeBytes);
    InsertResult result =
        writer.put(keyHi, keyLo, hash, value, cold, priority, ifAbsentToo, expected, true);
    if (result == InsertResult.INSERTED || result == InsertResult.REPLACED) {
      eraseIfClosed(keyHi, keyLo, hash);
    }
    return result;
  }

  @Override
  public @Nullable V putIfAbsent(long keyHi, long keyLo, V value, long chargeBytes) {
    checked(value, config.defaultType(), chargeBytes);
    if (config.defaultType().disposer() != null) {
      throw parts.callbacks.pinRequired(keyHi, keyLo);
    }
    for (boolean again = false; ; again = true) {
      V present = read(keyHi, keyLo, MetaWord.READABLE, !again);
      if (present != null) {
        return present;
      }
      InsertResult result = insert(keyHi, keyLo, value, chargeBytes);
      if (result == InsertResult.REFUSED) {
        throw shards.of(buckets.hash(keyHi, keyLo)).capacityExceeded(chargeBytes);
      }
      if (result != InsertResult.KEPT_EXISTING) {
        return null;
      }
    }
  }

  @Override
  public <T extends V> InsertResult replace(
      long keyHi, long keyLo, T value, EntryType<? super T> type, long chargeBytes) {
    return put(keyHi, keyLo, value, type, chargeBytes, Priority.LOW, false, null);
  }

  @Override
  public <T extends V> InsertResult compareAndReplace(
      long keyHi, long keyLo, V expected, T value, EntryType<? super T> type, long chargeBytes) {
    Objects.requireNonNull(expected, "expected must not be null");
    return put(keyHi, keyLo, value, type, chargeBytes, Priority.LOW, false, expected);
  }

  @Override
  public <T extends V> @Nullable Handle<V> createStandalone(
      long keyHi,
      long keyLo,
      T value,
      EntryType<? super T> type,
      long chargeBytes,
      boolean allowUncharged) {
    long cold = checked(value, type, chargeBytes);
    Shard shard = shards.of(buckets.hash(keyHi, keyLo)).newest();
    return PinnedWrites.createStandalone(shard, keyHi, keyLo, (V) value, cold, allowUncharged);
  }

  @Override
  public void invalidateLoad(long keyHi, long keyLo) {
    requireOpen();
    invalidateStarted(keyHi, keyLo);
  }

  @Override
  public boolean erase(long keyHi, long keyLo) {
    requireOpen();
    invalidateStarted(keyHi, keyLo);
    long hash = buckets.hash(keyHi, keyLo);
    shards.moveSome(hash);
    return shards.of(hash).table.erase(keyHi, keyLo, hash);
  }

  @Override
  public boolean erase(long keyHi, long keyLo, V expected) {
    requireOpen();
    Objects.requireNonNull(expected, "expected must not be null");
    invalidateStarted(keyHi, keyLo);
    long hash = buckets.hash(keyHi, keyLo);
    shards.moveSome(hash);
    return shards.of(hash).table.erase(keyHi, keyLo, hash, expected);
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("cache must not be closed: closed=true");
    }
  }

  private long checked(Object value, EntryType<?> type, long chargeBytes) {
    requireOpen();
    Objects.requireNonNull(value, "value must not be null");
    Objects.requireNonNull(type, "type must not be null");
    ChargeWord.requireCharge(chargeBytes);
    return ChargeWord.of(parts.types.idOf(type), chargeBytes);
  }

  private void eraseIfClosed(long keyHi, long keyLo, long hash) {
    // [hide] publishing comes before the look at the flag; pairs with the fence in close().
    VarHandle.fullFence();
    if (closed) {
      shards.of(hash).table.erase(keyHi, keyLo, hash);
    }
  }

  @Override
  public CacheMonitor<V> monitor() {
    return monitor;
  }

  @Override
  public void eraseUnreferenced() {
    requireOpen();
    StackReserve.require();
    shards.forEachScan(ShardScan::eraseUnreferenced);
    parts.scopes.reclaimer().reclaim();
  }

  @Override
  public void evictSome(long leastBytes) {
    requireOpen();
    StackReserve.require();
    shards.evictSome(leastBytes);
  }

  @Override
  public FileKeys fileKeys() {
    return parts.files;
  }

  @Override
  public void setCapacityBytes(long capacityBytes) {
    requireOpen();
    StackReserve.require();
    shards.setCapacityBytes(capacityBytes);
  }

  @Override
  public void setCapacityMode(CapacityMode mode) {
    requireOpen();
    shards.setMode(mode);
  }

  @Override
  public void close() {
    StackReserve.require();
    parts.lookForLeaks();
    parts.observation.closing(this);
    closed = true;
    // [hide] the flag comes before the erasing; pairs with the fence in eraseIfClosed().
    VarHandle.fullFence();
    shards.forEachScan(ShardScan::eraseAll);
    parts.scopes.reclaimer().reclaim();
  }
}
