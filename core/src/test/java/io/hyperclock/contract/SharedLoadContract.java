/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.contract;

import static io.hyperclock.contract.LoadContractTest.never;

import io.hyperclock.BlockCache;
import io.hyperclock.BlockLoader;
import io.hyperclock.Handle;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;

/** Contracts of loads that several callers share: the caller that loads and those that wait. */
@Tag("loading")
abstract class SharedLoadContract extends CacheContract {
  static final int WAITERS = 4;

  SharedLoadContract(Variant variant) {
    super(variant);
  }

  static HeldLoader held(BlockLoader<Object> loader) {
    return new HeldLoader(loader);
  }

  Call<Object> leader(BlockCache<Object> cache, HeldLoader loader) throws Exception {
    Call<Object> leader = Call.start(() -> cache.get(HI, 1, loader));
    loader.awaitEntered();
    return leader;
  }

  Call<Handle<Object>> pinningLeader(BlockCache<Object> cache, HeldLoader loader) throws Exception {
    Call<Handle<Object>> leader = Call.start(() -> cache.lookup(HI, 1, loader));
    loader.awaitEntered();
    return leader;
  }

  static List<Call<Object>> waiters(BlockCache<Object> cache) {
    List<Call<Object>> waiters = new ArrayList<>();
    for (int i = 0; i < WAITERS; i++) {
      waiters.add(Call.startWaiting(() -> cache.get(HI, 1, never())));
    }
    return waiters;
  }

  static List<Call<Handle<Object>>> pinningWaiters(BlockCache<Object> cache) {
    List<Call<Handle<Object>>> waiters = new ArrayList<>();
    for (int i = 0; i < WAITERS; i++) {
      waiters.add(Call.startWaiting(() -> cache.lookup(HI, 1, never())));
    }
    return waiters;
  }
}
