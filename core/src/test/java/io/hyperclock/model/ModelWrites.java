/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.model;

import io.hyperclock.BlockCache;
import io.hyperclock.CapacityExceededException;
import io.hyperclock.CapacityMode;
import io.hyperclock.Handle;
import io.hyperclock.InsertResult;
import io.hyperclock.entry.Priority;
import io.hyperclock.model.ModelContext.Held;
import io.hyperclock.model.ModelContext.Tenancy;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The operations of a worker that change something, and what their answers must satisfy. */
final class ModelWrites {
  private final ModelWorker worker;
  private final ModelSettings settings;
  private final ModelKeys keys;
  private final BlockCache<ModelValue> cache;
  private final SplittableRandom random;
  private final Tally tally;

  ModelWrites(ModelWorker worker) {
    this.worker = worker;
    settings = worker.context.settings;
    keys = worker.context.keys;
    cache = worker.cache;
    random = worker.random;
    tally = worker.tally;
  }

  boolean isAlways(CapacityMode mode) {
    return !settings.changing() && settings.mode() == mode;
  }

  long charge() {
    if (random.nextInt(Math.max(30, settings.size().entries / 4)) == 0) {
      return random.nextLong(settings.shardBytes() * 3 / 2);
    }
    return random.nextInt(20) == 0 ? 0 : random.nextLong(2 * ModelSettings.ENTRY_BYTES);
  }

  Priority priority() {
    return Priority.values()[random.nextInt(3)];
  }

  /** Offers a value; if the cache is closed meanwhile, the value must be the caller's again. */
  <R> R offering(ModelValue value, Supplier<R> call) {
    worker.owners.offer(value);
    try {
      return call.get();
    } catch (IllegalStateException e) {
      worker.owners.handedBack(value);
      throw e;
    }
  }

  void insert(int key) {
    long hi = keys.hi(key);
    long lo = keys.lo(key);
    ModelValue value = worker.make(hi, lo, charge());
    worker.note("insert", key);
    InsertResult result = offering(value, () -> insert(hi, lo, value));
    switch (result) {
      case INSERTED -> {
        tally.inserted++;
        stored(key, value);
      }
      case KEPT_EXISTING -> {
        tally.keptExisting++;
        worker.owners.letGo(value);
        if (!keys.isShared(key) && worker.tenancy(key) == null) {
          worker.report(Defect.STALE_ENTRY, "kept what is gone, not " + value);
        }
      }
      case DROPPED -> {
        tally.dropped++;
        worker.owners.letGo(value);
        if (isAlways(CapacityMode.STRICT)) {
          worker.report(Defect.CONTRACT, "dropped in strict mode: " + value);
        }
      }
      case REFUSED -> {
        tally.refused++;
        refused(value);
      }
      default -> worker.report(Defect.CONTRACT, "inserted: " + result);
    }
  }

  private InsertResult insert(long hi, long lo, ModelValue value) {
    return worker.context.hasDefaultType(lo) && random.nextBoolean()
        ? cache.insert(hi, lo, value, value.chargeBytes())
        : cache.insert(hi, lo, value, value.type(), value.chargeBytes(), priority());
  }

  @Nullable Tenancy stored(int key, ModelValue value) {
    if (value.chargeBytes() > settings.shardBytes() + 1 && !settings.changing()) {
      worker.report(Defect.CONTRACT, "stored though larger than a shard: " + value);
    }
    if (keys.isShared(key)) {
      return null;
    }
    Tenancy known = worker.tenancy(key);
    if (known != null && known.pins > 0) {
      worker.report(Defect.LOST_ENTRY, "stored " + value + " beside a pinned " + known.value);
    }
    Tenancy tenancy = new Tenancy(value);
    worker.setTenancy(key, tenancy);
    return tenancy;
  }

  void refused(ModelValue value) {
    worker.owners.handedBack(value);
    if (isAlways(CapacityMode.NON_STRICT)) {
      worker.report(Defect.CONTRACT, "refused though capacity is not strict: " + value);
    }
  }

  void insertPinned(int key) {
    long hi = keys.hi(key);
    long lo = keys.lo(key);
    ModelValue value = worker.make(hi, lo, charge());
    worker.note("insertPinned", key);
    Handle<ModelValue> handle =
        pinned(
            value,
            () -> cache.insertPinned(hi, lo, value, value.type(), value.chargeBytes(), priority()));
    if (handle == null) {
      return;
    }
    if (handle.isStandalone()) {
      tally.insertedStandalone++;
      worker.hold(handle, value, null);
    } else {
      tally.inserted++;
      worker.hold(handle, value, stored(key, value));
    }
  }

  /** A handle on a new value; null if strict capacity refused it. */
  @Nullable Handle<ModelValue> pinned(ModelValue value, Supplier<Handle<ModelValue>> write) {
    Handle<ModelValue> handle;
    try {
      handle = offering(value, write);
    } catch (CapacityExceededException e) {
      tally.refused++;
      refused(value);
      return null;
    }
    checkNew(handle, value);
    return handle;
  }

  private void checkNew(Handle<ModelValue> handle, ModelValue value) {
    worker.owners.checkPinned(value, "new");
    boolean right =
        handle.value() == value
            && value.isFor(handle.keyHi(), handle.keyLo())
            && handle.type() == value.type()
            && (handle.chargeBytes() == value.chargeBytes() || value.wasRecharged())
            && !handle.isReleased();
    if (!right) {
      worker.report(Defect.CONTRACT, "wrong handle " + handle + " on a new " + value);
    }
  }

  /** Inserts into an empty cache what fits or does not, and takes it out again. */
  void probe(int key, long chargeBytes, boolean fits) {
    long hi = keys.hi(key);
    long lo = keys.lo(key);
    ModelValue value = worker.make(hi, lo, chargeBytes);
    worker.note("probe", key);
    InsertResult result = offering(value, () -> insert(hi, lo, value));
    if ((result == InsertResult.INSERTED) != fits) {
      worker.report(
          Defect.CONTRACT,
          result
              + " at capacityBytes="
              + cache.monitor().capacityBytes()
              + ", probing with "
              + value);
    }
    switch (result) {
      case INSERTED -> {
        tally.inserted++;
        cache.erase(hi, lo);
      }
      case KEPT_EXISTING -> tally.keptExisting++;
      case DROPPED -> tally.dropped++;
      case REFUSED -> {
        tally.refused++;
        worker.owners.handedBack(value);
      }
    }
  }

  void createStandalone(int key) {
    long hi = keys.hi(key);
    long lo = keys.lo(key);
    ModelValue value = worker.make(hi, lo, charge());
    boolean allowUncharged = random.nextBoolean();
    worker.note("createStandalone", key);
    Handle<ModelValue> handle =
        offering(
            value,
            () ->
                cache.createStandalone(
                    hi, lo, value, value.type(), value.chargeBytes(), allowUncharged));
    if (handle == null) {
      tally.standaloneRefused++;
      refused(value);
      if (allowUncharged) {
        worker.report(Defect.CONTRACT, "refused though it may be uncharged: " + value);
      }
      return;
    }
    if (handle.chargeBytes() == 0 && allowUncharged && !isAlways(CapacityMode.NON_STRICT)) {
      value.recharge();
    }
    checkNew(handle, value);
    if (!handle.isStandalone()) {
      worker.report(Defect.CONTRACT, "not standalone: " + value);
    }
    worker.hold(handle, value, null);
  }

  void erase(int key) {
    worker.note("erase", key);
    boolean erased = cache.erase(keys.hi(key), keys.lo(key));
    if (keys.isShared(key)) {
      return;
    }
    Tenancy known = worker.tenancy(key);
    if (erased && known == null) {
      worker.report(Defect.STALE_ENTRY, "erased what is gone: key=" + key);
    }
    if (!erased && known != null && known.pins > 0) {
      worker.report(Defect.LOST_ENTRY, "not erased though pinned: " + known.value);
    }
    worker.setTenancy(key, null);
  }

  /** A release said that it freed an entry under a key of this thread. */
  void checkFreedByRelease(Tenancy tenancy, boolean eraseIfLast) {
    int index = (int) tenancy.value.keyLo();
    if (worker.tenancies[index] == tenancy) {
      worker.tenancies[index] = null;
      if (!eraseIfLast) {
        worker.report(Defect.LOST_ENTRY, "freed by release though visible: " + tenancy.value);
      }
      if (tenancy.pins > 0) {
        worker.report(Defect.EARLY_FREE, "freed by release though pinned: " + tenancy.value);
      }
    }
  }

  void adjustCharge() {
    if (worker.held.isEmpty()) {
      return;
    }
    Held held = worker.held.remove(random.nextInt(worker.held.size()));
    adjustCharge(held);
    worker.held.add(held);
  }

  /** The handle is out of the list, so that no callback releases it in the midst of the call. */
  private void adjustCharge(Held held) {
    Handle<ModelValue> handle = held.handle();
    long before = handle.chargeBytes();
    long wanted = charge();
    worker.note("adjustCharge", 0);
    held.value().recharge();
    boolean adjusted = handle.adjustCharge(wanted);
    if (!adjusted && isAlways(CapacityMode.NON_STRICT)) {
      worker.report(Defect.CONTRACT, "charge not adjusted: " + held.value());
    }
    if (held.tenancy() != null && handle.chargeBytes() != (adjusted ? wanted : before)) {
      worker.report(
          Defect.CONTRACT,
          "charge "
              + handle.chargeBytes()
              + " after "
              + before
              + " to "
              + wanted
              + ", "
              + adjusted);
    }
  }

  void eraseUnreferenced() {
    worker.note("eraseUnreferenced", 0);
    cache.eraseUnreferenced();
  }

  void changeCapacity() {
    if (settings.changing()) {
      long quarters = random.nextLong(1, 9);
      worker.note("setCapacityBytes", (int) quarters);
      cache.setCapacityBytes(settings.capacityBytes() * quarters / 4);
    }
  }

  void changeMode() {
    if (settings.changing()) {
      CapacityMode mode = CapacityMode.values()[random.nextInt(2)];
      worker.note("setCapacityMode", mode.ordinal());
      cache.setCapacityMode(mode);
    }
  }

  void dropFile() {
    int file = random.nextInt(ModelKeys.files());
    worker.note("dropFile", file);
    if (!keys.dropFile(file, random.nextInt(4) == 0)) {
      worker.report(Defect.CONTRACT, "a new file must not be dropped: file=" + file);
    }
  }

  /** What must hold at every moment. */
  void checkBounds() {
    if (isAlways(CapacityMode.STRICT)) {
      long usage = cache.monitor().usageBytes();
      if (usage > settings.capacityBytes()) {
        worker.report(Defect.USAGE_DRIFT, "usage over strict capacity: usageBytes=" + usage);
      }
    }
  }
}
