/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.disk;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.secondary.testing.TierTestLimits;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class SlotIndexTest {
  /** So that the other thread sees each step of it. */
  private static final int TIMES = 2_000_000;

  private final SlotLayout layout = new SlotLayout(64 << 10);
  private final SlotIndex index = new SlotIndex(layout, 256, 5);

  private long put(long key, int region, int unit) {
    long hash = index.hash(1, key);
    long slot = layout.slot(hash, region, unit * SlotLayout.UNIT, SlotLayout.UNIT);
    index.put(hash, slot, id -> id);
    return slot;
  }

  private long find(long key) {
    int position = index.first(index.hash(1, key));
    return position < 0 ? 0 : index.get(position);
  }

  @Test
  void aKeyHasOneSlot() {
    put(1, 0, 0);
    long newer = put(1, 0, 1);
    assertThat(find(1)).isEqualTo(newer);
    int position = index.first(index.hash(1, 1));
    assertThat(index.next(index.hash(1, 1), position)).isEqualTo(-1);
    assertThat(index.entries()).isEqualTo(1);
    assertThat(index.remove(index.hash(1, 1))).isTrue();
    assertThat(index.remove(index.hash(1, 1))).isFalse();
    assertThat(find(1)).isZero();
    assertThat(index.entries()).isZero();
  }

  /** Two hashes with one fingerprint whose windows overlap: each takes the other out. */
  @Test
  void keysThatLookAlikeTakeEachOtherOut() {
    long home = 40L << 32;
    long hash = (home * 4_000_000) | 7;
    long neighbour = hash + (1L << 32) * 40_000_000;
    SlotIndex wide = new SlotIndex(layout, 1 << 10, 5);
    wide.put(hash, layout.slot(hash, 0, 0, 64), id -> id);
    wide.put(neighbour, layout.slot(neighbour, 0, 64, 64), id -> id);
    int position = wide.first(neighbour);
    assertThat(layout.offset(wide.get(position))).isEqualTo(64);
    assertThat(wide.next(neighbour, position)).isEqualTo(-1);
    wide.remove(neighbour);
    assertThat(wide.first(neighbour)).isEqualTo(-1);
  }

  /** Beside another of its fingerprint, whose window begins before. */
  @Test
  void aKeyThatIsPutAgainIsThereAllTheTime() throws Exception {
    long hash = index.hash(1, 1);
    long older = put(1, 0, 0);
    long newer = layout.slot(hash, 1, 0, SlotLayout.UNIT);
    int at = index.first(hash);
    CompletableFuture<Void> putting =
        CompletableFuture.runAsync(
            () -> {
              for (int time = 0; time < TIMES; time++) {
                int offset = time % 1024 * SlotLayout.UNIT;
                index.load(at + 1, older);
                index.load(at, layout.slot(hash, 2 + time / 1024, offset, SlotLayout.UNIT));
                index.put(hash, newer, id -> id);
              }
            });
    int lost = 0;
    while (!putting.isDone()) {
      long alike = index.get(at);
      boolean isOther = layout.region(alike) > 1;
      lost += isOther && index.get(at + 1) == 0 && index.get(at) == alike ? 1 : 0;
    }
    putting.get(TierTestLimits.SECONDS, SECONDS);
    assertThat(lost).isZero();
  }

  @Test
  void oldestGivesWayWhereTheWindowIsFull() {
    SlotIndex small = new SlotIndex(layout, SlotIndex.WINDOW, 5);
    for (int key = 0; key <= SlotIndex.WINDOW; key++) {
      long hash = small.hash(1, key);
      small.put(hash, layout.slot(hash, 100 - key, 0, 64), id -> id);
    }
    assertThat(small.entries()).isEqualTo(SlotIndex.WINDOW);
    assertThat(small.displaced()).isEqualTo(1);
    assertThat(small.first(small.hash(1, SlotIndex.WINDOW - 1))).isEqualTo(-1);
    assertThat(small.first(small.hash(1, SlotIndex.WINDOW))).isNotNegative();
  }

  @Test
  void hitsAreMarkedOnlyWhereTheyWereSeen() {
    long slot = put(1, 0, 0);
    int position = index.first(index.hash(1, 1));
    long newer = put(1, 0, 1);
    index.markHit(position, slot);
    assertThat(index.get(position)).isEqualTo(newer);
    index.markHit(position, newer);
    assertThat(SlotLayout.isHit(index.get(position))).isTrue();
    assertThat(index.removeAt(position, slot)).isFalse();
    assertThat(index.removeAt(position, newer)).isTrue();
    assertThat(index.entries()).isZero();
  }

  @Test
  void sweepTakesOutRegions() {
    for (int key = 0; key < 40; key++) {
      put(key, key % 4, key);
    }
    int before = (int) index.entries();
    int removed = index.sweep(0, index.length(), slot -> layout.region(slot) == 2);
    assertThat(removed).isEqualTo(10);
    assertThat(index.entries()).isEqualTo(before - 10);
    assertThat(find(2)).isZero();
    assertThat(find(3)).isNotZero();
  }

  /** Against a map: what is found is the last put of the key, or nothing. */
  @Test
  void neverFindsAnOlderSlot() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    Map<Long, Long> model = new HashMap<>();
    int found = 0;
    for (int step = 0; step < 50_000; step++) {
      long key = random.nextInt(300);
      if (random.nextInt(4) == 0) {
        index.remove(index.hash(1, key));
        model.remove(key);
      } else {
        model.put(key, put(key, random.nextInt(16), random.nextInt(1024)));
      }
      long other = random.nextInt(300);
      long slot = find(other);
      found += slot == 0 ? 0 : 1;
      assertThat(slot).as("seed=%d", seed).isIn(0L, model.getOrDefault(other, 0L));
    }
    assertThat(found).isPositive();
  }
}
