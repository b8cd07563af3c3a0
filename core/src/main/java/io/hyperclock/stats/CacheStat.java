/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.stats;

import static io.hyperclock.stats.CacheStat.Kind.COUNTER;
import static io.hyperclock.stats.CacheStat.Kind.GAUGE;

import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The table of what a {@link CacheStats} tells, with the meter of each. {@link #key} is the name of
 * the accessor there, which says what it is, and of the field of the flight recorder's event. What
 * loads, read scopes and dropped files add has no accessor: {@link LoadStats}, {@link
 * io.hyperclock.ReadScopeStats} and {@link io.hyperclock.CacheMonitor#droppedFileBytes} say what it
 * is.
 */
public enum CacheStat {
  CAPACITY_BYTES(GAUGE, "hyperclock.capacity", "bytes", "Configured capacity"),
  USAGE_BYTES(GAUGE, "hyperclock.usage", "bytes", "Charge of everything"),
  PINNED_USAGE_BYTES(GAUGE, "hyperclock.usage.pinned", "bytes", "Of referenced entries"),
  STANDALONE_USAGE_BYTES(
      GAUGE, "hyperclock.usage.standalone", "bytes", "Of entries outside the table"),
  METADATA_BYTES(GAUGE, "hyperclock.usage.metadata", "bytes", "Of the slots"),
  OCCUPANCY(GAUGE, "cache.size", "entries", "Slots in use"),
  SLOTS(GAUGE, "hyperclock.slots", "entries", "Slots in all"),
  RESIZES(COUNTER, "hyperclock.resizes", "tables", "Tables that took the place of another"),
  MOVED_ENTRIES(COUNTER, "hyperclock.entries.moved", "entries", "Moved to another table"),
  HELD_TABLE_BYTES(
      GAUGE, "hyperclock.usage.tables.held", "bytes", "Of tables that were left, but are held"),
  HITS(COUNTER, "cache.gets", "reads", "Reads", "hit"),
  MISSES(COUNTER, "cache.gets", "reads", "Reads", "miss"),
  INSERTS(COUNTER, "cache.puts", "entries", "Entries added"),
  KEPT_EXISTING(
      COUNTER, "hyperclock.inserts.rejected", "inserts", "That added no entry", "kept_existing"),
  REPLACED(COUNTER, "hyperclock.replaced", "entries", "Entries added in place of an older one"),
  DROPPED(COUNTER, "hyperclock.inserts.rejected", "inserts", "That added no entry", "dropped"),
  REFUSED(COUNTER, "hyperclock.inserts.rejected", "inserts", "That added no entry", "refused"),
  EVICTIONS(COUNTER, "cache.evictions", "entries", "Entries evicted"),
  LOCAL_EVICTIONS(
      COUNTER, "hyperclock.evictions.local", "entries", "As both buckets of a new key were full"),
  WITHOUT_SLOT(
      COUNTER, "hyperclock.inserts.without.slot", "inserts", "As both buckets were all held"),
  EVICTION_EFFORT_EXCEEDED(
      COUNTER, "hyperclock.sweeps.abandoned", "sweeps", "As nearly everything was pinned"),
  CALLBACK_FAILURES(
      COUNTER, "hyperclock.callback.failures", "exceptions", "Of disposers, listeners, observers"),
  DOUBLE_CLOSES(COUNTER, "hyperclock.handles.double.closes", "handles", "Closed more than once"),
  LEAKED_HANDLES(COUNTER, "hyperclock.handles.leaked", "handles", "Never closed"),
  LONG_PINS(COUNTER, "hyperclock.handles.long", "handles", "Open for long"),
  ERASED_ENTRIES(GAUGE, "hyperclock.entries.erased", "entries", "Entries erased but still held"),
  ERASED_BYTES(GAUGE, "hyperclock.usage.erased", "bytes", "Of entries erased but held"),
  DROPPED_FILE_BYTES(GAUGE, "hyperclock.usage.files.dropped", "bytes", "Blocks of dropped files"),
  LOADS(COUNTER, "cache.load", "blocks", "Asked from loaders", "success"),
  LOAD_FAILURES(COUNTER, "cache.load", "blocks", "Asked from loaders", "failure"),
  LOAD_WAITERS(COUNTER, "hyperclock.load.waiters", "callers", "Served by the load of another"),
  LOAD_NANOS(COUNTER, "cache.load.duration", "nanoseconds", "Time in loaders"),
  LOADS_UNDER_WAY(GAUGE, "hyperclock.loads", "loads", "Begun or queued, and not finished"),
  OPEN_SCOPES(GAUGE, "hyperclock.scopes.open", "scopes", "Read scopes that are open"),
  RETIRED_VALUES(GAUGE, "hyperclock.scopes.retired", "values", "Held back by read scopes"),
  RETIRED_BYTES(GAUGE, "hyperclock.usage.retired", "bytes", "Of what read scopes hold back"),
  SCOPES_STUCK_NANOS(
      GAUGE, "hyperclock.scopes.stuck", "nanoseconds", "Values are held back, none became free");

  /** What a value is. */
  public enum Kind {
    /** It is so now. */
    GAUGE,
    /** It only grows. */
    COUNTER
  }

  private static final Pattern NEXT_WORD = Pattern.compile("_(.)");

  private final Kind kind;
  private final String meter;
  private final String unit;
  private final String description;
  private final @Nullable String result;

  CacheStat(Kind kind, String meter, String unit, String description) {
    this(kind, meter, unit, description, null);
  }

  CacheStat(Kind kind, String meter, String unit, String description, @Nullable String result) {
    this.kind = kind;
    this.meter = meter;
    this.unit = unit;
    this.description = description;
    this.result = result;
  }

  /**
   * Name as accessors and fields of events have it, such as {@code usageBytes}.
   *
   * @return the name
   */
  public String key() {
    return NEXT_WORD
        .matcher(name().toLowerCase(Locale.ROOT))
        .replaceAll(found -> found.group(1).toUpperCase(Locale.ROOT));
  }

  /** Whether it counts since the cache was built, or is so now. */
  public Kind kind() {
    return kind;
  }

  /** Name of the meter. */
  public String meter() {
    return meter;
  }

  /** Unit of the values. */
  public String unit() {
    return unit;
  }

  /** What the meter shows, in few words. */
  public String description() {
    return description;
  }

  /** Value of the meter's tag {@code result}; null if it has none. */
  public @Nullable String result() {
    return result;
  }
}
