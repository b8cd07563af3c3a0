/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.remote;

import io.hyperclock.entry.EntryCodec;
import io.hyperclock.entry.EntryType;
import io.hyperclock.internal.errors.StackReserve;
import io.hyperclock.secondary.SecondaryCache;
import io.hyperclock.secondary.TierMetric;
import io.hyperclock.secondary.TierOutcome;
import io.hyperclock.secondary.TierRequest;
import io.hyperclock.secondary.TierResult;
import io.hyperclock.secondary.TierState;
import io.hyperclock.secondary.TierStats;
import io.hyperclock.secondary.compression.CompressionStats;
import io.hyperclock.secondary.internal.pool.Threads;
import io.hyperclock.secondary.internal.record.RecordAuthenticator;
import io.hyperclock.secondary.internal.record.Records;
import io.hyperclock.secondary.internal.tier.Arguments;
import io.hyperclock.secondary.internal.tier.LookupDisposal;
import io.hyperclock.secondary.internal.tier.TierCounters;
import io.hyperclock.secondary.internal.tier.TierIncidentLog;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A tier on a server such as Redis or Valkey, which processes may share.
 *
 * <p><b>Benefit.</b> It outlives the process, has the memory of another machine, and what one
 * process has read warms the others. <b>Costs.</b> A hit takes a round trip, so ask for many keys
 * at once: {@link #lookupAll} sends them together. A server that is slow or gone costs hits.
 *
 * <p><b>Time.</b> Every future completes, normally, within the time limit of the builder, whatever
 * the server, the store or a codec does. A server that does not answer a number of times in a row
 * is bypassed until it answers a probe; no caller waits for it meanwhile.
 *
 * <p><b>What is checked.</b> A value on the server tells which key it is of, in which namespace,
 * and has a checksum: what was put there by others, or was damaged, is {@link TierOutcome#CORRUPT}.
 * It is left there until the next insert of the key takes its place or its time to live ends.
 * Against forgers only a {@linkplain RemoteSecondaryCacheBuilder#recordKey key} helps.
 *
 * <p><b>Freshness</b> as {@link SecondaryCache} promises it holds for the calls of one instance,
 * also when commands are lost, late or doubled. Other instances, in this process or another, may
 * give an older value of a key until the write has reached the server, and longer if it does not:
 * at worst its time to live. Use keys whose values never change, such as a file's number and an
 * offset, where several write. A server that comes back with old contents undoes what it had
 * confirmed.
 *
 * <p><b>Capacity</b> is the server's affair: any but 0 is taken note of only, and entries and usage
 * are reported as 0 because no instance counts them. Advice to erase is not followed, nor is
 * anything said of what the server gives up.
 *
 * <p><b>Threads.</b> Inserts encode on the calling thread, and send. Values are decoded on the
 * executor; dependents of a future run there too, or, if the time limit ended it, on one of two
 * threads of the tier.
 *
 * <p><b>Ownership.</b> The tier closes its store; {@link LettuceRemoteStore} says what that closes.
 */
public final class RemoteSecondaryCache implements SecondaryCache {
  private static final int DECODERS = Math.max(4, Runtime.getRuntime().availableProcessors());
  private static final Duration CLOSE_TIME = Duration.ofSeconds(2);
  private static final Duration LATE = Duration.ofSeconds(30);

  private final String name;
  private final RemoteStore store;
  private final Codecs codecs;
  private final @Nullable ExecutorService ownExecutor;
  private final @Nullable RecordAuthenticator authenticator;
  private final WriteTracker ledger;
  private final RequestWindow line;
  private final ServerHealth health;
  private final RemoteWriter writer;
  private final RemoteReader reader;
  private final TierCounters counters = new TierCounters();
  private final TierIncidentLog closeFailures;
  private final AtomicBoolean closed = new AtomicBoolean();
  private volatile long capacityBytes = Long.MAX_VALUE;

  RemoteSecondaryCache(RemoteSecondaryCacheBuilder settings, RemoteStore store) {
    this.name = settings.name;
    this.store = store;
    this.closeFailures = new TierIncidentLog(settings.logger(), "the store failed to close");
    this.codecs = new Codecs(settings.encoding, settings.maxValueBytes);
    Executor given = settings.executor;
    this.ownExecutor =
        given == null ? Threads.pool(DECODERS, Threads.daemons(name + "-decoder")) : null;
    Executor executor = given == null ? Objects.requireNonNull(ownExecutor) : given;
    this.authenticator = settings.authenticator();
    WireFormat envelope =
        new WireFormat(settings.namespace(), new SecureRandom().nextLong(), authenticator);
    this.ledger = new WriteTracker(settings.maxOwedRemovals, settings.ttl.plus(LATE).toNanos());
    this.line =
        new RequestWindow(
            name, settings.maxInFlightCommands, settings.maxInFlightBytes, settings.timeout);
    this.health =
        new ServerHealth(
            line,
            store,
            new StateLog(name, settings.logger(), line),
            envelope.probeKey(),
            settings.failuresToOpen,
            settings.probeInterval);
    this.writer = new RemoteWriter(settings, store, envelope, ledger, line, health, counters);
    this.reader =
        new RemoteReader(settings, executor, store, envelope, codecs, ledger, line, health, writer);
    int maxStoredBytes = atMostInt((long) settings.maxValueBytes + WireFormat.MOST_ADDED_BYTES);
    store.limitReplies(
        maxStoredBytes, atMostInt(2L * Math.max(settings.maxBatchBytes, maxStoredBytes)));
    health.begin(writer::removeOwed);
  }

  private static int atMostInt(long bytes) {
    return (int) Math.min(bytes, Integer.MAX_VALUE - 8);
  }

  /**
   * Starts a tier.
   *
   * @return a new builder
   */
  public static RemoteSecondaryCacheBuilder builder() {
    return new RemoteSecondaryCacheBuilder();
  }

  @Override
  public String name() {
    return name;
  }

  /**
   * How well values compress that this instance wrote.
   *
   * @return a new snapshot
   */
  public CompressionStats compressionStats() {
    return codecs.writing().stats();
  }

  /**
   * What is under way, owed and not trusted.
   *
   * @return a new snapshot
   */
  public RemoteStats remoteStats() {
    return new RemoteStats(
        reader.batches.sum(),
        reader.batchedKeys.sum(),
        writer.unconfirmed(),
        reader.untrusted.sum(),
        ledger.owed(),
        ledger.isDistrusting(),
        line.commandsUnderWay(),
        line.bytesUnderWay());
  }

  @Override
  public List<TierMetric> metrics() {
    RemoteStats now = remoteStats();
    List<TierMetric> metrics = new ArrayList<>(Records.metrics(compressionStats()));
    metrics.add(TierMetric.count("remote.batches", "batches", now.batches()));
    metrics.add(TierMetric.count("remote.batched.keys", "keys", now.batchedKeys()));
    metrics.add(TierMetric.count("remote.unconfirmed", "commands", now.unconfirmed()));
    metrics.add(TierMetric.count("remote.untrusted", "reads", now.untrusted()));
    metrics.add(TierMetric.level("remote.owed.removals", "keys", now.owedRemovals()));
    metrics.add(TierMetric.level("remote.distrusting", "tiers", now.distrusting() ? 1 : 0));
    metrics.add(TierMetric.level("remote.in.flight.commands", "commands", now.commandsInFlight()));
    metrics.add(TierMetric.level("remote.in.flight", "bytes", now.bytesInFlight()));
    metrics.addAll(store.metrics());
    if (authenticator != null) {
      metrics.addAll(authenticator.metrics());
    }
    return metrics;
  }

  @Override
  public <T> boolean insert(long keyHi, long keyLo, T value, EntryType<T> type, boolean force) {
    EntryCodec<T> codec = Records.codec(value, type);
    boolean accepted = false;
    if (isServing()) {
      byte[] record =
          health.isReachable() && health.takesValues()
              ? codecs.writing().tryPack(value, type, codec)
              : null;
      accepted = record != null && writer.put(keyHi, keyLo, type, record);
      if (!accepted) {
        writer.remove(keyHi, keyLo);
      }
    }
    return counters.inserted(type.role(), accepted);
  }

  private boolean isServing() {
    return !closed.get() && capacityBytes > 0;
  }

  @Override
  public void erase(long keyHi, long keyLo) {
    if (isServing()) {
      writer.remove(keyHi, keyLo);
    }
  }

  @Override
  public <V> CompletableFuture<TierResult<V>> lookup(TierRequest<V> request) {
    return lookupAll(List.of(request)).get(0);
  }

  @Override
  public <V> List<CompletableFuture<TierResult<V>>> lookupAll(List<TierRequest<V>> requests) {
    StackReserve.require(); // What is begun is to be ended.
    List<CompletableFuture<TierResult<V>>> futures = new ArrayList<>(requests.size());
    try {
      start(requests, futures);
    } catch (Throwable e) {
      abandon(requests, futures);
      throw e;
    }
    return futures;
  }

  private <V> void start(
      List<TierRequest<V>> requests, List<CompletableFuture<TierResult<V>>> futures) {
    int perBatch = reader.keysPerBatch();
    Batch<V> batch = new Batch<>(counters, line);
    for (TierRequest<V> request : requests) {
      boolean isInUse = capacityBytes > 0; // Before the floor, which is set before it is raised.
      long required = ledger.required(request.keyHi(), request.keyLo());
      TierOutcome refusal = refusal(isInUse, required);
      if (refusal != null) {
        counters.lookedUp(request.type().role(), refusal);
        futures.add(CompletableFuture.completedFuture(TierResult.miss(refusal)));
        continue;
      }
      if (batch.size() == perBatch) {
        reader.send(batch);
        batch = new Batch<>(counters, line);
      }
      futures.add(batch.add(request, required));
    }
    if (batch.size() > 0) {
      reader.send(batch);
    }
  }

  /** Frees the values, here or yet to come, of lookups whose futures no caller gets. */
  private static <V> void abandon(
      List<TierRequest<V>> requests, List<CompletableFuture<TierResult<V>>> futures) {
    for (int i = 0; i < futures.size(); i++) {
      CompletableFuture<TierResult<V>> future = futures.get(i);
      future.complete(TierResult.miss(TierOutcome.UNAVAILABLE));
      LookupDisposal.dispose(future.join(), requests.get(i));
    }
  }

  /** Null if the server is to be asked. */
  private @Nullable TierOutcome refusal(boolean isInUse, long required) {
    if (closed.get()) {
      return TierOutcome.CLOSED;
    }
    if (!isInUse || required == WriteTracker.NOTHING) {
      return TierOutcome.ABSENT;
    }
    return health.isReachable() ? null : TierOutcome.UNAVAILABLE;
  }

  @Override
  public boolean erasesOnAdvice() {
    return false;
  }

  @Override
  public boolean isShared() {
    return true;
  }

  /**
   * Sets whether the tier is used.
   *
   * @param capacityBytes 0 to use it no more; any other number means to use it, and goes into the
   *     statistics. After 0, what was written before is not given for as long as it may live
   */
  @Override
  public synchronized void setCapacity(long capacityBytes) {
    Arguments.notNegative("capacityBytes", capacityBytes);
    if (this.capacityBytes == 0 && capacityBytes > 0) {
      ledger.distrustAll();
    }
    this.capacityBytes = capacityBytes;
  }

  @Override
  public TierState state() {
    if (closed.get()) {
      return TierState.CLOSED;
    }
    return capacityBytes == 0
        ? new TierState(TierState.Mode.BYPASS, "capacityBytes must be > 0: capacityBytes=0")
        : health.state();
  }

  @Override
  public TierStats stats() {
    return counters.toStats(capacityBytes, 0, 0);
  }

  /** Closes the tier and its store; takes a few seconds at most. */
  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    line.close(CLOSE_TIME, this::closeStore, Threads.daemons(name + "-closer"));
    if (ownExecutor != null) {
      ownExecutor.shutdown();
    }
  }

  private void closeStore() {
    try {
      store.close();
    } catch (Throwable e) {
      closeFailures.report("tier=" + name, e);
    }
  }
}
