/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.internal.adapter;

import io.hyperclock.entry.EntryRole;
import io.hyperclock.secondary.TieredRoleStats;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** Counts what moved, per role. */
final class Counters {
  enum Event {
    LOOKUP,
    HIT,
    SHARED,
    PUT_BACK,
    FIRST_TOUCH,
    PROMOTION,
    OFFERED,
    ACCEPTED,
    DECLINED,
    OVERFLOWED,
    SUPERSEDED,
    KEPT_BELOW
  }

  private static final EntryRole[] ROLES = EntryRole.values();
  private static final int EVENTS = Event.values().length;

  private final LongAdder[] counts = new LongAdder[ROLES.length * EVENTS];

  Counters() {
    for (int i = 0; i < counts.length; i++) {
      counts[i] = new LongAdder();
    }
  }

  /** Throws nothing: one that finds no memory is not counted. */
  void count(EntryRole role, Event event) {
    try {
      counts[role.ordinal() * EVENTS + event.ordinal()].increment();
    } catch (OutOfMemoryError e) {
      // Figures may be a little too low then.
    }
  }

  private long sum(EntryRole role, Event event) {
    return counts[role.ordinal() * EVENTS + event.ordinal()].sum();
  }

  /** Figures of the roles that have any. */
  Map<EntryRole, TieredRoleStats> snapshot() {
    Map<EntryRole, TieredRoleStats> roles = new EnumMap<>(EntryRole.class);
    for (EntryRole role : ROLES) {
      // Not by equals: what the JDK makes of a record may keep its class and loader for ever.
      int first = role.ordinal() * EVENTS;
      if (Arrays.stream(counts, first, first + EVENTS).anyMatch(count -> count.sum() != 0)) {
        roles.put(role, stats(role));
      }
    }
    return roles;
  }

  private TieredRoleStats stats(EntryRole role) {
    return new TieredRoleStats(
        sum(role, Event.LOOKUP),
        sum(role, Event.HIT),
        sum(role, Event.SHARED),
        sum(role, Event.PUT_BACK),
        sum(role, Event.FIRST_TOUCH),
        sum(role, Event.PROMOTION),
        sum(role, Event.OFFERED),
        sum(role, Event.ACCEPTED),
        sum(role, Event.DECLINED),
        sum(role, Event.OVERFLOWED),
        sum(role, Event.SUPERSEDED),
        sum(role, Event.KEPT_BELOW));
  }
}
