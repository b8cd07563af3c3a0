/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.compressed;

import io.hyperclock.BlockCache;
import io.hyperclock.EvictionListener;
import io.hyperclock.entry.EntryCodec;
import io.hyperclock.entry.EntryType;
import io.hyperclock.internal.errors.StackReserve;
import io.hyperclock.secondary.DropListener;
import io.hyperclock.secondary.SecondaryCache;
import io.hyperclock.secondary.TierMetric;
import io.hyperclock.secondary.TierOutcome;
import io.hyperclock.secondary.TierRequest;
import io.hyperclock.secondary.TierResult;
import io.hyperclock.secondary.TierState;
import io.hyperclock.secondary.TierStats;
import io.hyperclock.secondary.compression.CompressionStats;
import io.hyperclock.secondary.compression.Compressor;
import io.hyperclock.secondary.internal.record.Records;
import io.hyperclock.secondary.internal.tier.Arguments;
import io.hyperclock.secondary.internal.tier.TierCounters;
import io.hyperclock.stats.Problem;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A tier in memory that holds its values encoded and compressed, in a CLOCK cache of its own.
 *
 * <p><b>Benefit.</b> Where blocks shrink to a half, a byte given to this tier holds twice as much
 * as one given to the cache above. <b>Costs.</b> Each hit decompresses and decodes, each insert
 * that is not declined encodes and compresses, on the calling thread.
 *
 * <p><b>Admission.</b> The first insert of a key leaves a dummy of eight bytes and is declined, the
 * second stores the value; {@code force} stores at once. A lookup that advises to erase leaves a
 * dummy, so a value that moved up is stored again when it first comes back.
 *
 * <p><b>Records.</b> A value is stored as it is encoded if compression does not take away an eighth
 * of it, or if its role is exempt. Every record has a checksum over what is stored, looked at
 * before it is decompressed: a damaged record is a miss, {@link TierOutcome#CORRUPT}, and is
 * forgotten, as is one that its codec cannot decode.
 *
 * <p><b>Memory.</b> Records, their slots and the dummies never exceed the capacity. Beside it there
 * are a few scratch arrays, at most half a MiB each and two for a processor, but no fewer than
 * four; values larger than 64 MiB are declined. The tables are made for the largest capacity that
 * the builder was told; a larger one may be set but is not all used.
 *
 * <p><b>Progress.</b> Inserts, lookups and erases wait for nothing but codecs; changes of the
 * capacity wait for each other. Futures are complete when they are returned, all work is done by
 * the caller.
 *
 * <p><b>What is given up</b> for room is offered to the {@link DropListener}; what a capacity of 0
 * takes away is not, nor are values of further types once the tier has had values of 64 types.
 *
 * <p>Source: RocksDB {@code CompressedSecondaryCache}; changed: CLOCK instead of LRU, pin-free
 * reads, checksums, dummies outside of the cache, so that they take no slots from records.
 */
public final class CompressedSecondaryCache implements SecondaryCache {
  private final String name;
  private final String compressorName;
  private final Records records;
  private final Supplier<CompressedStore> stores;
  private final long tableBytes;
  private final RecordTypes types = new RecordTypes();
  private final TierCounters counters = new TierCounters();

  /** Guards what follows; the store is read without it. */
  private final ReentrantLock lock = new ReentrantLock();

  private long setBytes;
  private long takenBytes;
  private volatile long capacityBytes;
  private volatile boolean closed;

  private volatile @Nullable DropListener dropListener;

  /** Null while there is no capacity, and once closed. */
  volatile @Nullable CompressedStore store;

  CompressedSecondaryCache(CompressedSecondaryCacheBuilder settings) {
    this(settings, CompressedStore::new);
  }

  /**
   * The same with stores that a test may fail to make.
   *
   * @param maker makes each of them
   */
  CompressedSecondaryCache(CompressedSecondaryCacheBuilder settings, StoreMaker maker) {
    this.name = settings.name;
    Compressor compressor = settings.encoding.compressor();
    this.compressorName = compressor == null ? "none" : compressor.name();
    this.records = new Records(compressor, settings.encoding.rawRoles());
    long maxCapacityBytes = settings.maxCapacity();
    long entryCharge = settings.estimatedEntryCharge;
    this.stores = () -> maker.make(maxCapacityBytes, entryCharge, this::evicted);
    CompressedStore first = stores.get();
    this.tableBytes = first.tableBytes();
    this.store = first;
    setCapacity(settings.capacityBytes);
  }

  /** Makes an empty store, see {@link CompressedStore}. */
  interface StoreMaker {
    CompressedStore make(long maxBytes, long entryCharge, EvictionListener<byte[]> listener);
  }

  /**
   * Starts a tier.
   *
   * @return a new builder
   */
  public static CompressedSecondaryCacheBuilder builder() {
    return new CompressedSecondaryCacheBuilder();
  }

  private boolean evicted(
      long hi, long lo, byte[] record, EntryType<?> recordType, long charge, boolean wasHit) {
    counters.dropped(1);
    DropListener to = dropListener;
    EntryType<?> type = types.original(recordType);
    if (to != null && type != null) {
      notifyDropped(to, hi, lo, type, record, charge);
    }
    return false;
  }

  private <T> void notifyDropped(
      DropListener to, long hi, long lo, EntryType<T> type, byte[] record, long charge) {
    TierRequest<T> request = new TierRequest<>(hi, lo, type, null, true);
    to.onDrop(hi, lo, type, charge, () -> records.restore(record, request, false).value());
  }

  @Override
  public void onDrop(DropListener listener) {
    dropListener = Objects.requireNonNull(listener, "listener must not be null");
  }

  @Override
  public String name() {
    return name;
  }

  /**
   * Which compressor is used: the first of those wished for that can be.
   *
   * @return its name, or "none"
   */
  public String compressorName() {
    return compressorName;
  }

  /**
   * How well values compress.
   *
   * @return a new snapshot
   */
  public CompressionStats compressionStats() {
    return records.stats();
  }

  @Override
  public List<TierMetric> metrics() {
    return Records.metrics(compressionStats());
  }

  /**
   * Says what about the settings costs capacity or memory.
   *
   * @return problems found, empty if all is well or the tier is not yet full
   */
  public List<Problem> problems() {
    CompressedStore present = store;
    return present == null ? List.of() : present.problems();
  }

  @Override
  public <T> boolean insert(long keyHi, long keyLo, T value, EntryType<T> type, boolean force) {
    EntryCodec<T> codec = Records.codec(value, type);
    return counters.inserted(type.role(), store(keyHi, keyLo, value, type, codec, force));
  }

  private <T> boolean store(
      long hi, long lo, T value, EntryType<T> type, EntryCodec<T> codec, boolean force) {
    CompressedStore into = store;
    if (into == null || !force && !into.admits(hi, lo)) {
      return false;
    }
    byte[] record = records.tryPack(value, type, codec);
    if (record == null) {
      into.remove(hi, lo);
      return false;
    }
    return into.put(hi, lo, record, types.recordType(type));
  }

  @Override
  public <V> CompletableFuture<TierResult<V>> lookup(TierRequest<V> request) {
    StackReserve.require(); // What is decoded is to be given to the caller.
    CompressedStore from = store;
    TierResult<V> result =
        from == null
            ? TierResult.miss(closed ? TierOutcome.CLOSED : TierOutcome.ABSENT)
            : find(from, request);
    counters.lookedUp(request.type().role(), result.outcome());
    return CompletableFuture.completedFuture(result);
  }

  private <V> TierResult<V> find(CompressedStore from, TierRequest<V> request) {
    long hi = request.keyHi();
    long lo = request.keyLo();
    byte[] record = from.get(hi, lo);
    if (record == null) {
      return TierResult.miss(TierOutcome.ABSENT);
    }
    TierResult<V> result = records.restore(record, request, !request.adviseErase());
    if (Records.isUseless(result.outcome())) {
      from.remove(hi, lo);
    }
    if (result.isHit() && request.adviseErase()) {
      from.moveUp(hi, lo);
    }
    return result;
  }

  @Override
  public void erase(long keyHi, long keyLo) {
    CompressedStore from = store;
    if (from != null) {
      from.erase(keyHi, keyLo);
    }
  }

  @Override
  public boolean erasesOnAdvice() {
    return true;
  }

  /**
   * {@inheritDoc} If there is no memory for the tables of a tier that was disabled, this throws
   * {@link OutOfMemoryError}, and the tier stays as it was; the next call tries again. More than
   * {@link BlockCache#MAX_CAPACITY_BYTES} counts as that.
   */
  @Override
  public void setCapacity(long capacityBytes) {
    Arguments.notNegative("capacityBytes", capacityBytes);
    StackReserve.require(); // The lock is to be given back.
    lock.lock();
    try {
      apply(capacityBytes, takenBytes);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void deflate(long bytes) {
    Arguments.notNegative("bytes", bytes);
    StackReserve.require();
    lock.lock();
    try {
      if (bytes > Long.MAX_VALUE - takenBytes) {
        throw new IllegalArgumentException(
            "bytes must not overflow the sum taken: bytes=" + bytes + ", takenBytes=" + takenBytes);
      }
      apply(setBytes, takenBytes + bytes);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void inflate(long bytes) {
    Arguments.notNegative("bytes", bytes);
    StackReserve.require();
    lock.lock();
    try {
      if (bytes > takenBytes) {
        throw new IllegalArgumentException(
            "bytes must be <= bytes taken: bytes=" + bytes + ", takenBytes=" + takenBytes);
      }
      apply(setBytes, takenBytes - bytes);
    } finally {
      lock.unlock();
    }
  }

  /** Where there is no memory for the tables nothing changes, and a later call tries again. */
  private void apply(long set, long taken) {
    long capacity = Math.min(Math.max(0, set - taken), BlockCache.MAX_CAPACITY_BYTES);
    CompressedStore present = store;
    if (closed || capacity <= tableBytes) {
      store = null;
      counters.dropped(present == null || closed ? 0 : present.entries());
    } else if (present == null) {
      store = stores.get();
    }
    setBytes = set;
    takenBytes = taken;
    capacityBytes = capacity;
    CompressedStore resized = store;
    if (resized != null) {
      // Last: the listener of what this drops may call the tier again, and that call counts.
      resized.setCapacity(capacity);
    }
  }

  @Override
  public TierState state() {
    if (closed) {
      return TierState.CLOSED;
    }
    return store != null
        ? TierState.OPEN
        : new TierState(
            TierState.Mode.BYPASS,
            "capacity must be larger than the tables: capacityBytes="
                + capacityBytes
                + ", tableBytes="
                + tableBytes);
  }

  @Override
  public TierStats stats() {
    CompressedStore present = store;
    return present == null
        ? counters.toStats(capacityBytes, 0, 0)
        : counters.toStats(capacityBytes, present.usageBytes(), present.entries());
  }

  @Override
  public void close() {
    StackReserve.require();
    lock.lock();
    try {
      closed = true;
      apply(setBytes, takenBytes);
    } finally {
      lock.unlock();
    }
  }
}
