/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.policy;

import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * What one insert asks the replacement policy to evict, what was evicted, and the changes of shared
 * sums that are deferred. Used by one thread at a time.
 *
 * <p>An insert that evicts an entry of its own size changes no sum. So each eviction is first noted
 * here: its charge and its slot, the weights of the two segments, and one eviction for the
 * statistics. The inserting thread flushes the net change once, at the end, in every case. Until
 * then the shared sums are too high by what left, never too low.
 */
public final class EvictionRequest {
  /** No effort cap: any entry that is not pinned may be taken. */
  public static final int NO_EFFORT_CAP = Integer.MAX_VALUE;

  public static final int NOT_KEPT = -1;

  private static final AtomicIntegerFieldUpdater<EvictionRequest> IN_USE =
      AtomicIntegerFieldUpdater.newUpdater(EvictionRequest.class, "inUse");

  private long chargeBytes;
  private long bytes;
  private int entries;
  private int effortCap;
  private long freedBytes;
  private long freedEntries;
  private long pinnedSeen;
  private long looks;
  private int localEvictions;
  private boolean effortExceeded;

  private int arriving;
  private long deferredBytes;
  private int deferredEntries;
  private long probation;
  private long main;
  private boolean hasEvicted;
  private boolean hasTime;
  private volatile int inUse = 1;
  private @Nullable Object search;
  private long evictedCold;
  private final int number;

  /**
   * A request without a target.
   *
   * @param chargeBytes charge of the entry to be inserted
   */
  public EvictionRequest(long chargeBytes) {
    this(chargeBytes, NOT_KEPT);
  }

  EvictionRequest(long chargeBytes, int number) {
    this.chargeBytes = chargeBytes;
    this.number = number;
  }

  /**
   * Begins anew for another insert, after {@link #end}.
   *
   * @param charge charge of the entry to be inserted
   * @return false if it is in use: by another thread, or by an insert of this thread whose callback
   *     inserts
   */
  public boolean begin(long charge) {
    if (!enter()) {
      return false;
    }
    chargeBytes = charge;
    arriving = 0;
    hasTime = false;
    return true;
  }

  /** Makes the request, and what is kept with it, the caller's own until {@link #end}. */
  public boolean enter() {
    // [pointer] acquires what the last user wrote, see end.
    return inUse == 0 && IN_USE.compareAndSet(this, 0, 1);
  }

  /** Ends the use; all sums have been flushed. */
  public void end() {
    // [pointer] hands all that is kept here to the next user.
    IN_USE.lazySet(this, 0);
  }

  /** No insert waits for it: a search may look at each slot once before it takes what is used. */
  public void takeTime() {
    hasTime = true;
  }

  public boolean hasTime() {
    return hasTime;
  }

  /** Which of the {@link EvictionRequests} it is, or {@link #NOT_KEPT}. */
  public int number() {
    return number;
  }

  /** What a policy has kept here, or null. */
  public @Nullable Object search() {
    return search;
  }

  /** Keeps what a policy needs for a search as long as the request is used. */
  public void keep(Object kept) {
    search = kept;
  }

  /**
   * Sets the next target: resets the result, keeps the deferred sums.
   *
   * @param bytes charge to free
   * @param entries entries to free, of any charge
   * @param effortCap pinned entries to pass per freed one
   */
  public void ask(long bytes, int entries, int effortCap) {
    this.bytes = bytes;
    this.entries = entries;
    this.effortCap = effortCap;
    freedBytes = 0;
    freedEntries = 0;
    pinnedSeen = 0;
    looks = 0;
    effortExceeded = false;
  }

  public long bytes() {
    return bytes;
  }

  /** Charge of the entry to be inserted. */
  public long chargeBytes() {
    return chargeBytes;
  }

  boolean mustFree() {
    return effortCap == NO_EFFORT_CAP;
  }

  /** Whether enough was freed. */
  public boolean isFulfilled() {
    return freedBytes >= bytes && freedEntries >= entries;
  }

  /** What another request has freed counts for this one, too. */
  public void credit(EvictionRequest other) {
    freedBytes += other.freedBytes;
    freedEntries += other.freedEntries;
    pinnedSeen += other.pinnedSeen;
    looks += other.looks;
  }

  /** Bytes to be freed as asked for. */
  public long missingBytes() {
    return Math.max(0, bytes - freedBytes);
  }

  /** Entries to be freed as asked for. */
  public int missingEntries() {
    return (int) Math.max(0, entries - freedEntries);
  }

  /** As asked for. */
  public int effortCap() {
    return effortCap;
  }

  public void freed(long bytes) {
    freedBytes += bytes;
    freedEntries++;
  }

  /** An entry has left for the slot that it had. */
  public void evictedLocally() {
    localEvictions++;
  }

  /** How many did since the last call. */
  public int takeLocalEvictions() {
    int taken = localEvictions;
    localEvictions = 0;
    return taken;
  }

  public void looked(long slots) {
    looks += slots;
  }

  public void sawPinned() {
    pinnedSeen++;
  }

  /** Whether too many pinned entries were seen for what was freed. */
  public boolean exceedsEffort() {
    if (!mustFree() && (freedEntries + 1) * effortCap <= pinnedSeen) {
      effortExceeded = true;
    }
    return effortExceeded;
  }

  /** Slots looked at, counted with repetition. */
  public long looks() {
    return looks;
  }

  /** Slots looked at that held a pinned entry. */
  public long pinnedSeen() {
    return pinnedSeen;
  }

  /** Charge of the entries freed so far. */
  public long freedBytes() {
    return freedBytes;
  }

  /** Entries freed so far. */
  public long freedEntries() {
    return freedEntries;
  }

  /** Whether it was given up because of too many pinned entries. */
  public boolean isEffortExceeded() {
    return effortExceeded;
  }

  /** The entry to be inserted is not on the ledger yet, as those of other inserts are. */
  public void arrives() {
    arriving = 1;
  }

  /** Entries by which the occupancy will change when the sums are flushed. */
  public int unknownEntries() {
    return arriving - deferredEntries;
  }

  /** An entry has left: the ledger learns of its charge and its slot later. */
  public void defer(long charge) {
    deferredBytes += charge;
    deferredEntries++;
  }

  /** Charge that the ledger still has too much. */
  public long deferredBytes() {
    return deferredBytes;
  }

  /** Takes the deferred charge, to be flushed by the caller. */
  public long takeDeferredBytes() {
    long deferred = deferredBytes;
    deferredBytes = 0;
    return deferred;
  }

  /** Takes the deferred slots, to be flushed by the caller. */
  public int takeDeferredEntries() {
    int deferred = deferredEntries;
    deferredEntries = 0;
    return deferred;
  }

  /** An entry has joined a segment, or left it. */
  public void segmentChanged(boolean toMain, long weight) {
    if (toMain) {
      main += weight;
    } else {
      probation += weight;
    }
  }

  /** Weight by which the probation has changed. */
  public long probation() {
    return probation;
  }

  /** Weight by which main has changed. */
  public long main() {
    return main;
  }

  /** The weights have been flushed. */
  public void segmentsFlushed() {
    probation = 0;
    main = 0;
  }

  /** Notes an eviction for the statistics. */
  public void evicted(long cold) {
    hasEvicted = true;
    evictedCold = cold;
  }

  /** Whether an eviction is still to be counted. */
  public boolean hasEvicted() {
    return hasEvicted;
  }

  /**
   * Takes the eviction, to be counted by the caller.
   *
   * @return the entry's cold word
   */
  public long takeEvicted() {
    hasEvicted = false;
    return evictedCold;
  }
}
