/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.model;

import io.hyperclock.CacheMonitor;
import io.hyperclock.CapacityExceededException;
import io.hyperclock.CapacityMode;
import io.hyperclock.EvictionListener;
import io.hyperclock.Handle;
import io.hyperclock.InsertResult;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.FileKeys;
import io.hyperclock.entry.Key128;
import io.hyperclock.entry.Priority;
import io.hyperclock.internal.drops.DroppedFiles;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A cache of maps under one lock, first in first out, that keeps the contract or, on purpose,
 * breaks it now and then in one way. It shows that the model accepts the one and notices the other.
 */
final class FakeCache implements PlainCache {
  final ModelSettings settings;
  private final EntryType<ModelValue> defaultType;
  private final ModelFaults faults;
  final FakeGarbage garbage;
  private final FileKeys fileKeys = new DroppedFiles();
  private final FakeMonitor monitor = new FakeMonitor(this);
  final Map<Key128, FakeEntry> table = new LinkedHashMap<>();
  final Set<FakeEntry> hidden = new HashSet<>();
  final FakeStats counters = new FakeStats();
  private @Nullable FakeEntry lastErased;
  long capacityBytes;
  CapacityMode mode;
  long usageBytes;
  long occupancy;
  private boolean closed;

  FakeCache(
      ModelSettings settings,
      EntryType<ModelValue> defaultType,
      EvictionListener<ModelValue> listener,
      Fault fault) {
    this.settings = settings;
    this.defaultType = defaultType;
    faults = new ModelFaults(fault);
    garbage = new FakeGarbage(listener, counters, faults);
    capacityBytes = settings.capacityBytes();
    mode = settings.mode();
  }

  boolean strikes(Fault which) {
    return faults.strikes(which);
  }

  synchronized boolean isVisible(FakeEntry entry) {
    return table.get(entry.key()) == entry;
  }

  void requireOpen() {
    if (closed) {
      throw new IllegalStateException("cache must not be closed");
    }
  }

  @Nullable FakeEntry find(long hi, long lo, boolean wrong) {
    requireOpen();
    FakeEntry entry = table.get(new Key128(hi, lo));
    return entry != null && wrong ? table.values().iterator().next() : entry;
  }

  @Override
  public synchronized @Nullable ModelValue get(long hi, long lo) {
    FakeEntry entry = find(hi, lo, strikes(Fault.GET_GIVES_ANOTHER_KEYS_VALUE));
    if (entry == null && lastErased != null && lastErased.value.isFor(hi, lo)) {
      entry = strikes(Fault.GET_GIVES_WHAT_WAS_ERASED) ? lastErased : null;
    }
    counters.read(entry);
    return entry == null ? null : entry.pinFreeValue();
  }

  @Override
  public synchronized @Nullable ModelValue peek(long hi, long lo) {
    FakeEntry entry = find(hi, lo, false);
    return entry == null ? null : entry.pinFreeValue();
  }

  @Override
  public synchronized @Nullable Handle<ModelValue> lookup(long hi, long lo) {
    FakeEntry entry = find(hi, lo, strikes(Fault.LOOKUP_GIVES_ANOTHER_KEYS_VALUE));
    if (entry != null && entry.pins > 0 && strikes(Fault.LOOKUP_MISSES_A_PINNED_ENTRY)) {
      entry = null;
    }
    counters.read(entry);
    return entry == null ? null : new FakeHandle(this, entry);
  }

  @Override
  public <T extends ModelValue> InsertResult insert(
      long hi, long lo, T value, EntryType<? super T> type, long charge, Priority priority) {
    InsertResult result;
    synchronized (this) {
      FakeEntry entry = new FakeEntry(hi, lo, value, type, charge);
      result = store(entry);
      counters.inserted(result, entry);
      boolean forget =
          result == InsertResult.KEPT_EXISTING && strikes(Fault.KEPT_EXISTING_FORGETS_TO_FREE);
      if ((result == InsertResult.KEPT_EXISTING && !forget) || result == InsertResult.DROPPED) {
        garbage.add(entry);
      }
      if (result == InsertResult.REFUSED && strikes(Fault.REFUSED_VALUE_IS_FREED)) {
        garbage.add(entry);
      }
    }
    garbage.collect();
    return result;
  }

  private InsertResult store(FakeEntry entry) {
    requireOpen();
    if (!makeRoom(entry.charge)) {
      return InsertResult.REFUSED;
    }
    Key128 key = entry.key();
    FakeEntry existing = table.get(key);
    if (existing != null) {
      if (!strikes(Fault.INSERT_STORES_A_SECOND_ENTRY)) {
        return InsertResult.KEPT_EXISTING;
      }
      hidden.add(table.remove(key));
    }
    if (mode == CapacityMode.NON_STRICT
        && (entry.charge > capacityBytes / settings.shards()
            || table.size() + hidden.size() >= 2 * settings.size().entries)) {
      return InsertResult.DROPPED;
    }
    usageBytes += entry.charge;
    occupancy++;
    table.put(key, entry);
    return InsertResult.INSERTED;
  }

  @Override
  public EntryType<ModelValue> defaultType() {
    return defaultType;
  }

  @Override
  public InsertResult overwrite(
      FakeEntry entry, boolean ifAbsentToo, @Nullable ModelValue expected) {
    return FakeOverwriting.run(this, entry, ifAbsentToo, expected);
  }

  /** Evicts what it takes; false if strict capacity leaves no room. */
  boolean makeRoom(long charge) {
    Iterator<FakeEntry> eldest = List.copyOf(table.values()).iterator();
    while (usageBytes + charge > capacityBytes && eldest.hasNext()) {
      FakeEntry entry = eldest.next();
      if (entry.pins == 0 || strikes(Fault.SWEEP_FREES_UNDER_A_PIN)) {
        entry.freedEarly = entry.pins > 0;
        evict(entry);
      }
    }
    return usageBytes + charge <= capacityBytes
        || mode == CapacityMode.NON_STRICT
        || strikes(Fault.STRICT_CAPACITY_IS_IGNORED);
  }

  private void evict(FakeEntry entry) {
    entry.evicted = true;
    counters.evicted(entry);
    remove(entry, strikes(Fault.SWEEP_KEEPS_THE_SLOT));
    usageBytes += strikes(Fault.SWEEP_KEEPS_THE_CHARGE) ? entry.charge : 0;
    if (strikes(Fault.SWEEP_FREES_TWICE)) {
      entry.evicted = false;
      garbage.add(entry);
    }
  }

  /** Takes an entry out of the table and frees it. */
  void remove(FakeEntry entry, boolean keepSlot) {
    table.remove(entry.key(), entry);
    hidden.remove(entry);
    usageBytes -= entry.charge;
    occupancy -= entry.standalone || keepSlot ? 0 : 1;
    garbage.add(entry);
  }

  @Override
  public <T extends ModelValue> Handle<ModelValue> insertPinned(
      long hi, long lo, T value, EntryType<? super T> type, long charge, Priority priority) {
    FakeHandle handle;
    synchronized (this) {
      FakeEntry entry = new FakeEntry(hi, lo, value, type, charge);
      InsertResult result = store(entry);
      counters.inserted(result, entry);
      if (result == InsertResult.REFUSED) {
        garbage.collect();
        throw new CapacityExceededException("capacity must suffice: charge=" + charge);
      }
      if (result != InsertResult.INSERTED) {
        addStandalone(entry);
      }
      handle = new FakeHandle(this, entry);
    }
    garbage.collect();
    return handle;
  }

  private void addStandalone(FakeEntry entry) {
    usageBytes += entry.charge;
    entry.standalone = true;
    hidden.add(entry);
  }

  @Override
  public <T extends ModelValue> Handle<ModelValue> putPinned(
      long hi, long lo, T value, EntryType<? super T> type, long charge, Priority priority) {
    FakeHandle handle;
    synchronized (this) {
      requireOpen();
      FakeEntry entry = new FakeEntry(hi, lo, value, type, charge);
      handle = new FakeHandle(this, entry);
      InsertResult result = FakeOverwriting.runPinned(this, entry);
      if (result == InsertResult.REFUSED) {
        garbage.collect();
        throw new CapacityExceededException("capacity must suffice: charge=" + charge);
      }
      if (result == InsertResult.DROPPED) {
        addStandalone(entry);
      }
    }
    garbage.collect();
    return handle;
  }

  @Override
  public <T extends ModelValue> @Nullable Handle<ModelValue> createStandalone(
      long hi, long lo, T value, EntryType<? super T> type, long charge, boolean allowUncharged) {
    FakeHandle handle = null;
    synchronized (this) {
      requireOpen();
      boolean room = makeRoom(charge);
      if (room || allowUncharged) {
        FakeEntry entry = new FakeEntry(hi, lo, value, type, room ? charge : 0);
        addStandalone(entry);
        handle = new FakeHandle(this, entry);
      }
    }
    garbage.collect();
    return handle;
  }

  @Override
  public boolean erase(long hi, long lo) {
    FakeEntry entry;
    synchronized (this) {
      entry = find(hi, lo, false);
      if (entry != null) {
        table.remove(entry.key());
        lastErased = entry;
        entry.freedEarly = entry.pins > 0 && strikes(Fault.ERASE_FREES_UNDER_A_PIN);
        if (entry.pins > 0 && !entry.freedEarly) {
          hidden.add(entry);
        } else {
          remove(entry, false);
          garbage.forget(entry, Fault.ERASE_FORGETS_TO_FREE);
        }
      }
    }
    garbage.collect();
    return entry != null;
  }

  @Override
  public synchronized boolean erase(long hi, long lo, ModelValue expected) {
    FakeEntry entry = find(hi, lo, false);
    return entry != null && entry.value == expected && erase(hi, lo);
  }

  @Override
  public void eraseUnreferenced() {
    synchronized (this) {
      requireOpen();
      List.copyOf(table.values()).stream().filter(e -> e.pins == 0).forEach(e -> remove(e, false));
    }
    garbage.collect();
  }

  /** Gives a pin back; frees the entry if it was the last of what cannot be found. */
  boolean release(FakeEntry entry, boolean eraseIfLast) {
    boolean last;
    synchronized (this) {
      entry.pins -= strikes(Fault.RELEASE_KEEPS_THE_PIN) ? 0 : 1;
      last = entry.pins == 0 && !entry.freedEarly && (closed || eraseIfLast || !isVisible(entry));
      if (last) {
        remove(entry, false);
        boolean drift = entry.standalone && strikes(Fault.RELEASE_KEEPS_THE_STANDALONE_CHARGE);
        usageBytes += drift ? entry.charge : 0;
        if (strikes(Fault.LAST_RELEASE_FREES_TWICE)) {
          garbage.add(entry);
        }
        garbage.forget(entry, Fault.LAST_RELEASE_FORGETS_TO_FREE);
      }
    }
    garbage.collect();
    return last;
  }

  boolean adjust(FakeEntry entry, long charge) {
    boolean room;
    synchronized (this) {
      room = closed || makeRoom(charge - entry.charge);
      if (room) {
        usageBytes += strikes(Fault.ADJUST_KEEPS_THE_CHARGE) ? 0 : charge - entry.charge;
        entry.charge = charge;
      }
    }
    garbage.collect();
    return room;
  }

  @Override
  public FileKeys fileKeys() {
    return fileKeys;
  }

  @Override
  public void setCapacityBytes(long capacityBytes) {
    synchronized (this) {
      requireOpen();
      this.capacityBytes = capacityBytes;
      if (!strikes(Fault.SHRINK_DOES_NOTHING)) {
        makeRoom(0);
      }
    }
    garbage.collect();
  }

  @Override
  public synchronized void setCapacityMode(CapacityMode mode) {
    requireOpen();
    this.mode = mode;
  }

  @Override
  public CacheMonitor<ModelValue> monitor() {
    return monitor;
  }

  @Override
  public void close() {
    synchronized (this) {
      closed = true;
      for (FakeEntry entry : List.copyOf(table.values())) {
        if (entry.pins == 0) {
          remove(entry, false);
          garbage.forget(entry, Fault.CLOSE_FORGETS_TO_FREE);
        }
      }
      hidden.addAll(table.values());
      table.clear();
    }
    garbage.collect();
  }
}
