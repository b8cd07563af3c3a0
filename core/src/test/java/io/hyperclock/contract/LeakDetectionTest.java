/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.contract;

import static io.hyperclock.TestLimits.WAIT_SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hyperclock.BlockCache;
import io.hyperclock.CacheObserver;
import io.hyperclock.CapacityMode;
import io.hyperclock.Handle;
import io.hyperclock.LeakDetection;
import io.hyperclock.OpenHandle;
import io.hyperclock.ReadScope;
import io.hyperclock.SlotStorage;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.Priority;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

/** What tracking finds: leaked handles, handles held for long, and double closes. */
final class LeakDetectionTest extends CacheContract {
  private static final Logger LOGGER = Logger.getLogger("io.hyperclock");

  private final Queue<OpenHandle> leaked = new ConcurrentLinkedQueue<>();
  private final Queue<OpenHandle> heldForLong = new ConcurrentLinkedQueue<>();
  private final CacheObserver observer =
      new CacheObserver() {
        @Override
        public void onLeakedHandle(OpenHandle handle) {
          leaked.add(handle);
        }

        @Override
        public void onLongPin(OpenHandle handle) {
          heldForLong.add(handle);
        }
      };

  LeakDetectionTest() {
    super(Variant.adaptive(SlotStorage.HEAP, CapacityMode.NON_STRICT, 1));
  }

  private BlockCache<Object> tracking(LeakDetection detection, Duration longPinAfter) {
    return roomyBuilder(100)
        .leakDetection(detection)
        .longPinAfter(longPinAfter)
        .observer(observer)
        .build();
  }

  private BlockCache<Object> tracking() {
    return tracking(LeakDetection.all(), Duration.ofDays(1));
  }

  private static void leak(BlockCache<Object> cache, long lo) {
    Handle<Object> handle = cache.lookup(HI, lo);
    assertThat(handle).isNotNull();
    assertThat(handle.value()).isNotNull();
  }

  private static void awaitLeaks(BlockCache<Object> cache, long count) {
    await()
        .atMost(Duration.ofSeconds(WAIT_SECONDS))
        .pollInterval(Duration.ofMillis(20))
        .untilAsserted(
            () -> {
              System.gc();
              assertThat(cache.monitor().stats().leakedHandles()).isEqualTo(count);
            });
  }

  @Test
  void leakedHandleIsReportedWithItsPlaceAndKeepsItsPin() {
    BlockCache<Object> cache = tracking();
    insert(cache, 1, 5);
    insert(cache, 2, 3);
    cache.lookup(HI, 2).close();
    leak(cache, 1);
    awaitLeaks(cache, 1);

    assertThat(leaked).hasSize(1);
    OpenHandle handle = leaked.element();
    assertThat(handle.keyHi()).isEqualTo(HI);
    assertThat(handle.keyLo()).isEqualTo(1);
    assertThat(handle.chargeBytes()).isEqualTo(5);
    assertThat(handle.type().name()).isEqualTo("block");
    assertThat(handle.held()).isPositive();
    assertThat(handle.thread()).isEqualTo(Thread.currentThread().getName());
    assertThat(handle.takenAt().get(0).getMethodName()).isEqualTo("leak");
    assertThat(cache.monitor().pinnedUsageBytes()).as("the pin stays").isEqualTo(5);
    assertThat(cache.monitor().longestHeld(10)).isEmpty();
    cache.close();
  }

  @Test
  void everyKindOfHandleIsTracked() {
    BlockCache<Object> cache = tracking();
    insert(cache, 1, 1);
    leak(cache, 1);
    cache.insertPinned(HI, 2, "pinned", EntryType.of("a"), 1, Priority.LOW);
    cache.putPinned(HI, 4, "put", EntryType.of("c"), 1, Priority.LOW);
    cache.createStandalone(HI, 3, "alone", EntryType.of("b"), 1, false);
    Handle<Object> first = pin(cache, 1);
    first.ref();
    @SuppressWarnings("unchecked")
    Handle<Object>[] batch = new Handle[1];
    cache.lookupAll(new long[] {HI, 1}, batch);
    batch[0] = null;
    awaitLeaks(cache, 6);
    assertThat(leaked)
        .extracting(OpenHandle::keyLo)
        .containsExactlyInAnyOrder(1L, 1L, 1L, 2L, 3L, 4L);
    assertThat(leaked)
        .allSatisfy(
            handle ->
                assertThat(handle.takenAt().get(0).getClassName())
                    .isEqualTo(LeakDetectionTest.class.getName()));
    first.close();
    cache.close();
  }

  @Test
  void aHandleTakenFromOneThatIsUsedAgainIsTracked() {
    BlockCache<Object> cache = track(tracking());
    insert(cache, 1, 1);
    Handle<Object> into = cache.newHandle();
    assertThat(cache.lookupInto(HI, 1, into)).isTrue();
    Handle<Object> another = into.ref();
    assertThat(cache.monitor().longestHeld(10)).hasSize(1);
    another.close();
    into.close();
    assertThat(cache.monitor().longestHeld(10)).isEmpty();
  }

  @Test
  void aShareOfTheHandlesTakenFromOthersIsTracked() {
    BlockCache<Object> cache = track(tracking(LeakDetection.sampled(10), Duration.ofDays(1)));
    insert(cache, 1, 1);
    EntryType<Object> type = EntryType.of("a");
    List<Handle<Object>> pins = new ArrayList<>();
    for (int i = 0; i < 2500; i++) {
      Handle<Object> pin = pin(cache, 1);
      pins.add(pin.ref());
      pin.close();
      try (Handle<Object> alone = cache.createStandalone(HI, 2, "alone", type, 1, false)) {
        pins.add(alone.ref());
      }
    }
    assertThat(cache.monitor().longestHeld(10_000)).hasSizeBetween(350, 650);
    release(pins);
    assertThat(cache.monitor().longestHeld(10_000)).isEmpty();
  }

  @Test
  void nothingIsTrackedUnlessAskedFor() {
    BlockCache<Object> cache =
        track(roomyBuilder(10).observer(observer).longPinAfter(Duration.ofNanos(1)).build());
    insert(cache, 1, 1);
    try (Handle<Object> handle = pin(cache, 1)) {
      assertThat(cache.monitor().longestHeld(10)).isEmpty();
      assertThat(cache.monitor().stats().longPins()).isZero();
      assertThat(handle.getClass().getSimpleName()).isEqualTo("PinnedHandle");
    }
  }

  @Test
  void longestHeldAreListedOldestFirst() {
    BlockCache<Object> cache = track(tracking());
    List<Handle<Object>> pins = new ArrayList<>();
    for (long lo = 0; lo < 20; lo++) {
      insert(cache, lo, 1);
      pins.add(pin(cache, lo));
    }
    pins.remove(0).close();
    pins.get(0).adjustCharge(7);
    List<OpenHandle> held = cache.monitor().longestHeld(3);
    assertThat(held).extracting(OpenHandle::keyLo).containsExactly(1L, 2L, 3L);
    assertThat(held.get(0).chargeBytes()).isEqualTo(7);
    assertThat(held.get(0).takenAt().get(1).getMethodName())
        .isEqualTo("longestHeldAreListedOldestFirst");
    assertThat(held).extracting(OpenHandle::held).isSortedAccordingTo((a, b) -> b.compareTo(a));
    assertThat(cache.monitor().longestHeld(0)).isEmpty();
    assertThat(cache.monitor().longestHeld(1000)).hasSize(19);
    assertThatThrownBy(() -> cache.monitor().longestHeld(-1))
        .hasMessage("max must be >= 0: max=-1");
    release(pins);
    assertThat(cache.monitor().longestHeld(1000)).isEmpty();
  }

  @Test
  void longPinIsReportedOnce() {
    BlockCache<Object> cache = track(tracking(LeakDetection.all(), Duration.ofNanos(1)));
    insert(cache, 1, 4);
    pin(cache, 1).close();
    assertThat(cache.monitor().stats().longPins()).isZero();
    try (Handle<Object> handle = pin(cache, 1)) {
      assertThat(handle.isReleased()).isFalse();
      assertThat(cache.monitor().problems()).isEmpty();
      assertThat(heldForLong).extracting(OpenHandle::keyLo).containsExactly(1L);
      assertThat(cache.monitor().stats().longPins()).isEqualTo(1);
      assertThat(cache.monitor().stats().longPins()).isEqualTo(1);
    }
    assertThat(heldForLong).hasSize(1);
  }

  @Test
  void aShareOfTheHandlesIsTracked() {
    BlockCache<Object> cache = track(tracking(LeakDetection.sampled(10), Duration.ofDays(1)));
    insert(cache, 1, 1);
    List<Handle<Object>> pins = new ArrayList<>();
    for (int i = 0; i < 5000; i++) {
      pins.add(pin(cache, 1));
    }
    assertThat(cache.monitor().longestHeld(10_000)).hasSizeBetween(350, 650);
    release(pins);
    assertThat(cache.monitor().longestHeld(10_000)).isEmpty();
  }

  @Test
  void aShareOfTheScopesIsTracked() {
    BlockCache<Object> cache = track(tracking(LeakDetection.sampled(10), Duration.ofDays(1)));
    List<ReadScope<Object>> scopes = new ArrayList<>();
    for (int i = 0; i < 5000; i++) {
      scopes.add(cache.openScope());
    }
    assertThat(cache.monitor().openScopes()).hasSizeBetween(350, 650);
    scopes.forEach(ReadScope::close);
    assertThat(cache.monitor().openScopes()).isEmpty();
    assertThat(cache.monitor().scopeStats().openScopes()).isZero();
  }

  @Test
  void longOpenScopeIsReportedOnce() {
    List<String> messages = new ArrayList<>();
    Handler handler =
        new Handler() {
          @Override
          public void publish(LogRecord message) {
            messages.add(message.getMessage());
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    Level before = LOGGER.getLevel();
    LOGGER.setLevel(Level.WARNING);
    LOGGER.addHandler(handler);
    LOGGER.setUseParentHandlers(false);
    try {
      BlockCache<Object> cache = track(tracking(LeakDetection.all(), Duration.ofNanos(1)));
      cache.openScope().close();
      cache.monitor().scopeStats();
      assertThat(messages).isEmpty();
      try (ReadScope<Object> scope = cache.openScope()) {
        cache.monitor().scopeStats();
        cache.monitor().scopeStats();
        assertThat(scope.get(HI, 1)).isNull();
        assertThat(messages).hasSize(1);
        assertThat(messages.get(0))
            .contains("a read scope has been open for long", Thread.currentThread().getName());
      }
    } finally {
      LOGGER.setLevel(before);
      LOGGER.setUseParentHandlers(true);
      LOGGER.removeHandler(handler);
    }
  }

  @Test
  void closesByTwoThreadsAtOnceEndOnePin() throws Exception {
    BlockCache<Object> cache = track(tracking());
    Block block = inserted(cache, 1, 1);
    try (Handle<Object> other = pin(cache, 1)) {
      int rounds = 2000;
      List<Handle<Object>> pins = new ArrayList<>();
      for (int i = 0; i < rounds; i++) {
        pins.add(pin(cache, 1));
      }
      AtomicInteger turn = new AtomicInteger();
      Crew.run(
          2,
          thread -> {
            for (int i = 0; i < rounds; i++) {
              turn.incrementAndGet();
              while (turn.get() < 2 * (i + 1)) {
                Thread.yield(); // The other one may have the same processor.
              }
              pins.get(i).close();
            }
          });
      assertThat(cache.monitor().stats().doubleCloses()).isEqualTo(rounds);
      assertThat(cache.monitor().pinnedUsageBytes()).isEqualTo(1);
      cache.erase(HI, 1);
      assertThat(other.value()).isSameAs(block);
      assertThat(block.timesFreed()).isZero();
    }
    assertThat(block.timesFreed()).isEqualTo(1);
  }

  @Test
  void noPinIsLongIfThatTimeIsForEver() {
    BlockCache<Object> cache =
        track(
            roomyBuilder(10)
                .leakDetection(LeakDetection.all())
                .longPinAfter(ChronoUnit.FOREVER.getDuration())
                .build());
    inserted(cache, 1, 1);
    Handle<Object> handle = pin(cache, 1);
    assertThat(cache.monitor().stats().longPins()).isZero();
    handle.close();
  }

  @Test
  void choicesAreChecked() {
    assertThatThrownBy(() -> LeakDetection.sampled(0)).hasMessage("oneIn must be > 0: oneIn=0");
    assertThatThrownBy(() -> roomyBuilder(1).longPinAfter(Duration.ZERO))
        .hasMessage("longPinAfter must be > 0: longPinAfter=PT0S");
    assertThatThrownBy(() -> roomyBuilder(1).longPinAfter(null))
        .hasMessage("longPinAfter must not be null");
    assertThat(List.of(LeakDetection.off(), LeakDetection.all(), LeakDetection.sampled(64)))
        .extracting(LeakDetection::toString)
        .containsExactly("off", "all", "one in 64");
  }
}
