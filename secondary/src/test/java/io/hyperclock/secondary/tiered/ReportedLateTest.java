/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.tiered;

import static io.hyperclock.secondary.tiered.TieredRig.HI;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.ReadScope;
import io.hyperclock.entry.EntryRole;
import io.hyperclock.entry.EntryType;
import io.hyperclock.reservation.ReservationManager;
import io.hyperclock.secondary.DropListener;
import io.hyperclock.secondary.SecondaryCache;
import io.hyperclock.secondary.TierRequest;
import io.hyperclock.secondary.TierResult;
import io.hyperclock.secondary.TierState;
import io.hyperclock.secondary.TierStats;
import io.hyperclock.secondary.testing.MapSecondaryCache;
import io.hyperclock.secondary.testing.TierTestLimits;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A value has left by a call past the adapter, and before its report has ended its key is written
 * elsewhere. Then the reporting thread makes operations, which begin after the write. The old value
 * must not move down all the same.
 */
class ReportedLateTest {
  private final MapSecondaryCache tier = new MapSecondaryCache(1 << 20);

  /** How a value is evicted without the adapter. */
  enum Eviction {
    CAPACITY,
    RESERVATION,
    END_OF_SCOPE;

    void of(TieredRig rig) {
      switch (this) {
        case CAPACITY -> rig.cache.primary().setCapacityBytes(1);
        case RESERVATION -> reserve(rig);
        case END_OF_SCOPE -> {
          try (ReadScope scope = rig.cache.primary().openScope()) {
            assertThat(scope).isNotNull();
            rig.evictAll();
            assertThat(rig.cache.primary().monitor().scopeStats().retiredValues()).isEqualTo(1);
          }
        }
      }
    }

    private static void reserve(TieredRig rig) {
      try (ReservationManager manager =
          ReservationManager.of(rig.cache.primary(), EntryRole.WRITE_BUFFER)) {
        manager.update(ReservationManager.STEP_BYTES);
      }
    }
  }

  /** What a listener does with the cache. */
  enum Use {
    NOTHING(rig -> {}),
    MISS(rig -> assertThat(rig.version(2)).isEqualTo(-1)),
    HIT_BELOW(rig -> assertThat(rig.version(3)).isZero()),
    LOAD(
        rig ->
            TieredRig.check(
                2,
                rig.cache.lookup(
                    HI, 2, rig.blocks.data, null, (hi, lo) -> rig.blocks.make(lo, 0)))),
    ERASE(rig -> rig.erase(2));

    private final Consumer<TieredRig> operation;

    Use(Consumer<TieredRig> operation) {
      this.operation = operation;
    }
  }

  @ParameterizedTest
  @CsvSource({
    "CAPACITY, NOTHING, true",
    "CAPACITY, MISS, true",
    "CAPACITY, HIT_BELOW, true",
    "CAPACITY, HIT_BELOW, false",
    "CAPACITY, LOAD, true",
    "CAPACITY, LOAD, false",
    "CAPACITY, ERASE, true",
    "CAPACITY, ERASE, false",
    "RESERVATION, NOTHING, true",
    "RESERVATION, HIT_BELOW, true",
    "RESERVATION, LOAD, true",
    "RESERVATION, ERASE, true",
    "RESERVATION, ERASE, false",
    "END_OF_SCOPE, NOTHING, true",
    "END_OF_SCOPE, HIT_BELOW, true",
    "END_OF_SCOPE, LOAD, true",
    "END_OF_SCOPE, ERASE, true",
    "END_OF_SCOPE, ERASE, false"
  })
  void keyWrittenMeanwhile(Eviction eviction, Use use, boolean isErased) {
    AtomicReference<@Nullable TieredRig> reported = new AtomicReference<>();
    try (TieredRig rig =
        new TieredRig(
            builder ->
                builder.evictionListener(
                    (hi, lo, value, type, charge, wasHit) -> {
                      TieredRig once = lo == 1 ? reported.getAndSet(null) : null;
                      if (once != null) {
                        elsewhere(() -> write(once, isErased));
                        use.operation.accept(once);
                      }
                      return false;
                    }),
            tier)) {
      evictReported(rig, reported, eviction);
      assertThat(rig.version(1)).isNotZero();
      assertThat(rig.total().superseded()).isEqualTo(1);
    }
  }

  /** Whatever is found below afterwards is the older value: the newer one is nowhere any more. */
  private static void write(TieredRig rig, boolean isErased) {
    if (isErased) {
      rig.erase(1);
    } else {
      rig.put(1, 1);
      rig.cache.primary().erase(HI, 1);
    }
  }

  private static void elsewhere(Runnable task) {
    on(command -> new Thread(command).start(), task);
  }

  private static void on(Executor thread, Runnable task) {
    CompletableFuture.runAsync(task, thread).orTimeout(TierTestLimits.SECONDS, SECONDS).join();
  }

  /** Key 3 is below, key 1 leaves the primary. */
  private static void evictReported(
      TieredRig rig, AtomicReference<@Nullable TieredRig> reported, Eviction eviction) {
    rig.insert(3);
    rig.evictAll();
    rig.insert(1);
    // So that the thread's last operation has begun after its write of the key has ended.
    rig.cache.setCapacityBytes(TieredRig.CAPACITY);
    reported.set(rig);
    eviction.of(rig);
    assertThat(reported.get()).isNull();
    rig.cache.setCapacityBytes(TieredRig.CAPACITY);
  }

  /** Operations of the listener alone must not keep a value from moving down. */
  @ParameterizedTest
  @CsvSource({
    "CAPACITY, NOTHING",
    "CAPACITY, HIT_BELOW",
    "CAPACITY, LOAD",
    "CAPACITY, ERASE",
    "RESERVATION, NOTHING",
    "RESERVATION, HIT_BELOW",
    "RESERVATION, LOAD",
    "RESERVATION, ERASE"
  })
  void keyNotWrittenMeanwhile(Eviction eviction, Use use) {
    AtomicReference<@Nullable TieredRig> reported = new AtomicReference<>();
    try (TieredRig rig =
        new TieredRig(
            builder ->
                builder.evictionListener(
                    (hi, lo, value, type, charge, wasHit) -> {
                      TieredRig once = lo == 1 ? reported.getAndSet(null) : null;
                      if (once != null) {
                        use.operation.accept(once);
                      }
                      return false;
                    }),
            tier)) {
      evictReported(rig, reported, eviction);
      assertThat(rig.isInPrimary(1)).isFalse();
      assertThat(rig.version(1)).isZero();
    }
  }

  /** A tier drops two values at once; the first moves on by the thread that reports them. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void droppedTogether(boolean isErased) {
    DroppingTier dropping = new DroppingTier();
    HookedTier deep = new HookedTier(tier);
    try (TieredRig rig = new TieredRig(dropping, deep)) {
      rig.insert(1);
      rig.insert(2);
      rig.evictAll();
      AtomicReference<@Nullable Runnable> between = new AtomicReference<>();
      between.set(() -> elsewhere(() -> write(rig, isErased)));
      deep.afterInsert =
          () -> Optional.ofNullable(between.getAndSet(null)).ifPresent(Runnable::run);
      dropping.drop(rig, 2, 1);
      assertThat(between.get()).isNull();
      assertThat(rig.version(2)).isZero();
      assertThat(rig.version(1)).isNotZero();
      assertThat(rig.total().superseded()).isEqualTo(1);
    }
  }

  @Test
  void droppedTogetherAndNotWritten() {
    DroppingTier dropping = new DroppingTier();
    try (TieredRig rig = new TieredRig(dropping, tier)) {
      rig.insert(1);
      rig.insert(2);
      rig.evictAll();
      dropping.drop(rig, 2, 1);
      assertThat(tier.stats().entries()).isEqualTo(2);
      assertThat(rig.version(1)).isZero();
      assertThat(rig.version(2)).isZero();
    }
  }

  /**
   * A tier drops what a move inserted after its key was written, before that move erases it. The
   * report comes after the move has ended, by a thread that last used the cache before the drop.
   */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void droppedBeforeTheMoveThatIsStaleErasesIt(boolean isErased) {
    DroppingTier dropping = new DroppingTier();
    ExecutorService reporter = Executors.newSingleThreadExecutor();
    try (TieredRig rig = new TieredRig(dropping, tier)) {
      dropping.inner.beforeInsert =
          () ->
              on(
                  reporter,
                  () -> {
                    write(rig, isErased);
                    rig.cache.setCapacityBytes(TieredRig.CAPACITY);
                  });
      dropping.inner.afterInsert = () -> dropping.inner.beforeErase = () -> dropping.giveUp(1);
      rig.insert(1);
      rig.evictAll();
      assertThat(rig.cache.stats().pendingOffers()).isZero();
      on(reporter, () -> dropping.report(rig, 1));
      assertThat(rig.version(1)).isNotZero();
      assertThat(tier.stats().entries()).isZero();
      assertThat(rig.total().superseded()).isEqualTo(2);
    } finally {
      reporter.shutdown();
    }
  }

  /** A tier that drops what it is told to, all at once, and then reports each. */
  private static final class DroppingTier implements SecondaryCache {
    private final MapSecondaryCache held = new MapSecondaryCache(1 << 20);
    final HookedTier inner = new HookedTier(held);
    private @Nullable DropListener listener;

    void drop(TieredRig rig, long... keys) {
      giveUp(keys);
      report(rig, keys);
    }

    void giveUp(long... keys) {
      LongStream.of(keys).forEach(key -> held.erase(HI, key));
    }

    void report(TieredRig rig, long... keys) {
      DropListener told = Objects.requireNonNull(listener);
      for (long key : keys) {
        told.onDrop(HI, key, rig.blocks.data, Blocks.CHARGE, () -> rig.blocks.make(key, 0));
      }
    }

    @Override
    public String name() {
      return "dropping";
    }

    @Override
    public <T> boolean insert(long keyHi, long keyLo, T value, EntryType<T> type, boolean force) {
      return inner.insert(keyHi, keyLo, value, type, force);
    }

    @Override
    public <V> CompletableFuture<TierResult<V>> lookup(TierRequest<V> request) {
      return inner.lookup(request);
    }

    @Override
    public void erase(long keyHi, long keyLo) {
      inner.erase(keyHi, keyLo);
    }

    @Override
    public boolean erasesOnAdvice() {
      return true;
    }

    @Override
    public void setCapacity(long capacityBytes) {}

    @Override
    public void onDrop(DropListener listener) {
      this.listener = listener;
    }

    @Override
    public TierState state() {
      return inner.state();
    }

    @Override
    public TierStats stats() {
      return inner.stats();
    }

    @Override
    public void close() {
      inner.close();
    }
  }
}
