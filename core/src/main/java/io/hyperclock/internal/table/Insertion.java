/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.table;

import io.hyperclock.internal.policy.EvictionRequest;
import io.hyperclock.internal.policy.Replacement;
import io.hyperclock.internal.slot.ChargeWord;
import io.hyperclock.internal.slot.GenerationWord;
import io.hyperclock.internal.slot.MetaWord;
import io.hyperclock.internal.slot.Prefetch;
import io.hyperclock.internal.slot.SlotProtocol;
import io.hyperclock.internal.slot.SlotStore;
import io.hyperclock.internal.slot.Tags;
import io.hyperclock.internal.slot.TentativeInserts;
import org.jspecify.annotations.Nullable;

/**
 * Puts new entries into a table, at most one of a key.
 *
 * <p>The claimed slot ({@link Claims}) is filled and announced, which sets its tag; then both
 * buckets are searched for the key ({@link PendingWrites}), and then the slot is published. If
 * another writer of the key has invalidated it meanwhile it is announced again and the search
 * repeated. Of several inserts of an absent key one publishes; the others find it and withdraw.
 *
 * <p><b>Overwriting.</b> The older entry is pinned, so that it stays while the decision is made.
 * Publishing is the decision: it fails if another insert or an erase of the key has invalidated the
 * announcement, so nothing can have come between. The newer entry is published as superseding; the
 * overwrite is counted, the older entry hidden, and the mark taken off. Reads return the older
 * value until it is hidden. A writer that meets a superseding entry meanwhile does the rest. So
 * there is always one of the two to be found, and the older value is freed by the ordinary protocol
 * after its last reader. Where both buckets are full the older entry is pinned while room is made:
 * what leaves must not be what is to be overwritten.
 */
public final class Insertion {
  /** In the result of an overwrite, beside the slot: an older entry has gone. */
  public static final int OVER_OLDER = 1 << 30;

  private final Buckets buckets;
  private final SlotProtocol slots;
  private final SlotStore store;
  private final TentativeInserts tentativeInserts;
  private final Claims claims;
  private final PendingWrites pendingWrites;
  private final EntryLifecycle table;
  private final OverwriteSequence overwrites;
  private final Replacement replacement;

  /** Inserts into one table. */
  Insertion(EntryLifecycle table, PendingWrites pendingWrites) {
    this.buckets = table.buckets;
    this.slots = table.slots;
    this.store = table.store;
    this.tentativeInserts = table.tentativeInserts;
    this.claims = new Claims(buckets, slots, table.replacement);
    this.pendingWrites = pendingWrites;
    this.table = table;
    this.overwrites = table.overwrites;
    this.replacement = table.replacement;
  }

  /**
   * Whether a key is visible and no writer is at work on it: then an insert has nothing to do. If
   * there is something to do, loads what that will touch, as {@link #lookAhead}.
   *
   * @param countdown what the present entry's countdown is raised by
   */
  public boolean keepExisting(long hi, long lo, long hash, int countdown) {
    EntryLifecycle before = table.before();
    long pattern = Tags.pattern(hash);
    if (before != null) {
      int first = before.buckets.first(hash);
      int second = before.buckets.second(hash);
      long left = before.store.candidates(first, second, pattern);
      if (keepOneOf(before, first, second, left, hi, lo, countdown)) {
        return true;
      }
    }
    int first = buckets.first(hash);
    int second = buckets.second(hash);
    long inFirst = store.tagsAcquire(first);
    long inSecond = store.tagsAcquire(second);
    long left = Tags.matching(inFirst, inSecond, pattern);
    if (keepOneOf(table, first, second, left, hi, lo, countdown)) {
      return true;
    }
    lookAhead(first, second, Tags.absent(inFirst, inSecond));
    return false;
  }

  /** Loads what an insert of a key will touch: both tag words, and the slot that it will claim. */
  public void lookAhead(long hash) {
    int first = buckets.first(hash);
    int second = buckets.second(hash);
    lookAhead(first, second, store.untagged(first, second));
  }

  private void lookAhead(int first, int second, long free) {
    if (free != 0) {
      Prefetch.use(store.touch(SlotStore.slot(first, second, SlotStore.ofEmptier(free))));
    }
  }

  private static boolean keepOneOf(
      EntryLifecycle in, int first, int second, long candidates, long hi, long lo, int countdown) {
    for (long left = candidates; left != 0; left &= left - 1) {
      int slot = SlotStore.slot(first, second, left);
      long meta = in.slots.matches(slot, hi, lo);
      if (meta != 0) {
        if (GenerationWord.isErasing(in.store.tailAcquire(slot)) || MetaWord.isSuperseding(meta)) {
          return false;
        }
        in.slots.boost(slot, meta, countdown);
        return true;
      }
    }
    return false;
  }

  /**
   * Adds an entry unless its key is visible.
   *
   * @param visibleMeta its meta word once published
   * @param boost what a present entry's countdown is raised by
   * @param request what was evicted for it; flushed to the policy if it is added
   * @return its slot, {@link EntryTable#KEPT_EXISTING}, {@link EntryTable#NO_SLOT} or {@link
   *     EntryTable#LEFT}
   */
  public int insert(
      long hi,
      long lo,
      long hash,
      Object value,
      long cold,
      long visibleMeta,
      int boost,
      EvictionRequest request) {
    EntryLifecycle before = table.before();
    int own = claims.claim(hash, table, request);
    if (own < 0) {
      return EntryTable.NO_SLOT;
    }
    slots.fill(own, hi, lo, value, cold);
    tentativeInserts.announce(own, hash);
    for (; ; ) {
      if (isLeft(own, hash, cold)) {
        return EntryTable.LEFT;
      }
      int present = visible(hi, lo, hash, own, cold, before);
      if (present >= 0) {
        SlotProtocol there = pendingWrites.tableOf(present, before).slots;
        int slot = PendingWrites.slot(present);
        there.boost(slot, there.matches(slot, hi, lo), boost);
        table.withdraw(own, hash, cold);
        return EntryTable.KEPT_EXISTING;
      }
      if (tentativeInserts.publish(own, visibleMeta)) {
        replacement.admitted(own, cold, request);
        return own;
      }
      tentativeInserts.announceAgain(own);
    }
  }

  /**
   * Adds an entry in place of the visible one of its key, which reads find until they find the new.
   *
   * @param visibleMeta its meta word if there is no older one
   * @param ifAbsentToo whether to add it if there is no older one
   * @param expected the only value to overwrite, or null for any
   * @param request as of {@link #insert}
   * @return its slot, with {@link #OVER_OLDER} if it has taken the place of an older one, {@link
   *     EntryTable#NOT_PRESENT}, {@link EntryTable#NOT_EXPECTED}, {@link EntryTable#NO_SLOT} or
   *     {@link EntryTable#LEFT}
   */
  public int put(
      long hi,
      long lo,
      long hash,
      Object value,
      long cold,
      long visibleMeta,
      boolean ifAbsentToo,
      @Nullable Object expected,
      EvictionRequest request) {
    overwrites.ensure();
    EntryLifecycle before = table.before();
    int own = claims.claimWithoutEviction(hash);
    if (own < 0) {
      own = claimBesideOlder(hi, lo, hash, request, before);
    }
    if (own < 0) {
      return EntryTable.NO_SLOT;
    }
    slots.fill(own, hi, lo, value, cold);
    tentativeInserts.announce(own, hash);
    long classed = cold;
    for (; ; announceAgainIfInvalidated(own)) {
      if (isLeft(own, hash, classed)) {
        return EntryTable.LEFT;
      }
      int place = visible(hi, lo, hash, own, classed, before);
      EntryLifecycle in = place < 0 ? table : pendingWrites.tableOf(place, before);
      int older = PendingWrites.slot(place);
      if (place < 0) {
        if (!ifAbsentToo) {
          if (tentativeInserts.isInvalidated(own)) {
            continue;
          }
          table.withdraw(own, hash, classed);
          return EntryTable.NOT_PRESENT;
        }
        classed = slots.reclass(own, classed, cold);
        if (tentativeInserts.publish(own, visibleMeta)) {
          replacement.admitted(own, classed, request);
          return own;
        }
      } else if (PendingWrites.pin(in, older, hi, lo)) {
        if (expected != null && !in.holds(older, expected)) {
          table.withdraw(own, hash, classed);
          in.release(older, false);
          return EntryTable.NOT_EXPECTED;
        } else {
          long wanted =
              ChargeWord.isMain(in.store.coldAcquire(older)) ? ChargeWord.asMain(cold) : cold;
          classed = slots.reclass(own, classed, wanted);
          if (supersede(own, in, older, hash, classed, visibleMeta, request)) {
            return own | OVER_OLDER;
          }
        }
      }
    }
  }

  /** The older entry is held meanwhile: it must not leave for the one that takes its place. */
  private int claimBesideOlder(
      long hi, long lo, long hash, EvictionRequest request, @Nullable EntryLifecycle before) {
    int older = pendingWrites.pinCurrent(hi, lo, hash, before);
    try {
      return claims.claim(hash, table, request);
    } finally {
      if (older >= 0) {
        pendingWrites.tableOf(older, before).release(PendingWrites.slot(older), false);
      }
    }
  }

  /** Loads what {@link #claimForMoved} is about to touch, for a prefetch. */
  long touch(long hash, boolean isSecond) {
    int first = buckets.first(hash);
    int second = buckets.second(hash);
    int near = isSecond ? second : first;
    return store.touchTags(first, second) + store.metaOpaque(near * SlotStore.BUCKET_SLOTS);
  }

  /**
   * Claims a slot for an entry that moves here; see {@link Claims#claim}. Entries of one bucket
   * come near each other: buckets are in the order of the hashes in tables of any size.
   *
   * @param isSecond whether it was in its second bucket
   */
  int claimForMoved(long hash, boolean isSecond, EvictionRequest request) {
    int slot = claims.claimIn(isSecond ? buckets.second(hash) : buckets.first(hash));
    return slot == Claims.NONE ? claims.claim(hash, table, request) : slot;
  }

  /** Withdraws an announced entry if this table was left for another. */
  private boolean isLeft(int own, long hash, long cold) {
    // [start] behind the announcement: else a thread that knows the next table sees that.
    if (table.next() == null) {
      return false;
    }
    table.withdraw(own, hash, cold);
    return true;
  }

  private void announceAgainIfInvalidated(int own) {
    if (tentativeInserts.isInvalidated(own)) {
      tentativeInserts.announceAgain(own);
    }
  }

  /** Looks at both buckets; without stack or memory for that the claimed slot is given back. */
  private int visible(
      long hi, long lo, long hash, int own, long cold, @Nullable EntryLifecycle before) {
    try {
      return pendingWrites.findCurrent(hi, lo, hash, own, before);
    } catch (Throwable e) {
      table.withdraw(own, hash, cold);
      throw e;
    }
  }

  private boolean supersede(
      int own,
      EntryLifecycle in,
      int older,
      long hash,
      long classed,
      long visibleMeta,
      EvictionRequest request) {
    long before = in.store.metaAcquire(older);
    int policy = replacement.inherited(MetaWord.policy(before));
    boolean readable = MetaWord.isReadable(visibleMeta);
    long meta = MetaWord.superseding(before, policy, readable, slots.maxCountdown());
    if (!tentativeInserts.publish(own, meta)) {
      in.release(older, false);
      return false;
    }
    overwrites.step(hash);
    int outcome = in.slots.supersedeAndRelease(older);
    slots.endSuperseding(own);
    replacement.admitted(own, classed, request);
    if (MetaWord.refcount(visibleMeta) == 0) {
      table.release(own, true);
    }
    in.freeIfOwned(outcome, older);
    return true;
  }
}
