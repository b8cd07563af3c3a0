/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.contract;

import static io.hyperclock.contract.LoadContractTest.assertIdle;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Timeout.ThreadMode.SEPARATE_THREAD;

import io.hyperclock.BlockCache;
import io.hyperclock.BlockLoadException;
import io.hyperclock.BulkLoader;
import io.hyperclock.Handle;
import io.hyperclock.entry.EntryType;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Pinning and loading many keys at once, and loading for later. */
@Tag("loading")
@Timeout(value = 60, threadMode = SEPARATE_THREAD)
abstract class BulkLookupContractTest extends CacheContract {
  private final AtomicIntegerArray loads = new AtomicIntegerArray(64);

  BulkLookupContractTest(Variant variant) {
    super(variant);
  }

  /** Loads blocks freed by hand; keys from 50 on do not exist. */
  private final class Blocks implements BulkLoader<Object> {
    private final Runnable before;

    Blocks(Runnable before) {
      this.before = before;
    }

    @Override
    public void load(long[] keys, @Nullable Object[] values) throws Exception {
      before.run();
      for (int i = 0; i < values.length; i++) {
        int lo = (int) keys[2 * i + 1];
        loads.incrementAndGet(lo);
        values[i] = lo < 50 ? block(lo) : null;
      }
    }

    @Override
    @SuppressWarnings("unchecked")
    public EntryType<? super Object> type() {
      return (EntryType<? super Object>) (EntryType<?>) Block.TYPE;
    }

    @Override
    public long chargeBytes(Object value) {
      return 1;
    }
  }

  private static long[] keys(long... los) {
    long[] keys = new long[2 * los.length];
    for (int i = 0; i < los.length; i++) {
      keys[2 * i] = HI;
      keys[2 * i + 1] = los[i];
    }
    return keys;
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private static @Nullable Handle<Object>[] handles(int count) {
    return new Handle[count];
  }

  private static void closeAll(@Nullable Handle<Object>[] handles) {
    for (Handle<Object> handle : handles) {
      if (handle != null) {
        handle.close();
      }
    }
  }

  @Test
  void pinsWhatIsThereAndLoadsTheRestOnce() {
    BlockCache<Object> cache = roomy(100);
    Block present = inserted(cache, 2, 1);
    @Nullable Handle<Object>[] handles = handles(5);
    int found = cache.lookupAll(keys(1, 2, 3, 60, 1), handles, Object[]::new, new Blocks(() -> {}));
    assertThat(found).isEqualTo(4);
    assertThat(handles[1].value()).isSameAs(present);
    assertThat(handles[3]).isNull();
    assertThat(handles[4]).isNotSameAs(handles[0]);
    assertThat(handles[4].value()).isSameAs(handles[0].value());
    assertThat(new int[] {loads.get(1), loads.get(2), loads.get(3), loads.get(60)})
        .containsExactly(1, 0, 1, 1);
    closeAll(handles);
    assertThat(cache.monitor().pinnedUsageBytes()).isZero();
    assertThat(cache.contains(HI, 3)).isTrue();
    assertIdle(cache);
  }

  @Test
  void twoThreadsThatMissNeighboursLoadEachKeyOnce() throws Exception {
    BlockCache<Object> cache = roomy(100);
    for (int round = 0; round < 20; round++) {
      CountDownLatch bothIn = new CountDownLatch(2);
      Runnable meet =
          () -> {
            bothIn.countDown();
            try {
              bothIn.await(200, TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
              throw new AssertionError(e);
            }
          };
      long from = random.nextInt(30);
      List<Call<Integer>> calls = new ArrayList<>();
      List<@Nullable Handle<Object>[]> taken = new ArrayList<>();
      for (int thread = 0; thread < 2; thread++) {
        long[] los = new long[8];
        Arrays.setAll(los, i -> from + i);
        for (int i = 0; i < 8; i++) {
          los[i] += thread * 4L;
        }
        @Nullable Handle<Object>[] handles = handles(8);
        taken.add(handles);
        calls.add(
            Call.start(() -> cache.lookupAll(keys(los), handles, Object[]::new, new Blocks(meet))));
      }
      for (Call<Integer> call : calls) {
        assertThat(call.result()).isEqualTo(8);
      }
      for (int lo = (int) from; lo < from + 12; lo++) {
        assertThat(loads.get(lo)).as("loads of %d", lo).isEqualTo(1);
        loads.set(lo, 0);
      }
      taken.forEach(BulkLookupContractTest::closeAll);
      for (long lo = from; lo < from + 12; lo++) {
        cache.erase(HI, lo);
      }
    }
    assertIdle(cache);
  }

  @Test
  void whatALoaderThatThrowsHadMadeIsFreedAndNoPinIsLeft() {
    BlockCache<Object> cache = roomy(100);
    inserted(cache, 1, 1);
    @Nullable Handle<Object>[] handles = handles(3);
    BulkLoader<Object> torn =
        new BulkLoader<>() {
          @Override
          public void load(long[] keys, @Nullable Object[] values) throws Exception {
            values[0] = block(keys[1]);
            throw new IOException("torn");
          }

          @Override
          @SuppressWarnings("unchecked")
          public EntryType<? super Object> type() {
            return (EntryType<? super Object>) (EntryType<?>) Block.TYPE;
          }
        };
    assertThatThrownBy(() -> cache.lookupAll(keys(1, 2, 3), handles, Object[]::new, torn))
        .isInstanceOf(BlockLoadException.class)
        .hasCauseInstanceOf(IOException.class);
    assertThat(handles).containsOnlyNulls();
    assertThat(cache.monitor().pinnedUsageBytes()).isZero();
    assertThat(cache.contains(HI, 2)).isFalse();
    assertIdle(cache);
  }

  @Test
  void noPinIsGivenBackTwiceWhereTheLoadOfAnotherFails() throws Exception {
    BlockCache<Object> cache = roomy(100);
    HeldLoader served = new HeldLoader(blockLoader(1));
    HeldLoader failing = new HeldLoader(LoadContractTest.failing(new IOException("torn")));
    @Nullable Handle<Object>[] handles = handles(2);
    Call<Handle<Object>> first = Call.start(() -> cache.lookup(HI, 1, served));
    Call<Handle<Object>> second = Call.start(() -> cache.lookup(HI, 2, failing));
    served.awaitEntered();
    failing.awaitEntered();
    Call<Integer> batch =
        Call.startWaiting(
            () -> cache.lookupAll(keys(1, 2), handles, Object[]::new, new Blocks(() -> {})));
    served.letGo();
    first.result().close();
    failing.letGo();
    assertThat(second.failure()).isInstanceOf(BlockLoadException.class);
    assertThat(batch.failure()).isInstanceOf(BlockLoadException.class);
    assertThat(handles).containsOnlyNulls();
    assertThat(cache.monitor().stats().doubleCloses()).isZero();
    assertThat(cache.monitor().pinnedUsageBytes()).isZero();
    assertIdle(cache);
  }

  @Test
  void anArrayOfAnotherLengthIsRefused() {
    BlockCache<Object> cache = roomy(100);
    assertThatThrownBy(
            () ->
                cache.lookupAll(
                    keys(1, 2), handles(2), n -> new Object[n + 1], new Blocks(() -> {})))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("asked=2");
    assertIdle(cache);
  }

  @Test
  void noArrayIsRefused() {
    BlockCache<Object> cache = roomy(100);
    inserted(cache, 1, 1);
    @Nullable Handle<Object>[] handles = handles(2);
    assertThatThrownBy(() -> cache.lookupAll(keys(1, 2), handles, n -> null, new Blocks(() -> {})))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("what arrays makes must not be null");
    assertThat(handles).containsOnlyNulls();
    assertThat(cache.monitor().pinnedUsageBytes()).isZero();
    assertIdle(cache);
  }

  @Test
  void anArrayThatIsNotEmptyIsRefused() throws Exception {
    BlockCache<Object> cache = roomy(100);
    Object[] kept = new Object[1];
    @Nullable Handle<Object>[] first = handles(1);
    cache.lookupAll(keys(1), first, n -> kept, new Blocks(() -> {}));
    Block block = (Block) first[0].value();
    closeAll(first);
    @Nullable Handle<Object>[] second = handles(1);
    assertThatThrownBy(() -> cache.lookupAll(keys(60), second, n -> kept, new Blocks(() -> {})))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("index=0");
    assertThat(second).containsOnlyNulls();
    assertThat(block.timesFreed()).isZero();
    assertThat(cache.contains(HI, 60)).isFalse();
    assertThat(cache.contains(HI, 1)).isTrue();
    assertIdle(cache);
  }

  @Test
  void oldHandlesAreNotLeftWhereTheCacheIsClosed() {
    BlockCache<Object> cache = roomy(100);
    inserted(cache, 1, 1);
    Handle<Object> old = pin(cache, 1);
    old.close();
    close(cache);
    @Nullable Handle<Object>[] handles = handles(3);
    Arrays.fill(handles, old);
    assertThatThrownBy(
            () -> cache.lookupAll(keys(1, 2), handles, Object[]::new, new Blocks(() -> {})))
        .isInstanceOf(IllegalStateException.class);
    assertThat(handles).containsExactly(null, null, old);
    Arrays.fill(handles, old);
    assertThatThrownBy(() -> cache.lookupAll(keys(1, 2), handles))
        .isInstanceOf(IllegalStateException.class);
    assertThat(handles).containsExactly(null, null, old);
  }

  @Test
  void prefetchLoadsForLater() {
    BlockCache<Object> cache = roomy(100);
    assertThat(cache.prefetch(HI, 1, Runnable::run, (hi, lo) -> text(lo))).isTrue();
    assertThat(cache.get(HI, 1)).isEqualTo(text(1));
    assertThat(cache.prefetch(HI, 1, Runnable::run, (hi, lo) -> text(lo))).isFalse();
    assertThat(cache.monitor().pinnedUsageBytes()).isZero();
  }

  @Test
  void aPrefetchThatFailsOrIsRejectedIsCountedOnly() {
    BlockCache<Object> cache = roomy(100);
    cache.prefetch(
        HI,
        1,
        Runnable::run,
        (hi, lo) -> {
          throw new IOException("unreadable");
        });
    assertThat(cache.monitor().loadStats().loadFailures()).isEqualTo(1);
    cache.prefetch(
        HI,
        2,
        task -> {
          throw new java.util.concurrent.RejectedExecutionException("full");
        },
        (hi, lo) -> text(lo));
    assertThat(cache.contains(HI, 2)).isFalse();
    assertIdle(cache);
  }

  @Test
  void whoWaitedSeesWhatTheLoaderThrew() {
    BlockLoadException failure = new BlockLoadException("no block", new IOException("unreadable"));
    assertThatThrownBy(() -> failure.throwIf(IOException.class)).hasMessage("unreadable");
    assertThat(failure.throwIf(RuntimeException.class)).isSameAs(failure);
  }
}
