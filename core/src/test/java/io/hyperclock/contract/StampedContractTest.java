/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.hyperclock.BlockCache;
import io.hyperclock.Handle;
import io.hyperclock.InsertResult;
import io.hyperclock.PinRequiredException;
import io.hyperclock.ReadScope;
import io.hyperclock.ReplacementPolicy;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.Priority;
import org.junit.jupiter.api.Test;

/** Values freed by hand that may be read without a pin, and looks that need no read. */
abstract class StampedContractTest extends CacheContract {
  private static final EntryType<Block> STAMPED =
      EntryType.<Block>named("stamped")
          .disposer((hi, lo, block) -> block.free(hi, lo))
          .stamped()
          .build();

  StampedContractTest(Variant variant) {
    super(variant);
  }

  private Block stamped(BlockCache<Object> cache, long lo) {
    Block block = block(lo);
    assertThat(cache.insert(HI, lo, block, STAMPED, 1, Priority.LOW))
        .isEqualTo(InsertResult.INSERTED);
    return block;
  }

  @Test
  void stampedValuesAreReadWithoutAPin() {
    BlockCache<Object> cache = roomy(10);
    Block block = stamped(cache, 1);
    assertThat(cache.get(HI, 1)).isSameAs(block);
    assertThat(cache.peek(HI, 1)).isSameAs(block);
    Object[] values = new Object[2];
    assertThat(cache.getAll(new long[] {HI, 1, HI, 2}, values)).isEqualTo(1);
    assertThat(values).containsExactly(block, null);
    assertThat(cache.monitor().pinnedUsageBytes()).isZero();
    try (Handle<Object> handle = pin(cache, 1)) {
      assertThat(handle.value()).isSameAs(block);
    }
  }

  @Test
  void eachIsFreedOnceHoweverItGoes() {
    BlockCache<Object> cache = roomy(10);
    Block erased = stamped(cache, 1);
    cache.erase(HI, 1);
    assertThat(erased.timesFreed()).isEqualTo(1);
    assertThat(cache.get(HI, 1)).isNull();
    Block overwritten = stamped(cache, 2);
    Block next = block(2);
    assertThat(cache.put(HI, 2, next, STAMPED, 1, Priority.LOW)).isEqualTo(InsertResult.REPLACED);
    assertThat(overwritten.timesFreed()).isEqualTo(1);
    assertThat(cache.get(HI, 2)).isSameAs(next);
    Block compared = block(2);
    assertThat(cache.compareAndReplace(HI, 2, next, compared, STAMPED, 1))
        .isEqualTo(InsertResult.REPLACED);
    assertThat(next.timesFreed()).isEqualTo(1);
    assertThat(compared.timesFreed()).isZero();
    Block expected = stamped(cache, 3);
    assertThat(cache.erase(HI, 3, expected)).isTrue();
    assertThat(expected.timesFreed()).isEqualTo(1);
  }

  @Test
  void aScopeHoldsThemBackAsItDoesOthers() {
    BlockCache<Object> cache = roomy(10);
    Block block = stamped(cache, 1);
    try (ReadScope<Object> scope = cache.openScope()) {
      assertThat(scope.get(HI, 1)).isSameAs(block);
      cache.erase(HI, 1);
      assertThat(block.timesFreed()).isZero();
    }
    assertThat(block.timesFreed()).isEqualTo(1);
  }

  @Test
  void readsThatLoadRefuseThem() {
    BlockCache<Object> cache = roomy(10);
    assertThatThrownBy(
            () ->
                cache.get(
                    HI,
                    1,
                    io.hyperclock.BlockLoader.<Object>of(
                        (EntryType) STAMPED, value -> 1, (hi, lo) -> block(lo))))
        .isInstanceOf(PinRequiredException.class);
  }

  @Test
  void presenceIsSeenWithoutAUseAndUseWithoutARead() {
    BlockCache<Object> cache = roomy(10);
    Block pinnedOnly = inserted(cache, 1, 1);
    insert(cache, 2, 1);
    stamped(cache, 3);
    for (long lo = 1; lo <= 3; lo++) {
      assertThat(cache.contains(HI, lo)).isTrue();
      assertThat(cache.touch(HI, lo)).isTrue();
    }
    assertThat(cache.contains(HI, 4)).isFalse();
    assertThat(cache.touch(HI, 4)).isFalse();
    assertThat(pinnedOnly.timesFreed()).isZero();
    assertThat(cache.monitor().pinnedUsageBytes()).isZero();
  }

  @Test
  void whatIsTouchedStaysLonger() {
    BlockCache<Object> cache = cache(64L * variant.shards(), 1);
    assumeThat(variant.isAutomatic()).as("moves keep both").isFalse();
    long room = 64L * variant.shards();
    for (long lo = 0; lo < room / 4; lo++) {
      inserted(cache, lo, 1);
    }
    for (long lo = 1000; lo < 1000 + 8 * room; lo++) {
      for (long kept = 0; kept < room / 8; kept++) {
        cache.touch(HI, kept);
        cache.contains(HI, room / 8 + kept);
      }
      insertBlock(cache, lo, 1, Priority.LOW);
    }
    long touched = countPresent(cache, 0, room / 8);
    long looked = countPresent(cache, room / 8, room / 4);
    assertThat(touched).isGreaterThanOrEqualTo(looked).isGreaterThan(room / 16);
    if (variant.replacement() == ReplacementPolicy.CLASSIC) {
      // The adaptive one keeps both, of newcomers that are never asked for.
      assertThat(touched).isGreaterThan(2 * looked);
    }
  }

  @Test
  void aHandleIsUsedAgainAndAgain() {
    BlockCache<Object> cache = roomy(10);
    Block one = inserted(cache, 1, 1);
    Block two = inserted(cache, 2, 1);
    Handle<Object> handle = cache.newHandle();
    assertThat(handle.isReleased()).isTrue();
    handle.close();
    assertThat(cache.lookupInto(HI, 3, handle)).isFalse();
    assertThat(handle.isReleased()).isTrue();
    for (int i = 0; i < 3; i++) {
      assertThat(cache.lookupInto(HI, 1, handle)).isTrue();
      assertThat(handle.value()).isSameAs(one);
      assertThat(handle.keyLo()).isEqualTo(1);
      assertThatThrownBy(() -> cache.lookupInto(HI, 2, handle))
          .isInstanceOf(IllegalArgumentException.class);
      handle.close();
      assertThatThrownBy(handle::value).isInstanceOf(IllegalStateException.class);
      handle.close();
      assertThat(cache.lookupInto(HI, 2, handle)).isTrue();
      assertThat(handle.value()).isSameAs(two);
      try (Handle<Object> another = handle.ref()) {
        handle.close();
        assertThat(another.value()).isSameAs(two);
        assertThat(cache.monitor().pinnedUsageBytes()).isEqualTo(1);
      }
      assertThat(cache.monitor().pinnedUsageBytes()).isZero();
    }
    assertThat(cache.lookupInto(HI, 1, handle)).isTrue();
    cache.erase(HI, 1);
    assertThat(one.timesFreed()).isZero();
    handle.close();
    assertThat(one.timesFreed()).isEqualTo(1);
    assertThat(cache.monitor().stats().doubleCloses()).isZero();
    Handle<Object> other = cache.lookup(HI, 2);
    assertThat(other).isNotNull();
    other.close();
    assertThatThrownBy(() -> cache.lookupInto(HI, 2, other))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** The end of a pin frees a value, whose disposer pins another entry with the same handle. */
  @Test
  void aDisposerMayUseTheHandleThatIsBeingClosed() {
    BlockCache<Object> cache = roomy(10);
    Handle<Object> handle = cache.newHandle();
    EntryType<Object> type =
        EntryType.<Object>named("looks")
            .disposer((hi, lo, value) -> assertThat(cache.lookupInto(HI, 2, handle)).isTrue())
            .build();
    assertThat(cache.insert(HI, 1, "one", type, 1, Priority.LOW)).isEqualTo(InsertResult.INSERTED);
    Block two = inserted(cache, 2, 1);
    assertThat(cache.lookupInto(HI, 1, handle)).isTrue();
    cache.erase(HI, 1);
    handle.close();
    assertThat(handle.isReleased()).isFalse();
    assertThat(handle.value()).isSameAs(two);
    assertThat(handle.keyLo()).isEqualTo(2);
    assertThat(cache.monitor().pinnedUsageBytes()).isEqualTo(1);
    handle.close();
    assertThat(cache.monitor().pinnedUsageBytes()).isZero();
    assertThat(cache.lookupInto(HI, 2, handle)).isTrue();
    handle.close();
    assertThat(cache.monitor().stats().callbackFailures()).isZero();
  }
}
