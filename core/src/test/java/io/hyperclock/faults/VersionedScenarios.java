/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.faults;

import io.hyperclock.MetadataCharge;
import io.hyperclock.SlotStorage;
import io.hyperclock.internal.versioned.VersionedInvariants;
import io.hyperclock.versioned.Decision;
import io.hyperclock.versioned.PrepareGroup;
import io.hyperclock.versioned.PrepareMode;
import io.hyperclock.versioned.PrepareResult;
import io.hyperclock.versioned.PrepareToken;
import io.hyperclock.versioned.VersionedCache;
import io.hyperclock.versioned.VersionedCacheBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** The operations of a {@link VersionedCache} of one shard. */
public final class VersionedScenarios implements FaultScenario {
  private static final long HI = 7;
  private static final long KEY = 1;
  private static final long OTHER = 2;
  private static final long CHARGE = 8;
  private static final int ENTRIES = 24;
  private static final long LEASE = 1000;

  /** A piece of a scenario. */
  private interface Step {
    void run(VersionedScenarios it);
  }

  private final VersionedCache<String> cache;
  private final Step arrange;
  private final Step act;
  private long now;
  private PrepareToken token;
  private PrepareGroup group;

  /** What another thread does when this one looks at the clock for the first time. */
  private Runnable beside;

  private boolean decidesGroup;

  private VersionedScenarios(boolean offHeap, Step arrange, Step act) {
    VersionedCacheBuilder<String> builder = VersionedCache.builder();
    this.cache =
        builder
            .capacityBytes(ENTRIES * CHARGE)
            .estimatedEntryCharge(CHARGE)
            .metadataCharge(MetadataCharge.NONE)
            .shards(1)
            .storage(offHeap ? SlotStorage.OFF_HEAP : SlotStorage.HEAP)
            .lease(Duration.ofNanos(LEASE))
            .nanoClock(this::clock)
            .build();
    this.arrange = arrange;
    this.act = act;
  }

  /** Scenarios by name, with slots off or on the heap. */
  public static Map<String, Supplier<FaultScenario>> all(boolean offHeap) {
    Map<String, Supplier<FaultScenario>> all = new LinkedHashMap<>();
    Step nothing = it -> {};
    Step put = it -> it.cache.put(HI, KEY, "old", CHARGE);
    Step fill = it -> it.fill();
    Step prepare =
        it -> {
          put.run(it);
          it.token = it.prepare(KEY, PrepareMode.PLAIN).orThrow();
        };
    Step prepareNew = it -> it.token = it.prepare(KEY, PrepareMode.PLAIN).orThrow();
    Step expireNew =
        it -> {
          prepareNew.run(it);
          it.now = 2 * LEASE;
        };
    Step fillAndPrepare =
        it -> {
          fill.run(it);
          prepareNew.run(it);
        };
    Step doubt =
        it -> {
          put.run(it);
          it.token = it.prepare(KEY, PrepareMode.IN_DOUBT).orThrow();
        };
    Step expire =
        it -> {
          doubt.run(it);
          it.now = 2 * LEASE;
        };
    Step join =
        it -> {
          it.group = it.cache.newGroup();
          put.run(it);
          it.prepareInGroup(KEY);
          it.prepareInGroup(OTHER);
        };
    Map<String, Step[]> steps = new LinkedHashMap<>();
    steps.put("versioned put", steps(nothing, put));
    steps.put("versioned put, evicting", steps(fill, put));
    steps.put("versioned put over a value", steps(put, put));
    steps.put(
        "versioned put of another charge",
        steps(put, it -> it.cache.put(HI, KEY, "new", CHARGE / 2)));
    steps.put(
        "versioned put of more charge", steps(put, it -> it.cache.put(HI, KEY, "new", 2 * CHARGE)));
    steps.put("versioned put of what is prepared", steps(prepare, put));
    steps.put("versioned put after a lease", steps(expire, put));
    steps.put("versioned replace", steps(put, it -> it.cache.replace(HI, KEY, "new", CHARGE)));
    Step insert = it -> it.cache.insert(HI, KEY, "inserted", CHARGE);
    steps.put("versioned insert", steps(nothing, insert));
    steps.put("versioned insert beside a prepare", steps(prepareNew, insert));
    steps.put("versioned insert after a lease", steps(expireNew, insert));
    steps.put("versioned insert beside a prepare, evicting", steps(fillAndPrepare, insert));
    steps.put("versioned erase", steps(put, it -> it.cache.erase(HI, KEY)));
    steps.put("versioned get", steps(put, it -> it.cache.get(HI, KEY)));
    steps.put("versioned get after a lease", steps(expire, it -> it.cache.get(HI, KEY)));
    steps.put("readForWrite", steps(prepare, it -> it.cache.readForWrite(HI, KEY)));
    steps.put("readVersions", steps(prepare, it -> it.cache.readVersions(HI, KEY)));
    steps.put("readVersions after a lease", steps(expire, it -> it.cache.readVersions(HI, KEY)));
    steps.put(
        "forEach", steps(prepare, it -> it.cache.monitor().forEach((hi, lo, versions) -> {})));
    Step delete =
        it -> {
          put.run(it);
          it.token = it.cache.prepare(HI, KEY, null, 0, PrepareMode.PLAIN).orThrow();
        };
    steps.put(
        "readVersions of what is deleted meanwhile",
        steps(
            delete,
            it -> {
              it.beside = () -> it.cache.commit(it.token);
              it.cache.readVersions(HI, KEY);
            }));
    steps.put(
        "forEach, where something is deleted meanwhile",
        steps(
            delete,
            it -> {
              it.beside = () -> it.cache.commit(it.token);
              it.cache.monitor().forEach((hi, lo, versions) -> {});
            }));
    steps.put("prepare", steps(put, it -> it.prepare(KEY, PrepareMode.PLAIN)));
    steps.put("prepare of a new key", steps(nothing, it -> it.prepare(KEY, PrepareMode.PLAIN)));
    steps.put("prepare, evicting", steps(fill, it -> it.prepare(KEY, PrepareMode.IN_DOUBT)));
    steps.put(
        "prepare of a delete",
        steps(put, it -> it.cache.prepare(HI, KEY, null, 0, PrepareMode.PLAIN)));
    steps.put("commit", steps(prepare, it -> it.cache.commit(it.token)));
    steps.put("commit of a new key", steps(prepareNew, it -> it.cache.commit(it.token)));
    steps.put("commit in doubt", steps(doubt, it -> it.cache.commit(it.token)));
    steps.put("abort", steps(prepare, it -> it.cache.abort(it.token)));
    steps.put("abort of a new key", steps(prepareNew, it -> it.cache.abort(it.token)));
    steps.put("commit after a lease", steps(expire, it -> it.cache.commit(it.token)));
    steps.put("expireLeases", steps(expire, it -> it.cache.expireLeases()));
    steps.put("markInDoubt", steps(prepare, it -> it.cache.markInDoubt((hi, lo) -> true)));
    steps.put("prepare in a group", steps(join, it -> it.prepareInGroup(3)));
    Step decide =
        it -> {
          join.run(it);
          it.decidesGroup = true;
        };
    steps.put("commit of a group", steps(decide, it -> it.group.commit()));
    steps.put("abort of a group", steps(decide, it -> it.group.abort()));
    steps.forEach(
        (name, each) -> all.put(name, () -> new VersionedScenarios(offHeap, each[0], each[1])));
    return all;
  }

  private static Step[] steps(Step arrange, Step act) {
    return new Step[] {arrange, act};
  }

  private long clock() {
    Runnable once = beside;
    beside = null;
    if (once != null) {
      Thread thread = new Thread(once, "beside");
      thread.start();
      try {
        thread.join();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
    return now;
  }

  private void fill() {
    for (int i = 0; i < 2 * ENTRIES; i++) {
      cache.put(HI, 1000 + i, "text " + i, CHARGE);
    }
  }

  private PrepareResult prepare(long lo, PrepareMode mode) {
    return cache.prepare(HI, lo, "prepared", CHARGE, mode);
  }

  private void prepareInGroup(long lo) {
    cache.prepare(HI, lo, "prepared", CHARGE, PrepareMode.PLAIN, group);
  }

  @Override
  public void arrange() {
    arrange.run(this);
  }

  @Override
  public void act() {
    act.run(this);
  }

  @Override
  public List<String> violations() {
    List<String> found = new ArrayList<>();
    beside = null;
    if (decidesGroup) {
      requireAllOrNothing(found);
    }
    Guests.inTime("another thread", found, this::useEachWay);
    now += 2 * LEASE;
    cache.expireLeases();
    found.addAll(VersionedInvariants.violations(cache));
    if (cache.monitor().stats().prepares() != 0) {
      found.add("prepares " + cache.monitor().stats().prepares() + " != 0");
    }
    fill();
    found.addAll(VersionedInvariants.violations(cache));
    return found;
  }

  /** A group that has its verdict has left no slot to others. */
  private void requireAllOrNothing(List<String> found) {
    long left = cache.monitor().stats().prepares();
    boolean committed = "prepared".equals(cache.get(HI, KEY));
    boolean aborted = group.commit() == Decision.STALE;
    if (left != 0 && (committed || aborted)) {
      found.add("a group was decided, and " + left + " of its prepares were not");
    }
  }

  private void useEachWay() {
    for (long lo : new long[] {KEY, OTHER, 3}) {
      PrepareResult result = prepare(lo, PrepareMode.PLAIN);
      if (result.token() != null) {
        cache.commit(result.token());
      }
      cache.readForWrite(HI, lo);
      cache.readVersions(HI, lo);
      cache.put(HI, lo, "new", CHARGE);
      cache.erase(HI, lo);
    }
    if (token != null) {
      cache.abort(token);
    }
    if (group != null) {
      group.abort();
    }
  }
}
