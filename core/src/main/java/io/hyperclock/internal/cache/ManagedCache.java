/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.cache;

import io.hyperclock.CacheMonitor;
import io.hyperclock.CapacityExceededException;
import io.hyperclock.CapacityMode;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.FileKeys;
import io.hyperclock.internal.capacity.CapacityLedger;
import io.hyperclock.internal.drops.DroppedFiles;
import io.hyperclock.internal.errors.StackReserve;
import io.hyperclock.internal.handle.HandleTracker;
import io.hyperclock.internal.loading.LoadingFacade;
import io.hyperclock.internal.observe.IncidentLog;
import io.hyperclock.internal.observe.ObserverNotifier;
import io.hyperclock.internal.observe.StatsRecorder;
import io.hyperclock.internal.observe.TypeRegistry;
import io.hyperclock.internal.observe.UserCallbacks;
import io.hyperclock.internal.scope.ReadScopes;
import io.hyperclock.internal.sizing.TableSizing;
import io.hyperclock.internal.slot.ChargeWord;
import io.hyperclock.internal.slot.SlotStore;
import io.hyperclock.internal.table.Buckets;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * What a cache is made of: its shards and its settings, and how it is closed.
 *
 * <p>Closing: {@link #close()} sets the flag before it erases everything; an insert looks at the
 * flag after it has published its entry, with a full fence between, so that one of the two erases
 * it.
 */
abstract class ManagedCache<V> extends LoadingFacade<V> {
  private static final VarHandle SHARD = MethodHandles.arrayElementVarHandle(Shard[].class);

  /** By a part of the hash. In a cache that sizes itself they may have successors. */
  public final Shard[] shards;

  final Buckets buckets;
  final CacheConfig<V> config;
  final StatsRecorder stats;
  final UserCallbacks callbacks;
  final ReadScopes scopes;
  final ObserverNotifier observation;
  final @Nullable HandleTracker tracker;
  final TypeRegistry types = new TypeRegistry();
  private final DroppedFiles files = new DroppedFiles();
  final IncidentLog doubleCloses = new IncidentLog("a handle was closed twice");
  private final CapacitySettings limits;
  private final CacheMonitorImpl<V> monitor;
  private volatile boolean closed;

  /** The hands of all shards that search for blocks of dropped files. */
  private record PurgeHands(Shard[] shards) implements DroppedFiles.Hands {
    @Override
    public int count() {
      return shards.length;
    }

    @Override
    public long passed(int hand) {
      Resizing resizing = shards[hand].resizing();
      return resizing == null
          ? shards[hand].replacement().searchedForDead()
          : resizing.searchedForDead();
    }

    @Override
    public long turn(int hand) {
      return shards[hand].newest().store().slots();
    }
  }

  ManagedCache(CacheConfig<V> config, IntFunction<SlotStore> stores) {
    super(
        config.defaultType(),
        config.isAutomatic() ? config.automatic().loadCharge() : config.estimatedEntryCharge());
    TableSizing sizing = TableSizing.of(config);
    this.config = config;
    this.stats = new StatsRecorder(types);
    this.callbacks = new UserCallbacks(types, stats, files, config.evictionListener());
    this.scopes = new ReadScopes(config.observation());
    this.observation = new ObserverNotifier(config.observation(), callbacks.failures());
    this.tracker = HandleTracker.of(config.observation(), observation, doubleCloses);
    this.buckets = new Buckets(sizing.buckets(), config.seed().value());
    types.idOf(config.defaultType());
    this.shards = new Shard[sizing.shards()];
    for (int i = 0; i < shards.length; i++) {
      long share = TableSizing.share(config.capacityBytes(), shards.length, i);
      shards[i] =
          config.isAutomatic()
              ? automatic(i, sizing, share, stores)
              : new Shard(this, sizing, share, stores.apply(sizing.slots()));
    }
    files.begin(new PurgeHands(shards));
    this.limits = new CapacitySettings(shards, config);
    this.monitor = new CacheMonitorImpl<>(this, limits, this::loadStats);
  }

  private Shard automatic(
      int index, TableSizing sizing, long share, IntFunction<SlotStore> stores) {
    CapacityLedger ledger = sizing.ledger(share, config.mode());
    return new Resizing(this, index, sizing, ledger, stores, config.automatic()).newest();
  }

  public final Shard[] shards() {
    return shards;
  }

  /** Sees to it that reads look at the table that a shard has by now. */
  void install(int index) {
    for (; ; ) {
      // Opaque: a thread that finds nothing in a stale one goes on to the newest.
      Shard present = (Shard) SHARD.getOpaque(shards, index);
      Shard newest = present.newest();
      // [view] of several threads none puts an older one in the place of a newer one.
      if (present == newest || SHARD.compareAndSet(shards, index, present, newest)) {
        return;
      }
    }
  }

  final Shard shard(long hash) {
    return shards[Buckets.shard(hash, shards.length)];
  }

  final void requireOpen() {
    if (closed) {
      throw new IllegalStateException("cache must not be closed: closed=true");
    }
  }

  @Override
  protected void disposerThrew(EntryType<?> type, Throwable failure) {
    callbacks.failures().report("disposer of", type, failure);
  }

  final long checked(Object value, EntryType<?> type, long chargeBytes) {
    requireOpen();
    Objects.requireNonNull(value, "value must not be null");
    Objects.requireNonNull(type, "type must not be null");
    ChargeWord.requireCharge(chargeBytes);
    return ChargeWord.of(types.idOf(type), chargeBytes);
  }

  final void eraseIfClosed(long keyHi, long keyLo) {
    // [hide] publishing the entry comes before looking at the flag; pairs with the fence in
    // close().
    VarHandle.fullFence();
    if (closed) {
      long hash = buckets.hash(keyHi, keyLo);
      shard(hash).table().erase(keyHi, keyLo, hash);
    }
  }

  static CapacityExceededException capacityExceeded(Shard shard, long chargeBytes) {
    return new CapacityExceededException(
        "entry must fit into its shard's capacity: chargeBytes="
            + chargeBytes
            + ", usageBytes="
            + shard.ledger().usage()
            + ", capacityBytes="
            + shard.ledger().capacity());
  }

  /** Looks for leaked handles and for handles held for long. */
  final void lookForLeaks() {
    if (tracker != null) {
      tracker.look();
    }
  }

  @Override
  public final CacheMonitor<V> monitor() {
    return monitor;
  }

  @Override
  public void eraseUnreferenced() {
    requireOpen();
    StackReserve.require();
    for (Shard shard : shards) {
      new ShardScan(shard).eraseUnreferenced();
    }
    scopes.reclaimer().reclaim();
  }

  @Override
  public FileKeys fileKeys() {
    return files;
  }

  @Override
  public void setCapacityBytes(long capacityBytes) {
    requireOpen();
    StackReserve.require();
    limits.setCapacityBytes(capacityBytes);
  }

  @Override
  public void setCapacityMode(CapacityMode mode) {
    requireOpen();
    limits.setMode(mode);
  }

  @Override
  public void close() {
    StackReserve.require();
    lookForLeaks();
    observation.closing(this);
    closed = true;
    // [hide] the flag comes before the erasing; pairs with the fence in eraseIfClosed().
    VarHandle.fullFence();
    for (Shard shard : shards) {
      new ShardScan(shard).eraseAll();
    }
    scopes.reclaimer().reclaim();
  }
}
