/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.internal.adapter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperclock.Handle;
import io.hyperclock.entry.Key128;
import io.hyperclock.entry.Priority;
import io.hyperclock.secondary.TierResult;
import io.hyperclock.secondary.internal.tier.LookupDisposal;
import io.hyperclock.secondary.testing.NoOpSecondaryCache;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A handle has one owner or is given back, and no lookup waits, whatever finds no memory. */
class HandlesWithoutMemoryTest {
  private static final Key128 KEY = new Key128(1, 2);
  private static final int READINGS = 8;

  private final Parts parts =
      new Parts(
          new ConcurrentLinkedQueue<>(),
          task -> {},
          List.of(new NoOpSecondaryCache()),
          System::nanoTime);

  private TierRead flight() {
    return new TierRead(KEY, parts.type, null, parts.tiers, parts.expiry, parts.promotion);
  }

  /** A read that so many lookups wait for. */
  private TierRead read(boolean isSecondTouch, LookupWaiter... waiters) {
    TierRead leading = flight();
    for (LookupWaiter waiter : waiters) {
      parts.registry.join(waiter == waiters[0] ? leading : flight(), waiter, true);
    }
    leading.request(isSecondTouch);
    return leading;
  }

  private void finish(TierRead flight) {
    parts.promotion.finish(flight, TierResult.hit(KEY, 10, false), 0);
  }

  private static void giveBack(LookupWaiter waiter) {
    Handle<Object> handle = waiter.take();
    if (handle != null) {
      handle.discard();
    }
  }

  /** Freed once, so it is not pinned either. */
  private void assertThatNothingIsLeft(LookupWaiter... waiters) {
    for (LookupWaiter waiter : waiters) {
      assertThat(waiter.isDone()).isTrue();
      giveBack(waiter);
    }
    parts.primary.erase(KEY.hi(), KEY.lo());
    assertThat(parts.freed).hasValue(1);
    assertThat(parts.registry.flights()).isEmpty();
    assertThat(parts.bounds.isNested()).isFalse();
    parts.registry.beginWrite(KEY, false);
    parts.registry.endWrite(KEY);
  }

  @Test
  void lookupThatFindsNoSecondPinEndsWithoutOne() {
    LookupWaiter one = new LookupWaiter();
    LookupWaiter two = new LookupWaiter();
    TierRead read = read(true, one, two);
    parts.failing.failNext("ref");
    finish(read);
    assertThat(Stream.of(one, two).map(LookupWaiter::isDone)).containsOnly(true);
    assertThat(one.take()).isNull();
    assertThat(two.take()).isNotNull();
    assertThatNothingIsLeft(one, two);
  }

  @Test
  void lookupsEndThoughTheHandleOfAnotherCannotBeGivenBack() {
    LookupWaiter givenUp = new LookupWaiter();
    LookupWaiter two = new LookupWaiter();
    LookupWaiter three = new LookupWaiter();
    TierRead read = read(true, givenUp, two, three);
    givenUp.abandon();
    parts.failing.failNext("discard");
    assertThatThrownBy(() -> finish(read)).isInstanceOf(InternalError.class);
    assertThatNothingIsLeft(givenUp, two, three);
  }

  @Test
  void valueIsServedThoughItsMarkCannotBeCleared() {
    LookupWaiter waiter = new LookupWaiter();
    TierRead read = read(true, waiter);
    parts.failing.failNext("erase");
    finish(read);
    assertThat(waiter.take()).isNotNull();
    assertThatNothingIsLeft(waiter);
  }

  @Test
  void valueIsServedThoughItCannotBeMarked() {
    LookupWaiter waiter = new LookupWaiter();
    TierRead read = read(false, waiter);
    parts.failing.failNext("insert");
    finish(read);
    assertThat(waiter.take()).isNotNull();
    assertThatNothingIsLeft(waiter);
  }

  @Test
  void valueThatFindsNoMemoryToStandAloneIsFreed() {
    LookupWaiter waiter = new LookupWaiter();
    TierRead read = read(false, waiter);
    parts.failing.failNext("createStandalone");
    assertThatThrownBy(() -> finish(read)).isInstanceOf(InternalError.class);
    assertThatNothingIsLeft(waiter);
  }

  @Test
  void handleThatCannotBeShownIsGivenBack() {
    RetainedCopyTypes kept = new RetainedCopyTypes();
    kept.twin(parts.type, 0);
    Handle<Object> handle =
        parts.primary.insertPinned(KEY.hi(), KEY.lo(), KEY, parts.type, 10, Priority.LOW);
    parts.failing.failNext("type");
    assertThatThrownBy(() -> kept.shown(handle)).isInstanceOf(InternalError.class);
    assertThat(handle.isReleased()).isTrue();
    assertThatNothingIsLeft();
  }

  @Test
  void valueOfAFirstTouchIsFreedWhereverTheClockFails() {
    assertFreedWhereverTheClockFails(waiter -> finish(read(false, waiter)));
  }

  @Test
  void valueOfASecondTouchIsFreedWhereverTheClockFails() {
    assertFreedWhereverTheClockFails(waiter -> finish(read(true, waiter)));
  }

  @Test
  void valueOfAnOutdatedReadIsFreedWhereverTheClockFails() {
    assertFreedWhereverTheClockFails(
        waiter -> {
          TierRead read = read(true, waiter);
          parts.registry.beginWrite(KEY, false);
          parts.registry.endWrite(KEY);
          finish(read);
        });
  }

  @Test
  void valueThatIsPutBackIsFreedWhereverTheClockFails() {
    assertFreedWhereverTheClockFails(
        waiter -> {
          parts.demotion.offer(
              parts.offer(KEY, () -> LookupDisposal.dispose(parts.type, KEY.hi(), KEY.lo(), KEY)),
              parts.registry.now());
          parts.reads.start(KEY.hi(), KEY.lo(), parts.type, null).close();
        });
  }

  /** The thread's clock reads how many values wait: at one of its readings it fails. */
  private void assertFreedWhereverTheClockFails(Consumer<LookupWaiter> lookup) {
    parts.bounds.expectFreedByHand();
    for (int failing = 1; failing <= READINGS; failing++) {
      int[] left = {failing};
      parts.bounds.begin(
          () -> {
            if (--left[0] == 0) {
              throw new InternalError("as if there were no memory, on purpose");
            }
            return 0;
          });
      parts.freed.set(0);
      LookupWaiter waiter = new LookupWaiter();
      lookupOrFail(() -> lookup.accept(waiter));
      waiter.abandon();
      assertThatNothingIsLeft(waiter);
    }
  }

  private static void lookupOrFail(Runnable lookup) {
    try {
      lookup.run();
    } catch (InternalError onPurpose) {
      assertThat(onPurpose).hasMessageContaining("on purpose");
    }
  }
}
