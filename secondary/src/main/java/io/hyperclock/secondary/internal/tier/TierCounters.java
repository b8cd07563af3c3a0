/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.internal.tier;

import io.hyperclock.entry.EntryRole;
import io.hyperclock.secondary.TierOutcome;
import io.hyperclock.secondary.TierStats;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/**
 * The event counters of a tier, by role. Thread-safe; counting is wait-free but for contended
 * growth. Each event is counted once, for its role; totals are sums over roles.
 */
public final class TierCounters {
  private static final EntryRole[] ROLES = EntryRole.values();
  private static final TierOutcome[] OUTCOMES = TierOutcome.values();
  private static final int ACCEPTED = OUTCOMES.length;
  private static final int DECLINED = OUTCOMES.length + 1;
  private static final int KINDS = OUTCOMES.length + 2;

  private final LongAdder[] counters = new LongAdder[ROLES.length * KINDS];
  private final LongAdder dropped = new LongAdder();

  /** All zero. */
  public TierCounters() {
    for (int i = 0; i < counters.length; i++) {
      counters[i] = new LongAdder();
    }
  }

  /**
   * An insert is over.
   *
   * @return {@code accepted}
   */
  public boolean inserted(EntryRole role, boolean accepted) {
    count(counter(role, accepted ? ACCEPTED : DECLINED), 1);
    return accepted;
  }

  /** A lookup is over. */
  public void lookedUp(EntryRole role, TierOutcome outcome) {
    count(counter(role, outcome.ordinal()), 1);
  }

  /** Entries were given up. */
  public void dropped(long entries) {
    count(dropped, entries);
  }

  /** Throws nothing: what finds no memory is not counted. */
  private static void count(LongAdder counter, long events) {
    try {
      counter.add(events);
    } catch (OutOfMemoryError e) {
      // Figures may be a little too low then.
    }
  }

  private LongAdder counter(EntryRole role, int kind) {
    return counters[role.ordinal() * KINDS + kind];
  }

  /** What was counted, with sizes from elsewhere. */
  public TierStats toStats(long capacityBytes, long usageBytes, long entries) {
    return toStats(capacityBytes, usageBytes, entries, dropped.sum());
  }

  /** What was counted, with sizes and drops from elsewhere. */
  public TierStats toStats(long capacityBytes, long usageBytes, long entries, long droppedEntries) {
    Map<TierOutcome, Long> lookups = new EnumMap<>(TierOutcome.class);
    Map<EntryRole, TierStats.Role> roles = new EnumMap<>(EntryRole.class);
    TierStats.Role all = TierStats.Role.NONE;
    for (EntryRole role : ROLES) {
      long hits = 0;
      long misses = 0;
      for (TierOutcome outcome : OUTCOMES) {
        long count = counter(role, outcome.ordinal()).sum();
        if (count > 0) {
          lookups.merge(outcome, count, Long::sum);
        }
        hits += outcome == TierOutcome.HIT ? count : 0;
        misses += outcome == TierOutcome.HIT ? 0 : count;
      }
      TierStats.Role asked =
          new TierStats.Role(
              counter(role, ACCEPTED).sum(), counter(role, DECLINED).sum(), hits, misses);
      // Not by equals: what the JDK makes of a record may keep its class and loader for ever.
      if ((asked.accepted() | asked.declined() | hits | misses) != 0) {
        roles.put(role, asked);
      }
      all = all.plus(asked);
    }
    return new TierStats(
        capacityBytes,
        usageBytes,
        entries,
        all.accepted(),
        all.declined(),
        droppedEntries,
        lookups,
        roles);
  }
}
