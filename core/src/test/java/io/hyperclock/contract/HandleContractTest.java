/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperclock.BlockCache;
import io.hyperclock.Handle;
import io.hyperclock.InsertResult;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Pins: taking, sharing, releasing, and what a released handle still answers. */
abstract class HandleContractTest extends CacheContract {
  HandleContractTest(Variant variant) {
    super(variant);
  }

  @Test
  void entryIsPinnedUntilItsLastHandleIsClosed() {
    BlockCache<Object> cache = roomy(10);
    Block block = inserted(cache, 1, 7);
    assertThat(cache.monitor().pinnedUsageBytes()).isZero();

    Handle<Object> first = pin(cache, 1);
    Handle<Object> second = pin(cache, 1);
    Handle<Object> third = first.ref();
    assertThat(third).isNotSameAs(first);
    assertThat(third.value()).isSameAs(block);
    for (Handle<Object> handle : List.of(first, second, third)) {
      assertThat(cache.monitor().pinnedUsageBytes()).isEqualTo(7);
      assertThat(handle.isReleased()).isFalse();
      handle.close();
      assertThat(handle.isReleased()).isTrue();
    }
    assertThat(cache.monitor().pinnedUsageBytes()).isZero();
    assertThat(has(cache, 1)).isTrue();
    assertThat(block.timesFreed()).isZero();
  }

  @Test
  void pinnedInsertIsPinnedAndFound() {
    BlockCache<Object> cache = roomy(10);
    try (Handle<Object> handle = insertPinned(cache, 1, 5)) {
      assertThat(handle.isStandalone()).isFalse();
      assertThat(handle.keyHi()).isEqualTo(HI);
      assertThat(handle.keyLo()).isEqualTo(1);
      assertThat(handle.chargeBytes()).isEqualTo(5);
      assertThat(handle.type()).isSameAs(Block.TYPE);
      assertThat(cache.monitor().pinnedUsageBytes()).isEqualTo(5);
      assertThat(cache.monitor().usageBytes()).isEqualTo(5);
      try (Handle<Object> found = pin(cache, 1)) {
        assertThat(found.value()).isSameAs(handle.value());
      }
    }
    assertThat(has(cache, 1)).isTrue();
  }

  @Test
  void pinnedInsertOfAPresentKeyHoldsTheGivenValueAlone() {
    BlockCache<Object> cache = roomy(10);
    Block older = inserted(cache, 1, 2);
    Handle<Object> handle = insertPinned(cache, 1, 3);
    Block newer = (Block) handle.value();

    assertThat(handle.isStandalone()).isTrue();
    assertThat(newer).isNotSameAs(older);
    assertThat(cache.monitor().usageBytes()).isEqualTo(5);
    assertThat(cache.monitor().pinnedUsageBytes()).isEqualTo(3);
    assertThat(cache.monitor().occupancy()).isEqualTo(1);
    try (Handle<Object> found = pin(cache, 1)) {
      assertThat(found.value()).isSameAs(older);
    }
    assertThat(newer.timesFreed()).isZero();
    assertThat(handle.discard()).as("freed by this call").isTrue();
    assertThat(newer.timesFreed()).isEqualTo(1);
    assertThat(older.timesFreed()).isZero();
    assertThat(cache.monitor().usageBytes()).isEqualTo(2);
  }

  @Test
  void releaseWithoutEraseKeepsTheEntry() {
    BlockCache<Object> cache = roomy(10);
    Block block = inserted(cache, 1, 1);
    pin(cache, 1).close();
    assertThat(has(cache, 1)).isTrue();
    assertThat(pin(cache, 1).discard()).isFalse();
    assertThat(block.timesFreed()).isZero();
    assertThat(has(cache, 1)).isTrue();
  }

  @Test
  void releaseWithEraseFreesTheEntryOfTheLastHolder() {
    BlockCache<Object> cache = roomy(10);
    Block block = inserted(cache, 1, 1);
    Handle<Object> first = pin(cache, 1);
    Handle<Object> last = pin(cache, 1);
    assertThat(first.eraseIfLast()).as("not the last").isFalse();
    assertThat(block.timesFreed()).isZero();
    assertThat(has(cache, 1)).isTrue();

    assertThat(last.eraseIfLast()).isTrue();
    assertThat(block.timesFreed()).isEqualTo(1);
    assertThat(has(cache, 1)).isFalse();
    assertThat(cache.monitor().usageBytes()).isZero();
    assertThat(cache.monitor().occupancy()).isZero();
  }

  @Test
  void erasedEntryLivesInvisiblyUntilItsLastRelease() {
    BlockCache<Object> cache = roomy(10);
    Block block = inserted(cache, 1, 4);
    Handle<Object> first = pin(cache, 1);
    Handle<Object> second = pin(cache, 1);
    assertThat(cache.erase(HI, 1)).isTrue();
    assertThat(cache.erase(HI, 1)).as("already erased").isFalse();

    assertThat(cache.lookup(HI, 1)).isNull();
    assertThat(cache.monitor().pinnedUsageBytes()).isEqualTo(4);
    assertThat(cache.monitor().usageBytes()).isEqualTo(4);
    assertThat(first.value()).isSameAs(block);
    Handle<Object> third = first.ref();
    assertThat(first.discard()).isFalse();
    assertThat(second.discard()).isFalse();
    assertThat(third.value()).isSameAs(block);
    assertThat(block.timesFreed()).isZero();
    assertThat(third.discard()).as("last of an erased entry").isTrue();
    assertThat(block.timesFreed()).isEqualTo(1);
    assertThat(cache.monitor().usageBytes()).isZero();
    assertThat(cache.monitor().occupancy()).isZero();
  }

  @Test
  void erasedEntryIsFreedByTheLastReleaseThatWasNotUseful() {
    BlockCache<Object> cache = roomy(10);
    Block block = inserted(cache, 1, 4);
    Handle<Object> handle = pin(cache, 1);
    cache.erase(HI, 1);
    assertThat(handle.discard()).isTrue();
    assertThat(block.timesFreed()).isEqualTo(1);
    assertThat(cache.monitor().usageBytes()).isZero();
  }

  @Test
  void keyErasedAndInsertedAgainIsAnotherEntry() {
    BlockCache<Object> cache = roomy(10);
    Block old = inserted(cache, 1, 1);
    Handle<Object> ofOld = pin(cache, 1);
    cache.erase(HI, 1);
    Block young = inserted(cache, 1, 1);
    Handle<Object> ofYoung = pin(cache, 1);

    assertThat(ofYoung.value()).isSameAs(young);
    assertThat(ofOld.value()).isSameAs(old);
    assertThat(ofOld.discard()).isTrue();
    assertThat(old.timesFreed()).isEqualTo(1);
    assertThat(ofYoung.discard()).isFalse();
    assertThat(young.timesFreed()).isZero();
    assertThat(has(cache, 1)).isTrue();
  }

  @Test
  void closingTwiceIsCountedAndHarmless() {
    BlockCache<Object> cache = roomy(10);
    Block block = inserted(cache, 1, 6);
    Handle<Object> other = pin(cache, 1);
    Handle<Object> handle = pin(cache, 1);
    handle.close();
    assertThat(cache.monitor().stats().doubleCloses()).isZero();
    handle.close();
    assertThat(handle.eraseIfLast()).isFalse();
    assertThat(handle.discard()).isFalse();

    assertThat(cache.monitor().stats().doubleCloses()).isEqualTo(3);
    assertThat(cache.monitor().pinnedUsageBytes()).as("the other pin").isEqualTo(6);
    assertThat(cache.erase(HI, 1)).isTrue();
    handle.close();
    assertThat(block.timesFreed()).isZero();
    assertThat(other.discard()).isTrue();
    assertThat(cache.monitor().stats().doubleCloses()).isEqualTo(4);
  }

  @Test
  void lateSecondCloseDoesNotTouchTheNextTenantOfTheSlot() {
    BlockCache<Object> cache = cache(4L * variant.shards(), 1);
    List<Handle<Object>> stale = new ArrayList<>();
    for (long lo = 0; lo < 500; lo++) {
      inserted(cache, lo, 1);
      Handle<Object> handle = pin(cache, lo);
      handle.eraseIfLast();
      stale.add(handle);
    }
    Block block = inserted(cache, 1000, 1);
    try (Handle<Object> tenant = pin(cache, 1000)) {
      stale.forEach(Handle::close);
      assertThat(cache.monitor().pinnedUsageBytes()).isEqualTo(1);
      assertThat(tenant.value()).isSameAs(block);
    }
    assertThat(has(cache, 1000)).isTrue();
    assertThat(block.timesFreed()).isZero();
    assertThat(cache.monitor().stats().doubleCloses()).isEqualTo(500);
  }

  @Test
  void releasedHandleAnswersNothingElse() {
    BlockCache<Object> cache = roomy(10);
    inserted(cache, 1, 1);
    Handle<Object> inTable = pin(cache, 1);
    Handle<Object> alone = cache.createStandalone(HI, 2, block(2), Block.TYPE, 1, false);
    assertThat(alone).isNotNull();
    for (Handle<Object> handle : List.of(inTable, alone)) {
      handle.close();
      assertThat(handle.isReleased()).isTrue();
      assertThat(handle.toString()).isNotEmpty();
      List<ThrowingCallable> calls =
          List.of(
              handle::value,
              handle::keyHi,
              handle::keyLo,
              handle::chargeBytes,
              handle::type,
              handle::isStandalone,
              handle::ref,
              () -> handle.adjustCharge(2));
      for (ThrowingCallable call : calls) {
        assertThatThrownBy(call).isInstanceOf(IllegalStateException.class);
      }
    }
    assertThat(cache.monitor().usageBytes()).as("no charge changed").isEqualTo(1);
  }

  @Test
  void handleMayBeClosedByAnotherThread() throws Exception {
    BlockCache<Object> cache = roomy(10);
    inserted(cache, 1, 3);
    Handle<Object> handle = pin(cache, 1);
    Handle<Object> own = handle.ref();
    Crew.run(1, thread -> handle.close());
    assertThat(handle.isReleased()).isTrue();
    assertThat(cache.monitor().pinnedUsageBytes()).isEqualTo(3);
    own.close();
    assertThat(cache.monitor().pinnedUsageBytes()).isZero();
  }

  @Test
  void openHandleDescribesItself() {
    BlockCache<Object> cache = roomy(10);
    inserted(cache, 1, 3);
    try (Handle<Object> handle = pin(cache, 1)) {
      assertThat(handle.toString()).isNotEmpty();
    }
    assertThat(cache.insert(HI, 1, "other", 1)).isEqualTo(InsertResult.KEPT_EXISTING);
  }
}
