/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.BlockCache;
import io.hyperclock.CacheObserver;
import io.hyperclock.CapacityExceededException;
import io.hyperclock.CapacityMode;
import io.hyperclock.Handle;
import io.hyperclock.InsertResult;
import io.hyperclock.LeakDetection;
import io.hyperclock.OpenHandle;
import io.hyperclock.ReplacementPolicy;
import io.hyperclock.SlotStorage;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.Priority;
import io.hyperclock.stats.Problem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What an observer is told, and that nothing it does harms the cache. */
final class ObserverTest extends CacheContract {
  private static final EntryType<String> TEXT = EntryType.of("text");

  /** Notes everything. */
  private static class Notes implements CacheObserver {
    final Queue<Object> events = new ConcurrentLinkedQueue<>();
    boolean observesSweeps = true;

    void note(Object event) {
      events.add(event);
    }

    <T> List<T> all(Class<T> type) {
      return events.stream().filter(type::isInstance).map(type::cast).toList();
    }

    @Override
    public boolean observesSweeps() {
      return observesSweeps;
    }

    @Override
    public void onOpen(BlockCache<?> cache) {
      note("open " + cache.monitor().occupancy());
    }

    @Override
    public void onClose(BlockCache<?> cache) {
      note("close " + cache.monitor().occupancy());
    }

    @Override
    public void onLongSweep(Sweep sweep) {
      note(sweep);
    }

    @Override
    public void onRefusal(Refusal refusal) {
      note(refusal);
    }

    @Override
    public void onLongPin(OpenHandle handle) {
      note(handle);
    }

    @Override
    public void onProblem(Problem problem) {
      note(problem);
    }

    @Override
    public void onCallbackFailure(String callback, Throwable failure) {
      note(callback + ": " + failure.getMessage());
    }
  }

  /** Notes everything and fails. */
  private static final class Failing extends Notes {
    @Override
    void note(Object event) {
      super.note(event);
      throw new IllegalStateException("observer's own");
    }

    @Override
    public boolean observesSweeps() {
      throw new IllegalStateException("observer's own");
    }
  }

  private final Notes notes = new Notes();

  ObserverTest() {
    super(new Variant(SlotStorage.HEAP, CapacityMode.STRICT, 1));
  }

  @Test
  void openingAndClosingAreTold() {
    BlockCache<Object> cache = roomyBuilder(10).observer(notes).build();
    assertThat(notes.events).containsExactly("open 0");
    insert(cache, 1, 1);
    cache.close();
    cache.close();
    assertThat(notes.events).containsExactly("open 0", "close 1");
  }

  @Test
  void refusalsAreTold() {
    BlockCache<Object> cache = track(builder(10, 1).observer(notes).build());
    try (Handle<Object> all = insertPinned(cache, 1, 10)) {
      assertThat(cache.insert(HI, 2, "two", TEXT, 3, Priority.LOW)).isEqualTo(InsertResult.REFUSED);
      assertThat(notes.all(CacheObserver.Refusal.class))
          .containsExactly(new CacheObserver.Refusal(HI, 2, TEXT, 3, 10, 10));
      try {
        cache.insertPinned(HI, 3, "three", TEXT, 4, Priority.LOW).close();
      } catch (CapacityExceededException e) {
        assertThat(e).hasMessageContaining("chargeBytes=4");
      }
      assertThat(cache.createStandalone(HI, 4, "four", TEXT, 5, false)).isNull();
      assertThat(notes.all(CacheObserver.Refusal.class))
          .extracting(CacheObserver.Refusal::keyLo)
          .containsExactly(2L, 3L, 4L);
      assertThat(cache.monitor().stats().refused()).isEqualTo(3);
      assertThat(all.isReleased()).isFalse();
    }
  }

  @ParameterizedTest
  @EnumSource(ReplacementPolicy.class)
  void longSweepsAreTold(ReplacementPolicy policy) {
    int pinned = 3000;
    BlockCache<Object> cache =
        track(
            builder(pinned, 1)
                .capacityMode(CapacityMode.NON_STRICT)
                .replacementPolicy(policy)
                .evictionEffortCap(2000)
                .observer(notes)
                .build());
    List<Handle<Object>> pins = new ArrayList<>();
    for (long lo = 0; lo < pinned; lo++) {
      pins.add(insertPinned(cache, lo, 1));
    }
    insert(cache, pinned, 1);
    List<CacheObserver.Sweep> sweeps =
        notes.all(CacheObserver.Sweep.class).stream()
            .filter(CacheObserver.Sweep::effortExceeded)
            .toList();
    assertThat(sweeps).hasSize(1);
    CacheObserver.Sweep sweep = sweeps.get(0);
    assertThat(sweep.pinnedSeen()).isBetween(2000L, 2010L);
    assertThat(sweep.slots()).isBetween(sweep.pinnedSeen(), 5L * pinned);
    assertThat(sweep.freedEntries()).isZero();
    assertThat(sweep.freedBytes()).isZero();
    assertThat(sweep.took()).isPositive();

    notes.events.clear();
    notes.observesSweeps = false;
    insert(cache, pinned + 1, 1);
    assertThat(notes.events).isEmpty();
    release(pins);
  }

  @Test
  void shortSweepsAreNotTold() {
    BlockCache<Object> cache = track(builder(100, 1).observer(notes).build());
    for (long lo = 0; lo < 300; lo++) {
      insert(cache, lo, 1);
    }
    assertThat(cache.monitor().stats().evictions())
        .isEqualTo(300 - cache.monitor().occupancy())
        .isPositive();
    assertThat(notes.all(CacheObserver.Sweep.class))
        .allSatisfy(
            sweep -> assertThat(sweep.took()).isGreaterThanOrEqualTo(CacheObserver.LONG_SWEEP));
  }

  @Test
  void problemsAreToldWhenAskedFor() {
    BlockCache<Object> cache =
        track(builder(1 << 20, 4096).capacityMode(CapacityMode.NON_STRICT).observer(notes).build());
    for (long lo = 0; lo < 5000; lo++) {
      insert(cache, lo, 1024);
    }
    assertThat(notes.all(Problem.class)).isEmpty();
    List<Problem> problems = cache.monitor().problems();
    assertThat(problems).isNotEmpty();
    assertThat(notes.all(Problem.class)).isEqualTo(problems);
  }

  @Test
  void callbackFailuresAreTold() {
    EntryType<String> failing =
        EntryType.<String>named("failing")
            .disposer(
                (hi, lo, value) -> {
                  throw new IllegalStateException("no " + value);
                })
            .build();
    BlockCache<Object> cache = track(roomyBuilder(10).observer(notes).build());
    cache.insert(HI, 1, "one", failing, 1, Priority.LOW);
    cache.erase(HI, 1);
    assertThat(cache.monitor().stats().callbackFailures()).isEqualTo(1);
    assertThat(notes.all(String.class))
        .hasSize(2)
        .anySatisfy(text -> assertThat(text).contains("disposer of", "failing", ": no one"));
  }

  @Test
  void failuresOfTheObserverAreCountedAndChangeNothing() {
    Failing failing = new Failing();
    BlockCache<Object> cache =
        track(
            builder(10, 1)
                .observer(failing)
                .leakDetection(LeakDetection.all())
                .longPinAfter(Duration.ofNanos(1))
                .build());
    assertThat(cache.monitor().stats().callbackFailures())
        .as("opening, and its report")
        .isEqualTo(2);
    insert(cache, 1, 10);
    assertThat(insert(cache, 2, 10)).as("sweeps").isEqualTo(InsertResult.INSERTED);
    long failures = cache.monitor().stats().callbackFailures();
    assertThat(failures).as("the question whether to time the sweep").isGreaterThanOrEqualTo(4);
    try (Handle<Object> handle = pin(cache, 2)) {
      assertThat(insert(cache, 3, 1)).isEqualTo(InsertResult.REFUSED);
      assertThat(cache.monitor().problems()).as("the estimate, and the refusal").hasSize(2);
      assertThat(handle.value()).isEqualTo(text(2));
    }
    assertThat(failing.all(CacheObserver.Refusal.class)).hasSize(1);
    assertThat(failing.all(OpenHandle.class)).hasSize(1);
    assertThat(cache.monitor().stats().callbackFailures()).isGreaterThanOrEqualTo(failures + 4);
    assertThat(has(cache, 2)).isTrue();
    assertThat(has(cache, 1)).isFalse();
  }
}
