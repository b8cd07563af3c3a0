/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.cache;

import io.hyperclock.internal.capacity.CapacityLedger;
import io.hyperclock.internal.errors.StackReserve;
import io.hyperclock.internal.policy.EvictionRequest;
import io.hyperclock.internal.sizing.AutomaticSizing;
import io.hyperclock.internal.sizing.RecentCharge;
import io.hyperclock.internal.sizing.ResizeCounts;
import io.hyperclock.internal.sizing.SizingRule;
import io.hyperclock.internal.sizing.TableMaker;
import io.hyperclock.internal.sizing.TableSizing;
import io.hyperclock.internal.slot.SlotStore;
import io.hyperclock.internal.table.Migration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * How the table of one shard comes by another size, in a cache that sizes itself: by a new shard
 * with a new table, to which the entries are moved by those who write. One change at a time.
 *
 * <p>The new table is charged, and room made for it, before it is allocated; for a larger one in
 * parts, so that no write has to evict much. Where that fails the size stays: inserts then evict,
 * as in a cache of a fixed size. The old table is charged until nothing is held in it any more.
 *
 * <p>A number says what goes on: {@link #OPEN} while entries are moved, else how many threads visit
 * all entries and must not see them move.
 */
final class Resizing {
  private static final int FREE = 0;
  private static final int OPEN = -1;

  /** One write in so many looks whether another size is of use; all do in small tables. */
  private static final int WRITES_PER_LOOK = 16;

  private static final int SMALL = 1024;

  /** Parts of the capacity from which on a charge is worth a look. */
  private static final int LARGE_SHARE = 256;

  /**
   * Slots for each event that must pass from one change of the size to a smaller one; no more
   * events than there are entries.
   */
  private static final int SLOTS_PER_EVENT = 4;

  /** Slots for each entry from which on a write moves more than one block. */
  private static final int SLOTS_PER_ENTRY = 2;

  /** Slots of a table for each part of the charge of a larger one; no write pays for more. */
  private static final int SLOTS_PER_PART = 32;

  /** Tables that are moved at least while the capacity is written once. */
  private static final int MOVES_PER_CAPACITY = 16;

  /** Blocks that one write moves at most, besides one. */
  private static final int MOST_BLOCKS = 512;

  /** Entries of these blocks from which on a write leaves the rest to others: a tenth of a ms. */
  private static final int MOST_MOVES = 512;

  /** Looks to let pass after a new table could not be had, at first and at most. */
  private static final int FIRST_PAUSE = 16;

  private static final int LONGEST_PAUSE = 1 << 16;

  /** Looks between two searches for old tables that nothing is held in. */
  private static final int LOOKS_PER_SEARCH = 1024;

  /** Turns over all slots that one thread makes to end a migration. */
  private static final int TURNS = 4;

  private static final int MOST_SHRINKS = 16;

  /** Where hardly a key has two full buckets. */
  private static final double FORCED_LOAD = 0.4;

  private final CacheParts parts;
  private final Reads reads;
  private final IntFunction<SlotStore> stores;
  private final CapacityLedger ledger;
  private final int forcedEvery;
  private final int firstSlots;
  private final TableMaker<Shard> maker;
  private final ResizeCounts counts = new ResizeCounts();
  private final AtomicInteger gate = new AtomicInteger(FREE);

  /** Old tables in which something is held. */
  private final AtomicReference<List<Shard>> held = new AtomicReference<>(List.of());

  private volatile Shard newest;

  /** Charged for a table that is not there yet. Changed behind the gate only. */
  private long saved;

  /** Its slots, or 0. */
  private int savingFor;

  // Plain: these steer when to look, and a lost step does no harm.
  private final RecentCharge recentCharge = new RecentCharge();
  private long events;
  private int looks;
  private int pause;
  private int nextPause = FIRST_PAUSE;
  private long searchedForDead;
  private final AtomicInteger writes = new AtomicInteger();

  /**
   * For one shard of a cache.
   *
   * @param first the one with the first of its tables
   * @param reads to be told of each table that is the newest
   */
  Resizing(CacheParts parts, Shard first, IntFunction<SlotStore> stores, Reads reads) {
    AutomaticSizing settings = parts.config.automatic();
    this.parts = parts;
    this.reads = reads;
    this.ledger = first.ledger();
    this.stores = stores;
    this.forcedEvery = settings.forcedEvery();
    this.maker = new TableMaker<>(settings.executor());
    this.firstSlots = first.sizing().slots();
    this.newest = first;
  }

  Shard newest() {
    return newest.newest();
  }

  ResizeCounts counts() {
    return counts;
  }

  /**
   * To be called before each write: moves some entries, and looks whether another size is of use.
   *
   * @param chargeBytes that of the value, or 0
   * @return where to write
   */
  Shard beforeWrite(long hash, long chargeBytes) {
    Shard shard = newest();
    Shard before = shard.before();
    boolean isLooking = forcedEvery > 0 || isTimeToLook(shard, hash, chargeBytes);
    if (!isLooking && before == null && savingFor == 0 || !shard.table().mayEvict()) {
      return shard;
    }
    if (before != null) {
      help(shard, blocks(before, chargeBytes), MOST_MOVES);
    }
    if (forcedEvery > 0) {
      if (writes.incrementAndGet() % forcedEvery == 0) {
        force(shard);
      }
    } else if (isLooking) {
      look(shard, chargeBytes);
    } else if (savingFor != 0) {
      proceed(shard, savingFor, chargeBytes);
    }
    return newest();
  }

  /**
   * Blocks that one write moves: one, but more if it evicts many entries or takes much of the
   * capacity, or if there are so few entries that the others are empty.
   */
  private int blocks(Shard before, long chargeBytes) {
    long slots = before.store().slots();
    double share = (double) chargeBytes / Math.max(1, ledger.capacity());
    long byCharge = (long) (share * MOVES_PER_CAPACITY * slots / Migration.BLOCK);
    long byEvictions = chargeBytes / averageCharge() / Migration.BLOCK;
    long byEmptiness = slots / SLOTS_PER_ENTRY / (1 + ledger.occupancy());
    long most = Math.max(byCharge, Math.max(byEvictions, byEmptiness));
    return 1 + (int) Math.min(MOST_BLOCKS, most);
  }

  private long averageCharge() {
    return 1 + Math.max(0, ledger.usageOfEntries()) / Math.max(1, ledger.occupancy());
  }

  private boolean isTimeToLook(Shard shard, long hash, long chargeBytes) {
    return shard.store().slots() <= SMALL
        || (hash >>> Integer.SIZE & WRITES_PER_LOOK - 1) == 0
        || isLarge(chargeBytes);
  }

  private boolean isLarge(long chargeBytes) {
    return chargeBytes > ledger.capacity() / LARGE_SHARE;
  }

  private void look(Shard shard, long chargeBytes) {
    int usual = shard.store().slots() <= SMALL ? 1 : WRITES_PER_LOOK;
    int writes = isLarge(chargeBytes) ? 1 : usual;
    recentCharge.add(chargeBytes, writes, usual, ledger.occupancy());
    events += WRITES_PER_LOOK * (1 + chargeBytes / averageCharge());
    if (++looks % LOOKS_PER_SEARCH == 0) {
      dropTables();
    }
    if (pause > 0) {
      pause--;
    } else if (gate.get() == FREE) {
      resize(shard, chargeBytes);
    }
  }

  /** Takes a step towards another size if that is of use. */
  private void resize(Shard shard, long chargeBytes) {
    int slots = shard.store().slots();
    int wanted = rule(shard).wanted();
    if (savingFor != 0 && (savingFor > slots || wanted == 0)) {
      // What evictions for the charge leave may be fewer than a larger table is for: it comes.
      proceed(shard, Math.max(wanted, savingFor), chargeBytes);
    } else if (wanted > slots
        || wanted != 0 && events >= Math.min(slots / SLOTS_PER_EVENT, ledger.occupancy())) {
      proceed(shard, wanted, chargeBytes);
    }
  }

  /** Charges another part of a table, and begins to move to it once all is charged. */
  private void proceed(Shard shard, int wanted, long chargeBytes) {
    if (pause > 0 || !gate.compareAndSet(FREE, OPEN)) {
      return;
    }
    boolean started = false;
    try {
      StackReserve.require();
      int goal = goal(shard, wanted);
      started =
          shard == newest()
              && hasRoomBesideHeld(shard, goal)
              && save(shard, goal, chargeBytes)
              && succeed(shard, goal, maker::make);
    } catch (StackOverflowError e) {
      refuse();
    } finally {
      begun(started);
    }
  }

  /** What is being made, though another size would be better by now; but no smaller one to grow. */
  private int goal(Shard shard, int wanted) {
    int slots = shard.store().slots();
    int made = maker.slotsFor(shard);
    return made == 0 || made < slots && wanted > slots ? wanted : made;
  }

  private boolean save(Shard shard, int wanted, long chargeBytes) {
    long bytes = shard.sizing().withSlots(wanted).metadataBytes();
    long part = Math.max(1 + SLOTS_PER_PART * bytes / shard.store().slots(), chargeBytes);
    long free = ledger.capacity() - ledger.usage() - chargeBytes;
    long missing = Math.min(Math.max(part, free), bytes - saved);
    savingFor = wanted;
    if (missing > 0) {
      if (!shard.enforcer().reserveUsage(missing)) {
        if (isRelief(shard, wanted)) {
          return true;
        }
        refuse();
        return false;
      }
      ledger.slotsCame(missing);
      saved += missing;
    }
    return saved >= bytes;
  }

  /**
   * Whether old tables in which something is held leave room for another in the part of the
   * capacity that slots may take: else sizes that change while handles stay would take all of it.
   */
  private boolean hasRoomBesideHeld(Shard from, int slots) {
    long most = ledger.capacity() / TableSizing.METADATA_SHARE;
    long bytes = from.sizing().withSlots(slots).metadataBytes();
    boolean hasRoom =
        held.get().isEmpty()
            || heldSum() + bytes <= most
            || isRelief(from, slots)
            || heldBytes() + bytes <= most;
    if (!hasRoom) {
      refuse();
    }
    return hasRoom;
  }

  /** The size stays, and no thread tries again for a while. */
  private void refuse() {
    counts.refused();
    ledger.slotsLeft(saved);
    saved = 0;
    savingFor = 0;
    maker.forget();
    pause = nextPause;
    nextPause = Math.min(LONGEST_PAUSE, 2 * nextPause);
  }

  private SizingRule rule(Shard shard) {
    TableSizing sizing = shard.sizing();
    return new SizingRule(
        ledger.occupancy(),
        Math.max(0, ledger.usageOfEntries()),
        Math.max(0, ledger.capacityOfEntries()),
        recentCharge.bytes(),
        sizing.slots(),
        sizing.slotCharge(),
        sizing.least(),
        sizing.most(ledger.capacity()));
  }

  /**
   * A larger table at once, for an insert that found both of its buckets held.
   *
   * @param from the shard in which it was
   * @return whether to try again there
   */
  boolean growFor(Shard from) {
    int slots = from.store().slots();
    int most = Math.min(from.sizing().most(ledger.capacity()), TableMaker.SLOTS_AT_ONCE);
    int larger = SizingRule.wholeBuckets(SLOTS_PER_ENTRY * (double) slots, slots, most);
    return from != newest() || larger > slots && from.table().mayEvict() && start(from, larger);
  }

  /** Another size without need, for tests: in turn larger, the same, and the first again. */
  private void force(Shard shard) {
    int slots = shard.store().slots();
    TableSizing sizing = shard.sizing();
    double wanted =
        switch (writes.get() / forcedEvery % 3) {
          case 0 -> slots * 1.5;
          case 1 -> slots;
          default -> Math.max(ledger.occupancy() / FORCED_LOAD, firstSlots);
        };
    int most = Math.max(2 * firstSlots, sizing.most(ledger.capacity()));
    start(shard, SizingRule.wholeBuckets(wanted, sizing.least(), most));
  }

  /** Begins to move to a table of another size, unless that is under way or cannot be had. */
  boolean start(Shard from, int slots) {
    if (!gate.compareAndSet(FREE, OPEN)) {
      return false;
    }
    boolean started = false;
    try {
      StackReserve.require();
      started =
          from == newest()
              && hasRoomBesideHeld(from, slots)
              && succeed(from, slots, (last, wanted, maker) -> maker.call());
    } catch (StackOverflowError e) {
      refuse();
    } finally {
      begun(started);
    }
    return started;
  }

  private void begun(boolean started) {
    if (started) {
      nextPause = FIRST_PAUSE;
    } else {
      gate.set(FREE);
    }
  }

  /** Reads of the cache that is resized. */
  interface Reads {
    /** Sees to it that they look at the newest table. */
    void install();
  }

  /** How a shard with the next table is made, see {@link TableMaker#make}. */
  private interface Making {
    @Nullable Shard make(Shard last, int slots, Callable<Shard> maker) throws Exception;
  }

  private boolean succeed(Shard from, int slots, Making making) {
    dropTables();
    TableSizing sizing = from.sizing().withSlots(slots);
    if (!isPaid(from, slots, sizing.metadataBytes())) {
      refuse();
      return false;
    }
    Shard fresh;
    try {
      fresh =
          making.make(
              from,
              slots,
              () -> new Shard(parts, sizing, ledger, stores.apply(slots), this::growFor, from));
    } catch (Exception | OutOfMemoryError e) {
      refuse();
      return false;
    }
    if (fresh == null) {
      return false;
    }
    saved = 0;
    savingFor = 0;
    events = 0;
    searchedForDead += from.replacement().searchedForDead();
    from.table().leaveFor(fresh.table());
    newest = fresh;
    reads.install();
    return true;
  }

  /** Whether a smaller table is charged in any case: slots alone exceed the capacity. */
  private boolean isRelief(Shard from, int slots) {
    return slots < from.store().slots() && ledger.metadataBytes() > ledger.capacity();
  }

  /** Charges what is missing for a new table, or gives back what is too much. */
  private boolean isPaid(Shard from, int slots, long bytes) {
    long missing = bytes - saved;
    if (missing <= 0) {
      ledger.slotsLeft(-missing);
    } else if (from.enforcer().reserveUsage(missing)) {
      ledger.slotsCame(missing);
    } else if (isRelief(from, slots)) {
      ledger.addUsage(missing);
      ledger.slotsCame(missing);
    } else {
      return false;
    }
    saved = bytes;
    return true;
  }

  /** Moves some entries. */
  private void help(Shard shard, int blocks, int mostEntries) {
    Migration migration = shard.migration();
    if (migration == null) {
      return;
    }
    EvictionRequest request = shard.enforcer().request(0);
    boolean drained;
    try {
      drained = migration.help(blocks, mostEntries, request);
    } finally {
      parts.stats.localEvictions.add(request.takeLocalEvictions());
      shard.enforcer().end(request);
    }
    if (drained && migration.end()) {
      end(shard, migration);
    }
  }

  private void end(Shard shard, Migration migration) {
    Shard old = shard.before();
    shard.enforcer().comesFirst();
    shard.table().settled();
    if (old != null) {
      counts.resized(migration.moved());
      if (migration.holdsSome()) {
        held.updateAndGet(present -> with(present, old));
      } else {
        ledger.slotsLeft(old.sizing().metadataBytes());
      }
    }
    reads.install();
    gate.set(FREE);
  }

  private static List<Shard> with(List<Shard> present, Shard another) {
    Shard[] all = present.toArray(new Shard[present.size() + 1]);
    all[present.size()] = another;
    return List.of(all);
  }

  /** Moves all entries that can be moved; whether none is left to be moved. */
  boolean finish() {
    Shard shard = newest();
    if (!shard.table().mayEvict()) {
      return shard.before() == null;
    }
    Shard old = shard.before();
    if (old != null) {
      int blocks = 1 + old.store().slots() / Migration.BLOCK;
      for (int turn = 0; turn < TURNS && shard.before() != null; turn++) {
        help(shard, blocks, Integer.MAX_VALUE);
      }
    }
    return shard.before() == null;
  }

  /** After the capacity has changed: the table becomes as small as it should be. */
  void fit() {
    for (int i = 0; i < MOST_SHRINKS && finish(); i++) {
      Shard shard = newest();
      int wanted = rule(shard).wantedAfterShrinking();
      if (wanted == 0 || wanted >= shard.store().slots() || !start(shard, wanted)) {
        return;
      }
    }
  }

  /** Keeps entries from being moved, unless they are; then {@link #leave} must follow. */
  boolean enter() {
    for (int tries = 0; tries < TURNS; ) {
      int visitors = gate.get();
      if (visitors == OPEN) {
        finish();
        tries++;
      } else if (gate.compareAndSet(visitors, visitors + 1)) {
        return true;
      }
    }
    return false;
  }

  void leave() {
    gate.decrementAndGet();
  }

  /** The old tables in which something is held, and the one that is being left. */
  List<Shard> old() {
    List<Shard> all = held.get();
    Shard before = newest().before();
    return before == null ? all : with(all, before);
  }

  /** What is charged for a table that is not there yet; exact while no thread writes. */
  long savedBytes() {
    return saved;
  }

  /** Charge of the old tables in which something is held. */
  long heldBytes() {
    dropTables();
    return heldSum();
  }

  private long heldSum() {
    return held.get().stream().mapToLong(old -> old.sizing().metadataBytes()).sum();
  }

  /** Gives up old tables that nothing is held in. */
  void dropTables() {
    for (Shard old : held.get()) {
      old.scan().eraseUnreferenced();
      if (!old.scan().holdsAny()) {
        List<Shard> present = held.get();
        List<Shard> rest = present.stream().filter(shard -> shard != old).toList();
        if (rest.size() < present.size() && held.compareAndSet(present, rest)) {
          ledger.slotsLeft(old.sizing().metadataBytes());
        }
      }
    }
  }

  /** Slots searched for dead entries, of all tables. */
  long searchedForDead() {
    return searchedForDead + newest().replacement().searchedForDead();
  }
}
