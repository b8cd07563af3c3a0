/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.table;

import io.hyperclock.internal.capacity.ValueRelease;
import io.hyperclock.internal.errors.StackReserve;
import io.hyperclock.internal.observe.EntryCallbacks;
import io.hyperclock.internal.observe.StatsRecorder;
import io.hyperclock.internal.policy.Replacement;
import io.hyperclock.internal.slot.SlotProtocol;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The slots of one shard as a hash table: each key has two buckets of eight slots and lies nowhere
 * else, so a search looks at two tag words and at the slots whose tag is that of the key.
 *
 * <p><b>Searching.</b> A look at a slot loads the tail first, then meta, then the key. Where the
 * key matches, a pin-free read takes the value and looks at the generation again; a pinned read
 * counts an acquire and compares again. Where the generation changed, the entry was torn down
 * during the read: there was a moment without it, and the search goes on as if the key had not
 * matched. A read that found nothing searches again only if its key, or one like it, was
 * overwritten meanwhile.
 *
 * <p><b>Inserting.</b> See {@link Insertion}.
 *
 * <p>Source: RocksDB {@code FixedHyperClockTable}; changed: two buckets with tags instead of double
 * hashing, any number of them, and an insert that finds both full evicts one of their entries.
 */
public final class ClockTable extends EntryLifecycle {
  private final Insertion insertion;
  private final InPlaceUpdate inPlace;
  final PendingWrites pendingWrites;
  private final OptimisticReads unpinnedReads;
  private final @Nullable OptimisticReads movingReads;

  /** Reads of this table that pin. */
  final PinnedReads pinnedReads;

  private volatile @Nullable ClockTable next;

  /**
   * Its reference is final, so that a thread that learns of this table by a race sees the content.
   */
  private final AtomicReference<@Nullable ClockTable> before;

  private @Nullable Object owner;

  /**
   * An empty table.
   *
   * @param valueRelease takes the value of each entry freed
   * @param replacement notified of each entry published or freed
   * @param recorder counts reads, or null
   * @param kind {@link TableView#FIXED}, or {@link TableView#SETTLED} if it may be left for another
   * @param before the table that it takes the place of, or null; that is then to be {@linkplain
   *     #leaveFor left}
   */
  public ClockTable(
      Buckets buckets,
      SlotProtocol slots,
      ValueRelease valueRelease,
      Replacement replacement,
      EntryCallbacks callbacks,
      @Nullable StatsRecorder recorder,
      TableView kind,
      @Nullable ClockTable before) {
    super(
        before == null ? new OverwriteSequence() : before.overwrites,
        buckets,
        slots,
        valueRelease,
        replacement,
        callbacks);
    this.before = new AtomicReference<>(before);
    this.pendingWrites = new PendingWrites(this);
    this.inPlace = new InPlaceUpdate(this);
    this.insertion = new Insertion(this, pendingWrites);
    this.pinnedReads = new PinnedReads(this, recorder, kind, null);
    this.unpinnedReads = reads(recorder, kind);
    this.movingReads = before == null ? null : reads(recorder, TableView.MOVING);
  }

  private OptimisticReads reads(@Nullable StatsRecorder recorder, TableView kind) {
    return recorder == null ? new FastReads(this, kind) : new CountedReads(this, recorder, kind);
  }

  /**
   * The table that this one was left for; null for the newest one. A thread that has announced or
   * marked something here must look behind that.
   */
  @Override
  public @Nullable ClockTable next() {
    // [start] pairs with the fence of leaveFor.
    return next;
  }

  /** The table whose entries are moved to this one, or null if none is left there. */
  @Override
  public @Nullable ClockTable before() {
    return before.get();
  }

  /** What the table is a part of. */
  public @Nullable Object owner() {
    return owner;
  }

  /** Sets what the table is a part of, before other threads know it. */
  public void belongTo(Object whole) {
    owner = whole;
  }

  @Override
  ClockTable newest() {
    ClockTable newest = this;
    for (ClockTable next = newest.next(); next != null; next = newest.next()) {
      newest = next;
    }
    return newest;
  }

  /**
   * Leaves this table: from here on no thread makes another entry visible in it that will not look
   * at the next one.
   */
  public void leaveFor(ClockTable fresh) {
    next = fresh;
    // [start] who announces or marks here looks at next behind its own fence: it sees the next
    // table, or all who know that table see what was announced or marked.
    VarHandle.fullFence();
  }

  /**
   * Leads past the next table, in which nothing is held any more and to which nothing will come, so
   * that what keeps this table does not keep that one. No slot of this table is forwarded to it: a
   * forwarded slot holds the one that its entry went to.
   */
  public void leadPastNext() {
    // [start] as before there is a next table.
    next = Objects.requireNonNull(next).next;
  }

  /** Nothing is visible in the table before this one, and nothing will be. */
  public void settled() {
    // [view] all moves come before this; who still knows the old table finds nothing there.
    before.set(null);
  }

  /** Reads that do not pin, as they are now, as long as this is the newest table. */
  public OptimisticReads currentReads() {
    return before() == null ? unpinnedReads : Objects.requireNonNull(movingReads);
  }

  /**
   * Reads that pin, for handles.
   *
   * @param owner passed on to those who make handles
   */
  public PinnedReads pinnedReadsOf(Object owner, TableView kind) {
    return new PinnedReads(this, pinnedReads.recorder, kind, owner);
  }

  public SlotProtocol slots() {
    return slots;
  }

  /** Reads of this table that do not pin. */
  public OptimisticReads unpinnedReads() {
    return unpinnedReads;
  }

  public Buckets buckets() {
    return buckets;
  }

  /** Inserts into this table, and overwrites. */
  public Insertion insertion() {
    return insertion;
  }

  /** Overwrites in place. */
  public InPlaceUpdate inPlace() {
    return inPlace;
  }

  /**
   * Makes a key invisible and frees its entry unless it is pinned.
   *
   * @return whether there was one
   */
  public boolean erase(long hi, long lo, long hash) {
    return erase(hi, lo, hash, null);
  }

  /**
   * Erases a key if its entry has a value that the caller has seen.
   *
   * @param expected the only value to erase, or null for any
   * @return whether there was one
   */
  public boolean erase(long hi, long lo, long hash, @Nullable Object expected) {
    StackReserve.requireLittle();
    ClockTable in = this;
    int outcome = in.pendingWrites.erase(hi, lo, hash, expected);
    // [view] what was not found here may have moved, any number of tables on.
    while (outcome == PendingWrites.ABSENT && in.next() != null) {
      in = in.newest();
      outcome = in.pendingWrites.erase(hi, lo, hash, expected);
    }
    return outcome == PendingWrites.ERASED;
  }

  @Override
  int find(long hi, long lo, long hash) {
    return pinnedReads.find(hi, lo, hash);
  }

  @Override
  @Nullable Object searchHere(
      long hi, long lo, long hash, long wanted, boolean use, @Nullable EntryLifecycle preceding) {
    return unpinnedReads.searchHere(hi, lo, hash, wanted, use, preceding);
  }

  @Override
  @Nullable Object searchOnce(long hi, long lo, long hash, long wanted, boolean use) {
    return unpinnedReads.searchOnce(hi, lo, hash, wanted, use, null);
  }
}
