/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.observe;

import io.hyperclock.entry.EntryRole;
import io.hyperclock.internal.errors.Figure;
import io.hyperclock.internal.slot.ChargeWord;
import java.util.Arrays;

/** Striped counters of what a cache has done. All but the reads are off the hit path. */
public final class StatsRecorder {
  private final TypeRegistry types;
  private final Figure[] hits = adders();
  private final Figure[] inserts = adders();
  private final Figure[] evictions = adders();
  private final Figure[] exchanges = adders();
  public final Figure misses = new Figure();
  public final Figure keptExisting = new Figure();
  public final Figure replaced = new Figure();
  public final Figure dropped = new Figure();
  public final Figure refused = new Figure();
  public final Figure localEvictions = new Figure();
  public final Figure withoutSlot = new Figure();
  public final Figure effortExceeded = new Figure();
  public final Figure resizes = new Figure();
  public final Figure movedEntries = new Figure();
  public final Figure tablesRefused = new Figure();

  public StatsRecorder(TypeRegistry types) {
    this.types = types;
  }

  private static Figure[] adders() {
    Figure[] adders = new Figure[EntryRole.values().length];
    Arrays.setAll(adders, role -> new Figure());
    return adders;
  }

  private int role(long cold) {
    return types.of(cold).role().ordinal();
  }

  /** A read found an entry with this cold word. */
  public void hit(long cold) {
    hits[role(cold)].increment();
  }

  public void inserted(long cold) {
    inserts[role(cold)].increment();
  }

  /** An entry was inserted and another evicted: one count if their roles are the same. */
  public void exchanged(long cold, long evicted) {
    int role = role(cold);
    if (ChargeWord.typeId(cold) == ChargeWord.typeId(evicted) || role == role(evicted)) {
      exchanges[role].increment();
    } else {
      inserted(cold);
      evicted(evicted);
    }
  }

  public void evicted(long cold) {
    evictions[role(cold)].increment();
  }

  public long hits(EntryRole role) {
    return hits[role.ordinal()].sum();
  }

  public long inserts(EntryRole role) {
    return inserts[role.ordinal()].sum() + exchanges[role.ordinal()].sum();
  }

  /** Of all roles. */
  public long inserts() {
    long sum = 0;
    for (EntryRole role : EntryRole.values()) {
      sum += inserts(role);
    }
    return sum;
  }

  public long evictions(EntryRole role) {
    return evictions[role.ordinal()].sum() + exchanges[role.ordinal()].sum();
  }
}
