/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.tiered;

import static io.hyperclock.secondary.tiered.TieredRig.HI;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.Handle;
import io.hyperclock.entry.Disposer;
import io.hyperclock.entry.EntryCodec;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.Priority;
import io.hyperclock.secondary.AsyncLookup;
import io.hyperclock.secondary.SecondaryCache;
import io.hyperclock.secondary.TierObserver;
import io.hyperclock.secondary.TierOutcome;
import io.hyperclock.secondary.testing.MapSecondaryCache;
import io.hyperclock.secondary.testing.TierTestLimits;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

/** Foreign code that needs what its own thread, or one that waits for it, is about to do. */
@Timeout(value = TierTestLimits.TEST_SECONDS, threadMode = ThreadMode.SEPARATE_THREAD)
class CircleTest {
  private static final int FILLERS = (int) (TieredRig.CAPACITY / Blocks.CHARGE);

  /** What the next eviction on a thread does in the listener, once. */
  private final ThreadLocal<@Nullable Runnable> onEviction = new ThreadLocal<>();

  private final MapSecondaryCache tier = new MapSecondaryCache(1 << 20);

  private TieredRig rig(SecondaryCache below) {
    return new TieredRig(
        builder ->
            builder.evictionListener(
                (hi, lo, value, type, charge, hit) -> {
                  Runnable task = onEviction.get();
                  if (task != null) {
                    onEviction.remove();
                    task.run();
                  }
                  return false;
                }),
        below);
  }

  /**
   * A full primary, so that whatever moves up evicts; the keys are in the tier, or on their way.
   */
  private static void fill(TieredRig rig, int keys, boolean onTheirWay) {
    for (int key = 1; key <= keys; key++) {
      rig.insert(key);
    }
    if (onTheirWay) {
      rig.tasks.hold();
    }
    rig.evictAll();
    for (int key = 0; key < FILLERS; key++) {
      rig.insert(1000 + key);
    }
  }

  private static long[] keys(int count) {
    long[] keys = new long[2 * count];
    for (int i = 0; i < count; i++) {
      keys[2 * i] = HI;
      keys[2 * i + 1] = i + 1;
    }
    return keys;
  }

  private static List<Integer> versions(TieredRig rig, int count, EntryType<Blocks.Block> type) {
    List<AsyncLookup<Blocks.Block>> lookups = rig.cache.startLookups(keys(count), type, null);
    rig.cache.waitAll(lookups);
    List<Integer> versions = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      versions.add(TieredRig.check(i + 1, lookups.get(i).await()));
    }
    lookups.forEach(AsyncLookup::close);
    return versions;
  }

  /** Waits, during the first promotion of a batch, for what {@code whileInserting} does. */
  private void dependentErasesALaterKey(TieredRig rig, boolean fromAnotherThread) {
    Runnable joins =
        () ->
            rig.cache
                .startLookup(HI, 2, rig.blocks.data)
                .toFuture()
                .thenAccept(
                    handle -> {
                      TieredRig.check(2, handle);
                      rig.erase(3);
                    });
    onEviction.set(
        () -> {
          if (!fromAnotherThread) {
            joins.run();
            return;
          }
          Thread other = new Thread(joins);
          other.start();
          try {
            other.join();
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        });
    assertThat(versions(rig, 3, rig.blocks.data)).startsWith(0, 0);
    assertThat(rig.version(3)).isEqualTo(-1);
  }

  @Test
  void aBatchThatPutsBackLetsDependentsOfItsThreadWrite() {
    try (TieredRig rig = rig(tier)) {
      fill(rig, 3, true);
      dependentErasesALaterKey(rig, false);
    }
  }

  @Test
  void aBatchThatPutsBackLetsDependentsOfOthersWrite() {
    try (TieredRig rig = rig(tier)) {
      fill(rig, 3, true);
      dependentErasesALaterKey(rig, true);
    }
  }

  @Test
  void aListenerMayLookUpWhatIsBeingPutBack() {
    try (TieredRig rig = rig(tier)) {
      fill(rig, 1, true);
      List<Integer> seen = new ArrayList<>();
      onEviction.set(() -> seen.add(rig.version(1)));
      assertThat(rig.version(1)).isZero();
      assertThat(seen).hasSize(1).isSubsetOf(0, -1);
    }
  }

  @Test
  void aListenerMayLookUpWhatWasFoundBelow() {
    try (TieredRig rig = rig(tier)) {
      fill(rig, 1, false);
      List<Integer> seen = new ArrayList<>();
      onEviction.set(() -> seen.add(rig.version(1)));
      assertThat(rig.version(1)).isZero();
      assertThat(seen).hasSize(1).isSubsetOf(0, -1);
    }
  }

  /** The second key is large, so that it evicts too, whatever the first has made room for. */
  @Test
  void listenersOfTwoThreadsMayLookUpWhatTheOtherPutsBack() throws Exception {
    CountDownLatch firstInside = new CountDownLatch(1);
    CountDownLatch secondInside = new CountDownLatch(1);
    ExecutorService other = Executors.newSingleThreadExecutor();
    try (TieredRig rig = rig(tier)) {
      rig.insert(1);
      rig.cache.insert(
          HI, 2, rig.blocks.make(2, 0), rig.blocks.data, 20 * Blocks.CHARGE, Priority.LOW);
      rig.tasks.hold();
      rig.evictAll();
      fill(rig, 0, true);
      Future<Integer> second =
          other.submit(
              () -> {
                awaitGate(firstInside);
                return promoted(rig, 2, 1, secondInside, secondInside);
              });
      assertThat(promoted(rig, 1, 2, firstInside, secondInside)).isZero();
      assertThat(second.get(TierTestLimits.SECONDS, SECONDS)).isZero();
    } finally {
      other.shutdown();
    }
  }

  private int promoted(
      TieredRig rig, long key, long wanted, CountDownLatch inside, CountDownLatch other) {
    onEviction.set(
        () -> {
          inside.countDown();
          awaitGate(other);
          rig.version(wanted);
        });
    return rig.version(key);
  }

  private static void awaitGate(CountDownLatch gate) {
    try {
      assertThat(gate.await(TierTestLimits.SECONDS, SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aListenerMayLookUpAKeyOfTheBatchThatHasNotBegun() {
    try (TieredRig rig = rig(tier)) {
      fill(rig, 2, false);
      List<Integer> seen = new ArrayList<>();
      onEviction.set(() -> seen.add(rig.version(2)));
      assertThat(versions(rig, 2, rig.blocks.data)).containsExactly(0, 0);
      assertThat(seen).containsExactly(0);
    }
  }

  @Test
  void aCodecMayLookUpAnotherKeyOfTheBatch() {
    AtomicReference<@Nullable Runnable> onDecode = new AtomicReference<>();
    List<Integer> seen = new ArrayList<>();
    try (TieredRig rig = rig(tier)) {
      EntryType<Blocks.Block> type =
          EntryType.<Blocks.Block>named("looking")
              .codec(new LookingCodec(codec(rig.blocks), onDecode))
              .disposer((hi, lo, block) -> rig.blocks.giveUp(block))
              .build();
      for (int key = 1; key <= 2; key++) {
        rig.insert(key, 0, type);
      }
      rig.evictAll();
      onDecode.set(() -> seen.add(TieredRig.check(2, rig.cache.lookup(HI, 2, type))));
      assertThat(versions(rig, 2, type)).containsExactly(0, 0);
      assertThat(seen).containsExactly(0);
    }
  }

  @SuppressWarnings("unchecked")
  private static EntryCodec<Blocks.Block> codec(Blocks blocks) {
    return (EntryCodec<Blocks.Block>) blocks.data.codec();
  }

  private record LookingCodec(
      EntryCodec<Blocks.Block> plain, AtomicReference<@Nullable Runnable> onDecode)
      implements EntryCodec<Blocks.Block> {
    @Override
    public int encodedSizeBytes(Blocks.Block value) {
      return plain.encodedSizeBytes(value);
    }

    @Override
    public void encode(Blocks.Block value, ByteBuffer target) {
      plain.encode(value, target);
    }

    @Override
    public Blocks.Block decode(ByteBuffer source, @Nullable Object context) {
      Blocks.Block block = plain.decode(source, context);
      Runnable task = onDecode.getAndSet(null);
      if (task != null) {
        task.run();
      }
      return block;
    }

    @Override
    public long chargeBytes(Blocks.Block value) {
      return plain.chargeBytes(value);
    }
  }

  private static EntryType<Blocks.Block> type(Blocks blocks, Disposer<Blocks.Block> disposer) {
    return EntryType.<Blocks.Block>named("calling")
        .codec(codec(blocks))
        .disposer(
            (hi, lo, block) -> {
              disposer.dispose(hi, lo, block);
              blocks.giveUp(block);
            })
        .build();
  }

  @Test
  void theDisposerOfWhatHasMovedMayLookItUp() throws Exception {
    GatedTier gated = new GatedTier();
    AtomicReference<@Nullable Runnable> onDispose = new AtomicReference<>();
    CountDownLatch disposed = new CountDownLatch(1);
    ExecutorService worker = Executors.newSingleThreadExecutor();
    try (TieredRig rig = new TieredRig(builder -> builder.executor(worker), gated)) {
      EntryType<Blocks.Block> type =
          type(
              rig.blocks,
              (hi, lo, block) -> {
                Runnable task = onDispose.getAndSet(null);
                if (task != null) {
                  task.run();
                  disposed.countDown();
                }
              });
      rig.insert(1, 0, type);
      rig.evictAll();
      gated.inserting.await();
      onDispose.set(() -> TieredRig.check(1, rig.cache.lookup(HI, 1, type)));
      AsyncLookup<Blocks.Block> lookup = rig.cache.startLookup(HI, 1, type);
      gated.letGo.countDown();
      TieredRig.check(1, lookup.await());
      assertThat(disposed.await(TierTestLimits.SECONDS, SECONDS)).isTrue();
    } finally {
      worker.shutdown();
    }
  }

  @Test
  void theDisposerOfWhatAPromotionErasesMayWriteTheKey() {
    AtomicReference<@Nullable Runnable> onDispose = new AtomicReference<>();
    try (TieredRig rig = rig(tier)) {
      EntryType<Blocks.Block> type =
          type(
              rig.blocks,
              (hi, lo, block) -> {
                Runnable task = block.version == 7 ? onDispose.getAndSet(null) : null;
                if (task != null) {
                  task.run();
                }
              });
      rig.insert(1, 0, type);
      rig.tasks.hold();
      rig.evictAll();
      fill(rig, 0, true);
      onDispose.set(() -> rig.erase(1));
      onEviction.set(
          () -> rig.cache.put(HI, 1, rig.blocks.make(1, 7), type, Blocks.CHARGE, Priority.LOW));
      try (Handle<Blocks.Block> handle = rig.cache.lookup(HI, 1, type)) {
        assertThat(handle).isNotNull();
      }
      assertThat(onDispose).hasNullValue();
      assertThat(rig.isInPrimary(1)).isFalse();
    }
  }

  @Test
  void anObserverMayThrowAnything() {
    TierObserver observer =
        new TierObserver() {
          @Override
          public void onSlowRead(String name, TierOutcome outcome, Duration took) {
            CircleTest.<RuntimeException>sneak(new IOException("from an observer"));
          }
        };
    try (TieredRig rig =
        new TieredRig(builder -> builder.slowReadAfter(Duration.ZERO).observer(observer), tier)) {
      rig.insert(1);
      rig.evictAll();
      assertThat(rig.version(1)).isZero();
      assertThat(rig.version(1)).isZero();
    }
  }

  @SuppressWarnings("unchecked")
  private static <T extends Throwable> void sneak(Throwable thrown) throws T {
    throw (T) thrown;
  }
}
