/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.cache;

import io.hyperclock.Handle;
import io.hyperclock.InsertResult;
import io.hyperclock.ReadScope;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.Priority;
import io.hyperclock.internal.handle.PinnedHandle;
import io.hyperclock.internal.handle.TableEntries;
import io.hyperclock.internal.scope.EpochScope;
import io.hyperclock.internal.scope.ScopedReads;
import io.hyperclock.internal.sizing.SlotStores;
import io.hyperclock.internal.slot.SlotStore;
import io.hyperclock.internal.table.Buckets;
import io.hyperclock.internal.table.ClockTable;
import io.hyperclock.internal.table.OptimisticReads;
import io.hyperclock.internal.table.PinnedReads;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The cache: checks arguments, chooses the shard, and turns slots into values and handles. */
public final class HyperClockCache<V> extends ManagedCache<V> implements ScopedReads<V> {
  private static final VarHandle READS =
      MethodHandles.arrayElementVarHandle(OptimisticReads[].class);
  private static final VarHandle PINNED_READS =
      MethodHandles.arrayElementVarHandle(PinnedReads[].class);

  private final OptimisticReads[] reads;
  private final PinnedReads[] pinnedReads;
  private final BatchReads<V> batches;

  /** Allocates all slots. */
  public HyperClockCache(CacheConfig<V> config) {
    this(config, SlotStores.of(config.storage()));
  }

  /** Keeps slots in the stores given, one for each shard. */
  HyperClockCache(CacheConfig<V> config, IntFunction<SlotStore> stores) {
    super(config, stores);
    this.reads =
        Stream.of(shards)
            .map(Shard::table)
            .map(ClockTable::unpinnedReads)
            .toArray(OptimisticReads[]::new);
    this.pinnedReads = Stream.of(shards).map(Shard::currentPinnedReads).toArray(PinnedReads[]::new);
    this.batches = new BatchReads<>(this, shards, buckets);
    observation.opened(this);
  }

  @Override
  void install(int index) {
    super.install(index);
    for (; ; ) {
      // Opaque: as in ManagedCache.
      OptimisticReads reads = (OptimisticReads) READS.getOpaque(this.reads, index);
      PinnedReads pinned = (PinnedReads) PINNED_READS.getOpaque(pinnedReads, index);
      Shard newest = shards[index].newest();
      OptimisticReads wanted = newest.currentReads();
      PinnedReads wantedPinned = newest.currentPinnedReads();
      // [view] as in ManagedCache: looked at again after each change.
      if (reads != wanted) {
        READS.compareAndSet(this.reads, index, reads, wanted);
      } else if (pinned != wantedPinned) {
        // [view] as above.
        PINNED_READS.compareAndSet(pinnedReads, index, pinned, wantedPinned);
      } else {
        return;
      }
    }
  }

  /** The writes of a key; first what is to be done for the size of the table. */
  private ShardWriter writes(long hash, long chargeBytes) {
    Shard shard = shard(hash);
    Resizing resizing = shard.resizing();
    return (resizing == null ? shard : resizing.beforeWrite(hash, chargeBytes)).writes();
  }

  private OptimisticReads reads(long hash) {
    return reads[Buckets.shard(hash, reads.length)];
  }

  @Override
  public @Nullable V get(long keyHi, long keyLo) {
    requireOpen();
    return read(keyHi, keyLo, true);
  }

  @Override
  public @Nullable V peek(long keyHi, long keyLo) {
    requireOpen();
    return read(keyHi, keyLo, false);
  }

  private @Nullable V read(long keyHi, long keyLo, boolean use) {
    return read(keyHi, keyLo, buckets.hash(keyHi, keyLo), use);
  }

  @SuppressWarnings("unchecked")
  @Nullable V read(long keyHi, long keyLo, long hash, boolean use) {
    return (V) reads(hash).get(keyHi, keyLo, hash, use);
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
    return EpochScope.open(scopes, this);
  }

  @Override
  @SuppressWarnings("unchecked")
  public @Nullable V readInScope(long keyHi, long keyLo) {
    requireOpen();
    long hash = buckets.hash(keyHi, keyLo);
    return (V) reads(hash).getInScope(keyHi, keyLo, hash);
  }

  @Override
  @SuppressWarnings("unchecked")
  public @Nullable V peekInScope(long keyHi, long keyLo) {
    requireOpen();
    long hash = buckets.hash(keyHi, keyLo);
    return (V) reads(hash).peekInScope(keyHi, keyLo, hash);
  }

  @Override
  public int getAll(long[] keys, @Nullable V[] values) {
    requireOpen();
    return batches.getAll(keys, values);
  }

  @Override
  public @Nullable Handle<V> lookup(long keyHi, long keyLo) {
    requireOpen();
    return pin(keyHi, keyLo, buckets.hash(keyHi, keyLo));
  }

  @SuppressWarnings("unchecked")
  @Nullable Handle<V> pin(long keyHi, long keyLo, long hash) {
    PinnedReads pins = pinnedReads[Buckets.shard(hash, pinnedReads.length)];
    // What is needed behind the pin is loaded before it: that costs less.
    TableEntries owner = (TableEntries) Objects.requireNonNull(pins.owner());
    int slot = pins.lookup(keyHi, keyLo, hash);
    if (slot >= 0) {
      return owner.handle(slot);
    }
    PinnedHandle<V> found = unusual(owner, slot, keyHi, keyLo, hash);
    return found == null ? null : owner.trackedOrReleased(found);
  }

  private @Nullable PinnedHandle<V> unusual(
      TableEntries owner, int found, long keyHi, long keyLo, long hash) {
    return switch (found) {
      case PinnedReads.ABSENT -> null;
      case PinnedReads.ELSEWHERE -> shard(hash).lookupAll(keyHi, keyLo, hash);
      default -> owner.pinnedValue(found - PinnedReads.BEING_EXCHANGED);
    };
  }

  @Override
  public Handle<V> newHandle() {
    requireOpen();
    return new PinnedHandle<>(shards[0].held());
  }

  @Override
  @SuppressWarnings("unchecked")
  public boolean lookupInto(long keyHi, long keyLo, Handle<V> into) {
    requireOpen();
    if (!(into instanceof PinnedHandle<V> handle) || !handle.isReusable()) {
      throw new IllegalArgumentException(
          "into must be a closed handle made by newHandle(): into=" + into);
    }
    long hash = buckets.hash(keyHi, keyLo);
    PinnedReads pins = pinnedReads[Buckets.shard(hash, pinnedReads.length)];
    TableEntries owner = (TableEntries) Objects.requireNonNull(pins.owner());
    int slot = pins.lookup(keyHi, keyLo, hash);
    if (slot >= 0) {
      handle.reuse(owner, slot, owner.value(slot));
      return true;
    }
    PinnedHandle<V> found = unusual(owner, slot, keyHi, keyLo, hash);
    if (found != null) {
      handle.reuse(found);
    }
    return found != null;
  }

  @Override
  public int lookupAll(long[] keys, @Nullable Handle<V>[] handles) {
    requireOpen();
    return batches.lookupAll(keys, handles);
  }

  @Override
  public InsertResult insert(long keyHi, long keyLo, V value, long chargeBytes) {
    return insert(keyHi, keyLo, value, config.defaultType(), chargeBytes, Priority.LOW);
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
        writes(hash, chargeBytes).insert(keyHi, keyLo, hash, value, cold, priority);
    if (result == InsertResult.INSERTED) {
      eraseIfClosed(keyHi, keyLo);
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
    Handle<V> handle =
        writes(hash, chargeBytes).insertPinned(keyHi, keyLo, hash, (V) value, cold, priority);
    if (handle == null) {
      throw capacityExceeded(shard(hash), chargeBytes);
    }
    eraseIfClosed(keyHi, keyLo);
    return handle;
  }

  @Override
  public InsertResult put(long keyHi, long keyLo, V value, long chargeBytes) {
    return put(keyHi, keyLo, value, config.defaultType(), chargeBytes, Priority.LOW);
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
    Shard shard = shard(hash);
    // No look at "closed" behind it: it adds no entry.
    // Nor for values that are freed explicitly, stamped ones included: the older one would be lost.
    int inPlace =
        type.disposer() == null
            ? shard.table().inPlace().put(keyHi, keyLo, hash, value, cold, expected)
            : ClockTable.NOT_IN_PLACE;
    if (inPlace == ClockTable.REPLACED) {
      stats.replaced.increment();
      return InsertResult.REPLACED;
    }
    if (inPlace == ClockTable.NOT_EXPECTED) {
      return InsertResult.NOT_EXPECTED;
    }
    InsertResult result =
        writes(hash, chargeBytes)
            .put(keyHi, keyLo, hash, value, cold, priority, ifAbsentToo, expected);
    if (result == InsertResult.INSERTED || result == InsertResult.REPLACED) {
      eraseIfClosed(keyHi, keyLo);
    }
    return result;
  }

  @Override
  public @Nullable V putIfAbsent(long keyHi, long keyLo, V value, long chargeBytes) {
    long cold = checked(value, config.defaultType(), chargeBytes);
    if (config.defaultType().disposer() != null) {
      throw callbacks.pinRequired(keyHi, keyLo);
    }
    long hash = buckets.hash(keyHi, keyLo);
    for (; ; ) {
      V present = read(keyHi, keyLo, true);
      if (present != null) {
        return present;
      }
      overtakeLoad(keyHi, keyLo);
      InsertResult result =
          writes(hash, chargeBytes).insert(keyHi, keyLo, hash, value, cold, Priority.LOW);
      if (result == InsertResult.INSERTED) {
        eraseIfClosed(keyHi, keyLo);
        return null;
      }
      if (result == InsertResult.REFUSED) {
        throw capacityExceeded(shard(hash), chargeBytes);
      }
      if (result == InsertResult.DROPPED) {
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
    Shard shard = shard(buckets.hash(keyHi, keyLo)).newest();
    return shard.writes().createStandalone(keyHi, keyLo, (V) value, cold, allowUncharged);
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
    return shard(hash).table().erase(keyHi, keyLo, hash);
  }

  @Override
  public boolean erase(long keyHi, long keyLo, V expected) {
    requireOpen();
    Objects.requireNonNull(expected, "expected must not be null");
    invalidateStarted(keyHi, keyLo);
    long hash = buckets.hash(keyHi, keyLo);
    return shard(hash).table().erase(keyHi, keyLo, hash, expected);
  }
}
