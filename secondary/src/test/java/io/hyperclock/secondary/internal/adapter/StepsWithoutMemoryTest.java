/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.internal.adapter;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperclock.BlockLoader;
import io.hyperclock.entry.Key128;
import io.hyperclock.secondary.TierResult;
import io.hyperclock.secondary.internal.adapter.InFlightTable.Role;
import io.hyperclock.secondary.internal.tier.LookupDisposal;
import io.hyperclock.secondary.testing.TierTestLimits;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A step that fails for lack of memory is no step: nobody waits for its end for ever. */
class StepsWithoutMemoryTest {
  private static final Key128 KEY = new Key128(1, 2);

  private final ConcurrentLinkedQueue<Runnable> moves = new ConcurrentLinkedQueue<>();
  private final Parts parts = new Parts(new ConcurrentLinkedQueue<>(), moves::add);
  private volatile boolean isShort;

  @BeforeEach
  void begin() {
    parts.bounds.expectFreedByHand();
    parts.bounds.begin(
        () -> {
          if (isShort) {
            fail();
          }
          return 0;
        });
  }

  /** Not an {@link OutOfMemoryError}: JUnit would end all tests, where one fails. */
  private static void fail() {
    throw new InternalError("as if there were no memory, on purpose");
  }

  private DemotionTask offer(Runnable release) {
    return parts.offer(KEY, release);
  }

  private DemotionTask queued() {
    DemotionTask offer = offer(() -> LookupDisposal.dispose(parts.type, KEY.hi(), KEY.lo(), KEY));
    assertThat(parts.demotion.offer(offer, parts.registry.now())).isTrue();
    return offer;
  }

  private void failing(Runnable step) {
    failing(step, true);
  }

  private void failing(Runnable step, boolean withoutBounds) {
    isShort = withoutBounds;
    try {
      assertThatThrownBy(step::run).isInstanceOf(InternalError.class);
    } finally {
      isShort = false;
    }
    assertThat(parts.bounds.isNested()).isFalse();
  }

  private void assertThatNobodyWaits() throws Exception {
    CompletableFuture.runAsync(
            () -> {
              parts.demotion.cancelled(parts.registry.beginWrite(KEY, false));
              parts.registry.endWrite(KEY);
            })
        .get(TierTestLimits.SECONDS, SECONDS);
    assertThat(parts.registry.written()).isEmpty();
    assertThat(parts.registry.flights()).isEmpty();
    assertThat(parts.demotion.pending()).isZero();
    assertThat(parts.demotion.pendingBytes()).isZero();
  }

  private void lookUp() {
    assertThat(parts.reads.lookup(KEY.hi(), KEY.lo(), parts.type, null)).isNull();
  }

  @Test
  void putBackThatFailsEnds() throws Exception {
    queued();
    failing(this::lookUp);
    assertThatNobodyWaits();
    assertThat(parts.freed).hasValue(1);
    lookUp();
  }

  @Test
  void putBackOfABatchThatFailsEnds() throws Exception {
    queued();
    failing(() -> parts.reads.startAll(new long[] {KEY.hi(), KEY.lo()}, parts.type, null));
    assertThatNobodyWaits();
    assertThat(parts.freed).hasValue(1);
  }

  private TierRead secondTouch() {
    TierRead flight =
        new TierRead(KEY, parts.type, null, parts.tiers, parts.expiry, parts.promotion);
    assertThat(parts.registry.join(flight, new LookupWaiter(), true)).isEqualTo(Role.LEADER);
    flight.request(true);
    return flight;
  }

  @Test
  void promotionThatFailsEnds() throws Exception {
    TierRead flight = secondTouch();
    failing(() -> parts.promotion.finish(flight, TierResult.hit(KEY, 10, false), 0));
    assertThatNobodyWaits();
    assertThat(parts.freed).hasValue(1);
  }

  @Test
  void valueThatCannotStandAloneIsFreed() throws Exception {
    TierRead flight = secondTouch();
    parts.registry.beginWrite(KEY, false);
    parts.registry.endWrite(KEY);
    failing(() -> parts.promotion.finish(flight, TierResult.hit(KEY, 10, false), 0));
    assertThatNobodyWaits();
    assertThat(parts.freed).hasValue(1);
  }

  /**
   * Fails where the bound is taken again: the value is in the primary, or stands alone, by then.
   */
  private void failingAfterTheInsert() {
    AtomicInteger readings = new AtomicInteger();
    parts.bounds.begin(
        () -> {
          if (readings.incrementAndGet() > 1) {
            fail();
          }
          return 0;
        });
  }

  @Test
  void pinOfAPromotionThatFailsIsReleased() throws Exception {
    TierRead flight = secondTouch();
    failingAfterTheInsert();
    failing(() -> parts.promotion.finish(flight, TierResult.hit(KEY, 10, false), 0), false);
    parts.primary.erase(KEY.hi(), KEY.lo());
    assertThat(parts.freed).hasValue(1);
  }

  @Test
  void pinOfAStandaloneValueThatFailsIsReleased() throws Exception {
    TierRead flight = secondTouch();
    parts.registry.beginWrite(KEY, false);
    parts.registry.endWrite(KEY);
    failingAfterTheInsert();
    failing(() -> parts.promotion.finish(flight, TierResult.hit(KEY, 10, false), 0), false);
    assertThat(parts.freed).hasValue(1);
  }

  @Test
  void moveThatFailsEnds() throws Exception {
    DemotionTask offer = queued();
    failing(moves.remove()::run);
    assertThat(offer.ended).isDone();
    assertThat(parts.freed).hasValue(1);
    assertThatNobodyWaits();
  }

  @Test
  void writeThatFailsEnds() throws Exception {
    failing(() -> parts.writes.write(KEY.hi(), KEY.lo(), parts.type, () -> 1, any -> true));
    assertThatNobodyWaits();
  }

  /** The release of what the write cancels fails. */
  @Test
  void writeWhoseCancelledOfferFailsEnds() throws Exception {
    DemotionTask bad = offer(StepsWithoutMemoryTest::fail);
    assertThat(parts.demotion.offer(bad, parts.registry.now())).isTrue();
    failing(() -> parts.writes.write(KEY.hi(), KEY.lo(), parts.type, () -> 1, any -> true), false);
    assertThatNobodyWaits();
  }

  @Test
  void loadWhoseCancelledOfferFailsEnds() throws Exception {
    DemotionTask bad = offer(StepsWithoutMemoryTest::fail);
    assertThat(parts.demotion.offer(bad, parts.registry.now())).isTrue();
    BlockLoader<Object> loader = BlockLoader.of(parts.type, any -> 10, (hi, lo) -> KEY);
    failing(() -> parts.writes.lookup(KEY.hi(), KEY.lo(), parts.type, loader), false);
    assertThatNobodyWaits();
  }
}
