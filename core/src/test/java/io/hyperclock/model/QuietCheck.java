/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.model;

import io.hyperclock.BlockCache;
import io.hyperclock.model.ModelContext.Held;
import io.hyperclock.model.ModelContext.Tenancy;
import io.hyperclock.stats.CacheStats;
import io.hyperclock.stats.RoleStats;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToLongFunction;

/** Compares a cache at rest with the books: entries, bytes, counters and invariants. */
final class QuietCheck {
  private final ModelContext context;
  private final List<ModelWorker> workers;
  private final BlockCache<ModelValue> cache;
  private final ValueOwners owners;

  /** Charge of each visible entry. */
  private final Map<ModelValue, Long> visible = new IdentityHashMap<>();

  /** One handle of each entry that is held. */
  private final Map<ModelValue, Held> held = new IdentityHashMap<>();

  /** Values that only their handles know, neither charged nor counted. */
  private final Set<ModelValue> overwritten = Collections.newSetFromMap(new IdentityHashMap<>());

  QuietCheck(ModelContext context, List<ModelWorker> workers) {
    this.context = context;
    this.workers = workers;
    cache = context.cache;
    owners = context.owners;
  }

  void run() {
    cache
        .monitor()
        .forEachEntry(
            (hi, lo, value, type, charge) -> {
              owners.checkReadable(hi, lo, value, "quiet forEachEntry");
              if (visible.put(value, charge) != null) {
                owners.report(Defect.VISIT, "visited twice at rest: " + value);
              }
            });
    workers.forEach(worker -> worker.held.forEach(this::addHeld));
    context.exchange.forEach(this::addHeld);
    checkOwnKeys();
    checkBytes();
    checkCounters();
    checkRoles();
    Set<ModelValue> reachable = Collections.newSetFromMap(new IdentityHashMap<>());
    reachable.addAll(visible.keySet());
    reachable.addAll(held.keySet());
    reachable.addAll(overwritten);
    workers.forEach(worker -> owners.checkNoLeak(worker.made(), reachable));
    context.factory.violations(cache).forEach(text -> owners.report(Defect.INVARIANT, text));
  }

  private void addHeld(Held open) {
    ModelValue value = open.value();
    owners.checkPinned(value, "at rest");
    if (context.factory.isOverwritten(open.handle())) {
      overwritten.add(value);
      return;
    }
    Held other = held.put(value, open);
    if (other != null && other.handle().chargeBytes() != open.handle().chargeBytes()) {
      owners.report(Defect.CONTRACT, "two handles with different charges on " + value);
    }
  }

  private void checkOwnKeys() {
    for (ModelWorker worker : workers) {
      long own = context.keys.hi(context.keys.ofThread(worker.number, 0));
      for (ModelValue value : visible.keySet()) {
        if (value.keyHi() == own) {
          Tenancy known = worker.tenancies[(int) value.keyLo()];
          if (known == null || known.value != value) {
            owners.report(Defect.STALE_ENTRY, "visible at rest though gone: " + value);
          }
        }
      }
      for (Tenancy known : worker.tenancies) {
        if (known != null && known.pins > 0 && !visible.containsKey(known.value)) {
          owners.report(Defect.LOST_ENTRY, "not visible at rest though pinned: " + known.value);
        }
      }
    }
  }

  private void checkBytes() {
    CacheStats stats = cache.monitor().stats();
    long entries = visible.size();
    long pinned = 0;
    long standalone = 0;
    long charges = 0;
    for (long charge : visible.values()) {
      charges += charge;
    }
    for (Held open : held.values()) {
      long charge = open.handle().chargeBytes();
      pinned += charge;
      if (open.handle().isStandalone()) {
        standalone += charge;
      } else if (!visible.containsKey(open.value())) {
        entries++;
        charges += charge;
      } else if (visible.get(open.value()) != charge) {
        owners.report(Defect.CONTRACT, "visited with another charge than " + open.handle());
      }
    }
    long usage = charges + standalone + stats.metadataBytes();
    equal(Defect.USAGE_DRIFT, "usageBytes", usage, cache.monitor().usageBytes());
    equal(Defect.USAGE_DRIFT, "stats.usageBytes", usage, stats.usageBytes());
    equal(Defect.PINNED_DRIFT, "pinnedUsageBytes", pinned, cache.monitor().pinnedUsageBytes());
    equal(Defect.PINNED_DRIFT, "stats.pinnedUsageBytes", pinned, stats.pinnedUsageBytes());
    equal(
        Defect.STANDALONE_DRIFT,
        "stats.standaloneUsageBytes",
        standalone,
        stats.standaloneUsageBytes());
    equal(Defect.OCCUPANCY_DRIFT, "occupancy", entries, cache.monitor().occupancy());
    equal(Defect.OCCUPANCY_DRIFT, "stats.occupancy", entries, stats.occupancy());
    equal(Defect.CONTRACT, "stats.slots", cache.monitor().slots(), stats.slots());
    equal(
        Defect.CONTRACT,
        "stats.capacityBytes",
        cache.monitor().capacityBytes(),
        stats.capacityBytes());
  }

  private void checkCounters() {
    CacheStats stats = cache.monitor().stats();
    Tally done = new Tally();
    workers.forEach(worker -> done.add(worker.tally));
    long outside = done.insertedStandalone;
    equal(
        Defect.COUNTER_DRIFT,
        "stats.inserts + replaced",
        done.inserted + done.replaced + done.putPinned,
        stats.inserts() + stats.replaced());
    between("stats.inserts", done.inserted, done.putPinned, stats.inserts());
    between("stats.replaced", done.replaced, done.putPinned, stats.replaced());
    equal(Defect.COUNTER_DRIFT, "stats.evictions", context.evictions.sum(), stats.evictions());
    equal(Defect.COUNTER_DRIFT, "stats.doubleCloses", done.doubleCloses, stats.doubleCloses());
    equal(
        Defect.COUNTER_DRIFT,
        "stats.callbackFailures",
        context.plannedFailures.sum(),
        stats.callbackFailures());
    between("stats.hits + misses", done.reads, done.pinsRequired, stats.hits() + stats.misses());
    between("stats.keptExisting", done.keptExisting, outside, stats.keptExisting());
    between("stats.dropped", done.dropped, outside, stats.dropped());
    between("stats.refused", done.refused, done.standaloneRefused, stats.refused());
  }

  private void checkRoles() {
    CacheStats stats = cache.monitor().stats();
    List<RoleStats> roles = new ArrayList<>(stats.roles().values());
    sums("inserts", roles, RoleStats::inserts, stats.inserts());
    sums("evictions", roles, RoleStats::evictions, stats.evictions());
    sums("hits", roles, RoleStats::hits, stats.hits());
    sums("entries", roles, RoleStats::entries, visible.size());
    long charges = visible.values().stream().mapToLong(Long::longValue).sum();
    sums("chargeBytes", roles, RoleStats::chargeBytes, charges);
    stats
        .roles()
        .forEach(
            (role, of) -> {
              long entries = visible.keySet().stream().filter(v -> v.type().role() == role).count();
              equal(Defect.COUNTER_DRIFT, "entries of " + role, entries, of.entries());
            });
  }

  private void sums(
      String name, List<RoleStats> roles, ToLongFunction<RoleStats> of, long expected) {
    long sum = roles.stream().mapToLong(of).sum();
    equal(Defect.COUNTER_DRIFT, "sum of roles' " + name, expected, sum);
  }

  private void equal(Defect defect, String name, long expected, long actual) {
    if (expected != actual) {
      owners.report(
          defect,
          String.format(
              "%s must be %d: %s=%d (%d visible, %d held)%s",
              name,
              expected,
              name,
              actual,
              visible.size(),
              held.size(),
              context.settings.threads() == 1 ? workers.get(0).trail() : ""));
    }
  }

  private void between(String name, long least, long slack, long actual) {
    if (actual < least || actual > least + slack) {
      owners.report(
          Defect.COUNTER_DRIFT,
          String.format("%s must be in [%d, %d]: %s=%d", name, least, least + slack, name, actual));
    }
  }
}
