/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.cache;

import io.hyperclock.internal.capacity.CapacityLedger;
import io.hyperclock.internal.capacity.ShortSweep;
import io.hyperclock.internal.errors.StackReserve;
import io.hyperclock.internal.policy.EvictionRequest;
import io.hyperclock.internal.sizing.AutomaticSizing;
import io.hyperclock.internal.sizing.ForcedSizes;
import io.hyperclock.internal.sizing.TableSizing;
import io.hyperclock.internal.table.Migration;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * How the table of one shard comes by another size, in a cache that sizes itself: by a new shard
 * with a new table, to which the entries are moved by those who write, overwrite in place, erase or
 * take the figures; not by reads, which run no user code. One change at a time.
 *
 * <p>The new table is charged, and room made for it, before it is allocated; for a larger one in
 * parts, so that no write has to evict much. Where that fails the size stays: inserts then evict,
 * as in a cache of a fixed size. The old table is charged until a search finds nothing held in it.
 *
 * <p>A number says what goes on: {@link #OPEN} while entries are moved, else how many threads visit
 * all entries and must not see them move.
 */
final class Resizing {
  private static final int FREE = 0;
  private static final int OPEN = -1;

  /** Entries of these blocks from which on a write leaves the rest to others: a tenth of a ms. */
  private static final int MOST_MOVES = 512;

  /** By so many looks at the figures a move ends if no thread writes. */
  private static final int LOOKS_PER_MOVE = 16;

  /** Rounds over all slots that one thread makes to end a migration. */
  private static final int TURNS = 4;

  private static final int MOST_SHRINKS = 16;

  /** What is charged for the next table. */
  final TableCharge charge;

  private final CacheParts parts;
  private final Runnable readsFollow;
  private final CapacityLedger ledger;
  private final AtomicInteger gate = new AtomicInteger(FREE);
  final OldTables held;
  private final WantedSize wantedSize;
  private final @Nullable ForcedSizes forced;
  private final Pause pause = new Pause();

  private volatile Shard newest;

  /**
   * For one shard of a cache.
   *
   * @param readsFollow sees to it that reads look at the newest table
   */
  Resizing(CacheParts parts, CapacityLedger ledger, Runnable readsFollow) {
    AutomaticSizing settings = parts.config.automatic();
    this.parts = parts;
    this.readsFollow = readsFollow;
    this.ledger = ledger;
    this.held = new OldTables(ledger);
    this.charge = new TableCharge(ledger, settings.executor());
    this.wantedSize = new WantedSize(ledger);
    Supplier<ForcedSizes> sizes = settings.forced();
    this.forced = sizes == null ? null : sizes.get();
    this.newest = shard(parts.sizing, null);
  }

  private Shard shard(TableSizing sizing, @Nullable Shard before) {
    Shard made = new Shard(parts, sizing, ledger, this::growFor, () -> newest().enforcer, before);
    made.enforcer.searchesBeforeRefusals(() -> held.search(ShortSweep.LOOKS));
    return made;
  }

  Shard newest() {
    return newest.newest();
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
    boolean isLooking = forced != null || wantedSize.isTimeToLook(shard, hash, chargeBytes);
    if (!isLooking && before == null && charge.slots == 0 || !shard.table.mayEvict()) {
      return shard;
    }
    int era = charge.era(); // Before what is read of the capacity.
    if (before != null) {
      help(shard, wantedSize.blocksToMove(before, chargeBytes), MOST_MOVES);
    }
    if (forced != null) {
      int slots = forced.slots(shard.sizing, ledger);
      if (slots != 0) {
        start(shard, slots);
      }
    } else if (isLooking) {
      look(shard, chargeBytes, era);
    } else if (charge.slots != 0) {
      proceed(shard, charge.slots, chargeBytes, era);
    }
    return newest();
  }

  /** Moves some entries: to be called by what writes but adds none. */
  void moveSome() {
    Shard shard = newest();
    Shard before = shard.before();
    if (before != null && shard.table.mayEvict()) {
      help(shard, wantedSize.blocksToMove(before, 0), MOST_MOVES);
    }
    held.search(OldTables.SLOTS_PER_WRITE);
  }

  /** Moves so many entries that a move ends by some looks at the figures. */
  void moveMore() {
    move(LOOKS_PER_MOVE, 1);
  }

  /** Takes a step towards another size if that is of use. */
  private void look(Shard shard, long chargeBytes, int era) {
    wantedSize.note(shard, chargeBytes);
    held.search(WantedSize.writesPerLook(shard) * OldTables.SLOTS_PER_WRITE);
    boolean isPauseOver = pause.pass();
    if (gate.get() != FREE) {
      return;
    }
    int slots = shard.store.slots();
    int wanted = wantedSize.rule(shard).wanted();
    pause.note(wanted > slots);
    if (!isPauseOver) {
      if (wanted <= slots || !hasRoomByNow(shard, wanted)) {
        return;
      }
      pause.end();
    }
    int charged = charge.slots;
    if (charged != 0 && (charged > slots || wanted == 0)) {
      // What evictions for the charge leave may be fewer than a larger table is for: it comes.
      proceed(shard, Math.max(wanted, charged), chargeBytes, era);
    } else if (wanted > slots
        || wanted != 0
            && wantedSize.isSmallerInTime(slots)
            && (charged != 0 || wantedSize.hasPlacesForPinned(shard, wanted))) {
      proceed(shard, wanted, chargeBytes, era);
    }
  }

  /** Whether a larger table could not be had, and is still wanted as far as writes have found. */
  boolean lacksTable() {
    return pause.isForLarger();
  }

  /** Charges another part of a table chosen in an era; begins to move once all is charged. */
  void proceed(Shard shard, int wanted, long chargeBytes, int era) {
    if (pause.isOver()) {
      begin(shard, wanted, true, chargeBytes, era);
    }
  }

  /** Begins to move to a table of another size, unless that is under way or cannot be had. */
  boolean start(Shard from, int slots) {
    return begin(from, slots, false, 0, charge.era());
  }

  /** Gives up what was charged for another capacity; then begins to move, unless to 0 slots. */
  private boolean begin(Shard from, int wanted, boolean inParts, long chargeBytes, int era) {
    if (!gate.compareAndSet(FREE, OPEN)) {
      return false;
    }
    boolean started = false;
    try {
      StackReserve.require();
      int slots = inParts ? charge.goal(from, wanted) : wanted;
      started =
          !(charge.giveBackOutdated() && inParts)
              && wanted > 0
              && era == charge.era()
              && from == newest()
              && (charge.isRelief(from, slots) || held.makeRoomFor(from, slots) || refuse(true))
              && (!inParts
                  || (charge.add(from, slots, chargeBytes) || refuse(true))
                      && charge.isComplete(from, slots))
              && succeed(from, slots, inParts);
    } catch (StackOverflowError e) {
      refuse(false);
    } finally {
      if (started) {
        pause.end();
        readsFollow.run(); // Here the move is under way whatever this throws.
      } else {
        gate.set(FREE);
      }
    }
    return started;
  }

  /** The size stays for a while: the capacity has no room, or else the heap. Returns false. */
  private boolean refuse(boolean forRoom) {
    parts.stats.tablesRefused.increment();
    charge.giveBack();
    pause.begin(forRoom);
    return false;
  }

  /**
   * A larger table at once, for an insert that found both of its buckets held. As many such inserts
   * may come as there are writes: where no table can be had, they neither search old ones nor keep
   * the rule from its next try. They need not wait for that where bytes are free again.
   *
   * @param from the shard in which it was
   * @return whether to try again there
   */
  boolean growFor(Shard from) {
    int era = charge.era();
    int larger = wantedSize.atOnce(from);
    return from != newest()
        || larger > from.store.slots()
            && from.table.mayEvict()
            && (pause.isOver() && held.haveRoomFor(from, larger) || hasRoomByNow(from, larger))
            && begin(from, larger, false, 0, era);
  }

  /** Whether a table for which there was no room could be had without an eviction. */
  private boolean hasRoomByNow(Shard from, int larger) {
    return pause.isForRoom() && charge.isFree(from, larger) && held.haveRoomFor(from, larger);
  }

  private boolean succeed(Shard from, int slots, boolean inParts) {
    if (charge.maker.slotsFor(from) == 0) {
      held.drop();
    }
    if (!charge.isPaid(from, slots)) {
      if (inParts) {
        return refuse(true);
      }
      parts.stats.tablesRefused.increment();
      return false;
    }
    Shard fresh;
    try {
      Callable<Shard> made = () -> shard(from.sizing.withSlots(slots), from);
      fresh = inParts ? charge.maker.make(from, slots, made) : made.call();
    } catch (Exception | OutOfMemoryError | StackOverflowError e) {
      return refuse(false);
    } catch (Throwable e) {
      refuse(false);
      throw e;
    }
    if (fresh == null) {
      return false;
    }
    charge.spent();
    wantedSize.changed(from.store.slots(), slots, inParts);
    from.table.leaveFor(fresh.table);
    newest = fresh;
    return true;
  }

  /** Moves some entries. */
  private void help(Shard shard, int blocks, int mostEntries) {
    Migration migration = shard.migration;
    if (migration == null) {
      return;
    }
    try {
      // Where the stack ends further on, the request is lost, or the move is never ended.
      StackReserve.require();
    } catch (StackOverflowError e) {
      return;
    }
    EvictionRequest request = shard.enforcer.request(0);
    boolean drained;
    try {
      drained = migration.help(blocks, mostEntries, request);
    } finally {
      parts.stats.localEvictions.add(request.takeLocalEvictions());
      shard.enforcer.end(request);
    }
    if (drained && migration.end()) {
      end(shard, migration);
    }
  }

  private void end(Shard shard, Migration migration) {
    Shard old = Objects.requireNonNull(shard.before());
    boolean isHeld = migration.holdsSome();
    if (isHeld) {
      try {
        held.add(old);
      } catch (Throwable e) {
        migration.endLater();
        throw e;
      }
    }
    shard.settled();
    if (!isHeld) {
      ledger.slotsLeft(old.sizing.metadataBytes());
    }
    parts.stats.resizes.increment();
    parts.stats.movedEntries.add(migration.moved());
    held.shorten(shard);
    gate.set(FREE);
    readsFollow.run();
  }

  /** Moves all entries that can be moved; whether none is left to be moved. */
  boolean finish() {
    return move(1, TURNS);
  }

  private boolean move(int parts, int turns) {
    Shard shard = newest();
    Shard old = shard.before();
    if (old != null && shard.table.mayEvict()) {
      int blocks = 1 + old.store.slots() / Migration.BLOCK / parts;
      for (int turn = 0; turn < turns && shard.before() != null; turn++) {
        help(shard, blocks, Integer.MAX_VALUE);
      }
    }
    return shard.before() == null;
  }

  /** Around each smaller capacity: no entries are evicted for tables of no use. */
  void giveUp() {
    held.drop();
    charge.outdate();
    begin(newest(), 0, true, 0, charge.era());
  }

  /** After the capacity has changed: the table becomes as small as it should be. */
  void fit() {
    pause.end();
    for (int i = 0; i < MOST_SHRINKS && finish(); i++) {
      Shard shard = newest();
      int wanted = wantedSize.rule(shard).wantedAfterShrinking();
      if (wanted == 0
          || wanted >= shard.store.slots()
          || !wantedSize.hasPlacesForPinned(shard, wanted)
          || !start(shard, wanted)) {
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
        // Counts this thread in, so that no table opens until it leaves.
      } else if (gate.compareAndSet(visitors, visitors + 1)) {
        return true;
      }
    }
    return false;
  }

  void leave() {
    gate.decrementAndGet();
  }
}
