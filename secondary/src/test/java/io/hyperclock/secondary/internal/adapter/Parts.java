/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.internal.adapter;

import io.hyperclock.BlockCache;
import io.hyperclock.entry.EntryCodec;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.Key128;
import io.hyperclock.secondary.AdmissionPolicy;
import io.hyperclock.secondary.SecondaryCache;
import io.hyperclock.secondary.TierObserver;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** The parts of a tiered cache, without tiers unless they are given, to be driven step by step. */
final class Parts {
  private static final Duration LIMIT = Duration.ofSeconds(30);
  static final int HAND_OFF_BYTES = 1 << 10;
  private static final int HAND_OFF_ENTRIES = 8;

  final AtomicInteger freed = new AtomicInteger();
  final EntryType<Object> type =
      EntryType.named("test")
          .codec(unused())
          .disposer((hi, lo, value) -> freed.incrementAndGet())
          .build();
  final InFlightTable registry = new InFlightTable();
  final EvictionTimestamps bounds = new EvictionTimestamps(registry);
  private final Watch watch;
  final Tiers tiers;
  private final RetainedCopyTypes kept = new RetainedCopyTypes();
  private final Counters counters = new Counters();
  final Demotion demotion;
  private final AtomicLong passed = new AtomicLong();
  final Expiry expiry =
      new Expiry(registry, Runnable::run, LIMIT, () -> System.nanoTime() + passed.get());
  final FailingPrimary failing = new FailingPrimary();
  final BlockCache<Object> primary =
      failing.over(
          BlockCache.builder().capacityBytes(1 << 20).estimatedEntryCharge(1 << 10).build());
  private final FoundBelowMarks marks = new FoundBelowMarks(primary, new Random(1));
  final DemotionFilter<Object> descent;
  final Promotion promotion;
  final TierLookups reads;
  final TierWrites writes;

  Parts() {
    this(new ConcurrentLinkedQueue<>(), Runnable::run);
  }

  /** With a hand-off that uses the queue and the executor. */
  Parts(Queue<DemotionTask> queue, Executor executor) {
    this(queue, executor, List.of(), System::nanoTime);
  }

  /** With tiers whose answers are timed by a clock. */
  Parts(
      Queue<DemotionTask> queue,
      Executor executor,
      List<SecondaryCache> below,
      LongSupplier clock) {
    this(queue, executor, below, clock, AdmissionPolicy.ALL);
  }

  /** With a policy of what goes down, too. */
  Parts(
      Queue<DemotionTask> queue,
      Executor executor,
      List<SecondaryCache> below,
      LongSupplier clock,
      AdmissionPolicy policy) {
    watch = new Watch(new TierObserver() {}, Duration.ofDays(1), clock);
    tiers = new Tiers(below, watch, LIMIT);
    demotion =
        new Demotion(
            registry,
            bounds,
            tiers,
            counters,
            executor,
            watch,
            HAND_OFF_BYTES,
            HAND_OFF_ENTRIES,
            queue);
    descent = descent(policy);
    promotion = new Promotion(primary, registry, bounds, tiers, marks, kept, counters, descent);
    reads =
        new TierLookups(
            primary, registry, bounds, tiers, marks, kept, counters, demotion, promotion, expiry);
    writes = new TierWrites(primary, registry, bounds, tiers, demotion, descent);
  }

  @SuppressWarnings("unchecked")
  private static EntryCodec<Object> unused() {
    return (EntryCodec<Object>) (EntryCodec<?>) EntryCodec.ofBytes();
  }

  private DemotionFilter<Object> descent(AdmissionPolicy policy) {
    TieredConfig<Object> config =
        new TieredConfig<>(
            List.of(),
            policy,
            null,
            HAND_OFF_BYTES,
            HAND_OFF_ENTRIES,
            0,
            0,
            null,
            null,
            Duration.ZERO,
            LIMIT,
            null,
            System::nanoTime,
            new Random(1),
            LIMIT);
    return new DemotionFilter<>(config, tiers, kept, bounds, registry, counters, demotion);
  }

  /** The limit passes for all answers that are waited for; no thread has noticed yet. */
  void letLimitPass() {
    passed.addAndGet(LIMIT.toNanos() + 1);
  }

  /** In the order of {@link TieredCache#close}. */
  void close() {
    demotion.close();
    primary.close();
    reads.close();
  }

  /** An evicted key, itself the value, on its way down. */
  DemotionTask offer(Key128 key, Runnable release) {
    return new DemotionTask(
        key.hi(), key.lo(), type, () -> key, 10, 0, 1, false, DemotionTask.Source.EVICTED, release);
  }
}
