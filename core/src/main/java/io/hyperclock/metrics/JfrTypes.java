/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.metrics;

import io.hyperclock.stats.CacheStat;
import io.hyperclock.stats.CacheStats;
import java.util.List;
import java.util.stream.Stream;
import jdk.jfr.AnnotationElement;
import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.EventFactory;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;
import jdk.jfr.ValueDescriptor;

/** The events. Field names are those of the snapshot records and of the observer's messages. */
final class JfrTypes {
  private static final String CATEGORY = "HyperClock";
  private static final List<AnnotationElement> CACHE_LABEL =
      List.of(new AnnotationElement(Label.class, "Cache"));

  private JfrTypes() {}

  /** What all have. */
  abstract static class CacheEvent extends Event {
    @Label("Cache")
    String cache = "";
  }

  /** Totals of a cache: its name, and one field for each {@link CacheStat}. */
  static final EventFactory CACHE_STATISTICS =
      EventFactory.create(
          List.of(
              new AnnotationElement(Name.class, "hyperclock.CacheStatistics"),
              new AnnotationElement(Label.class, "Cache Statistics"),
              new AnnotationElement(Description.class, "Totals of a cache"),
              new AnnotationElement(Category.class, new String[] {CATEGORY}),
              new AnnotationElement(Period.class, "1 s"),
              new AnnotationElement(StackTrace.class, false)),
          Stream.concat(
                  Stream.of(new ValueDescriptor(String.class, "cache", CACHE_LABEL)),
                  Stream.of(CacheStat.values()).map(JfrTypes::field))
              .toList());

  private static ValueDescriptor field(CacheStat stat) {
    boolean isBytes = stat.unit().equals("bytes");
    return new ValueDescriptor(
        long.class,
        stat.key(),
        isBytes ? List.of(new AnnotationElement(DataAmount.class, DataAmount.BYTES)) : List.of());
  }

  static Event cacheStatistics(String cache, CacheStats stats) {
    Event event = CACHE_STATISTICS.newEvent();
    event.set(0, cache);
    for (CacheStat stat : CacheStat.values()) {
      event.set(1 + stat.ordinal(), stats.get(stat));
    }
    return event;
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
