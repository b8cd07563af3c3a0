/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.handle;

import static io.hyperclock.TestLimits.WAIT_SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import io.hyperclock.CacheObserver;
import io.hyperclock.Handle;
import io.hyperclock.LeakDetection;
import io.hyperclock.OpenHandle;
import io.hyperclock.entry.EntryType;
import io.hyperclock.internal.observe.IncidentLog;
import io.hyperclock.internal.observe.ObserverNotifier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Times, with a clock that the test moves. */
class HandleTrackerTest {
  /** An owner of one entry. */
  private final class OneEntry implements PinTarget {
    private final EntryType<String> type = EntryType.of("one");
    private boolean isOnItsWay;
    private int refs;
    private int releases;
    private boolean releaseThrows;

    @Override
    public long keyHi(int slot) {
      return 1;
    }

    @Override
    public long keyLo(int slot) {
      return slot;
    }

    @Override
    public long chargeBytes(int slot) {
      if (isOnItsWay) {
        throw new AssertionError("would wait for the thread that delivers the charge");
      }
      return 3;
    }

    @Override
    public long chargeBytesSoon(int slot) {
      return isOnItsWay ? 0 : 3;
    }

    @Override
    public EntryType<?> type(int slot) {
      return type;
    }

    @Override
    public boolean isStandalone() {
      return false;
    }

    @Override
    public void ref(int slot) {
      refs++;
    }

    @Override
    public <V> Handle<V> handle(int slot, V value) {
      try {
        return track(new PinnedHandle<>(this, slot, value));
      } catch (Throwable e) {
        release(slot, false, false);
        throw e;
      }
    }

    @Override
    public boolean adjustCharge(int slot, long newChargeBytes) {
      return true;
    }

    @Override
    public boolean release(int slot, boolean useful, boolean eraseIfLast) {
      if (releaseThrows) {
        throw new IllegalStateException("not released");
      }
      releases++;
      return false;
    }

    @Override
    public void reportDoubleClose(int slot) {
      throw new AssertionError("the tracker finds it first");
    }
  }

  private boolean clockThrows;
  private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 5);
  private final List<OpenHandle> longPins = new ArrayList<>();
  private final List<OpenHandle> leaks = new ArrayList<>();
  private final OneEntry owner = new OneEntry();
  private final IncidentLog doubleCloses = new IncidentLog("closed twice on purpose");
  private final HandleTracker tracker = tracker();

  private static ObserverNotifier.Settings settings(
      CacheObserver observer, LeakDetection detection) {
    return new ObserverNotifier.Settings(observer, detection, Duration.ofNanos(100));
  }

  private HandleTracker tracker() {
    CacheObserver observer =
        new CacheObserver() {
          @Override
          public void onLongPin(OpenHandle handle) {
            longPins.add(handle);
          }

          @Override
          public void onLeakedHandle(OpenHandle handle) {
            leaks.add(handle);
          }
        };
    ObserverNotifier.Settings settings = settings(observer, LeakDetection.all());
    ObserverNotifier observation = new ObserverNotifier(settings, new IncidentLog("failed"));
    return new HandleTracker(settings, observation, doubleCloses, this::nanos);
  }

  private long nanos() {
    if (clockThrows) {
      throw new IllegalStateException("clock");
    }
    return clock.get();
  }

  /** As a shard tracks a handle. */
  private <V> Handle<V> track(PinnedHandle<V> handle) {
    return new HandleSupport(null, null, null, null, null, tracker).tracked(handle);
  }

  private Handle<String> pin(int slot) {
    return track(new PinnedHandle<>(owner, slot, "value"));
  }

  @Test
  void pinIsLongFromTheThresholdOnAndReportedOnce() {
    Handle<String> first = pin(1);
    clock.addAndGet(40);
    Handle<String> second = pin(2);
    clock.addAndGet(59);
    tracker.look();
    assertThat(longPins).isEmpty();
    clock.addAndGet(1);
    tracker.look();
    tracker.look();
    assertThat(longPins).extracting(OpenHandle::keyLo).containsExactly(1L);
    assertThat(longPins.get(0).held()).isEqualTo(Duration.ofNanos(100));
    second.close();
    clock.addAndGet(1000);
    tracker.look();
    assertThat(longPins).hasSize(1);
    assertThat(tracker.openForLong()).isEqualTo(1);
    first.close();
  }

  @Test
  void openingAnotherLooksNowAndThen() {
    Handle<String> first = pin(1);
    clock.addAndGet(99_999_999);
    pin(2).close();
    assertThat(longPins).isEmpty();
    clock.addAndGet(1);
    pin(2).close();
    assertThat(longPins).extracting(OpenHandle::keyLo).containsExactly(1L);
    first.close();
  }

  @Test
  void longestHeldComeFirstWithTheirTimes() {
    List<Handle<String>> pins = new ArrayList<>();
    for (int slot = 0; slot < 5; slot++) {
      pins.add(pin(slot));
      clock.addAndGet(10);
    }
    assertThat(tracker.longestHeld(2))
        .extracting(OpenHandle::keyLo, OpenHandle::held)
        .containsExactly(tuple(0L, Duration.ofNanos(50)), tuple(1L, Duration.ofNanos(40)));
    pins.forEach(Handle::close);
    assertThat(tracker.longestHeld(2)).isEmpty();
    assertThat(owner.releases).isEqualTo(5);
  }

  @Test
  void secondCloseReleasesNothing() {
    Handle<String> handle = pin(1);
    handle.close();
    handle.close();
    assertThat(handle.eraseIfLast()).isFalse();
    assertThat(owner.releases).isEqualTo(1);
    assertThat(doubleCloses.count()).isEqualTo(2);
    assertThat(tracker.leaked()).isZero();
  }

  @Test
  void handleThatCannotBeTrackedKeepsNoPin() {
    Handle<String> handle = pin(1);
    clockThrows = true;
    assertThatThrownBy(handle::ref).hasMessage("clock");
    clockThrows = false;
    assertThat(owner.refs).isEqualTo(1);
    assertThat(owner.releases).isEqualTo(1);
    handle.close();
    assertThat(owner.releases).isEqualTo(2);
    assertThat(tracker.longestHeld(9)).isEmpty();
  }

  /** The entry is being moved by a thread that has stopped: a lookup does not wait for that. */
  @Test
  void aHandleIsTrackedThoughItsChargeIsOnItsWay() {
    owner.isOnItsWay = true;
    Handle<String> handle = pin(1);
    assertThat(tracker.longestHeld(1)).extracting(OpenHandle::chargeBytes).containsExactly(0L);
    owner.isOnItsWay = false;
    try (Handle<String> another = handle.ref()) {
      assertThat(tracker.longestHeld(2))
          .extracting(OpenHandle::chargeBytes)
          .containsExactlyInAnyOrder(0L, 3L);
      assertThat(another.chargeBytes()).isEqualTo(3);
    }
    handle.close();
  }

  @Test
  void aTrackedHandleTellsItsKeyTypeAndThread() {
    PinnedHandle<String> pinned = new PinnedHandle<>(owner, 2, "value");
    assertThat(tracker.opened(pinned, pinned))
        .hasToString(
            "key=1:2, type=" + owner.type + ", thread=" + Thread.currentThread().getName());
    Handle<String> handle = pin(2);
    assertThat(handle).hasToString("Handle[" + owner.type + ", key=1:2]");
    handle.close();
    assertThat(handle).hasToString("Handle[released]");
  }

  @Test
  void handlesAreTrackedIfThatIsAskedFor() {
    ObserverNotifier.Settings off = settings(null, LeakDetection.off());
    assertThat(HandleTracker.of(off, null, doubleCloses)).isNull();
    ObserverNotifier.Settings all = settings(null, LeakDetection.all());
    assertThat(HandleTracker.of(all, null, doubleCloses)).isNotNull();
  }

  @Test
  void aShareOfTheHandlesIsTracked() {
    HandleTracker sampling =
        HandleTracker.of(settings(null, LeakDetection.sampled(10)), null, doubleCloses);
    HandleSupport shard = new HandleSupport(null, null, null, null, null, sampling);
    int tracked = 0;
    for (int i = 0; i < 10_000; i++) {
      PinnedHandle<String> pinned = new PinnedHandle<>(owner, 1, "value");
      Handle<String> handle = shard.tracked(pinned);
      tracked += handle == pinned ? 0 : 1;
      handle.close();
    }
    assertThat(tracked).isBetween(700, 1300);
  }

  @Test
  void aHandleThatCouldNotBeClosedIsOpen() {
    Handle<String> handle = pin(1);
    owner.releaseThrows = true;
    assertThatThrownBy(handle::close).hasMessage("not released");
    assertThat(handle.isReleased()).isFalse();
    assertThat(handle.value()).isEqualTo("value");
    assertThat(tracker.longestHeld(9)).hasSize(1);
    owner.releaseThrows = false;
    handle.close();
    assertThat(handle.isReleased()).isTrue();
    assertThat(tracker.longestHeld(9)).isEmpty();
    assertThat(doubleCloses.count()).isZero();
  }

  @Test
  void anOpenHandleIsToldWithItsKeyTypeChargeAndPlace() {
    Handle<String> handle = pin(2);
    assertThat(tracker.longestHeld(9))
        .singleElement()
        .satisfies(
            open -> {
              assertThat(open.keyHi()).isEqualTo(1);
              assertThat(open.keyLo()).isEqualTo(2);
              assertThat(open.type()).isSameAs(owner.type);
              assertThat(open.chargeBytes()).isEqualTo(3);
              assertThat(open.thread()).isEqualTo(Thread.currentThread().getName());
              assertThat(open.takenAt()).isNotEmpty();
            });
    handle.close();
  }

  private HandleTracker.Pin leak() {
    PinnedHandle<String> pinned = new PinnedHandle<>(owner, 3, "value");
    return tracker.opened(new PinnedHandle<>(owner, 3, "value"), pinned);
  }

  @Test
  void aHandleThatNobodyCanCloseIsReportedAndKeepsItsPin() {
    HandleTracker.Pin pin = leak();
    clock.addAndGet(50);
    await()
        .atMost(Duration.ofSeconds(WAIT_SECONDS))
        .until(
            () -> {
              System.gc();
              return pin.isLost();
            });
    tracker.look();
    tracker.look();
    assertThat(leaks)
        .singleElement()
        .satisfies(
            leak -> {
              assertThat(leak.keyLo()).isEqualTo(3);
              assertThat(leak.held()).isEqualTo(Duration.ofNanos(50));
            });
    assertThat(tracker.leaked()).isEqualTo(1);
    assertThat(owner.releases).isZero();
  }
}
