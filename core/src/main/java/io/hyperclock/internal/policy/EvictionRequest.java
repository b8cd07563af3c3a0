/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.policy;

import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * The requests for room of one insert, what came of them, and what of it the shared sums have not
 * been told yet. Used by one thread at a time.
 *
 * <p>An insert that evicts an entry of its own size changes no sum. So what leaves is first noted
 * here: its charge and its place on the ledger, the weights of the two classes, and one eviction.
 * Whoever made the request tells the difference at the end, and always does. Until then the sums
 * have too much of what left, never too little.
 */
public final class EvictionRequest {
  /** No effort cap: whatever is not pinned may be taken. */
  public static final int NO_EFFORT_CAP = Integer.MAX_VALUE;

  static final int NOT_KEPT = -1;

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
  private long owedBytes;
  private int owedEntries;
  private long probation;
  private long main;
  private boolean hasEvicted;
  private volatile int inUse = 1;
  private @Nullable VictimSearch search;
  private long evictedCold;
  private final int number;

  /**
   * Nothing asked yet.
   *
   * @param chargeBytes charge of the entry that needs the room
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
   * @param charge charge of the entry that needs the room
   * @return false if it is in use: by another thread, or by an insert of this one that has run a
   *     callback which inserts
   */
  public boolean begin(long charge) {
    if (!enter()) {
      return false;
    }
    chargeBytes = charge;
    arriving = 0;
    return true;
  }

  /** Makes the request, and what is kept with it, the caller's own until {@link #end}. */
  boolean enter() {
    // [S8] acquires what the last user wrote, see end.
    return inUse == 0 && IN_USE.compareAndSet(this, 0, 1);
  }

  /** All has been told. */
  public void end() {
    // [S8] hands all that is kept here to the next user.
    IN_USE.lazySet(this, 0);
  }

  /** Which of the {@link EvictionRequests} it is, or {@link #NOT_KEPT}. */
  int number() {
    return number;
  }

  /** What an {@link AdaptiveClock} has kept here. */
  @Nullable VictimSearch search() {
    return search;
  }

  void keep(VictimSearch kept) {
    search = kept;
  }

  /**
   * The next request; what came of the last is forgotten, what is to be told is not.
   *
   * @param bytes charge to free
   * @param entries entries to free, whatever their charge
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

  long bytes() {
    return bytes;
  }

  /** Charge of the entry that needs the room. */
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

  void freed(long bytes) {
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

  void looked(long slots) {
    looks += slots;
  }

  void sawPinned() {
    pinnedSeen++;
  }

  /** Whether too many pinned entries were seen for what was freed. */
  boolean exceedsEffort() {
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

  /** The entry that needs the room is not on the ledger yet, as others under way are. */
  public void arrives() {
    arriving = 1;
  }

  /** Entries by which the occupancy differs from what it will be told. */
  int unknownEntries() {
    return arriving - owedEntries;
  }

  /** An entry has left: its charge and its place are owed to the ledger. */
  public void owe(long charge) {
    owedBytes += charge;
    owedEntries++;
  }

  /** Charge owed to the ledger. */
  public long owedBytes() {
    return owedBytes;
  }

  /** The charge owed is being told. */
  public long takeOwedBytes() {
    long owed = owedBytes;
    owedBytes = 0;
    return owed;
  }

  /** The places owed are being told. */
  public int takeOwedEntries() {
    int owed = owedEntries;
    owedEntries = 0;
    return owed;
  }

  /** An entry has joined its class, or left it. */
  public void classChanged(boolean toMain, long weight) {
    if (toMain) {
      main += weight;
    } else {
      probation += weight;
    }
  }

  /** Weight by which the probation has changed. */
  long probation() {
    return probation;
  }

  /** Weight by which main has changed. */
  long main() {
    return main;
  }

  /** The weights are being told. */
  void classesTold() {
    probation = 0;
    main = 0;
  }

  /** Notes an eviction to be counted. */
  public void evicted(long cold) {
    hasEvicted = true;
    evictedCold = cold;
  }

  /** Whether an eviction is to be counted. */
  public boolean hasEvicted() {
    return hasEvicted;
  }

  /**
   * The eviction is being counted.
   *
   * @return the entry's cold word
   */
  public long takeEvicted() {
    hasEvicted = false;
    return evictedCold;
  }
}
