/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.model;

import io.hyperclock.BlockCache;
import io.hyperclock.Handle;
import io.hyperclock.entry.EntryRole;
import io.hyperclock.entry.EntryType;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * What the threads of a run share: the cache, the books, and the callbacks, which sometimes call
 * back into the cache, throw, or take values over.
 */
final class ModelContext {
  /** Thrown on purpose by a disposer or a listener. */
  static final class PlannedFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    PlannedFailure() {
      super("planned", null, false, false);
    }
  }

  /** A handle in somebody's hands. */
  record Held(Handle<ModelValue> handle, ModelValue value, @Nullable Tenancy tenancy) {}

  /** A visible entry under a key that only one thread inserts and erases. */
  static final class Tenancy {
    final ModelValue value;
    int pins;

    Tenancy(ModelValue value) {
      this.value = value;
    }
  }

  private static final EntryRole[] ROLES = {
    EntryRole.DATA_BLOCK, EntryRole.INDEX_BLOCK, EntryRole.FILTER_BLOCK
  };

  final ModelSettings settings;
  final CacheFactory factory;
  final ValueOwners owners = new ValueOwners();
  final BlockCache<ModelValue> cache;
  final ModelKeys keys;

  /** Handles without an owner: whoever takes one out has to release it. */
  final Queue<Held> exchange = new ConcurrentLinkedQueue<>();

  /** Values that the listener took over and has to free. */
  final Queue<ModelValue> taken = new ConcurrentLinkedQueue<>();

  final LongAdder evictions = new LongAdder();
  final LongAdder plannedFailures = new LongAdder();

  private final List<EntryType<ModelValue>> disposable = new ArrayList<>();
  private final List<EntryType<ModelValue>> collected = new ArrayList<>();

  /** Set from just before the cache is closed: its methods may throw from then on. */
  volatile boolean closing;

  ModelContext(ModelSettings settings, long seed, CacheFactory factory) {
    this.settings = settings;
    this.factory = factory;
    for (EntryRole role : ROLES) {
      disposable.add(
          EntryType.<ModelValue>named("freed-" + role).role(role).disposer(this::dispose).build());
      collected.add(EntryType.<ModelValue>named("collected-" + role).role(role).build());
    }
    cache = factory.make(settings, seed, collected.get(0), this::onEviction);
    keys = new ModelKeys(settings, cache.fileKeys());
  }

  /** The one type of values under a key. */
  EntryType<ModelValue> typeOf(long lo) {
    List<EntryType<ModelValue>> types = ModelKeys.isDisposable(lo) ? disposable : collected;
    return types.get((int) ((lo >>> 1) % types.size()));
  }

  /** Whether inserts without a type are right for a key. */
  boolean hasDefaultType(long lo) {
    return typeOf(lo) == collected.get(0);
  }

  private void dispose(long keyHi, long keyLo, ModelValue value) {
    owners.disposed(keyHi, keyLo, value);
    callBack();
  }

  private boolean onEviction(
      long keyHi,
      long keyLo,
      ModelValue value,
      EntryType<?> type,
      long chargeBytes,
      boolean wasHit) {
    evictions.increment();
    ModelWorker worker = ModelWorker.current();
    boolean takeOver = worker.random.nextInt(8) == 0;
    owners.evicted(keyHi, keyLo, value, takeOver);
    if (type != value.type()) {
      owners.report(Defect.CONTRACT, "evicted with type " + type + ": " + value);
    }
    if (chargeBytes != value.chargeBytes() && !value.wasRecharged()) {
      owners.report(Defect.CONTRACT, "evicted with charge " + chargeBytes + ": " + value);
    }
    if (takeOver) {
      taken.add(value);
      worker.callBackIntoCache();
    } else {
      callBack();
    }
    return takeOver;
  }

  private void callBack() {
    ModelWorker worker = ModelWorker.current();
    worker.callBackIntoCache();
    if (worker.random.nextInt(3000) == 0) {
      plannedFailures.increment();
      throw new PlannedFailure();
    }
  }

  /** Frees what the listener took over. */
  void freeTaken() {
    for (ModelValue value = taken.poll(); value != null; value = taken.poll()) {
      if (value.isDisposable()) {
        owners.freedByListener(value);
      }
    }
  }
}
