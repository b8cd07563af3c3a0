/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.faults;

import static io.hyperclock.faults.CacheScenario.ABSENT;
import static io.hyperclock.faults.CacheScenario.BUFFER;
import static io.hyperclock.faults.CacheScenario.ENTRIES;
import static io.hyperclock.faults.CacheScenario.HI;
import static io.hyperclock.faults.CacheScenario.KEY;
import static io.hyperclock.faults.CacheScenario.TEXT;

import io.hyperclock.CapacityExceededException;
import io.hyperclock.CapacityMode;
import io.hyperclock.Handle;
import io.hyperclock.ReadScope;
import io.hyperclock.entry.EntryRole;
import io.hyperclock.entry.Priority;
import io.hyperclock.reservation.Reservation;
import io.hyperclock.reservation.ReservationManager;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * All public operations of a {@link io.hyperclock.BlockCache} that change something; loads are in
 * {@link LoadScenarios}.
 */
public final class CacheScenarios {
  private static final long CHARGE = 8;
  private static final long STEP = ReservationManager.STEP_BYTES;

  private final Map<String, Supplier<FaultScenario>> all = new LinkedHashMap<>();
  private final boolean tracked;

  private CacheScenarios(boolean tracked) {
    this.tracked = tracked;
  }

  /** Scenarios by name; handles and scopes are tracked and the capacity is strict, or not. */
  public static Map<String, Supplier<FaultScenario>> all(boolean tracked) {
    CacheScenarios made = new CacheScenarios(tracked);
    made.reads();
    made.inserts();
    made.overwrites();
    made.erases();
    made.handles();
    made.scopes();
    made.limits();
    made.reservations();
    return made.all;
  }

  private void add(String name, CacheScenario.Step arrange, CacheScenario.Step act) {
    all.put(name, () -> new CacheScenario(CacheScenario.Setting.of(tracked), arrange, act));
  }

  private static final CacheScenario.Step NOTHING = it -> {};
  private static final CacheScenario.Step ENTER = it -> it.enter(KEY);
  private static final CacheScenario.Step ENTER_TEXT = it -> it.enterText(KEY);

  private void reads() {
    add("get", ENTER_TEXT, it -> it.cache.get(HI, KEY));
    add("get of a value freed explicitly", ENTER, CacheScenarios::getRefused);
    add("peek", ENTER_TEXT, it -> it.cache.peek(HI, KEY));
    add("getAll", ENTER_TEXT, it -> it.cache.getAll(keys(), new Object[3]));
    add("lookup", ENTER, it -> it.keep(it.cache.lookup(HI, KEY)));
    add(
        "lookup and close",
        ENTER,
        it -> {
          try (Handle<Object> handle = it.keep(it.cache.lookup(HI, KEY))) {
            handle.value();
          }
        });
    add("lookupInto", ENTER, it -> it.cache.lookupInto(HI, KEY, it.keep(it.cache.newHandle())));
    add("lookupAll", ENTER, CacheScenarios::lookupAll);
    add(
        "forEachEntry",
        ENTER,
        it -> it.cache.monitor().forEachEntry((hi, lo, value, type, charge) -> value.hashCode()));
  }

  private static void getRefused(CacheScenario it) {
    try {
      it.cache.get(HI, KEY);
    } catch (IllegalStateException e) {
      // It must be read through lookup.
    }
  }

  private static long[] keys() {
    return new long[] {HI, KEY, HI, ABSENT, HI, KEY};
  }

  @SuppressWarnings("unchecked")
  private static void lookupAll(CacheScenario it) {
    Handle<Object>[] handles = new Handle[3];
    try {
      it.cache.lookupAll(keys(), handles);
    } finally {
      for (Handle<Object> each : handles) {
        it.keep(each);
      }
    }
  }

  private void inserts() {
    add(
        "insert",
        NOTHING,
        it -> it.cache.insert(HI, KEY, it.buffer(false), BUFFER, CHARGE, Priority.LOW));
    add(
        "insert, evicting",
        CacheScenario::fill,
        it -> it.cache.insert(HI, KEY, it.buffer(false), BUFFER, CHARGE, Priority.LOW));
    add(
        "insert, evicting what the collector owns",
        CacheScenario::fillWithTexts,
        it -> it.cache.insert(HI, KEY, it.buffer(false), BUFFER, CHARGE, Priority.LOW));
    add(
        "insert of a present key",
        ENTER,
        it -> it.cache.insert(HI, KEY, it.buffer(false), BUFFER, CHARGE, Priority.LOW));
    add(
        "insert of what does not fit",
        NOTHING,
        it -> it.cache.insert(HI, KEY, it.buffer(false), BUFFER, 1 << 20, Priority.LOW));
    add(
        "insertPinned",
        NOTHING,
        it ->
            it.keep(
                it.cache.insertPinned(HI, KEY, it.buffer(false), BUFFER, CHARGE, Priority.LOW)));
    add(
        "insertPinned, evicting",
        CacheScenario::fill,
        it ->
            it.keep(
                it.cache.insertPinned(HI, KEY, it.buffer(false), BUFFER, CHARGE, Priority.LOW)));
    add(
        "insertPinned of a present key",
        ENTER,
        it ->
            it.keep(
                it.cache.insertPinned(HI, KEY, it.buffer(false), BUFFER, CHARGE, Priority.LOW)));
    add(
        "createStandalone",
        NOTHING,
        it -> it.keep(it.cache.createStandalone(HI, KEY, it.buffer(false), BUFFER, CHARGE, false)));
    add(
        "createStandalone, evicting",
        CacheScenario::fill,
        it -> it.keep(it.cache.createStandalone(HI, KEY, it.buffer(false), BUFFER, CHARGE, false)));
  }

  private void overwrites() {
    add("put", NOTHING, it -> it.cache.put(HI, KEY, "new", CHARGE));
    add("put, evicting", CacheScenario::fill, it -> it.cache.put(HI, KEY, "new", CHARGE));
    add("put in place", ENTER_TEXT, it -> it.cache.put(HI, KEY, "new", CHARGE));
    add("put of another charge", ENTER_TEXT, it -> it.cache.put(HI, KEY, "new", CHARGE / 2));
    add("put over a value freed explicitly", ENTER, it -> it.cache.put(HI, KEY, "new", CHARGE));
    add(
        "put over a held value",
        it -> {
          it.enter(KEY);
          it.keep(it.cache.lookup(HI, KEY));
        },
        it -> it.cache.put(HI, KEY, "new", CHARGE));
    add("putPinned", NOTHING, CacheScenarios::putPinned);
    add("putPinned, evicting", CacheScenario::fill, CacheScenarios::putPinned);
    add("putPinned over a value freed explicitly", ENTER, CacheScenarios::putPinned);
    add(
        "putPinned over a held value",
        it -> {
          it.enter(KEY);
          it.keep(it.cache.lookup(HI, KEY));
        },
        CacheScenarios::putPinned);
    add("putPinned of what does not fit", ENTER, CacheScenarios::putPinnedTooLarge);
    add("putIfAbsent", NOTHING, it -> it.cache.putIfAbsent(HI, KEY, "new", CHARGE));
    add("putIfAbsent, present", ENTER_TEXT, it -> it.cache.putIfAbsent(HI, KEY, "new", CHARGE));
    add("replace", ENTER, it -> it.cache.replace(HI, KEY, "new", TEXT, CHARGE));
    add(
        "compareAndReplace",
        ENTER_TEXT,
        it -> it.cache.compareAndReplace(HI, KEY, "other", "new", TEXT, CHARGE / 2));
    add(
        "compareAndReplace, as expected",
        ENTER_TEXT,
        it -> it.cache.compareAndReplace(HI, KEY, it.cache.peek(HI, KEY), "new", TEXT, CHARGE / 2));
  }

  private void erases() {
    add("erase", ENTER, it -> it.cache.erase(HI, KEY));
    add("erase, as expected", ENTER_TEXT, it -> it.cache.erase(HI, KEY, it.cache.peek(HI, KEY)));
    add("erase of another value", ENTER_TEXT, it -> it.cache.erase(HI, KEY, "another"));
    add("erase of an absent key", NOTHING, it -> it.cache.erase(HI, ABSENT));
    add(
        "erase of a held entry",
        it -> {
          it.enter(KEY);
          it.keep(it.cache.lookup(HI, KEY));
        },
        it -> it.cache.erase(HI, KEY));
    add("erase of a displaced key", CacheScenario::fill, CacheScenarios::eraseEach);
    add("eraseUnreferenced", CacheScenario::fill, it -> it.cache.eraseUnreferenced());
    add("close", CacheScenario::fill, it -> it.cache.close());
  }

  private static void putPinned(CacheScenario it) {
    it.keep(it.cache.putPinned(HI, KEY, it.buffer(false), BUFFER, CHARGE, Priority.LOW));
  }

  /** Strict capacity refuses it. */
  private static void putPinnedTooLarge(CacheScenario it) {
    try {
      it.keep(it.cache.putPinned(HI, KEY, it.buffer(false), BUFFER, 1 << 20, Priority.LOW));
    } catch (CapacityExceededException e) {
      if (it.cache.monitor().capacityMode() != CapacityMode.STRICT) {
        throw e;
      }
    }
  }

  private static void eraseEach(CacheScenario it) {
    for (int i = 0; i < 2 * ENTRIES; i++) {
      it.cache.erase(HI, 1000 + i);
    }
  }

  private void handles() {
    CacheScenario.Step hold =
        it -> {
          it.enter(KEY);
          it.keep(it.cache.lookup(HI, KEY));
        };
    CacheScenario.Step holdErased =
        it -> {
          hold.run(it);
          it.cache.erase(HI, KEY);
        };
    CacheScenario.Step holdStandalone =
        it -> it.keep(it.cache.createStandalone(HI, KEY, it.buffer(true), BUFFER, CHARGE, false));
    add("close of a handle", hold, it -> it.handles.get(0).close());
    add("close of an erased entry's handle", holdErased, it -> it.handles.get(0).close());
    add("close of a standalone handle", holdStandalone, it -> it.handles.get(0).close());
    add("release and erase", hold, it -> it.handles.get(0).eraseIfLast());
    add("ref", hold, it -> it.keep(it.handles.get(0).ref()));
    add("ref of a standalone handle", holdStandalone, it -> it.keep(it.handles.get(0).ref()));
    add("adjustCharge, more", hold, it -> it.handles.get(0).adjustCharge(2 * CHARGE));
    add("adjustCharge, less", hold, it -> it.handles.get(0).adjustCharge(CHARGE / 2));
    add(
        "adjustCharge of a standalone handle",
        holdStandalone,
        it -> it.handles.get(0).adjustCharge(2 * CHARGE));
  }

  private void scopes() {
    CacheScenario.Step open =
        it -> {
          it.enter(KEY);
          it.scopes.add(it.cache.openScope());
        };
    CacheScenario.Step retire =
        it -> {
          open.run(it);
          it.cache.erase(HI, KEY);
        };
    add("openScope", ENTER, it -> it.scopes.add(it.cache.openScope()));
    add(
        "read scope, opened, used and closed",
        ENTER,
        it -> {
          try (ReadScope<Object> scope = it.cache.openScope()) {
            it.scopes.add(scope);
            scope.get(HI, KEY);
          }
        });
    add("read in a scope", open, it -> it.scopes.get(0).get(HI, KEY));
    add("erase beside a scope", open, it -> it.cache.erase(HI, KEY));
    add("close of a scope", open, it -> it.scopes.get(0).close());
    add("close of a scope that frees", retire, it -> it.scopes.get(0).close());
    if (!tracked) {
      // Strict capacity has none.
      add(
          "close of a scope that keeps a loaded value outside the table",
          it -> {
            it.cache.setCapacityBytes(1);
            it.scopes.add(it.cache.openScope());
            it.scopes.get(0).get(HI, KEY, it.bufferLoader());
          },
          it -> it.scopes.get(0).close());
    }
    add("scopeStats", retire, it -> it.cache.monitor().scopeStats());
  }

  private void limits() {
    add(
        "setCapacityBytes, less",
        CacheScenario::fill,
        it -> it.cache.setCapacityBytes(ENTRIES * CHARGE / 2));
    add("stats", CacheScenario::fill, it -> it.cache.monitor().stats());
    add("problems", CacheScenario::fill, it -> it.cache.monitor().problems());
  }

  private void reservations() {
    CacheScenario.Step room = it -> it.cache.setCapacityBytes(64 * STEP);
    add(
        "reservation, growing",
        it -> {
          room.run(it);
          it.manager = it.close(ReservationManager.of(it.cache, EntryRole.WRITE_BUFFER));
        },
        it -> it.manager.update(3 * STEP - 1));
    add(
        "reservation, shrinking",
        it -> {
          room.run(it);
          it.manager = it.close(ReservationManager.of(it.cache, EntryRole.WRITE_BUFFER));
          it.manager.update(3 * STEP);
        },
        it -> it.manager.update(1));
    add(
        "reservation, closing",
        it -> {
          room.run(it);
          it.manager = it.close(ReservationManager.of(it.cache, EntryRole.WRITE_BUFFER));
          it.manager.update(3 * STEP);
        },
        it -> it.manager.close());
    add(
        "reservation of a part",
        it -> {
          room.run(it);
          it.manager = it.close(ReservationManager.of(it.cache, EntryRole.WRITE_BUFFER));
        },
        it -> {
          try (Reservation part = it.close(it.manager.makeReservation(STEP))) {
            part.allocate(STEP);
            part.free(STEP);
          }
        });
  }
}
