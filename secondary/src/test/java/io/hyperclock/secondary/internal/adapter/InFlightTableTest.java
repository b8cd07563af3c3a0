/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.internal.adapter;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.Key128;
import io.hyperclock.secondary.internal.adapter.InFlightTable.Role;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class InFlightTableTest {
  private static final Key128 KEY = new Key128(1, 2);
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final EntryType<Object> TYPE = EntryType.of("test");

  private final InFlightTable registry = new InFlightTable();

  private TierRead flight() {
    return new TierRead(
        KEY,
        TYPE,
        null,
        new Tiers(List.of(), new Watch(null, Duration.ZERO, System::nanoTime), LIMIT),
        new Expiry(registry, Runnable::run, LIMIT),
        (flight, hit, tier) -> {});
  }

  private static DemotionTask offer() {
    return new DemotionTask(
        KEY.hi(),
        KEY.lo(),
        TYPE,
        Object::new,
        1,
        0,
        1,
        false,
        DemotionTask.Source.EVICTED,
        () -> {});
  }

  private void write() {
    registry.beginWrite(KEY, false);
    registry.endWrite(KEY);
  }

  private boolean isAbsentBelow() {
    registry.beginWrite(KEY, false);
    boolean absent = registry.isAbsentBelow(KEY);
    registry.endWrite(KEY);
    return absent;
  }

  @Test
  void nothingBeginsDuringAWrite() {
    registry.beginWrite(KEY, false);
    registry.beginWrite(KEY, false);
    registry.endWrite(KEY);
    assertThat(registry.register(offer(), Long.MAX_VALUE)).isFalse();
    assertThat(registry.join(flight(), new LookupWaiter(), true)).isEqualTo(Role.MISS);
    registry.endWrite(KEY);
    assertThat(registry.join(flight(), new LookupWaiter(), true)).isEqualTo(Role.LEADER);
    assertThat(registry.register(offer(), registry.now())).isTrue();
  }

  @Test
  void offerFromBeforeTheEndOfAWriteIsRefused() {
    long before = registry.now();
    write();
    assertThat(registry.register(offer(), before)).isFalse();
    assertThat(registry.register(offer(), registry.now())).isTrue();
    assertThat(registry.register(offer(), registry.now())).isFalse();
  }

  /** A tier may drop what a stale move inserted before that erases it, and report it later. */
  @Test
  void offerFromBeforeTheEndOfAStaleMoveIsRefused() {
    DemotionTask moving = offer();
    registry.register(moving, registry.now());
    registry.startMoving(moving);
    write();
    assertThat(registry.endMoving(moving, false)).isFalse();
    long before = registry.now();
    assertThat(registry.endMoving(moving, true)).isTrue();
    assertThat(registry.register(offer(), before)).isFalse();
    assertThat(registry.register(offer(), registry.now())).isTrue();
  }

  @Test
  void readThatAWriteFoundLeavesNoTrace() {
    TierRead stale = flight();
    registry.join(stale, new LookupWaiter(), true);
    assertThat(registry.join(flight(), new LookupWaiter(), true)).isEqualTo(Role.JOINED);
    write();
    assertThat(registry.isFresh(stale)).isFalse();
    assertThat(registry.beginPromotion(stale)).isFalse();
    assertThat(registry.join(flight(), new LookupWaiter(), true)).isEqualTo(Role.LEADER);
    stale.start(false, null, false);
    assertThat(registry.finish(stale)).hasSize(2);
    assertThat(isAbsentBelow()).isFalse();
  }

  @Test
  void absenceIsNotedOnceAndUntilAnOffer() {
    finishAbsent(flight());
    assertThat(isAbsentBelow()).isTrue();
    assertThat(isAbsentBelow()).isFalse();
    finishAbsent(flight());
    registry.register(offer(), registry.now());
    assertThat(isAbsentBelow()).isFalse();
  }

  @Test
  void absenceIsNotNotedIfAnythingWasOfferedMeanwhile() {
    TierRead flight = flight();
    registry.join(flight, new LookupWaiter(), true);
    DemotionTask offer = offer();
    registry.register(offer, registry.now());
    registry.startMoving(offer);
    registry.endMoving(offer, false);
    flight.start(false, null, false);
    registry.finish(flight);
    assertThat(isAbsentBelow()).isFalse();
  }

  @Test
  void absenceIsNotNotedIfAnOfferThatWasQueuedBeforeHasEndedMeanwhile() {
    DemotionTask dropped =
        new DemotionTask(
            KEY.hi(),
            KEY.lo(),
            TYPE,
            Object::new,
            1,
            0,
            1,
            false,
            DemotionTask.Source.DROPPED,
            () -> {});
    registry.register(dropped, registry.now());
    TierRead flight = flight();
    assertThat(registry.join(flight, new LookupWaiter(), true)).isEqualTo(Role.LEADER);
    flight.start(false, null, false);
    registry.startMoving(dropped);
    registry.endMoving(dropped, false);
    registry.finish(flight);
    assertThat(isAbsentBelow()).isFalse();
  }

  private void finishAbsent(TierRead flight) {
    registry.join(flight, new LookupWaiter(), true);
    flight.start(false, null, false);
    registry.finish(flight);
  }
}
