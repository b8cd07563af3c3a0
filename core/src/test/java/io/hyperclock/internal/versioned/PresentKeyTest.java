/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.versioned;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.internal.policy.EvictionRequest;
import io.hyperclock.internal.slot.ChargeWord;
import io.hyperclock.internal.slot.CountingSlotStore;
import io.hyperclock.internal.slot.MetaWord;
import io.hyperclock.internal.slot.SlotStore;
import io.hyperclock.internal.table.Buckets;
import io.hyperclock.versioned.PrepareMode;
import io.hyperclock.versioned.WriteResult;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** An insert of a key that is there, or that comes meanwhile, leaves nothing behind. */
@Tag("versioned")
class PresentKeyTest {
  private static final long HI = 3;
  private static final long KEY = 4;

  /** More accesses of slots than any operation here makes. */
  private static final int TOO_MANY = 10_000;

  /** A cache, and something that happens at one access of a slot. */
  private static final class Scene {
    private final Moment moment = new Moment();
    private int left = Integer.MAX_VALUE;
    final DefaultVersionedCache<String> cache =
        new DefaultVersionedCache<>(
            StrictConfig.of(() -> 0), slots -> new CountingSlotStore(slots, this::access));

    private void access() {
      assertThat(left--).as("accesses that are left").isPositive();
      moment.access();
    }

    void at(int access, Runnable operation) {
      left = TOO_MANY;
      moment.at(access, operation);
    }

    /** Whether the moment has come. */
    boolean happened() {
      left = Integer.MAX_VALUE;
      return moment.hasCome();
    }

    VersionedTable table() {
      return cache.shards[0];
    }

    int insert(long key, Prepare prepare) {
      Buckets buckets = new Buckets(table().store().slots() / SlotStore.BUCKET_SLOTS, 7);
      long meta = MetaWord.visible(1, true, true, 0);
      return table()
          .insert(
              HI,
              key,
              buckets.hash(HI, key),
              "v",
              ChargeWord.of(0, 1),
              meta,
              prepare,
              new EvictionRequest(1));
    }

    private Prepare prepare(long key) {
      return new Prepare(
          cache.shards[0], HI, key, 1, "p", 1, 0, PrepareMode.PLAIN, Long.MAX_VALUE, null);
    }

    /** How many slots are not empty. */
    int occupied() {
      int occupied = 0;
      for (int slot = 0; slot < table().store().slots(); slot++) {
        occupied += MetaWord.isEmpty(table().store().metaAcquire(slot)) ? 0 : 1;
      }
      return occupied;
    }
  }

  @Test
  void aKeyThatIsThereIsFoundInBothOfItsBucketsAndTheSlotForItIsGivenBack() {
    Scene scene = new Scene();
    int keys = scene.table().store().slots() / 2;
    int[] slots = new int[keys];
    for (int key = 0; key < keys; key++) {
      slots[key] = scene.insert(key, null);
      assertThat(slots[key]).isNotNegative();
    }
    for (int key = 0; key < keys; key++) {
      Prepare prepare = scene.prepare(key);
      assertThat(scene.insert(key, prepare))
          .as("key %d", key)
          .isEqualTo(VersionedTable.KEPT_EXISTING);
      assertThat(prepare.slot).as("the slot that was tried").isNotEqualTo(slots[key]);
      assertThat(scene.table().prepares.get(prepare.slot)).isNull();
    }
    assertThat(scene.occupied()).isEqualTo(keys);
    assertThat(scene.insert(keys, null)).as("another key").isNotNegative();
  }

  @Test
  void ofTwoInsertsOfOneKeyOneAddsIt() {
    int moment = 0;
    for (boolean happened = true; happened; moment++) {
      Scene scene = new Scene();
      WriteResult[] results = new WriteResult[2];
      scene.at(moment, () -> results[1] = scene.cache.insert(HI, KEY, "inner", 20));
      results[0] = scene.cache.insert(HI, KEY, "outer", 10);
      happened = scene.happened();
      boolean innerAdded = results[1] == WriteResult.INSERTED;
      assertThat(results[0])
          .as("moment %d", moment)
          .isEqualTo(innerAdded ? WriteResult.KEPT_EXISTING : WriteResult.INSERTED);
      assertThat(scene.cache.get(HI, KEY)).isEqualTo(innerAdded ? "inner" : "outer");
      assertThat(scene.occupied()).isEqualTo(1);
      assertThat(VersionedInvariants.violations(scene.cache)).isEmpty();
    }
    assertThat(moment).isGreaterThan(4);
  }

  /** The insert is held up by the other, and goes on when that has gone. */
  @Test
  void anInsertAddsTheKeyAfterAnotherHasComeAndGone() {
    int moment = 0;
    for (boolean happened = true; happened; moment++) {
      Scene scene = new Scene();
      scene.at(
          moment,
          () -> {
            scene.cache.insert(HI, KEY, "inner", 20);
            scene.cache.erase(HI, KEY);
          });
      WriteResult result = scene.cache.insert(HI, KEY, "outer", 10);
      happened = scene.happened();
      assertThat(result).as("moment %d", moment).isEqualTo(WriteResult.INSERTED);
      assertThat(scene.cache.get(HI, KEY)).as("moment %d", moment).isIn("outer", null);
      assertThat(VersionedInvariants.violations(scene.cache)).isEmpty();
    }
    assertThat(moment).isGreaterThan(4);
  }
}
