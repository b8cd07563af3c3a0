/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.internal.adapter;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.BlockCache;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.Key128;
import io.hyperclock.secondary.AdmissionPolicy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A lookup that missed in the primary before it was closed, and goes on after it was. */
class ClosedReadsTest {
  private static final Key128 KEY = new Key128(1, 2);

  private final AtomicInteger freed = new AtomicInteger();
  private final EntryType<Object> type =
      EntryType.named("test").disposer((hi, lo, value) -> freed.incrementAndGet()).build();
  private final Registry registry = new Registry();
  private final Bounds bounds = new Bounds(registry);
  private final Tiers tiers = new Tiers(List.of(), new Watch(null, Duration.ZERO));
  private final KeptTypes kept = new KeptTypes();
  private final Counters counters = new Counters();
  private final Demotion demotion =
      new Demotion(
          registry,
          bounds,
          tiers,
          counters,
          Runnable::run,
          new Watch(null, Duration.ZERO),
          1 << 10,
          8);
  private final BlockCache<Object> primary =
      BlockCache.builder().capacityBytes(1 << 20).estimatedEntryCharge(1 << 10).build();
  private final Reads reads = reads();

  private Reads reads() {
    Descent<Object> descent =
        new Descent<>(
            new TieredConfig<>(
                List.of(), AdmissionPolicy.ALL, null, 1 << 10, 8, 0, 0, null, null, Duration.ZERO),
            tiers,
            kept,
            bounds,
            registry,
            counters,
            demotion);
    Marks marks = new Marks(primary);
    Promotion promotion =
        new Promotion(primary, registry, bounds, tiers, marks, kept, counters, descent);
    return new Reads(
        primary,
        registry,
        bounds,
        tiers,
        marks,
        kept,
        counters,
        demotion,
        promotion,
        Runnable::run);
  }

  private void close() {
    demotion.close();
    primary.close();
    reads.close();
  }

  /** As one whose thread was stopped between its registration and the queue. */
  private void registerOffer() {
    Object value = new Object();
    Offer offer =
        new Offer(
            KEY.hi(),
            KEY.lo(),
            type,
            () -> value,
            1,
            0,
            1,
            false,
            Offer.Source.EVICTED,
            () -> Disposal.dispose(type, KEY.hi(), KEY.lo(), value));
    assertThat(registry.register(offer, registry.now())).isTrue();
  }

  @Test
  void freesAnOfferThatItWouldPutBack() {
    registerOffer();
    close();
    assertThat(reads.lookup(KEY.hi(), KEY.lo(), type, null)).isNull();
    assertThat(freed).hasValue(1);
    assertThat(registry.flights()).isEmpty();
  }

  @Test
  void letsNoWriteWaitForAPutBack() throws Exception {
    registerOffer();
    close();
    reads.lookup(KEY.hi(), KEY.lo(), type, null);
    CompletableFuture.runAsync(() -> registry.beginWrite(KEY, false)).get(10, SECONDS);
    assertThat(freed).hasValue(1);
  }

  @Test
  void endsWithoutAHandleWhereNothingIsOnItsWay() {
    close();
    assertThat(reads.lookup(KEY.hi(), KEY.lo(), type, null)).isNull();
    assertThat(registry.flights()).isEmpty();
  }
}
