/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.BlockCache;
import io.hyperclock.CapacityMode;
import io.hyperclock.Handle;
import io.hyperclock.LeakDetection;
import io.hyperclock.ReadScope;
import io.hyperclock.SlotStorage;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.Priority;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is opened where a thread has not stack enough for it is not left open. */
final class FullStackTest extends CacheContract {
  private static final int OVERFLOWS = 500;

  /**
   * Frames by which a thread goes beyond the depth at which an insert fits. It comes back frame by
   * frame, however large these are by then: they may be compiled meanwhile.
   */
  private static final int NEAR_THE_END = 200;

  private static final int OTHER_FRAME_SIZES = 4;
  private static final int ROUNDS = 8;

  private @Nullable AutoCloseable taken;
  private BlockCache<Object> sink;
  private long next;

  FullStackTest() {
    super(Variant.adaptive(SlotStorage.HEAP, CapacityMode.NON_STRICT, 1));
  }

  private void takeBelow(int frames, Supplier<? extends AutoCloseable> taking) {
    if (frames == 0) {
      taken = taking.get();
    } else {
      takeBelow(frames - 1, taking);
    }
  }

  private boolean fits(int frames, Supplier<? extends AutoCloseable> taking) {
    try {
      takeBelow(frames, taking);
      return true;
    } catch (StackOverflowError e) {
      return false;
    }
  }

  /** Something that is done so many frames below. */
  private interface Attempt {
    /** Whether there was stack for it. */
    boolean fits(int frames) throws Exception;
  }

  /** Attempts something at every depth up to those at which there is no stack for it. */
  private static void attemptAtEveryDepth(Attempt attempt) throws Exception {
    Call<Boolean> call =
        Call.start(
            () -> {
              int overflows = 0;
              for (int frames = 0; overflows < OVERFLOWS; frames++) {
                overflows += attempt.fits(frames) ? 0 : 1;
              }
              return true;
            });
    assertThat(call.result()).isTrue();
  }

  /** Takes something at every depth, and closes it. */
  private void takeAtEveryDepth(Supplier<? extends AutoCloseable> taking) throws Exception {
    attemptAtEveryDepth(
        frames -> {
          taken = null;
          boolean fits = fits(frames, taking);
          if (taken != null) {
            taken.close();
          }
          return fits;
        });
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void scopesAreNotLeftOpen(boolean tracked) throws Exception {
    BlockCache<Object> cache = track(roomyBuilder(10).leakDetection(detection(tracked)).build());
    try (ReadScope<Object> scope = cache.openScope()) {
      assertThat(scope.get(HI, 1)).isNull();
      assertThat(cache.monitor().openScopes())
          .as("all that is called is loaded")
          .hasSize(tracked ? 1 : 0);
    }
    takeAtEveryDepth(cache::openScope);
    assertThat(cache.monitor().scopeStats().openScopes()).isZero();
    assertThat(cache.monitor().openScopes()).isEmpty();
  }

  private static LeakDetection detection(boolean tracked) {
    return tracked ? LeakDetection.all() : LeakDetection.off();
  }

  /** A handle may take more stack than its pin. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void lookupsLeaveNoPin(boolean tracked) throws Exception {
    BlockCache<Object> cache = track(roomyBuilder(10).leakDetection(detection(tracked)).build());
    cache.insert(HI, 1, this, 1);
    pinOften(cache, 10_000);
    takeAtEveryDepth(() -> cache.lookup(HI, 1));
    assertThat(cache.monitor().pinnedUsageBytes()).isZero();
    assertThat(cache.monitor().longestHeld(10)).isEmpty();
    assertThat(cache.erase(HI, 1)).isTrue();
    assertThat(cache.monitor().occupancy()).isZero();
  }

  private static EntryType<Object> counting(AtomicInteger freed) {
    return EntryType.<Object>named("freed")
        .disposer((hi, lo, value) -> freed.incrementAndGet())
        .build();
  }

  /** A handle that cannot be made, or tracked, leaves no pin either. */
  @ParameterizedTest
  @CsvSource({"true, true", "true, false", "false, true", "false, false"})
  void furtherHandlesLeaveNoPin(boolean tracked, boolean standalone) throws Exception {
    AtomicInteger freed = new AtomicInteger();
    EntryType<Object> type = counting(freed);
    BlockCache<Object> cache =
        track(roomyBuilder(10).leakDetection(detection(tracked)).defaultType(type).build());
    Handle<Object> first =
        standalone
            ? cache.createStandalone(HI, 1, this, type, 1, false)
            : cache.insertPinned(HI, 1, this, type, 1, Priority.LOW);
    for (int i = 0; i < 10_000; i++) {
      first.ref().close();
    }
    takeAtEveryDepth(first::ref);
    cache.erase(HI, 1);
    assertThat(freed).hasValue(0);
    first.close();
    cache.eraseUnreferenced();
    assertThat(freed).hasValue(1);
    assertThat(cache.monitor().pinnedUsageBytes()).isZero();
    assertThat(cache.monitor().longestHeld(10)).isEmpty();
  }

  /** A handle that could not be closed is open: it is closed once, by the second close. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void closesEndOnePin(boolean tracked) throws Exception {
    BlockCache<Object> cache = track(roomyBuilder(10).leakDetection(detection(tracked)).build());
    cache.insert(HI, 1, this, 1);
    pinOften(cache, 10_000);
    attemptAtEveryDepth(
        frames -> {
          Handle<Object> handle = Objects.requireNonNull(cache.lookup(HI, 1));
          boolean fits = fits(frames, () -> closed(handle));
          if (!handle.isReleased()) {
            handle.close();
          }
          return fits;
        });
    assertThat(cache.monitor().pinnedUsageBytes()).isZero();
    assertThat(cache.monitor().longestHeld(10)).isEmpty();
    assertThat(cache.erase(HI, 1)).isTrue();
    assertThat(cache.monitor().occupancy()).isZero();
  }

  private static void pinOften(BlockCache<Object> cache, int times) {
    for (int i = 0; i < times; i++) {
      Objects.requireNonNull(cache.lookup(HI, 1)).close();
    }
  }

  /** Where an erased entry cannot be freed its last handle stays open, or a sweep frees it. */
  @Test
  void lastReleasesOfErasedEntriesLoseNoSlot() throws Exception {
    AtomicInteger freed = new AtomicInteger();
    EntryType<Object> type = counting(freed);
    BlockCache<Object> cache = track(roomyBuilder(10).defaultType(type).build());
    cache.insert(HI, 1, this, 1);
    pinOften(cache, 300_000);
    cache.erase(HI, 1);
    AtomicInteger inserted = new AtomicInteger(1);
    attemptAtEveryDepth(
        frames -> {
          cache.insert(HI, 1, this, 1);
          inserted.incrementAndGet();
          Handle<Object> last = Objects.requireNonNull(cache.lookup(HI, 1));
          cache.erase(HI, 1);
          boolean fits = fits(frames, () -> closed(last));
          if (!fits) {
            last.close();
          }
          return fits;
        });
    cache.eraseUnreferenced();
    assertThat(cache.monitor().occupancy()).isZero();
    assertThat(freed).hasValue(inserted.get());
  }

  private static Handle<Object> closed(Handle<Object> handle) {
    handle.close();
    return handle;
  }

  private void insertBelow(int frames) {
    if (frames == 0) {
      insertNext();
    } else {
      insertBelow(frames - 1);
    }
  }

  /** A frame of another size, so that the stack ends elsewhere within the frames of an insert. */
  private long insertBelow(int larger, int frames, long a, long b, long c) {
    if (larger == 0) {
      insertBelow(frames);
      return a;
    }
    return insertBelow(larger - 1, frames, b, c, a) + (a ^ b ^ c);
  }

  private void insertNext() {
    sink.insert(HI, next++, this, 1);
  }

  private boolean overflows(int larger, int frames) {
    try {
      insertBelow(larger, frames, 1, 2, 3);
      return false;
    } catch (StackOverflowError e) {
      return true;
    }
  }

  private void insertBeyondTheEnd() {
    int overflows = 0;
    for (int frames = 0; overflows < OVERFLOWS; ) {
      if (overflows(overflows % OTHER_FRAME_SIZES, frames)) {
        overflows++;
        frames--;
      } else {
        frames += NEAR_THE_END;
      }
    }
  }

  /**
   * Compiled code takes another stack than interpreted code, and looks at its end elsewhere. The
   * inserts between are for the compilers; if they are not through with it, less is tested.
   */
  @Test
  void compiledInsertsLoseNoSlot() throws Exception {
    sink = track(roomyBuilder(500).build());
    for (int round = 0; round < ROUNDS; round++) {
      for (int i = 0; i < 300_000; i++) {
        overflows(i % OTHER_FRAME_SIZES, 3);
      }
      Call.start(
              () -> {
                insertBeyondTheEnd();
                return true;
              })
          .result();
    }
    for (int i = 0; i < 10_000; i++) {
      insertNext();
    }
    AtomicInteger entries = new AtomicInteger();
    sink.monitor().forEachEntry((hi, lo, value, type, charge) -> entries.incrementAndGet());
    assertThat(sink.monitor().occupancy()).isEqualTo(entries.get());
  }
}
