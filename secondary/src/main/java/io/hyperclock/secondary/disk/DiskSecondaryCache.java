/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.disk;

import io.hyperclock.entry.EntryCodec;
import io.hyperclock.entry.EntryType;
import io.hyperclock.internal.errors.StackReserve;
import io.hyperclock.secondary.SecondaryCache;
import io.hyperclock.secondary.TierMetric;
import io.hyperclock.secondary.TierRequest;
import io.hyperclock.secondary.TierResult;
import io.hyperclock.secondary.TierState;
import io.hyperclock.secondary.TierStats;
import io.hyperclock.secondary.compression.CompressionStats;
import io.hyperclock.secondary.compression.Compressor;
import io.hyperclock.secondary.internal.record.Records;
import io.hyperclock.secondary.internal.tier.Arguments;
import io.hyperclock.secondary.internal.tier.TierCounters;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A tier in a directory of a local disk, which holds what it held when it is closed and opened
 * again.
 *
 * <p><b>Inserts</b> encode and compress on the calling thread, then copy the record into a buffer
 * in memory, from which one thread writes. They never wait for the device: what finds too much in
 * flight is declined, and an older value of the key is gone. Every insert is taken if there is
 * room, forced or not.
 *
 * <p><b>Lookups</b> find out on the calling thread whether there is a record. Where it is still in
 * memory the future is complete when it is returned; else threads of this tier read, and others of
 * its own decode; where reads are from memory, a thread in {@code waitAll} of the cache above may
 * do both. {@link #lookupNow} does it all on the calling thread, which is faster where a caller
 * waits anyway. A record whose header does not certify that it is the one looked for (torn, lost,
 * overwritten meanwhile) is forgotten and a miss, {@code ABSENT}; {@code UNAVAILABLE} if it could
 * not be forgotten at once, because it may be read well the next time. One with the right header
 * and damaged content is {@code CORRUPT}; a device that fails is {@code UNAVAILABLE}.
 *
 * <p><b>Room.</b> Space is filled and given up in regions, oldest first; of what was hit lately a
 * part is written again. Dropped values are not reported to a {@link
 * io.hyperclock.secondary.DropListener}: it would have to be read. A value stays when it moves up.
 *
 * <p><b>State.</b> A write that fails makes the tier {@code READ_ONLY} until a later try succeeds;
 * many reads that fail make it {@code BYPASS} until one succeeds, or the records around the only
 * bad place are forgotten. Both are tried every {@code probeInterval}. A call to the device that
 * takes longer than {@code stallLimit} has the same effect until it returns: the reason says since
 * when. A caller whose {@link #lookupNow} hangs in the device is not helped by that; futures that
 * wait for it end as misses, {@code TIMED_OUT}, and later lookups do not touch it: they find what
 * is in memory, and miss the rest.
 *
 * <p><b>Closing</b> writes what is in memory and a snapshot of the index. {@link #close} waits for
 * that no longer than {@code closeLimit}, five seconds by default; then the tier's own thread goes
 * on with it, and has the directory locked until it has ended: {@link #state} says so. Whatever
 * ends a tier before the snapshot is written, a crash or a device that fails, makes it begin empty
 * the next time. A crash of the system after that loses the records that the system has not written
 * yet. The caller guarantees that what keys stand for does not change from the call of {@link
 * #close} on: an {@link #erase} or insert that overlaps it counts if it comes before the last look
 * at the index, and one that comes later changes nothing on disk.
 */
public final class DiskSecondaryCache implements SecondaryCache {
  private final String name;
  private final Duration closeLimit;
  private final Records records;
  private final TierCounters counters = new TierCounters();
  final DiskHealth health;
  final RegionLog log;
  private final Storage storage;
  private final RecordReader finder;
  private final ReadScheduler lookups;
  private final RegionWriter writer;
  private final boolean isWarm;
  private final String start;

  /** Set before the tier is used. */
  private volatile byte @Nullable [] restartList;

  private volatile boolean closed;

  /** Time at which the closing thread stops waiting; 0 until then. */
  private final AtomicLong closeBy = new AtomicLong();

  private DiskSecondaryCache(
      DiskSecondaryCacheBuilder settings,
      Records records,
      int compressorId,
      Device device,
      DiskHealth health,
      Recovery recovery) {
    this.name = settings.name;
    this.closeLimit = settings.closeLimit;
    this.records = records;
    this.health = health;
    this.log = recovery.log;
    this.storage = recovery.storage;
    this.isWarm = recovery.isWarm;
    this.start = recovery.start;
    this.finder = new RecordReader(log, storage, health);
    this.lookups =
        new ReadScheduler(
            settings,
            log,
            storage,
            finder,
            health,
            records,
            counters,
            new ReadBuffers(device.readsDirectly()));
    this.writer =
        new RegionWriter(
            log,
            storage,
            device,
            health,
            new RegionReclaimer(log, storage, settings.reinsertRatio),
            recovery.incarnation,
            compressorId);
    writer.makeRoom();
  }

  /**
   * Opens a tier. All that may find no memory or no thread comes before the first change of the
   * device, so that what it holds is there for the next try.
   *
   * @param clock nanoseconds, by which calls to the device are measured
   */
  static DiskSecondaryCache open(DiskSecondaryCacheBuilder settings, LongSupplier clock) {
    Compressor compressor = settings.encoding.compressor();
    int compressorId = compressor == null ? 0 : compressor.id();
    Records records = new Records(compressor, settings.encoding.rawRoles());
    DiskHealth health =
        new DiskHealth(settings.name, settings.probeInterval, settings.stallLimit, clock);
    Device device = new WatchedDevice(settings.openDevice(), health.reads, health.writes);
    WriterThread thread = null;
    try {
      thread = WriterThread.start(settings.name);
      Recovery recovery = Recovery.of(settings, device, health, compressorId);
      DiskSecondaryCache tier =
          new DiskSecondaryCache(settings, records, compressorId, device, health, recovery);
      if (!recovery.takeOver()) {
        recovery = recovery.cold();
        tier = new DiskSecondaryCache(settings, records, compressorId, device, health, recovery);
      }
      tier.restartList = recovery.restartList;
      tier.writer.begin(recovery.headIsWritten);
      thread.run(tier.writer);
      return tier;
    } catch (RuntimeException | Error e) {
      if (thread != null) {
        thread.end();
      }
      closeQuietly(device);
      throw e;
    }
  }

  private static void closeQuietly(Device device) {
    try {
      device.close();
    } catch (IOException | RuntimeException e) {
      // What made it necessary is thrown.
    }
  }

  /**
   * Starts a tier.
   *
   * @return a new builder
   */
  public static DiskSecondaryCacheBuilder builder() {
    return new DiskSecondaryCacheBuilder();
  }

  /**
   * Metrics that only a tier on disk has.
   *
   * @return a snapshot; one of a busy tier may mix neighbouring moments
   */
  public DiskStats diskStats() {
    StackReserve.requireLittle(); // The lock is to be given back.
    log.lock.lock();
    try {
      return new DiskStats(
          storage.writtenBytes.sum(),
          log.userBytes,
          log.reinsertedBytes,
          log.reinserted,
          log.inFlightBytes,
          log.noRoom,
          lookups.busy.sum(),
          finder.uncertified.sum(),
          health.readErrors.sum(),
          health.writeErrors.sum(),
          health.reads.stalls() + health.writes.stalls(),
          health.reads.stalled() + health.writes.stalled(),
          log.regions.length,
          log.regions.length - log.free,
          log.index.displaced(),
          8L * log.index.length(),
          isWarm,
          start);
    } finally {
      log.lock.unlock();
    }
  }

  @Override
  public List<TierMetric> metrics() {
    DiskStats now = diskStats();
    List<TierMetric> metrics = new ArrayList<>(Records.metrics(compressionStats()));
    metrics.add(TierMetric.count("disk.written", "bytes", now.writtenBytes()));
    metrics.add(TierMetric.count("disk.accepted", "bytes", now.userBytes()));
    metrics.add(TierMetric.count("disk.reinserted", "bytes", now.reinsertedBytes()));
    metrics.add(TierMetric.count("disk.reinserts", "records", now.reinserted()));
    metrics.add(TierMetric.level("disk.in.flight", "bytes", now.inFlightBytes()));
    metrics.add(TierMetric.count("disk.no.room", "values", now.noRoom()));
    metrics.add(TierMetric.count("disk.uncertified", "reads", now.uncertified()));
    metrics.add(TierMetric.count("disk.read.errors", "calls", now.readErrors()));
    metrics.add(TierMetric.count("disk.write.errors", "calls", now.writeErrors()));
    metrics.add(TierMetric.count("disk.stalls", "calls", now.stalls()));
    metrics.add(TierMetric.level("disk.stalled", "calls", now.stalled()));
    metrics.add(TierMetric.level("disk.regions", "regions", now.regions()));
    metrics.add(TierMetric.level("disk.regions.used", "regions", now.usedRegions()));
    metrics.add(TierMetric.count("disk.displaced", "records", now.displaced()));
    metrics.add(TierMetric.level("disk.index", "bytes", now.indexBytes()));
    metrics.add(TierMetric.level("disk.warm.start", "starts", now.warmStart() ? 1 : 0));
    metrics.addAll(log.signing.metrics());
    return metrics;
  }

  /**
   * How well values compress.
   *
   * @return a new snapshot
   */
  public CompressionStats compressionStats() {
    return records.stats();
  }

  /**
   * Looks a value up as {@link #lookup} does, but reads and decodes on the calling thread. May
   * block on the device. An interrupt of the calling thread neither ends the call nor harms others,
   * and is still set when it returns.
   *
   * @param request what to look for
   * @param <V> type of the value
   * @return the result
   */
  public <V> TierResult<V> lookupNow(TierRequest<V> request) {
    return lookups.now(request);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public <T> boolean insert(long keyHi, long keyLo, T value, EntryType<T> type, boolean force) {
    EntryCodec<T> codec = Records.codec(value, type);
    byte[] packed = log.mayTake() ? records.tryPack(value, type, codec) : null;
    byte[] payload = log.signing.sign(keyHi, keyLo, type, packed);
    return counters.inserted(type.role(), log.put(keyHi, keyLo, payload));
  }

  @Override
  public <V> CompletableFuture<TierResult<V>> lookup(TierRequest<V> request) {
    return lookups.start(request);
  }

  /** Reads and decodes on the calling thread, as {@link #lookupNow} does. */
  @Override
  public <V> CompletableFuture<TierResult<V>> lookupAndWait(TierRequest<V> request) {
    return CompletableFuture.completedFuture(lookupNow(request));
  }

  @Override
  public <V> List<CompletableFuture<TierResult<V>>> lookupAll(List<TierRequest<V>> requests) {
    return lookups.start(requests);
  }

  @Override
  public void erase(long keyHi, long keyLo) {
    log.erase(keyHi, keyLo);
  }

  @Override
  public boolean erasesOnAdvice() {
    return false;
  }

  @Override
  public void setCapacity(long capacityBytes) {
    log.setCapacity(Arguments.notNegative("capacityBytes", capacityBytes));
  }

  @Override
  public boolean keepsRestartList() {
    return true;
  }

  @Override
  public byte @Nullable [] restartList() {
    byte[] list = restartList;
    return list == null ? null : list.clone();
  }

  @Override
  public boolean mayHold(long keyHi, long keyLo) {
    return !closed && finder.candidate(keyHi, keyLo) != 0;
  }

  @Override
  public void keepRestartList(byte[] list) {
    writer.restartList = Objects.requireNonNull(list, "list must not be null");
  }

  /**
   * Whether the tier serves. One that is closed while its thread still writes says so in the
   * reason; when the thread has ended it is {@link TierState#CLOSED}, and its directory can be
   * opened again.
   */
  @Override
  public TierState state() {
    if (closed) {
      return writer.hasEnded()
          ? TierState.CLOSED
          : new TierState(
              TierState.Mode.CLOSED, "closed, but still writing: closeLimit=" + closeLimit);
    }
    if (log.regions.length == 0) {
      return new TierState(
          TierState.Mode.BYPASS,
          "capacity must be at least a region: regionBytes=" + log.regionBytes);
    }
    return health.state();
  }

  @Override
  public TierStats stats() {
    StackReserve.requireLittle();
    log.lock.lock();
    try {
      return counters.toStats(
          log.capacityBytes,
          closed ? 0 : log.usedBytes,
          closed ? 0 : log.index.entries(),
          log.dropped + log.index.displaced());
    } finally {
      log.lock.unlock();
    }
  }

  /**
   * Closes the tier, and waits until it has written what it keeps, no longer than {@link
   * DiskSecondaryCacheBuilder#closeLimit}. The log says once if that was not long enough.
   */
  @Override
  public void close() {
    StackReserve.require();
    boolean isFirst = closeBy.compareAndSet(0, System.nanoTime() + Nanos.of(closeLimit));
    closed = true;
    // Before the writer may close the device: that distinguishes a read that fails then.
    lookups.close();
    log.beginClosing();
    if (!writer.awaitEnd(closeBy.get() - System.nanoTime()) && isFirst) {
      health.closesLate(closeLimit, writer.snapshotIsWritten());
    }
  }
}
