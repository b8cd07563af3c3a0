/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.model;

import io.hyperclock.BlockCache;
import io.hyperclock.CapacityMode;
import io.hyperclock.Handle;
import io.hyperclock.InsertResult;
import io.hyperclock.model.ModelContext.Held;
import io.hyperclock.model.ModelContext.Tenancy;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/** Overwrites of one thread, and what the contract says of their outcomes. */
final class ModelOverwrites {
  private final ModelWorker worker;
  private final ModelWrites writes;
  private final ModelKeys keys;
  private final BlockCache<ModelValue> cache;
  private final SplittableRandom random;
  private final Tally tally;

  ModelOverwrites(ModelWorker worker, ModelWrites writes) {
    this.worker = worker;
    this.writes = writes;
    keys = worker.context.keys;
    cache = worker.cache;
    random = worker.random;
    tally = worker.tally;
  }

  void put(int key) {
    worker.note("put", key);
    ModelValue value = worker.make(keys.hi(key), keys.lo(key), writes.charge());
    boolean byDefault = worker.context.hasDefaultType(value.keyLo()) && random.nextBoolean();
    InsertResult result =
        overwrite(
            value,
            () ->
                byDefault
                    ? cache.put(value.keyHi(), value.keyLo(), value, value.chargeBytes())
                    : cache.put(
                        value.keyHi(),
                        value.keyLo(),
                        value,
                        value.type(),
                        value.chargeBytes(),
                        writes.priority()));
    expectNot(result, InsertResult.NOT_PRESENT, value);
    expectNot(result, InsertResult.NOT_EXPECTED, value);
    settle(key, value, result);
  }

  void putPinned(int key) {
    worker.note("putPinned", key);
    ModelValue value = worker.make(keys.hi(key), keys.lo(key), writes.charge());
    Handle<ModelValue> handle =
        writes.pinned(
            value,
            () ->
                cache.putPinned(
                    value.keyHi(),
                    value.keyLo(),
                    value,
                    value.type(),
                    value.chargeBytes(),
                    writes.priority()));
    if (handle == null) {
      return;
    }
    Tenancy tenancy = null;
    if (handle.isStandalone()) {
      tally.insertedStandalone++;
    } else {
      tally.putPinned++;
      tenancy = keys.isShared(key) ? null : new Tenancy(value);
    }
    if (!keys.isShared(key)) {
      worker.setTenancy(key, tenancy);
    }
    worker.hold(handle, value, tenancy);
  }

  void replace(int key) {
    worker.note("replace", key);
    ModelValue value = worker.make(keys.hi(key), keys.lo(key), writes.charge());
    InsertResult result =
        overwrite(
            value,
            () ->
                cache.replace(
                    value.keyHi(), value.keyLo(), value, value.type(), value.chargeBytes()));
    expectNot(result, InsertResult.INSERTED, value);
    expectNot(result, InsertResult.NOT_EXPECTED, value);
    settle(key, value, result);
  }

  private void expectNot(InsertResult result, InsertResult not, ModelValue value) {
    if (result == not) {
      worker.report(Defect.CONTRACT, "answered " + result + ": " + value);
    }
  }

  private InsertResult overwrite(ModelValue value, Supplier<InsertResult> call) {
    InsertResult result = writes.offering(value, call);
    switch (result) {
      case INSERTED -> tally.inserted++;
      case REPLACED -> tally.replaced++;
      case DROPPED -> {
        tally.dropped++;
        worker.owners.letGo(value);
      }
      case NOT_PRESENT -> tally.notPresent++;
      case NOT_EXPECTED -> tally.notExpected++;
      case REFUSED -> tally.refused++;
      default -> worker.report(Defect.CONTRACT, "answered " + result + ": " + value);
    }
    if (result.callerKeepsValue()) {
      worker.owners.handedBack(value);
    }
    return result;
  }

  /** What a put or replace says of a key that only this thread writes. */
  private void settle(int key, ModelValue value, InsertResult result) {
    if (result == InsertResult.REFUSED && writes.isAlways(CapacityMode.NON_STRICT)) {
      worker.report(Defect.CONTRACT, "refused though capacity is not strict: " + value);
    }
    if (keys.isShared(key)) {
      return;
    }
    Tenancy known = worker.tenancy(key);
    boolean held = known != null && known.pins > 0;
    if (result == InsertResult.REPLACED && known == null) {
      worker.report(Defect.STALE_ENTRY, "replaced what is gone: " + value);
    }
    if (held
        && (result == InsertResult.NOT_PRESENT
            || result == InsertResult.INSERTED && writes.isAlways(CapacityMode.STRICT))) {
      worker.report(Defect.LOST_ENTRY, result + " though pinned: " + known.value);
    }
    if (result == InsertResult.NOT_PRESENT || result == InsertResult.DROPPED) {
      worker.setTenancy(key, null);
    } else if (result == InsertResult.INSERTED || result == InsertResult.REPLACED) {
      worker.setTenancy(key, new Tenancy(value));
    }
  }

  /** Replaces a value this thread holds, whether or not it is still to be found. */
  void compareAndReplace() {
    if (worker.held.isEmpty()) {
      return;
    }
    Held held = worker.held.remove(random.nextInt(worker.held.size()));
    try {
      compareAndReplace(held);
    } finally {
      worker.held.add(held);
    }
  }

  /** The handle is out of the list, so that no callback releases it in the midst of the call. */
  private void compareAndReplace(Held held) {
    ModelValue expected = held.value();
    worker.note("compareAndReplace", (int) expected.keyLo());
    ModelValue value = worker.make(expected.keyHi(), expected.keyLo(), writes.charge());
    Tenancy tenancy = held.tenancy();
    InsertResult result =
        overwrite(
            value,
            () ->
                cache.compareAndReplace(
                    value.keyHi(),
                    value.keyLo(),
                    expected,
                    value,
                    value.type(),
                    value.chargeBytes()));
    expectNot(result, InsertResult.INSERTED, value);
    if (held.handle().isStandalone() && result == InsertResult.REPLACED) {
      worker.report(Defect.STALE_ENTRY, "replaced a standalone " + expected);
    }
    if (tenancy == null) {
      return;
    }
    int index = (int) expected.keyLo();
    boolean visible = worker.tenancies[index] == tenancy;
    if (result == InsertResult.REPLACED) {
      if (!visible) {
        worker.report(Defect.STALE_ENTRY, "replaced what had gone: " + expected);
      }
      worker.tenancies[index] = new Tenancy(value);
    } else if (visible && result != InsertResult.REFUSED) {
      worker.report(Defect.LOST_ENTRY, result + " though pinned: " + expected);
    }
  }
}
