/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.internal.policy.AskedRoom;
import io.hyperclock.internal.policy.EvictableEntries;
import io.hyperclock.internal.policy.EvictionRequest;
import io.hyperclock.internal.slot.HeapSlotStore;
import io.hyperclock.internal.slot.SlotProtocol;
import io.hyperclock.internal.slot.SlotStore;
import io.hyperclock.internal.slot.TentativeInserts;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which slot an insert gets, and what it evicts if there is none. */
class ClaimsTest {
  private static final int BUCKET = SlotStore.BUCKET_SLOTS;

  private final Buckets buckets = new Buckets(16, 7);
  private final SlotProtocol slots = new SlotProtocol(new HeapSlotStore(8 * buckets.count()), 1);
  private final TentativeInserts inserts = new TentativeInserts(slots);
  private final AskedRoom room = new AskedRoom();
  private final Claims claims = new Claims(buckets, slots, room);
  private final EvictionRequest request = new EvictionRequest(1);
  private final long hash = hashOfTwoBuckets();
  private boolean mayEvict = true;

  private final EvictableEntries residents =
      new EvictableEntries() {
        @Override
        public long hash(int slot) {
          return hash;
        }

        @Override
        public long evict(int slot, long meta, EvictionRequest request) {
          return 1;
        }

        @Override
        public boolean mayEvict() {
          return mayEvict;
        }

        @Override
        public boolean isDead(int slot) {
          return false;
        }

        @Override
        public long deaths() {
          return 0;
        }
      };

  private long hashOfTwoBuckets() {
    for (long key = 0; ; key++) {
      long hash = buckets.hash(0, key);
      int first = buckets.first(hash);
      int second = buckets.second(hash);
      if (first != 0 && second != 0 && first != second) {
        return hash;
      }
    }
  }

  private int claim() {
    int slot = claims.claim(hash, residents, request);
    if (slot >= 0) {
      inserts.announce(slot, hash);
    }
    return slot;
  }

  private List<Integer> claimAll() {
    List<Integer> claimed = new ArrayList<>();
    for (int i = 0; i < 2 * BUCKET; i++) {
      claimed.add(claim());
    }
    return claimed;
  }

  private long inFirst(List<Integer> claimed) {
    return claimed.stream().filter(slot -> slot / BUCKET == buckets.first(hash)).count();
  }

  @Test
  void slotsComeFromTheEmptierBucketInTurn() {
    List<Integer> claimed = claimAll();
    assertThat(claimed)
        .doesNotHaveDuplicates()
        .allMatch(
            slot -> slot / BUCKET == buckets.first(hash) || slot / BUCKET == buckets.second(hash));
    for (int i = 1; i <= claimed.size(); i++) {
      long first = inFirst(claimed.subList(0, i));
      assertThat(2 * first - i).as("of the first %s", i).isBetween(-1L, 1L);
    }
    assertThat(room.asked).isEmpty();
  }

  @Test
  void aSlotThatIsJustBeingTornDownIsPassed() {
    int own = claimAll().get(5);
    slots.clearTag(own, hash);
    assertThat(claims.claimWithoutEviction(hash)).as("not empty yet").isEqualTo(Claims.NONE);
    slots.abandon(own);
    assertThat(claims.claimWithoutEviction(hash)).isEqualTo(own);
  }

  @Test
  void theEmptierBucketComesFirst() {
    claimAll();
    int first = buckets.first(hash) * BUCKET;
    int second = buckets.second(hash) * BUCKET;
    for (int slot : new int[] {first + 6, first + 7, second}) {
      slots.clearTag(slot, hash);
      slots.abandon(slot);
    }
    assertThat(claim()).isEqualTo(first + 6);
    assertThat(claim()).as("as empty").isIn(first + 7, second);
  }

  /** Of two buckets the emptier one may have only slots that others just take. */
  @Test
  void theFullerBucketIsLookedAtToo() {
    List<Integer> claimed = claimAll();
    int other = -1;
    for (int slot : claimed) {
      boolean first = slot / BUCKET == buckets.first(hash);
      if (first || other < 0) {
        slots.clearTag(slot, hash);
        other = first ? other : slot;
      }
    }
    slots.abandon(other);
    assertThat(claims.claimWithoutEviction(hash)).isEqualTo(other);
  }

  @Test
  void anEntryLeavesIfBothBucketsAreFull() {
    List<Integer> claimed = claimAll();
    room.local =
        () -> {
          slots.clearTag(claimed.get(3), hash);
          slots.abandon(claimed.get(3));
          return true;
        };
    assertThat(claim()).isEqualTo(claimed.get(3));
    assertThat(room.localTries).isEqualTo(1);
    assertThat(request.takeLocalEvictions()).isEqualTo(1);
  }

  @Test
  void othersMayTakeWhatWasEvictedAFewTimes() {
    claimAll();
    room.local = () -> true;
    assertThat(claim()).isEqualTo(Claims.NONE);
    assertThat(room.localTries).isEqualTo(4);
    assertThat(request.takeLocalEvictions()).isEqualTo(4);
  }

  @Test
  void nothingIsEvictedWhereNothingMayOrCan() {
    claimAll();
    assertThat(claim()).isEqualTo(Claims.NONE);
    assertThat(room.localTries).isEqualTo(1);
    mayEvict = false;
    room.local = () -> true;
    assertThat(claim()).isEqualTo(Claims.NONE);
    assertThat(room.localTries).isEqualTo(1);
    assertThat(request.takeLocalEvictions()).isZero();
  }
}
