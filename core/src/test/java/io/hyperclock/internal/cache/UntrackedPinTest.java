/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperclock.BlockCache;
import io.hyperclock.CapacityMode;
import io.hyperclock.Handle;
import io.hyperclock.HashSeed;
import io.hyperclock.LeakDetection;
import io.hyperclock.MetadataCharge;
import io.hyperclock.ReplacementPolicy;
import io.hyperclock.SlotStorage;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.Priority;
import io.hyperclock.internal.handle.HandleTracker;
import io.hyperclock.internal.observe.ObserverNotifier;
import io.hyperclock.internal.sizing.AutomaticSizing;
import io.hyperclock.internal.slot.CountingSlotStore;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Pins that could not be tracked, whatever was thrown, are given back. */
class UntrackedPinTest {
  private static final EntryType<Object> TYPE = EntryType.of("value");

  private boolean trackingFails;

  private final BlockCache<Object> cache =
      new HyperClockCache<>(
          new CacheConfig<>(
              100,
              1,
              CapacityMode.NON_STRICT,
              1,
              30,
              MetadataCharge.NONE,
              SlotStorage.HEAP,
              ReplacementPolicy.ADAPTIVE,
              HashSeed.fixed(7),
              false,
              TYPE,
              null,
              new ObserverNotifier.Settings(null, LeakDetection.all(), Duration.ofDays(1)),
              AutomaticSizing.DEFAULT),
          slots -> new CountingSlotStore(slots, this::access));

  /** What is remembered of a handle is read from its slot. */
  private void access() {
    if (trackingFails
        && StackWalker.getInstance()
            .walk(
                frames ->
                    frames.anyMatch(
                        frame ->
                            frame.getClassName().equals(HandleTracker.class.getName() + "$Pin")))) {
      throw new IllegalStateException("not tracked");
    }
  }

  private void assertFailsToTrack(Runnable call) {
    trackingFails = true;
    assertThatThrownBy(call::run).hasMessage("not tracked");
    trackingFails = false;
    assertThat(cache.monitor().pinnedUsageBytes()).isZero();
    assertThat(cache.monitor().longestHeld(9)).isEmpty();
    assertThat(InvariantsChecker.violations(cache)).isEmpty();
  }

  @AfterEach
  void close() {
    cache.close();
  }

  @Test
  void lookup() {
    cache.insert(1, 1, "value", 5);
    assertFailsToTrack(() -> cache.lookup(1, 1));
    assertThat(cache.erase(1, 1)).isTrue();
    assertThat(cache.monitor().occupancy()).isZero();
  }

  @Test
  void lookupAll() {
    cache.insert(1, 1, "value", 5);
    @SuppressWarnings("unchecked")
    Handle<Object>[] handles = new Handle[1];
    assertFailsToTrack(() -> cache.lookupAll(new long[] {1, 1}, handles));
  }

  @Test
  void insertPinned() {
    assertFailsToTrack(() -> cache.insertPinned(1, 1, "value", TYPE, 5, Priority.LOW));
  }
}
