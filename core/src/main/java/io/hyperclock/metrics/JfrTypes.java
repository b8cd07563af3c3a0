/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.metrics;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/** The events. Field names are those of the snapshot records and of the observer's messages. */
final class JfrTypes {
  private static final String CATEGORY = "HyperClock";

  private JfrTypes() {}

  /** What all have. */
  abstract static class CacheEvent extends Event {
    @Label("Cache")
    String cache = "";
  }

  @Name("hyperclock.CacheStatistics")
  @Label("Cache Statistics")
  @Description("Totals of a cache")
  @Category(CATEGORY)
  @Period("1 s")
  @StackTrace(false)
  static final class CacheStatistics extends CacheEvent {
    @DataAmount long capacityBytes;
    @DataAmount long usageBytes;
    @DataAmount long pinnedUsageBytes;
    @DataAmount long standaloneUsageBytes;
    @DataAmount long metadataBytes;
    long occupancy;
    long slots;
    long hits;
    long misses;
    long inserts;
    long keptExisting;
    long replaced;
    long dropped;
    long refused;
    long evictions;
    long localEvictions;
    long withoutSlot;
    long evictionEffortExceeded;
    long callbackFailures;
    long doubleCloses;
    long leakedHandles;
    long longPins;
    long erasedEntries;
    @DataAmount long erasedBytes;
  }

  @Name("hyperclock.RoleStatistics")
  @Label("Role Statistics")
  @Description("What the entries of one role hold and have done")
  @Category(CATEGORY)
  @Period("1 s")
  @StackTrace(false)
  static final class RoleStatistics extends CacheEvent {
    String role = "";
    long entries;
    @DataAmount long chargeBytes;
    @DataAmount long pinnedBytes;
    long hits;
    long inserts;
    long evictions;
  }

  @Name("hyperclock.LongSweep")
  @Label("Long Sweep")
  @Description("A search for room that looked at many slots or took long")
  @Category(CATEGORY)
  static final class LongSweep extends CacheEvent {
    @Timespan long took;
    long slots;
    long pinnedSeen;
    long freedEntries;
    @DataAmount long freedBytes;
    boolean effortExceeded;
  }

  @Name("hyperclock.Refusal")
  @Label("Refusal")
  @Description("There was no room for an entry")
  @Category(CATEGORY)
  @StackTrace(false)
  static final class Refusal extends CacheEvent {
    long keyHi;
    long keyLo;
    String type = "";
    String role = "";
    @DataAmount long chargeBytes;
    @DataAmount long usageBytes;
    @DataAmount long capacityBytes;
  }

  /** What is known of a handle. */
  abstract static class HandleEvent extends CacheEvent {
    long keyHi;
    long keyLo;
    String type = "";
    String role = "";
    @DataAmount long chargeBytes;
    @Timespan long held;
    String thread = "";
    String takenAt = "";
  }

  @Name("hyperclock.LeakedHandle")
  @Label("Leaked Handle")
  @Description("A tracked handle became unreachable without having been closed")
  @Category(CATEGORY)
  @StackTrace(false)
  static final class LeakedHandle extends HandleEvent {}

  @Name("hyperclock.LongPin")
  @Label("Long Pin")
  @Description("A tracked handle has been open for long")
  @Category(CATEGORY)
  @StackTrace(false)
  static final class LongPin extends HandleEvent {}

  @Name("hyperclock.Problem")
  @Label("Problem")
  @Description("A setting of a cache costs capacity or speed")
  @Category(CATEGORY)
  @StackTrace(false)
  static final class ProblemFound extends CacheEvent {
    String severity = "";
    String message = "";
    @DataAmount long recommendedEntryCharge;
  }

  @Name("hyperclock.CallbackFailure")
  @Label("Callback Failure")
  @Description("A disposer, listener or observer threw")
  @Category(CATEGORY)
  @StackTrace(false)
  static final class CallbackFailure extends CacheEvent {
    String callback = "";
    String exception = "";
    String message = "";
  }
}
