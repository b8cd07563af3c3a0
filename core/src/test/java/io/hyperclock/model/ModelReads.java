/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.model;

import io.hyperclock.BlockCache;
import io.hyperclock.Handle;
import io.hyperclock.PinRequiredException;
import io.hyperclock.entry.EntryType;
import io.hyperclock.model.ModelContext.PlannedFailure;
import io.hyperclock.model.ModelContext.Tenancy;
import io.hyperclock.stats.CacheStats;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** The operations of a worker that look, and what their answers must satisfy. */
final class ModelReads {
  private static final int MAX_BATCH = 8;

  private final ModelWorker worker;
  private final ModelKeys keys;
  private final BlockCache<ModelValue> cache;
  private final SplittableRandom random;
  private final Tally tally;

  ModelReads(ModelWorker worker) {
    this.worker = worker;
    keys = worker.context.keys;
    cache = worker.cache;
    random = worker.random;
    tally = worker.tally;
  }

  void lookup(int key) {
    long hi = keys.hi(key);
    long lo = keys.lo(key);
    worker.note("lookup", key);
    Handle<ModelValue> handle = cache.lookup(hi, lo);
    tally.reads++;
    if (handle == null) {
      missed(key);
    } else {
      pinned(key, hi, lo, handle, "lookup");
    }
  }

  /** Checks a handle that was found, and holds it. */
  private void pinned(int key, long hi, long lo, Handle<ModelValue> handle, String where) {
    ModelValue value = handle.value();
    worker.owners.checkReadable(hi, lo, value, where);
    if (value == null) {
      return;
    }
    if (handle.keyHi() != hi
        || handle.keyLo() != lo
        || handle.type() != value.type()
        || handle.isStandalone()
        || handle.isReleased()
        || isWrongCharge(value, handle.chargeBytes())) {
      worker.report(Defect.CONTRACT, where + " gave " + handle + " for " + value);
    }
    worker.hold(handle, value, found(key, value));
  }

  private static boolean isWrongCharge(ModelValue value, long chargeBytes) {
    return chargeBytes != value.chargeBytes() && !value.wasRecharged();
  }

  void get(int key) {
    long hi = keys.hi(key);
    long lo = keys.lo(key);
    boolean peek = random.nextInt(4) == 0;
    worker.note(peek ? "peek" : "get", key);
    ModelValue value;
    try {
      value = peek ? cache.peek(hi, lo) : cache.get(hi, lo);
    } catch (PinRequiredException e) {
      tally.pinsRequired += peek ? 0 : 1;
      pinRequired(key, lo);
      return;
    }
    tally.reads += peek ? 0 : 1;
    collected(key, hi, lo, value, "get");
  }

  private void pinRequired(int key, long lo) {
    if (!ModelKeys.isDisposable(lo)) {
      worker.report(Defect.CONTRACT, "a collected value must be readable without a pin");
    } else if (!keys.isShared(key) && worker.tenancy(key) == null) {
      worker.report(Defect.STALE_ENTRY, "a pin-free read found what is gone: key=" + key);
    }
  }

  private void collected(int key, long hi, long lo, @Nullable ModelValue value, String where) {
    if (value == null) {
      missed(key);
      return;
    }
    worker.owners.checkReadable(hi, lo, value, where);
    if (value.isDisposable()) {
      worker.report(
          Defect.CONTRACT, where + " gave out a value that is freed explicitly: " + value);
    }
    found(key, value);
  }

  /** Notes that a key was not found. */
  private void missed(int key) {
    Tenancy known = worker.tenancy(key);
    if (known != null) {
      if (known.pins > 0) {
        worker.report(Defect.LOST_ENTRY, "not found though pinned: " + known.value);
      }
      worker.setTenancy(key, null);
    }
  }

  /** Compares what was found under a key of this thread with what must be there. */
  private @Nullable Tenancy found(int key, ModelValue value) {
    if (keys.isShared(key)) {
      return null;
    }
    Tenancy known = worker.tenancy(key);
    if (known == null) {
      worker.report(Defect.STALE_ENTRY, "found what is gone: " + value);
    } else if (known.value != value) {
      worker.report(Defect.STALE_ENTRY, "found " + value + " instead of " + known.value);
    }
    return known;
  }

  void getAll() {
    int[] batch = new int[random.nextInt(1, MAX_BATCH + 1)];
    long[] words = batchOf(batch, false);
    worker.note("getAll", batch.length);
    ModelValue[] values = new ModelValue[batch.length];
    ModelValue stray = worker.make(0, 0, 0);
    Arrays.fill(values, stray);
    int count = cache.getAll(words, values);
    tally.reads += batch.length;
    for (int i = 0; i < batch.length; i++) {
      collected(batch[i], words[2 * i], words[2 * i + 1], values[i], "getAll");
      count -= values[i] == null ? 0 : 1;
    }
    if (count != 0) {
      worker.report(Defect.CONTRACT, "getAll counted too many by " + count);
    }
  }

  void lookupAll() {
    int[] batch = new int[random.nextInt(1, MAX_BATCH + 1)];
    long[] words = batchOf(batch, true);
    worker.note("lookupAll", batch.length);
    @SuppressWarnings("unchecked")
    Handle<ModelValue>[] handles = (Handle<ModelValue>[]) new Handle<?>[batch.length];
    int count = cache.lookupAll(words, handles);
    tally.reads += batch.length;
    for (int i = 0; i < batch.length; i++) {
      if (handles[i] == null) {
        missed(batch[i]);
      } else {
        pinned(batch[i], words[2 * i], words[2 * i + 1], handles[i], "lookupAll");
        count--;
      }
    }
    if (count != 0) {
      worker.report(Defect.CONTRACT, "lookupAll counted too many by " + count);
    }
  }

  /** Fills {@code batch} with keys, one of this thread's own at most, and gives their words. */
  private long[] batchOf(int[] batch, boolean disposable) {
    long[] words = new long[2 * batch.length];
    for (int i = 0; i < batch.length; i++) {
      int key = i == 0 && random.nextBoolean() ? worker.ownKey() : worker.sharedKey();
      while (!disposable && ModelKeys.isDisposable(keys.lo(key))) {
        key = worker.sharedKey();
      }
      batch[i] = key;
      words[2 * i] = keys.hi(key);
      words[2 * i + 1] = keys.lo(key);
    }
    return words;
  }

  void forEachEntry() {
    worker.note("forEachEntry", 0);
    tally.visits++;
    Set<ModelValue> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    try {
      cache
          .monitor()
          .forEachEntry((hi, lo, value, type, charge) -> visit(seen, hi, lo, value, type, charge));
    } catch (PlannedFailure e) {
      return;
    }
    for (Tenancy known : worker.tenancies) {
      if (known != null && known.pins > 0 && !seen.contains(known.value)) {
        worker.report(Defect.VISIT, "not visited though pinned: " + known.value);
      }
    }
  }

  private void visit(
      Set<ModelValue> seen, long hi, long lo, ModelValue value, EntryType<?> type, long charge) {
    value.startReading();
    worker.owners.checkReadable(hi, lo, value, "forEachEntry");
    if (!seen.add(value)) {
      worker.report(Defect.VISIT, "visited twice: " + value);
    }
    if (type != value.type() || isWrongCharge(value, charge)) {
      worker.report(Defect.CONTRACT, "visited with " + type + " and " + charge + ": " + value);
    }
    if (hi == keys.hi(keys.ofThread(worker.number, 0))) {
      found(keys.ofThread(worker.number, (int) lo), value);
    }
    worker.callBackIntoCache();
    worker.owners.checkPinned(value, "forEachEntry");
    value.endReading();
    if (random.nextInt(1000) == 0) {
      throw new PlannedFailure();
    }
  }

  void askForFigures() {
    worker.note("stats", 0);
    CacheStats stats = cache.monitor().stats();
    if (stats.usageBytes() < 0 || cache.monitor().usageBytes() < 0) {
      worker.report(Defect.USAGE_DRIFT, "usage must not be negative: " + stats);
    }
    if (stats.occupancy() < 0
        || stats.pinnedUsageBytes() < 0
        || stats.standaloneUsageBytes() < 0
        || stats.slots() != cache.monitor().slots()
        || cache.monitor().pinnedUsageBytes() < 0
        || cache.monitor().problems() == null) {
      worker.report(Defect.CONTRACT, "impossible figures: " + stats);
    }
  }
}
