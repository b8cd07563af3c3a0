/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.shard;

import io.hyperclock.CapacityExceededException;
import io.hyperclock.CapacityMode;
import io.hyperclock.EntryVisitor;
import io.hyperclock.Handle;
import io.hyperclock.HeldHandle;
import io.hyperclock.InsertResult;
import io.hyperclock.OpenScope;
import io.hyperclock.ReadScope;
import io.hyperclock.ReadScopeStats;
import io.hyperclock.SlotStorage;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.FileKeys;
import io.hyperclock.entry.Priority;
import io.hyperclock.internal.loading.LoadingFacade;
import io.hyperclock.internal.slot.Cold;
import io.hyperclock.internal.slot.HeapSlotStore;
import io.hyperclock.internal.slot.OffHeapSlotStore;
import io.hyperclock.internal.slot.SlotStore;
import io.hyperclock.internal.table.CapacityLedger;
import io.hyperclock.internal.table.ClockTable;
import io.hyperclock.internal.table.PairedProbing;
import io.hyperclock.internal.table.Probing;
import io.hyperclock.internal.table.RocksDbProbing;
import io.hyperclock.internal.table.UnpinnedReads;
import io.hyperclock.stats.CacheStats;
import io.hyperclock.stats.Problem;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.Objects;
import java.util.function.IntFunction;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The cache: checks arguments, chooses the shard, and turns slots into values and handles.
 *
 * <p>Closing: {@link #close()} sets the flag before it erases everything; an insert looks at the
 * flag after it has published its entry, with a full fence between, so that one of the two erases
 * it.
 */
public final class HyperClockCache<V> extends LoadingFacade<V> {
  private final Shard[] shards;
  private final Probing probing;
  private final UnpinnedReads[] reads;
  private final CacheConfig<V> config;
  private final Batches<V> batches;
  private final TypeRegistry types = new TypeRegistry();
  private final FileKeys files = new FileKeys();
  private final StatsRecorder stats = new StatsRecorder(types);
  private final UserCallbacks callbacks;
  private final Scopes scopes;
  private final IncidentLog doubleCloses = new IncidentLog("a handle was closed twice");
  private final Observation observation;
  private final Limits limits;
  private volatile boolean closed;

  /** Allocates all slots. */
  public HyperClockCache(CacheConfig<V> config) {
    this(
        config,
        config.storage() == SlotStorage.HEAP ? HeapSlotStore::create : OffHeapSlotStore::create);
  }

  /** Keeps slots in the stores given, one for each shard. */
  HyperClockCache(CacheConfig<V> config, IntFunction<SlotStore> stores) {
    super(config.defaultType(), config.estimatedEntryCharge());
    TableSizing sizing = TableSizing.of(config);
    long seed = config.seed().value();
    this.config = config;
    this.callbacks = new UserCallbacks(types, stats, files, config.evictionListener());
    this.scopes = new Scopes(config.trackScopes());
    this.observation = new Observation(config.observation(), callbacks.failures(), doubleCloses);
    this.probing =
        config.rocksDbParity()
            ? RocksDbProbing.create(sizing.slots(), seed)
            : PairedProbing.create(sizing.slots(), seed);
    types.idOf(config.defaultType());
    this.shards = new Shard[sizing.shards()];
    for (int i = 0; i < shards.length; i++) {
      shards[i] =
          new Shard(
              config,
              sizing,
              TableSizing.share(config.capacityBytes(), shards.length, i, config.rocksDbParity()),
              stores.apply(sizing.slots()),
              probing,
              types,
              stats,
              callbacks,
              scopes.reclaimer(),
              doubleCloses,
              observation);
    }
    this.reads =
        Stream.of(shards)
            .map(Shard::table)
            .map(ClockTable::unpinnedReads)
            .toArray(UnpinnedReads[]::new);
    this.limits = new Limits(shards, config);
    this.batches = new Batches<>(this, shards, probing);
    observation.opened(this);
  }

  Shard[] shards() {
    return shards;
  }

  Scopes scopes() {
    return scopes;
  }

  private UnpinnedReads reads(long hash) {
    return reads[probing.shard(hash, reads.length)];
  }

  private Shard shard(long hash) {
    return shards[probing.shard(hash, shards.length)];
  }

  @Override
  protected void disposerThrew(EntryType<?> type, Throwable failure) {
    callbacks.failures().report("disposer of", type, failure);
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("cache must not be closed: closed=true");
    }
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

  @SuppressWarnings("unchecked")
  @Nullable V read(long keyHi, long keyLo, boolean use) {
    long hash = probing.hash(keyHi, keyLo);
    return (V) reads(hash).get(keyHi, keyLo, hash, use);
  }

  @Override
  public ReadScope<V> openScope() {
    requireOpen();
    return scopes.open(this);
  }

  @SuppressWarnings("unchecked")
  @Nullable V readInScope(long keyHi, long keyLo) {
    requireOpen();
    long hash = probing.hash(keyHi, keyLo);
    return (V) reads(hash).getInScope(keyHi, keyLo, hash);
  }

  @Override
  public ReadScopeStats scopeStats() {
    return scopes.stats();
  }

  @Override
  public List<OpenScope> openScopes() {
    return scopes.list();
  }

  @Override
  public int getAll(long[] keys, @Nullable V[] values) {
    requireOpen();
    return batches.getAll(keys, values);
  }

  @Override
  public @Nullable Handle<V> lookup(long keyHi, long keyLo) {
    requireOpen();
    return pin(keyHi, keyLo);
  }

  @SuppressWarnings("unchecked")
  @Nullable Handle<V> pin(long keyHi, long keyLo) {
    long hash = probing.hash(keyHi, keyLo);
    Shard shard = shard(hash);
    int slot = shard.table().lookup(keyHi, keyLo, hash);
    if (slot >= 0) {
      return shard.handle(slot, (V) shard.value(slot));
    }
    return slot == ClockTable.ABSENT
        ? null
        : shard.handleOfValue(slot - ClockTable.BEING_EXCHANGED);
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
    long hash = probing.hash(keyHi, keyLo);
    InsertResult result = shard(hash).insert(keyHi, keyLo, hash, value, cold, priority);
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
    long hash = probing.hash(keyHi, keyLo);
    Shard shard = shard(hash);
    Handle<V> handle = shard.insertPinned(keyHi, keyLo, hash, (V) value, cold, priority);
    if (handle == null) {
      throw capacityExceeded(shard, chargeBytes);
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
    if (config.rocksDbParity()) {
      throw new UnsupportedOperationException(
          "a cache that follows RocksDB does not overwrite: rocksDbParity=true");
    }
    invalidateLoad(keyHi, keyLo);
    long hash = probing.hash(keyHi, keyLo);
    Shard shard = shard(hash);
    // No look at "closed" behind it: it adds no entry.
    int inPlace = shard.table().putInPlace(keyHi, keyLo, hash, value, cold, expected);
    if (inPlace == ClockTable.REPLACED) {
      stats.replaced.increment();
      return InsertResult.REPLACED;
    }
    if (inPlace == ClockTable.NOT_EXPECTED) {
      return InsertResult.NOT_EXPECTED;
    }
    InsertResult result =
        shard.put(keyHi, keyLo, hash, value, cold, priority, ifAbsentToo, expected);
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
    long hash = probing.hash(keyHi, keyLo);
    for (; ; ) {
      V present = read(keyHi, keyLo, true);
      if (present != null) {
        return present;
      }
      InsertResult result = shard(hash).insert(keyHi, keyLo, hash, value, cold, Priority.LOW);
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

  private static CapacityExceededException capacityExceeded(Shard shard, long chargeBytes) {
    return new CapacityExceededException(
        "entry must fit into its shard's capacity: chargeBytes="
            + chargeBytes
            + ", usageBytes="
            + shard.ledger().usage()
            + ", capacityBytes="
            + shard.ledger().capacity());
  }

  private void eraseIfClosed(long keyHi, long keyLo) {
    // [S5] publishing the entry comes before looking at the flag; pairs with the fence in close().
    VarHandle.fullFence();
    if (closed) {
      long hash = probing.hash(keyHi, keyLo);
      shard(hash).table().erase(keyHi, keyLo, hash);
    }
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
    Shard shard = shard(probing.hash(keyHi, keyLo));
    return shard.createStandalone(keyHi, keyLo, (V) value, cold, allowUncharged);
  }

  private long checked(Object value, EntryType<?> type, long chargeBytes) {
    requireOpen();
    Objects.requireNonNull(value, "value must not be null");
    Objects.requireNonNull(type, "type must not be null");
    CacheConfig.requireCharge(chargeBytes);
    return Cold.of(types.idOf(type), chargeBytes);
  }

  @Override
  public void outdateLoad(long keyHi, long keyLo) {
    requireOpen();
    invalidateLoad(keyHi, keyLo);
  }

  @Override
  public boolean erase(long keyHi, long keyLo) {
    requireOpen();
    invalidateLoad(keyHi, keyLo);
    long hash = probing.hash(keyHi, keyLo);
    return shard(hash).table().erase(keyHi, keyLo, hash);
  }

  @Override
  public void eraseUnreferenced() {
    requireOpen();
    for (Shard shard : shards) {
      shard.scan().eraseUnreferenced();
    }
  }

  @Override
  @SuppressWarnings("unchecked")
  public void forEachEntry(EntryVisitor<? super V> visitor) {
    requireOpen();
    Objects.requireNonNull(visitor, "visitor must not be null");
    for (Shard shard : shards) {
      shard
          .scan()
          .forEachPinned(
              (hi, lo, value, cold) ->
                  visitor.visit(hi, lo, (V) value, shard.type(cold), Cold.chargeBytes(cold)));
    }
  }

  @Override
  public FileKeys fileKeys() {
    requireOpen();
    return files;
  }

  @Override
  public long capacityBytes() {
    requireOpen();
    return limits.capacityBytes();
  }

  @Override
  public void setCapacityBytes(long capacityBytes) {
    requireOpen();
    limits.setCapacityBytes(capacityBytes);
  }

  @Override
  public CapacityMode capacityMode() {
    requireOpen();
    return limits.mode();
  }

  @Override
  public void setCapacityMode(CapacityMode mode) {
    requireOpen();
    limits.setMode(mode);
  }

  private long sum(ToLongFunction<CapacityLedger> figure) {
    long sum = 0;
    for (Shard shard : shards) {
      sum += figure.applyAsLong(shard.ledger());
    }
    return sum;
  }

  @Override
  public long usageBytes() {
    requireOpen();
    return sum(CapacityLedger::usage);
  }

  @Override
  public long pinnedUsageBytes() {
    requireOpen();
    long pinned = sum(CapacityLedger::standaloneUsage);
    for (Shard shard : shards) {
      pinned += shard.scan().pinnedBytes();
    }
    return pinned;
  }

  @Override
  public long occupancy() {
    requireOpen();
    return sum(CapacityLedger::occupancy);
  }

  @Override
  public long deadUsageBytes() {
    requireOpen();
    long dead = 0;
    for (Shard shard : shards) {
      dead += shard.scan().deadBytes();
    }
    return dead;
  }

  @Override
  public long slots() {
    requireOpen();
    return (long) shards.length * probing.slots();
  }

  @Override
  public CacheStats stats() {
    requireOpen();
    observation.look();
    return new StatsSnapshot(shards, stats)
        .toStats(
            limits.capacityBytes(),
            slots(),
            callbacks.failures().count(),
            doubleCloses.count(),
            observation);
  }

  @Override
  public List<HeldHandle> longestHeld(int max) {
    requireOpen();
    return observation.longestHeld(max);
  }

  @Override
  public List<Problem> problems() {
    requireOpen();
    return observation.problems(ProblemReport.of(shards, config.rocksDbParity()));
  }

  @Override
  public void close() {
    observation.closing(this);
    closed = true;
    // [S5] the flag comes before the erasing; pairs with the fence in eraseIfClosed().
    VarHandle.fullFence();
    for (Shard shard : shards) {
      shard.scan().eraseAll();
    }
  }
}
