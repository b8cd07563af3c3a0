/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.contract;

import static io.hyperclock.contract.LoadContractTest.TEXTS;
import static io.hyperclock.contract.LoadContractTest.assertIdle;
import static io.hyperclock.contract.LoadContractTest.failing;
import static io.hyperclock.contract.LoadContractTest.never;
import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.BlockCache;
import io.hyperclock.BlockLoadException;
import io.hyperclock.CapacityExceededException;
import io.hyperclock.Handle;
import io.hyperclock.PinRequiredException;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Several callers who want one key at the same time. */
abstract class SingleFlightContractTest extends SharedLoadContract {
  SingleFlightContractTest(Variant variant) {
    super(variant);
  }

  @Test
  void oneLoadsAndTheOthersWait() throws Exception {
    BlockCache<Object> cache = roomy(10);
    HeldLoader loader = held(TEXTS);
    Call<Object> leader = leader(cache, loader);
    List<Call<Object>> waiters = waiters(cache);
    assertThat(cache.monitor().loadStats().underWay()).isEqualTo(1);
    loader.letGo();
    assertThat(leader.result()).isEqualTo(text(1));
    for (Call<Object> waiter : waiters) {
      assertThat(waiter.result()).isSameAs(leader.result());
    }
    assertThat(cache.monitor().loadStats().loads()).isEqualTo(1);
    assertThat(cache.monitor().loadStats().waiters()).isEqualTo(WAITERS);
    assertIdle(cache);
  }

  @Test
  void everyWaiterHasAHandleOfItsOwn() throws Exception {
    BlockCache<Object> cache = roomy(10);
    HeldLoader loader = held(blockLoader(1));
    Call<Handle<Object>> leader = pinningLeader(cache, loader);
    List<Call<Handle<Object>>> waiters = pinningWaiters(cache);
    loader.letGo();
    Handle<Object> first = leader.result();
    first.close();
    for (Call<Handle<Object>> waiter : waiters) {
      assertThat(waiter.result().value()).isInstanceOf(Block.class);
      assertThat(cache.monitor().pinnedUsageBytes()).isEqualTo(1);
      waiter.result().close();
    }
    assertThat(cache.monitor().pinnedUsageBytes()).isZero();
    assertIdle(cache);
  }

  @Test
  void standaloneEntryIsSharedAndFreedByTheLast() throws Exception {
    BlockCache<Object> cache = roomy(10);
    HeldLoader loader = held(blockLoader(1));
    Call<Handle<Object>> leader = pinningLeader(cache, loader);
    List<Call<Handle<Object>>> waiters = pinningWaiters(cache);
    assertThat(cache.erase(HI, 1)).isFalse();
    loader.letGo();
    Block block = (Block) leader.result().value();
    assertThat(leader.result().isStandalone()).isTrue();
    leader.result().close();
    for (Call<Handle<Object>> waiter : waiters) {
      assertThat(waiter.result().value()).isSameAs(block);
      assertThat(block.timesFreed()).isZero();
      waiter.result().close();
    }
    assertThat(block.timesFreed()).isEqualTo(1);
    assertThat(cache.monitor().usageBytes()).isZero();
    assertThat(has(cache, 1)).isFalse();
  }

  @Test
  void strictRefusalReachesAllAndFreesTheValueOnce() throws Exception {
    BlockCache<Object> cache = track(builder(10L * variant.shards(), 1).build());
    HeldLoader loader = held(blockLoader(11));
    Call<Handle<Object>> leader = pinningLeader(cache, loader);
    List<Call<Handle<Object>>> waiters = pinningWaiters(cache);
    loader.letGo();
    if (variant.strict()) {
      assertThat(leader.failure()).isInstanceOf(CapacityExceededException.class);
      for (Call<Handle<Object>> waiter : waiters) {
        assertThat(waiter.failure())
            .isInstanceOf(CapacityExceededException.class)
            .isNotSameAs(leader.failure());
      }
    } else {
      leader.result().close();
      for (Call<Handle<Object>> waiter : waiters) {
        waiter.result().close();
      }
    }
    assertIdle(cache);
  }

  @Test
  void failureIsSharedByAnExceptionEach() throws Exception {
    BlockCache<Object> cache = roomy(10);
    RuntimeException failure = new UnsupportedOperationException("no");
    HeldLoader loader = held(failing(failure));
    Call<Object> leader = leader(cache, loader);
    List<Call<Object>> waiters = waiters(cache);
    loader.letGo();
    assertThat(leader.failure()).isSameAs(failure);
    for (Call<Object> waiter : waiters) {
      assertThat(waiter.failure()).isInstanceOf(BlockLoadException.class).hasCause(failure);
    }
    assertThat(waiters.get(0).failure()).isNotSameAs(waiters.get(1).failure());
    assertThat(cache.monitor().loadStats().loadFailures()).isEqualTo(1);
    assertIdle(cache);
    assertThat(cache.get(HI, 1, TEXTS)).isEqualTo(text(1));
  }

  @Test
  void checkedFailureAndErrorAreShared() throws Exception {
    for (Throwable failure :
        List.of(
            new IOException("disk"),
            new OutOfMemoryError("full"),
            new PinRequiredException("of another cache"))) {
      BlockCache<Object> cache = roomy(10);
      HeldLoader loader = held(failing(failure));
      Call<Object> leader = leader(cache, loader);
      List<Call<Object>> waiters = waiters(cache);
      loader.letGo();
      leader.failure();
      for (Call<Object> waiter : waiters) {
        assertThat(waiter.failure()).isInstanceOf(BlockLoadException.class).hasCause(failure);
      }
      assertIdle(cache);
    }
  }

  @Test
  void interruptedLoadIsNotSharedButLoadedAnew() throws Exception {
    BlockCache<Object> cache = roomy(10);
    HeldLoader loader = held(failing(new InterruptedException()));
    Call<Object> leader = leader(cache, loader);
    Call<Object> waiter = Call.startWaiting(() -> cache.get(HI, 1, TEXTS));
    loader.letGo();
    assertThat(leader.failure()).isInstanceOf(BlockLoadException.class);
    assertThat(waiter.result()).isEqualTo(text(1));
    assertIdle(cache);
  }

  @Test
  void nullIsShared() throws Exception {
    BlockCache<Object> cache = roomy(10);
    HeldLoader loader = held((hi, lo) -> null);
    Call<Object> leader = leader(cache, loader);
    List<Call<Object>> waiters = waiters(cache);
    List<Call<Handle<Object>>> pinning = pinningWaiters(cache);
    loader.letGo();
    assertThat(leader.result()).isNull();
    for (Call<Object> waiter : waiters) {
      assertThat(waiter.result()).isNull();
    }
    for (Call<Handle<Object>> waiter : pinning) {
      assertThat(waiter.result()).isNull();
    }
  }

  @Test
  void handlesAndValuesShareALoad() throws Exception {
    BlockCache<Object> cache = roomy(10);
    HeldLoader loader = held(TEXTS);
    Call<Object> leader = leader(cache, loader);
    List<Call<Handle<Object>>> pinning = pinningWaiters(cache);
    loader.letGo();
    for (Call<Handle<Object>> waiter : pinning) {
      assertThat(waiter.result().value()).isSameAs(leader.result());
      waiter.result().close();
    }
    cache.erase(HI, 1);
    HeldLoader pinned = held(TEXTS);
    Call<Handle<Object>> pinningLeader = pinningLeader(cache, pinned);
    List<Call<Object>> waiters = waiters(cache);
    pinned.letGo();
    for (Call<Object> waiter : waiters) {
      assertThat(waiter.result()).isEqualTo(text(1));
    }
    pinningLeader.result().close();
  }

  @Test
  void valueWithoutRoomIsHeldByEachWhoPinsIt() throws Exception {
    BlockCache<Object> cache = roomy(10);
    HeldLoader loader = held(TEXTS);
    Call<Object> leader = leader(cache, loader);
    List<Call<Handle<Object>>> pinning = pinningWaiters(cache);
    cache.erase(HI, 1);
    loader.letGo();
    for (Call<Handle<Object>> waiter : pinning) {
      assertThat(waiter.result().isStandalone()).isTrue();
      assertThat(waiter.result().value()).isSameAs(leader.result());
      waiter.result().close();
    }
    assertThat(cache.monitor().usageBytes()).isZero();
  }

  @Test
  void waiterWithoutPinIsRefusedAValueFreedByHand() throws Exception {
    BlockCache<Object> cache = roomy(10);
    HeldLoader loader = held(blockLoader(1));
    Call<Handle<Object>> leader = pinningLeader(cache, loader);
    Call<Object> waiter = Call.startWaiting(() -> cache.get(HI, 1, never()));
    loader.letGo();
    assertThat(waiter.failure()).isInstanceOf(PinRequiredException.class);
    assertThat(waiter.failure().getCause()).isInstanceOf(PinRequiredException.class);
    leader.result().close();
  }

  private static Throwable rootOf(Throwable failure) {
    return failure.getCause() == null ? failure : rootOf(failure.getCause());
  }

  @Test
  void interruptedWaiterLeavesTheLoadToTheOthers() throws Exception {
    BlockCache<Object> cache = roomy(10);
    HeldLoader loader = held(blockLoader(1));
    Call<Handle<Object>> leader = pinningLeader(cache, loader);
    Call<Boolean> interrupted =
        Call.startWaiting(
            () -> {
              try {
                cache.lookup(HI, 1, never());
                return false;
              } catch (BlockLoadException e) {
                return e.getCause() instanceof InterruptedException
                    && Thread.currentThread().isInterrupted();
              }
            });
    List<Call<Handle<Object>>> waiters = pinningWaiters(cache);
    interrupted.thread.interrupt();
    assertThat(interrupted.result()).isTrue();
    loader.letGo();
    leader.result().close();
    for (Call<Handle<Object>> waiter : waiters) {
      waiter.result().close();
    }
    assertIdle(cache);
  }
}
