/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.contract;

import static io.hyperclock.TestLimits.WAIT_SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.BlockLoader;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A loader that is held until the test lets it go. */
final class HeldLoader implements BlockLoader<Object> {

  private final BlockLoader<Object> loader;
  private final CountDownLatch entered = new CountDownLatch(1);
  private final CountDownLatch go = new CountDownLatch(1);
  final AtomicInteger calls = new AtomicInteger();

  HeldLoader(BlockLoader<Object> loader) {
    this.loader = loader;
  }

  @Override
  public Object load(long keyHi, long keyLo) throws Exception {
    calls.incrementAndGet();
    entered.countDown();
    assertThat(go.await(WAIT_SECONDS, TimeUnit.SECONDS)).as("let go").isTrue();
    return loader.load(keyHi, keyLo);
  }

  @Override
  public io.hyperclock.entry.EntryType<? super Object> type() {
    return loader.type();
  }

  @Override
  public long chargeBytes(Object value) {
    return loader.chargeBytes(value);
  }

  HeldLoader awaitEntered() throws InterruptedException {
    assertThat(entered.await(WAIT_SECONDS, TimeUnit.SECONDS)).as("entered").isTrue();
    return this;
  }

  void letGo() {
    go.countDown();
  }
}
