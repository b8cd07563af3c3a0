/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.tiered;

import static io.hyperclock.secondary.tiered.TieredRig.HI;

import io.hyperclock.Handle;
import io.hyperclock.InsertResult;
import io.hyperclock.entry.Priority;
import io.hyperclock.secondary.AsyncLookup;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;

/** One user: reads any key in every way, writes its own keys. */
final class Traffic {
  private record Started(int key, int oldest, AsyncLookup<Blocks.Block> lookup) {}

  private final TieredRig rig;
  private final TieredHistory history;
  private final int keys;
  private final int writers;
  private final int self;
  private final SplittableRandom random;
  private Runnable beforeWaiting = () -> {};
  private Runnable beforeStarting = () -> {};
  private Duration patience = Duration.ofMillis(1);
  private final List<Started> started = new ArrayList<>();

  Traffic(TieredRig rig, TieredHistory history, int keys, int writers, int self, long seed) {
    this.rig = rig;
    this.history = history;
    this.keys = keys;
    this.writers = writers;
    this.self = self;
    this.random = new SplittableRandom(seed);
  }

  /** Sets what runs before operations that wait for tiers, and before those that do not. */
  Traffic before(Runnable waiting, Runnable starting) {
    beforeWaiting = waiting;
    beforeStarting = starting;
    return this;
  }

  /** Sets how long a started lookup is waited for. */
  Traffic patience(Duration longest) {
    patience = longest;
    return this;
  }

  int below(int bound) {
    return random.nextInt(bound);
  }

  /** One operation. */
  void step() {
    int key = skewed();
    switch (random.nextInt(16)) {
      case 0 -> put(own(key));
      case 1 -> erase(own(key));
      case 2 -> insert(own(key));
      case 3, 4 -> start(key);
      case 5 -> startAll();
      case 6, 7 -> finish();
      case 8 -> load(key);
      case 9 -> pin(own(key));
      case 10 -> putPinned(own(key));
      default -> lookup(key);
    }
  }

  private int skewed() {
    return Math.min(random.nextInt(keys), random.nextInt(keys));
  }

  private int own(int key) {
    return key - key % writers + self;
  }

  private void put(int key) {
    int version = history.begin(key);
    Blocks.Block block = rig.blocks.make(key, version);
    InsertResult result = rig.cache.put(HI, key, block, rig.blocks.data, Blocks.CHARGE, priority());
    if (result.callerKeepsValue()) {
      rig.blocks.giveUp(block);
      erase(key);
    } else {
      history.written(key, version);
    }
  }

  private void erase(int key) {
    int version = history.begin(key);
    rig.cache.erase(HI, key);
    history.written(key, version);
  }

  /** Writes only if the primary has nothing, so it promises only that. */
  private void insert(int key) {
    int version = history.begin(key);
    Blocks.Block block = rig.blocks.make(key, version);
    InsertResult result =
        rig.cache.insert(HI, key, block, rig.blocks.data, Blocks.CHARGE, priority());
    if (result.callerKeepsValue()) {
      rig.blocks.giveUp(block);
    } else if (result == InsertResult.INSERTED) {
      history.written(key, version);
    }
  }

  private void pin(int key) {
    int oldest = history.oldestAllowed(key);
    int version = history.begin(key);
    Blocks.Block block = rig.blocks.make(key, version);
    Handle<Blocks.Block> handle =
        rig.cache.insertPinned(HI, key, block, rig.blocks.data, Blocks.CHARGE, priority());
    history.check(key, oldest, handle, true);
  }

  private void putPinned(int key) {
    int version = history.begin(key);
    Blocks.Block block = rig.blocks.make(key, version);
    try (Handle<Blocks.Block> handle =
        rig.cache.putPinned(HI, key, block, rig.blocks.data, Blocks.CHARGE, priority())) {
      if (handle.value() != block) {
        throw new AssertionError("a handle on the given value: " + handle.value());
      }
      history.written(key, version);
    }
  }

  private Priority priority() {
    return random.nextInt(4) == 0 ? Priority.HIGH : Priority.LOW;
  }

  private void lookup(int key) {
    beforeWaiting.run();
    int oldest = history.oldestAllowed(key);
    history.check(key, oldest, rig.lookup(key), random.nextInt(8) != 0);
  }

  private void load(int key) {
    beforeWaiting.run();
    int oldest = history.oldestAllowed(key);
    Handle<Blocks.Block> handle =
        rig.cache.lookup(
            HI,
            key,
            rig.blocks.data,
            null,
            (hi, lo) -> rig.blocks.make(lo, history.stored((int) lo)));
    history.check(key, oldest, handle, true);
  }

  private void start(int key) {
    beforeStarting.run();
    int oldest = history.oldestAllowed(key);
    started.add(new Started(key, oldest, rig.cache.startLookup(HI, key, rig.blocks.data)));
  }

  private void startAll() {
    beforeStarting.run();
    long[] batch = new long[2 * (1 + random.nextInt(8))];
    int[] oldest = new int[batch.length / 2];
    for (int i = 0; i < oldest.length; i++) {
      int key = skewed();
      batch[2 * i] = HI;
      batch[2 * i + 1] = key;
      oldest[i] = history.oldestAllowed(key);
    }
    List<AsyncLookup<Blocks.Block>> lookups = rig.cache.startLookups(batch, rig.blocks.data, null);
    for (int i = 0; i < oldest.length; i++) {
      started.add(new Started((int) batch[2 * i + 1], oldest[i], lookups.get(i)));
    }
  }

  private void finish() {
    List<Started> all = List.copyOf(started);
    started.clear();
    if (random.nextInt(4) == 0) {
      rig.cache.waitAll(
          all.stream().map(Started::lookup).toList(), Duration.ofNanos(random.nextInt(50_000)));
    }
    for (Started each : all) {
      switch (random.nextInt(8)) {
        case 0 -> each.lookup.close();
        case 1 -> give(each);
        case 2 -> check(each, each.lookup.await(Duration.ZERO));
        default -> check(each, each.lookup.await(patience));
      }
    }
  }

  private void give(Started each) {
    CompletableFuture<Handle<Blocks.Block>> future = each.lookup.toFuture();
    if (!future.cancel(false)) {
      check(each, future.join());
    }
  }

  private void check(Started each, Handle<Blocks.Block> handle) {
    history.check(each.key, each.oldest, handle, random.nextBoolean());
  }

  /** Gives up what was started. */
  void end() {
    started.forEach(each -> each.lookup.close());
    started.clear();
  }
}
