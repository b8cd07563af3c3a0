/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.contract;

import static io.hyperclock.contract.AsyncLoads.failureOf;
import static io.hyperclock.contract.LoadContractTest.assertIdle;
import static io.hyperclock.contract.LoadContractTest.never;
import static io.hyperclock.contract.LoadContractTest.widened;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.hyperclock.BlockCache;
import io.hyperclock.BlockLoadException;
import io.hyperclock.BulkLoader;
import io.hyperclock.Handle;
import io.hyperclock.MetadataCharge;
import io.hyperclock.PinRequiredException;
import io.hyperclock.entry.EntryType;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Loading many keys at once. */
abstract class BulkLoadContractTest extends BulkLoadContract {
  BulkLoadContractTest(Variant variant) {
    super(variant);
  }

  @Test
  void theLoaderGetsTheKeysInTheOrderAsked() {
    BlockCache<Object> cache = roomy(100);
    long[] los = random.longs(60, 0, 1000).distinct().limit(40).toArray();
    insert(cache, los[3], 1);
    Object[] values = new Object[los.length];
    assertThat(cache.getAll(keys(los), values, this::load)).isEqualTo(los.length);
    List<Long> wanted = new ArrayList<>(LongStream.of(los).boxed().toList());
    wanted.remove(3);
    assertThat(calls).containsExactly(wanted);
  }

  @Test
  void whatOthersCouldNotLoadIsAskedForInOrderToo() throws Exception {
    BlockCache<Object> cache = roomy(100);
    HeldLoader first = new HeldLoader(LoadContractTest.failing(new InterruptedException("gone")));
    HeldLoader second = new HeldLoader(LoadContractTest.failing(new InterruptedException("gone")));
    Call<Object> one = Call.start(() -> cache.get(HI, 1, first));
    Call<Object> two = Call.start(() -> cache.get(HI, 2, second));
    first.awaitEntered();
    second.awaitEntered();
    Object[] values = new Object[3];
    Call<Integer> batch = Call.startWaiting(() -> cache.getAll(keys(2, 9, 1), values, this::load));
    second.letGo();
    two.failure();
    first.letGo();
    one.failure();
    assertThat(batch.result()).isEqualTo(3);
    assertThat(calls).containsExactly(List.of(9L), List.of(2L, 1L));
    assertIdle(cache);
  }

  @Test
  void onlyWhatIsMissingIsLoadedByOneCall() {
    BlockCache<Object> cache = roomy(10);
    insert(cache, 2, 1);
    Object[] values = new Object[4];
    assertThat(cache.getAll(keys(1, 2, 3, 4), values, this::load)).isEqualTo(4);
    assertThat(values).containsExactly(text(1), text(2), text(3), text(4));
    assertThat(calls).hasSize(1);
    assertThat(calls.get(0)).containsExactlyInAnyOrder(1L, 3L, 4L);
    assertThat(countPresent(cache, 1, 5)).isEqualTo(4);
    assertThat(cache.getAll(keys(1, 2, 3, 4), values, this::load)).isEqualTo(4);
    assertThat(calls).hasSize(1);
    assertThat(cache.monitor().loadStats().loads()).isEqualTo(3);
    assertIdle(cache);
  }

  @Test
  void repeatedKeysAreLoadedOnceAndAbsentBlocksAreNull() {
    BlockCache<Object> cache = roomy(10);
    Object[] values = new Object[6];
    assertThat(cache.getAll(keys(1, -5, 1, -5, 2), values, this::load)).isEqualTo(3);
    assertThat(values).containsExactly(text(1), null, text(1), null, text(2), null);
    assertThat(calls).hasSize(1);
    assertThat(calls.get(0)).containsExactlyInAnyOrder(1L, -5L, 2L);
    assertThat(has(cache, -5)).isFalse();
  }

  @Test
  void arraysOfTheCallersClassAreFilled() {
    BlockCache<String> cache =
        track(
            variant
                .<String>builder()
                .capacityBytes(100L * variant.shards())
                .estimatedEntryCharge(1)
                .metadataCharge(MetadataCharge.NONE)
                .build());
    String[] values = new String[2];
    BulkLoader<String> loader =
        (keys, loaded) -> {
          loaded[0] = "a";
          loaded[1] = "a";
        };
    assertThat(cache.getAll(keys(1, 2), values, loader)).isEqualTo(2);
    assertThat(values).containsExactly("a", "a");
  }

  @Test
  void aLoaderOfOneTypeFillsItsArraysInACacheOfSeveral() {
    BlockCache<Object> cache = roomy(100);
    byte[][] blocks = new byte[2][];
    BulkLoader<byte[]> loader =
        (keys, loaded) -> {
          for (int i = 0; i < loaded.length; i++) {
            loaded[i] = new byte[] {(byte) keys[2 * i + 1]};
          }
        };
    assertThat(cache.getAll(keys(1, 2), blocks, loader)).isEqualTo(2);
    assertThat(blocks).isDeepEqualTo(new byte[][] {{1}, {2}});
    @SuppressWarnings({"unchecked", "rawtypes"})
    Handle<Object>[] handles = new Handle[2];
    assertThat(cache.lookupAll(keys(2, 3), handles, byte[][]::new, loader)).isEqualTo(2);
    for (Handle<Object> handle : handles) {
      assertThat(handle.value()).isInstanceOf(byte[].class);
      handle.close();
    }
    assertThat(cache.get(HI, 1)).isSameAs(blocks[0]);
    insert(cache, 4, 1);
    assertThatThrownBy(() -> cache.getAll(keys(1, 4), blocks, loader))
        .isInstanceOf(ArrayStoreException.class);
    assertThat(blocks).isDeepEqualTo(new byte[2][]);
    assertIdle(cache);
  }

  @Test
  void nothingMissingCallsNobody() {
    BlockCache<Object> cache = roomy(10);
    assertThat(cache.getAll(new long[0], new Object[0], this::load)).isZero();
    assertThat(calls).isEmpty();
  }

  @Test
  void failureLeavesNothing() {
    BlockCache<Object> cache = roomy(10);
    insert(cache, 2, 1);
    IOException failure = new IOException("disk");
    BulkLoader<Object> failing =
        (keys, values) -> {
          throw failure;
        };
    Object[] values = new Object[3];
    assertThatThrownBy(() -> cache.getAll(keys(1, 2, 3), values, failing))
        .isInstanceOf(BlockLoadException.class)
        .hasCause(failure);
    assertThat(cache.monitor().loadStats().loadFailures()).isEqualTo(2);
    assertIdle(cache);
    assertThat(cache.getAll(keys(1, 2, 3), values, this::load)).isEqualTo(3);
  }

  @Test
  void badRulesFailButTheOthersAreServed() {
    BlockCache<Object> cache = roomy(10);
    BulkLoader<Object> rules =
        new BulkLoader<>() {
          @Override
          public void load(long[] keys, @Nullable Object[] values) {
            BulkLoadContractTest.this.load(keys, values);
          }

          @Override
          public long chargeBytes(Object value) {
            return value.equals(text(2)) ? -2 : 1;
          }
        };
    assertThatThrownBy(() -> cache.getAll(keys(1, 2, 3), new Object[3], rules))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(has(cache, 1) && has(cache, 3)).isTrue();
    assertIdle(cache);
  }

  @SuppressWarnings("unchecked")
  private static <E extends Throwable> void throwUnchecked(Throwable failure) throws E {
    throw (E) failure;
  }

  /** Joins the load of a key from outside of the loader that calls this. */
  private static CompletableFuture<Object> guest(BlockCache<Object> cache, long lo)
      throws Exception {
    return Call.start(() -> cache.getAsync(HI, lo, Runnable::run, never())).result();
  }

  /** The rules throw for the value of key 2. */
  private Throwable failureOfOneOfThree(Throwable failure) {
    BlockCache<Object> cache = roomy(10);
    List<CompletableFuture<Object>> guests = new ArrayList<>();
    BulkLoader<Object> rules =
        new BulkLoader<>() {
          @Override
          public void load(long[] keys, @Nullable Object[] values) throws Exception {
            for (long lo = 1; lo <= 3; lo++) {
              guests.add(guest(cache, lo));
            }
            BulkLoadContractTest.this.load(keys, values);
          }

          @Override
          public long chargeBytes(Object value) {
            if (value.equals(text(2))) {
              BulkLoadContractTest.<RuntimeException>throwUnchecked(failure);
            }
            return 1;
          }
        };
    Object[] values = new Object[3];
    Throwable thrown = catchThrowable(() -> cache.getAll(keys(1, 2, 3), values, rules));
    assertThat(values).containsExactly(text(1), null, text(3));
    assertThat(guests.get(0)).isCompletedWithValue(text(1));
    assertThat(failureOf(guests.get(1))).isInstanceOf(BlockLoadException.class).hasCause(failure);
    assertThat(guests.get(2)).isCompletedWithValue(text(3));
    assertThat(has(cache, 1) && has(cache, 3)).isTrue();
    assertIdle(cache);
    return thrown;
  }

  @Test
  void whateverTheRulesThrowTheOthersAreServed() {
    IOException checked = new IOException("disk");
    assertThat(failureOfOneOfThree(checked))
        .isInstanceOf(BlockLoadException.class)
        .hasMessageContaining("keyLo=2")
        .hasCause(checked);
    Error error = new AssertionError("rules");
    assertThat(failureOfOneOfThree(error)).isSameAs(error);
  }

  @Test
  void valuesFreedByHandAreRefused() {
    BlockCache<Object> cache = roomy(10);
    BulkLoader<Object> rules =
        new BulkLoader<>() {
          @Override
          public void load(long[] keys, @Nullable Object[] values) {
            throw new AssertionError("must not be called");
          }

          @Override
          public EntryType<? super Object> type() {
            return widened(Block.TYPE);
          }
        };
    assertThatThrownBy(() -> cache.getAll(keys(1), new Object[1], rules))
        .isInstanceOf(PinRequiredException.class);
    assertIdle(cache);
  }
}
