/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.model;

import io.hyperclock.BlockCache;
import io.hyperclock.CapacityExceededException;
import io.hyperclock.CapacityMode;
import io.hyperclock.EntryVisitor;
import io.hyperclock.EvictionListener;
import io.hyperclock.Handle;
import io.hyperclock.InsertResult;
import io.hyperclock.PinRequiredException;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.FileKeys;
import io.hyperclock.entry.Key128;
import io.hyperclock.entry.Priority;
import io.hyperclock.stats.CacheStats;
import io.hyperclock.stats.Problem;
import java.util.ArrayList;
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
final class FakeCache implements BlockCache<ModelValue> {
  private static final int FAULT_EVERY = 3;

  private final ModelSettings settings;
  private final EntryType<ModelValue> defaultType;
  private final EvictionListener<ModelValue> listener;
  private final Fault fault;
  private final FileKeys fileKeys = new FileKeys();
  private final Map<Key128, FakeEntry> table = new LinkedHashMap<>();
  private final Set<FakeEntry> hidden = new HashSet<>();

  /** What this thread has to free when it has left the lock. */
  private final ThreadLocal<List<FakeEntry>> garbage = ThreadLocal.withInitial(ArrayList::new);

  private final FakeStats counters = new FakeStats();
  private @Nullable FakeEntry lastErased;
  private long capacityBytes;
  private CapacityMode mode;
  private long usageBytes;
  private long occupancy;
  private int faultChances;
  private boolean closed;

  FakeCache(
      ModelSettings settings,
      EntryType<ModelValue> defaultType,
      EvictionListener<ModelValue> listener,
      Fault fault) {
    this.settings = settings;
    this.defaultType = defaultType;
    this.listener = listener;
    this.fault = fault;
    capacityBytes = settings.capacityBytes();
    mode = settings.mode();
  }

  /** Whether to do wrong this time. */
  private synchronized boolean strikes(Fault which) {
    return fault == which && ++faultChances % FAULT_EVERY == 0;
  }

  private synchronized boolean isVisible(FakeEntry entry) {
    return table.get(entry.key()) == entry;
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("cache must not be closed");
    }
  }

  private @Nullable FakeEntry find(long hi, long lo, boolean wrong) {
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
    return pinFree(entry);
  }

  @Override
  public synchronized @Nullable ModelValue peek(long hi, long lo) {
    return pinFree(find(hi, lo, false));
  }

  private static @Nullable ModelValue pinFree(@Nullable FakeEntry entry) {
    if (entry != null && entry.type.disposer() != null) {
      throw new PinRequiredException("value must be read through a handle: type=" + entry.type);
    }
    return entry == null ? null : entry.value;
  }

  @Override
  public synchronized int getAll(long[] keys, @Nullable ModelValue[] values) {
    int found = 0;
    for (int i = 0; i < keys.length / 2; i++) {
      values[i] = get(keys[2 * i], keys[2 * i + 1]);
      found += values[i] == null ? 0 : 1;
    }
    return found;
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
  public synchronized int lookupAll(long[] keys, @Nullable Handle<ModelValue>[] handles) {
    int found = 0;
    for (int i = 0; i < keys.length / 2; i++) {
      handles[i] = lookup(keys[2 * i], keys[2 * i + 1]);
      found += handles[i] == null ? 0 : 1;
    }
    return found;
  }

  @Override
  public InsertResult insert(long hi, long lo, ModelValue value, long chargeBytes) {
    return insert(hi, lo, value, defaultType, chargeBytes, Priority.LOW);
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
        garbage.get().add(entry);
      }
      if (result == InsertResult.REFUSED && strikes(Fault.REFUSED_VALUE_IS_FREED)) {
        garbage.get().add(entry);
      }
    }
    collectGarbage();
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

  /** Evicts what it takes; false if strict capacity leaves no room. */
  private boolean makeRoom(long charge) {
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
      garbage.get().add(entry);
    }
  }

  /** Takes an entry out of the table and frees it. */
  private void remove(FakeEntry entry, boolean keepSlot) {
    table.remove(entry.key(), entry);
    hidden.remove(entry);
    usageBytes -= entry.charge;
    occupancy -= entry.standalone || keepSlot ? 0 : 1;
    garbage.get().add(entry);
  }

  /** Calls back without the lock. */
  private void collectGarbage() {
    List<FakeEntry> free = List.copyOf(garbage.get());
    garbage.get().clear();
    for (FakeEntry entry : free) {
      boolean taken = entry.evicted && !strikes(Fault.LISTENER_IS_NOT_CALLED) && listen(entry);
      if (!taken || strikes(Fault.LISTENERS_VALUE_IS_FREED_TOO)) {
        counters.guard(entry::dispose);
      }
    }
  }

  private boolean listen(FakeEntry entry) {
    boolean[] taken = new boolean[1];
    long lo = strikes(Fault.LISTENER_GETS_ANOTHER_KEY) ? entry.lo + 1 : entry.lo;
    counters.guard(
        () ->
            taken[0] =
                listener.onEviction(
                    entry.hi, lo, entry.value, entry.type, entry.charge, entry.hit));
    return taken[0];
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
        collectGarbage();
        throw new CapacityExceededException("capacity must suffice: charge=" + charge);
      }
      if (result != InsertResult.INSERTED) {
        usageBytes += charge;
        entry.standalone = true;
        hidden.add(entry);
      }
      handle = new FakeHandle(this, entry);
    }
    collectGarbage();
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
        usageBytes += entry.charge;
        entry.standalone = true;
        hidden.add(entry);
        handle = new FakeHandle(this, entry);
      }
    }
    collectGarbage();
    return handle;
  }

  @Override
  public boolean erase(long hi, long lo) {
    FakeEntry entry;
    synchronized (this) {
      requireOpen();
      entry = table.remove(new Key128(hi, lo));
      if (entry != null) {
        lastErased = entry;
        entry.freedEarly = entry.pins > 0 && strikes(Fault.ERASE_FREES_UNDER_A_PIN);
        if (entry.pins > 0 && !entry.freedEarly) {
          hidden.add(entry);
        } else {
          remove(entry, false);
          garbage.get().removeIf(e -> e == entry && strikes(Fault.ERASE_FORGETS_TO_FREE));
        }
      }
    }
    collectGarbage();
    return entry != null;
  }

  @Override
  public void eraseUnreferenced() {
    synchronized (this) {
      requireOpen();
      List.copyOf(table.values()).stream().filter(e -> e.pins == 0).forEach(e -> remove(e, false));
    }
    collectGarbage();
  }

  @Override
  public void forEachEntry(EntryVisitor<? super ModelValue> visitor) {
    List<FakeHandle> pinned = new ArrayList<>();
    synchronized (this) {
      requireOpen();
      table.values().forEach(entry -> pinned.add(new FakeHandle(this, entry)));
      if (!pinned.isEmpty() && strikes(Fault.VISIT_LEAVES_AN_ENTRY_OUT)) {
        pinned.remove(pinned.size() - 1).close();
      }
      if (!pinned.isEmpty() && strikes(Fault.VISIT_SEES_AN_ENTRY_TWICE)) {
        pinned.add(pinned.get(0).ref());
      }
    }
    try {
      for (FakeHandle handle : pinned) {
        FakeEntry entry = handle.entry;
        if (isVisible(entry)) {
          visitor.visit(entry.hi, entry.lo, entry.value, entry.type, entry.charge);
        }
      }
    } finally {
      boolean keep = strikes(Fault.VISIT_KEEPS_THE_PIN);
      pinned.stream().skip(keep ? 1 : 0).forEach(FakeHandle::close);
    }
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
          garbage.get().add(entry);
        }
        garbage.get().removeIf(e -> e == entry && strikes(Fault.LAST_RELEASE_FORGETS_TO_FREE));
      }
    }
    collectGarbage();
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
    collectGarbage();
    return room;
  }

  void doubleClosed() {
    counters.doubleClosed();
  }

  @Override
  public FileKeys fileKeys() {
    return fileKeys;
  }

  @Override
  public synchronized long capacityBytes() {
    requireOpen();
    return capacityBytes;
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
    collectGarbage();
  }

  @Override
  public synchronized CapacityMode capacityMode() {
    requireOpen();
    return mode;
  }

  @Override
  public synchronized void setCapacityMode(CapacityMode mode) {
    requireOpen();
    this.mode = mode;
  }

  @Override
  public synchronized long usageBytes() {
    requireOpen();
    return usageBytes;
  }

  @Override
  public synchronized long pinnedUsageBytes() {
    return stats().pinnedUsageBytes();
  }

  @Override
  public synchronized long occupancy() {
    requireOpen();
    return occupancy;
  }

  @Override
  public synchronized long slots() {
    requireOpen();
    return 2L * settings.size().entries;
  }

  @Override
  public synchronized CacheStats stats() {
    requireOpen();
    boolean miscount = strikes(Fault.INSERTS_ARE_MISCOUNTED);
    return counters.snapshot(this, table.values(), hidden, miscount);
  }

  @Override
  public synchronized List<Problem> problems() {
    requireOpen();
    return List.of();
  }

  @Override
  public void close() {
    synchronized (this) {
      closed = true;
      for (FakeEntry entry : List.copyOf(table.values())) {
        if (entry.pins == 0) {
          remove(entry, false);
          garbage.get().removeIf(e -> e == entry && strikes(Fault.CLOSE_FORGETS_TO_FREE));
        }
      }
      hidden.addAll(table.values());
      table.clear();
    }
    collectGarbage();
  }
}
