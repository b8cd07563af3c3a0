/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.contract;

import static io.hyperclock.contract.LoadContractTest.TEXTS;
import static io.hyperclock.contract.LoadContractTest.assertIdle;
import static io.hyperclock.contract.LoadContractTest.never;
import static io.hyperclock.contract.LoadContractTest.widened;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperclock.AsyncBlockLoader;
import io.hyperclock.BlockCache;
import io.hyperclock.BlockLoadException;
import io.hyperclock.BlockLoader;
import io.hyperclock.BulkLoader;
import io.hyperclock.CapacityExceededException;
import io.hyperclock.Handle;
import io.hyperclock.ReadScope;
import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the forms of a loading read have in common, and what values and handles do not. */
@Tag("loading")
abstract class LoadFormsContractTest extends CacheContract {
  private static final Executor DIRECT = Runnable::run;

  LoadFormsContractTest(Variant variant) {
    super(variant);
  }

  private static void refuses(String message, ThrowingCallable call) {
    assertThatThrownBy(call).isInstanceOf(NullPointerException.class).hasMessage(message);
  }

  @Test
  void nullIsRefusedOnHitsToo() {
    BlockCache<Object> cache = roomy(10);
    insert(cache, 1, 1);
    BlockLoader<Object> noLoader = null;
    AsyncBlockLoader<Object> noAsyncLoader = null;
    BulkLoader<Object> noBulkLoader = null;
    Executor noExecutor = null;
    String loader = "loader must not be null";
    String executor = "executor must not be null";
    refuses(loader, () -> cache.getAsync(HI, 1, DIRECT, noLoader));
    refuses(loader, () -> cache.getAsync(HI, 1, noAsyncLoader));
    refuses(loader, () -> cache.lookupAsync(HI, 1, DIRECT, noLoader));
    refuses(loader, () -> cache.lookupAsync(HI, 1, noAsyncLoader));
    refuses(loader, () -> cache.getAll(new long[] {HI, 1}, new Object[1], noBulkLoader));
    refuses(executor, () -> cache.getAsync(HI, 1, noExecutor, TEXTS));
    refuses(executor, () -> cache.lookupAsync(HI, 1, noExecutor, TEXTS));
    try (ReadScope<Object> scope = cache.openScope()) {
      refuses(loader, () -> scope.get(HI, 1, noLoader));
    }
  }

  @Test
  void everyReadCountsOneHitOrOneMiss() {
    BlockCache<Object> cache = track(roomyBuilder(20).recordHits(true).build());
    AsyncBlockLoader<Object> staged = (hi, lo) -> CompletableFuture.completedFuture(text(lo));
    for (int round = 1; round <= 2; round++) {
      assertThat(cache.get(HI, 1, TEXTS)).isEqualTo(text(1));
      cache.lookup(HI, 2, TEXTS).close();
      assertThat(cache.getAsync(HI, 3, DIRECT, TEXTS).join()).isEqualTo(text(3));
      assertThat(cache.getAsync(HI, 4, staged).join()).isEqualTo(text(4));
      cache.lookupAsync(HI, 5, DIRECT, TEXTS).join().close();
      cache.lookupAsync(HI, 6, staged).join().close();
      try (ReadScope<Object> scope = cache.openScope()) {
        assertThat(scope.get(HI, 7, TEXTS)).isEqualTo(text(7));
      }
      assertThat(cache.monitor().stats().misses()).as("misses, round %d", round).isEqualTo(7);
      assertThat(cache.monitor().stats().hits())
          .as("hits, round %d", round)
          .isEqualTo(round == 1 ? 0 : 7);
    }
    assertThat(cache.monitor().loadStats().loads()).isEqualTo(7);
    assertIdle(cache);
  }

  /** Rules whose key is inserted by others after the read has missed it, before it is loaded. */
  private static <L> L tooLate(Class<L> type, BlockCache<Object> cache, long lo) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              assertThat(method.getName()).isEqualTo("type");
              insert(cache, lo, 1);
              return null;
            }));
  }

  private static void assertCounts(BlockCache<Object> cache, long hits, long misses) {
    assertThat(cache.monitor().stats().hits()).as("hits").isEqualTo(hits);
    assertThat(cache.monitor().stats().misses()).as("misses").isEqualTo(misses);
    assertIdle(cache);
  }

  @Test
  @SuppressWarnings("unchecked")
  void aKeyThatComesBeforeItsLoadIsStillOneMiss() {
    BlockCache<Object> cache = track(roomyBuilder(20).recordHits(true).build());
    assertThat(cache.get(HI, 1, tooLate(BlockLoader.class, cache, 1))).isEqualTo(text(1));
    cache.lookup(HI, 2, tooLate(BlockLoader.class, cache, 2)).close();
    cache.getAsync(HI, 3, DIRECT, tooLate(BlockLoader.class, cache, 3)).join();
    cache.getAsync(HI, 4, tooLate(AsyncBlockLoader.class, cache, 4)).join();
    Handle<Object> fifth =
        (Handle<Object>)
            cache.lookupAsync(HI, 5, DIRECT, tooLate(BlockLoader.class, cache, 5)).join();
    fifth.close();
    Handle<Object> sixth =
        (Handle<Object>) cache.lookupAsync(HI, 6, tooLate(AsyncBlockLoader.class, cache, 6)).join();
    sixth.close();
    long[] seven = {HI, 7};
    assertThat(cache.getAll(seven, new Object[1], tooLate(BulkLoader.class, cache, 7))).isOne();
    Handle<Object>[] eighth = new Handle[1];
    cache.lookupAll(new long[] {HI, 8}, eighth, Object[]::new, tooLate(BulkLoader.class, cache, 8));
    eighth[0].close();
    try (ReadScope<Object> scope = cache.openScope()) {
      assertThat(scope.get(HI, 9, tooLate(BlockLoader.class, cache, 9))).isEqualTo(text(9));
    }
    assertThat(cache.monitor().loadStats().loads()).isZero();
    assertCounts(cache, 0, 9);
    assertThat(cache.prefetch(HI, 10, DIRECT, tooLate(BlockLoader.class, cache, 10))).isTrue();
    assertCounts(cache, 0, 9);
  }

  @Test
  void aKeyThatComesDuringItsLoadIsStillOneMiss() {
    BlockCache<Object> cache = track(roomyBuilder(20).recordHits(true).build());
    Queue<Runnable> queue = new ArrayDeque<>();
    CompletableFuture<Handle<Object>> queued = cache.lookupAsync(HI, 1, queue::add, never());
    insert(cache, 1, 1);
    queue.remove().run();
    queued.join().close();
    BlockLoader<Object> overtaken =
        (hi, lo) -> {
          insert(cache, lo, 1);
          return "too late";
        };
    try (Handle<Object> handle = cache.lookup(HI, 2, overtaken)) {
      assertThat(handle.value()).isEqualTo(text(2));
    }
    assertThat(cache.get(HI, 3, overtaken)).isEqualTo(text(3));
    assertCounts(cache, 0, 3);
  }

  @Test
  void guestsAreOneMissEach() throws Exception {
    BlockCache<Object> cache = track(roomyBuilder(20).recordHits(true).build());
    HeldLoader held = new HeldLoader(TEXTS);
    Call<Object> leader = Call.start(() -> cache.get(HI, 7, held));
    held.awaitEntered();
    Call<Handle<Object>> guest = Call.startWaiting(() -> cache.lookup(HI, 7, never()));
    Call<Object> other = Call.startWaiting(() -> cache.get(HI, 7, never()));
    held.letGo();
    guest.result().close();
    assertThat(other.result()).isSameAs(leader.result());
    assertCounts(cache, 0, 3);
  }

  @Test
  void stagesAreNotAskedOnHits() {
    BlockCache<Object> cache = roomy(10);
    insert(cache, 1, 1);
    AsyncBlockLoader<Object> never =
        (hi, lo) -> {
          throw new AssertionError("must not be called");
        };
    assertThat(cache.getAsync(HI, 1, never)).isCompletedWithValue(text(1));
    try (Handle<Object> handle = cache.lookupAsync(HI, 1, never).join()) {
      assertThat(handle.value()).isEqualTo(text(1));
    }
    assertIdle(cache);
  }

  /** Rules that are asked for nothing. */
  private static <L> L unasked(Class<L> type) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              throw new AssertionError("must not be called: " + method);
            }));
  }

  @Test
  @SuppressWarnings("unchecked")
  void rulesAreNotAskedOnHits() {
    BlockCache<Object> cache = track(roomyBuilder(20).recordHits(true).build());
    insert(cache, 1, 1);
    insert(cache, 2, 1);
    BlockLoader<Object> single = unasked(BlockLoader.class);
    AsyncBlockLoader<Object> staged = unasked(AsyncBlockLoader.class);
    BulkLoader<Object> bulk = unasked(BulkLoader.class);
    assertThat(cache.get(HI, 1, single)).isEqualTo(text(1));
    assertThat(cache.getAsync(HI, 1, DIRECT, single)).isCompletedWithValue(text(1));
    assertThat(cache.getAsync(HI, 1, staged)).isCompletedWithValue(text(1));
    cache.lookup(HI, 1, single).close();
    cache.lookupAsync(HI, 1, DIRECT, single).join().close();
    cache.lookupAsync(HI, 1, staged).join().close();
    Object[] values = new Object[2];
    assertThat(cache.getAll(new long[] {HI, 1, HI, 2}, values, bulk)).isEqualTo(2);
    assertThat(values).containsExactly(text(1), text(2));
    assertThat(cache.monitor().stats().hits()).isEqualTo(8);
    assertThat(cache.monitor().stats().misses()).isZero();
    assertThat(cache.monitor().loadStats().loads()).isZero();
  }

  private static BlockLoader<Object> texts(long charge) {
    return BlockLoader.of(
        io.hyperclock.entry.EntryType.named("charged").build(), v -> charge, TEXTS);
  }

  @Test
  void guestWithAHandleOnAValueOfAnother() throws Exception {
    BlockCache<Object> cache = roomy(10);
    HeldLoader held = new HeldLoader(texts(3));
    Call<Object> leader = Call.start(() -> cache.get(HI, 7, held));
    held.awaitEntered();
    Call<Handle<Object>> guest = Call.startWaiting(() -> cache.lookup(HI, 7, never()));
    held.letGo();
    try (Handle<Object> handle = guest.result()) {
      assertThat(handle.value()).isSameAs(leader.result());
      assertThat(handle.isStandalone()).isFalse();
      assertThat(cache.monitor().usageBytes()).isEqualTo(3);
    }
    assertIdle(cache);
  }

  @Test
  void guestWithAHandleOnAValueThatWasErasedMeanwhile() throws Exception {
    BlockCache<Object> cache = roomy(10);
    HeldLoader held = new HeldLoader(texts(3));
    Call<Object> leader = Call.start(() -> cache.get(HI, 7, held));
    held.awaitEntered();
    Call<Handle<Object>> guest = Call.startWaiting(() -> cache.lookup(HI, 7, never()));
    cache.erase(HI, 7);
    held.letGo();
    try (Handle<Object> handle = guest.result()) {
      assertThat(handle.value()).isSameAs(leader.result());
      assertThat(handle.isStandalone()).isTrue();
      assertThat(handle.keyHi()).isEqualTo(HI);
      assertThat(handle.keyLo()).isEqualTo(7);
      assertThat(cache.monitor().usageBytes()).isEqualTo(3);
      assertThat(has(cache, 7)).isFalse();
    }
    assertThat(cache.monitor().usageBytes()).isZero();
    assertIdle(cache);
  }

  /** Loads blocks, and erases their key while it does. */
  private BlockLoader<Object> erasing(BlockCache<Object> cache, long charge) {
    return BlockLoader.of(
        widened(Block.TYPE),
        block -> charge,
        (hi, lo) -> {
          cache.erase(hi, lo);
          return block(lo);
        });
  }

  @Test
  void handleOnAValueThatWasErasedMeanwhileIsCharged() {
    BlockCache<Object> cache = roomy(10);
    try (Handle<Object> handle = cache.lookup(HI, 7, erasing(cache, 3))) {
      assertThat(handle.isStandalone()).isTrue();
      assertThat(handle.keyHi()).isEqualTo(HI);
      assertThat(handle.keyLo()).isEqualTo(7);
      assertThat(cache.monitor().usageBytes()).isEqualTo(3);
    }
    assertThat(cache.monitor().usageBytes()).isZero();
  }

  @Test
  void valueThatWasErasedMeanwhileAndDoesNotFitIsFreed() {
    BlockCache<Object> cache = track(builder(10L * variant.shards(), 1).build());
    if (variant.strict()) {
      assertThatThrownBy(() -> cache.lookup(HI, 1, erasing(cache, 11)))
          .isInstanceOf(CapacityExceededException.class)
          .hasMessageContaining("chargeBytes=11");
    } else {
      cache.lookup(HI, 1, erasing(cache, 11)).close();
    }
    assertThat(cache.monitor().usageBytes()).isZero();
    assertIdle(cache);
  }

  @Test
  void interruptedGuestIsToldTheKey() throws Exception {
    BlockCache<Object> cache = roomy(10);
    HeldLoader held = new HeldLoader(TEXTS);
    Call<Object> leader = Call.start(() -> cache.get(HI, 7, held));
    held.awaitEntered();
    Call<Object> guest = Call.startWaiting(() -> cache.get(HI, 7, never()));
    guest.thread.interrupt();
    assertThat(guest.failure())
        .isInstanceOf(BlockLoadException.class)
        .hasMessageContaining("keyHi=" + HI + ", keyLo=7")
        .hasCauseInstanceOf(InterruptedException.class);
    held.letGo();
    assertThat(leader.result()).isEqualTo(text(7));
    assertIdle(cache);
  }

  @Test
  void guestOfARefusedValueIsToldWhy() throws Exception {
    BlockCache<Object> cache = track(builder(10L * variant.shards(), 1).build());
    HeldLoader held = new HeldLoader(texts(11));
    Call<Handle<Object>> leader = Call.start(() -> cache.lookup(HI, 7, held));
    held.awaitEntered();
    Call<Handle<Object>> guest = Call.startWaiting(() -> cache.lookup(HI, 7, never()));
    held.letGo();
    if (variant.strict()) {
      assertThat(guest.failure())
          .isInstanceOf(CapacityExceededException.class)
          .hasMessage(leader.failure().getMessage())
          .hasCause(leader.failure());
    } else {
      leader.result().close();
      guest.result().close();
    }
    assertIdle(cache);
  }

  @Test
  void failureNamesTheKey() {
    BlockCache<Object> cache = roomy(10);
    assertThatThrownBy(() -> cache.get(HI, 7, LoadContractTest.failing(new Exception("disk"))))
        .isInstanceOf(BlockLoadException.class)
        .hasMessageContaining("keyHi=" + HI + ", keyLo=7");
  }
}
