/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.model;

import io.hyperclock.model.ModelContext.Held;
import io.hyperclock.stats.CacheStats;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;

/**
 * One run of the model: threads work on a cache, everything comes to rest, everything is compared
 * with the books; again and again until the time is over. Then the cache is closed, at rest or in
 * the midst of work, with handles open, and every value must have been freed exactly once when they
 * are released.
 */
final class ModelRun {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** Enough keys to meet every shard. */
  private static final int PROBES = 10;

  private final ModelSettings settings;
  private final long seed;
  private final SplittableRandom random;
  private final ModelContext context;
  private final ValueOwners owners;
  private final List<ModelWorker> workers = new ArrayList<>();

  /** Works while the others rest. */
  private final ModelWorker driver;

  private int phases;

  ModelRun(ModelSettings settings, long seed, CacheFactory factory) {
    this.settings = settings;
    this.seed = seed;
    random = new SplittableRandom(seed);
    context = new ModelContext(settings, random.nextLong(), factory);
    owners = context.owners;
    for (int i = 0; i <= settings.threads(); i++) {
      workers.add(new ModelWorker(context, i, random.split()));
    }
    driver = workers.get(settings.threads());
  }

  /** Runs for a time, or until something is found. */
  void run(Duration time) {
    long end = System.nanoTime() + time.toNanos();
    do {
      runPhase();
    } while (System.nanoTime() < end && !owners.isBroken());
    finish();
  }

  /** Runs a number of phases, or until something is found. */
  void run(int count) {
    for (int i = 0; i < count && !owners.isBroken(); i++) {
      runPhase();
    }
    finish();
  }

  private void runPhase() {
    phases++;
    List<Thread> threads = start(operationsOfPhase());
    join(threads);
    if (owners.isBroken()) {
      return;
    }
    asDriver(
        () -> {
          check();
          rest();
        });
  }

  /** A single thread is watched closely, so that the trail of a finding shows what led to it. */
  private int operationsOfPhase() {
    if (settings.threads() == 1) {
      return 1;
    }
    return random.nextInt(50, settings.size().entries > 100 ? 8000 : 4000);
  }

  private List<Thread> start(int operations) {
    List<Thread> threads = new ArrayList<>();
    for (ModelWorker worker : workers) {
      if (worker != driver) {
        Thread thread = new Thread(() -> worker.run(operations), "model-" + worker.number);
        thread.setDaemon(true);
        threads.add(thread);
      }
    }
    threads.forEach(Thread::start);
    return threads;
  }

  private void join(List<Thread> threads) {
    for (Thread thread : threads) {
      try {
        thread.join(PATIENCE.toMillis());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      if (thread.isAlive()) {
        String at =
            Arrays.stream(thread.getStackTrace())
                .map(Object::toString)
                .collect(Collectors.joining("\n    at "));
        owners.report(Defect.HUNG, thread.getName() + " is at " + at);
        return;
      }
    }
  }

  private void asDriver(Runnable work) {
    ModelWorker.setCurrent(driver);
    try {
      work.run();
    } catch (RuntimeException | Error e) {
      driver.crashed(e);
    } finally {
      ModelWorker.setCurrent(null);
    }
  }

  private void check() {
    if (!owners.isBroken()) {
      new QuietCheck(context, workers).run();
    }
  }

  /** What is done and checked while nobody else works. */
  private void rest() {
    switch (random.nextInt(8)) {
      case 0 -> {
        releaseAll();
        check();
      }
      case 1 -> {
        releaseAll();
        shrink();
      }
      case 2 -> {
        releaseAll();
        driver.withoutCallBacks(context.cache::eraseUnreferenced);
        check();
        driver.withoutCallBacks(this::probeCapacity);
        if (context.cache.monitor().occupancy() != 0) {
          owners.report(
              Defect.OCCUPANCY_DRIFT,
              "not empty after eraseUnreferenced: occupancy="
                  + context.cache.monitor().occupancy());
        }
      }
      case 3 -> {
        driver.run(200);
        ModelWorker.setCurrent(driver);
        check();
      }
      default -> context.freeTaken();
    }
  }

  /**
   * An empty cache takes what fits into a shard, whatever was done to its capacity, and no more.
   */
  private void probeCapacity() {
    CacheStats stats = context.cache.monitor().stats();
    long room = (stats.capacityBytes() - stats.metadataBytes()) / settings.shards();
    if (room >= 0) {
      for (int key = 0; key < PROBES; key++) {
        driver.probe(key, room, true);
        driver.probe(key, room + 2, false);
      }
    }
  }

  /** Without pins, usage must fit at once, to the byte. */
  private void shrink() {
    long before = context.cache.monitor().capacityBytes();
    long least = context.cache.monitor().stats().metadataBytes() + 1;
    long small = Math.max(least, random.nextLong(settings.capacityBytes()));
    driver.withoutCallBacks(() -> context.cache.setCapacityBytes(small));
    check();
    if (context.cache.monitor().usageBytes() > small) {
      owners.report(
          Defect.CONTRACT,
          "usage must fit after setCapacityBytes("
              + small
              + "): "
              + context.cache.monitor().usageBytes());
    }
    context.cache.setCapacityBytes(before);
  }

  private void releaseAll() {
    for (ModelWorker worker : workers) {
      worker.releaseAll();
    }
    for (Held open = context.exchange.poll(); open != null; open = context.exchange.poll()) {
      driver.held.add(open);
    }
    driver.releaseAll();
  }

  private void finish() {
    if (owners.isBroken()) {
      return;
    }
    List<Thread> threads = random.nextBoolean() ? start(1_000_000) : List.of();
    asDriver(
        () -> {
          driver.run(threads.isEmpty() ? 1 : 300);
          ModelWorker.setCurrent(driver);
          context.closing = true;
          context.cache.close();
          context.cache.close();
        });
    join(threads);
    asDriver(this::checkClosed);
  }

  private void checkClosed() {
    mustThrow("lookup", () -> context.cache.lookup(0, 0));
    mustThrow("erase", () -> context.cache.erase(0, 0));
    mustThrow("stats", context.cache.monitor()::stats);
    releaseAll();
    context.freeTaken();
    for (ModelWorker worker : workers) {
      owners.checkNoLeak(worker.made(), Collections.newSetFromMap(new IdentityHashMap<>()));
    }
  }

  private void mustThrow(String name, Runnable call) {
    try {
      call.run();
    } catch (IllegalStateException e) {
      return;
    }
    owners.report(Defect.CONTRACT, name + " must throw after close");
  }

  ValueOwners owners() {
    return owners;
  }

  Tally tally() {
    Tally sum = new Tally();
    workers.forEach(worker -> sum.add(worker.tally));
    return sum;
  }

  long evictions() {
    return context.evictions.sum();
  }

  /** One line for a log. */
  @Override
  public String toString() {
    return String.format(
        "model[%s], seed=%d: %d phases, %s, %,d evicted",
        settings, seed, phases, tally(), evictions());
  }
}
