/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.metrics;

import io.hyperclock.CacheObserver;
import io.hyperclock.OpenHandle;
import io.hyperclock.entry.EntryRole;
import io.hyperclock.entry.EntryType;
import io.hyperclock.stats.CacheStat;
import io.hyperclock.stats.CacheStats;
import io.hyperclock.stats.Problem;
import io.hyperclock.stats.RoleStats;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import jdk.jfr.AnnotationElement;
import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.EventFactory;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;
import jdk.jfr.ValueDescriptor;
import org.jspecify.annotations.Nullable;

/**
 * A type of events. Its fields are the name of the cache and the components of the record that an
 * event is made of, under the same names; an {@link EntryType} is its name and its role.
 */
enum JfrType {
  CACHE_STATISTICS(
      "Totals of a cache", Kind.PERIODIC, Stream.of(CacheStat.values()).map(Field::of).toList()),
  ROLE_STATISTICS(
      "What the entries of one role hold and have done", Kind.PERIODIC, RoleTotals.class),
  LONG_SWEEP(
      "A search for room that looked at many slots or took long",
      Kind.OF_ITS_THREAD,
      CacheObserver.Sweep.class),
  REFUSAL("There was no room for an entry", CacheObserver.Refusal.class),
  LEAKED_HANDLE("A tracked handle became unreachable without having been closed", OpenHandle.class),
  LONG_PIN("A tracked handle has been open for long", OpenHandle.class),
  PROBLEM("A setting of a cache costs capacity or speed", Problem.class),
  CALLBACK_FAILURE("A disposer, listener or observer threw", Failure.class);

  /** What happens to the thread that writes it has a stack trace; the others tell where. */
  private enum Kind {
    PERIODIC,
    OF_ITS_THREAD,
    OTHER
  }

  /** Statistics of one role. */
  record RoleTotals(EntryRole role, RoleStats stats) {}

  /** What a callback threw. */
  record Failure(String callback, String exception, String message) {}

  private final List<Field> fields;

  /** Null where the virtual machine has no flight recorder. */
  private final @Nullable EventFactory factory;

  JfrType(String description, Class<? extends Record> record) {
    this(description, Kind.OTHER, record);
  }

  JfrType(String description, Kind kind, Class<? extends Record> record) {
    this(description, kind, Field.ofAll(record, whole -> whole).toList());
  }

  JfrType(String description, Kind kind, List<Field> fields) {
    this.fields = fields;
    String label = label(name());
    List<AnnotationElement> annotations = new ArrayList<>();
    annotations.add(new AnnotationElement(Name.class, "hyperclock." + label.replace(" ", "")));
    annotations.add(new AnnotationElement(Label.class, label));
    annotations.add(new AnnotationElement(Description.class, description));
    annotations.add(new AnnotationElement(Category.class, new String[] {"HyperClock"}));
    annotations.add(new AnnotationElement(StackTrace.class, kind == Kind.OF_ITS_THREAD));
    if (kind == Kind.PERIODIC) {
      annotations.add(new AnnotationElement(Period.class, "1 s"));
    }
    ValueDescriptor cache =
        new ValueDescriptor(
            String.class, "cache", List.of(new AnnotationElement(Label.class, "Cache")));
    List<ValueDescriptor> written =
        Stream.concat(Stream.of(cache), fields.stream().map(Field::descriptor)).toList();
    this.factory = FlightRecorder.isAvailable() ? EventFactory.create(annotations, written) : null;
  }

  private static String label(String constant) {
    return Stream.of(constant.split("_"))
        .map(word -> word.charAt(0) + word.substring(1).toLowerCase(Locale.ROOT))
        .collect(Collectors.joining(" "));
  }

  boolean isEnabled() {
    Event event = event();
    return event != null && event.isEnabled();
  }

  /** A new event, not yet committed, or null without a flight recorder. */
  @Nullable Event event() {
    return factory == null ? null : factory.newEvent();
  }

  /** Writes an event, if a recording wants it. */
  void write(String cache, Object subject) {
    Event event = event();
    if (event != null && event.shouldCommit()) {
      event.set(0, cache);
      for (int i = 0; i < fields.size(); i++) {
        event.set(1 + i, fields.get(i).value.apply(subject));
      }
      event.commit();
    }
  }

  /** One field; the function takes its value from the subject of the event. */
  private record Field(String name, Class<?> type, Function<Object, Object> value) {
    static Field of(CacheStat stat) {
      return new Field(stat.key(), long.class, stats -> ((CacheStats) stats).get(stat));
    }

    static Stream<Field> ofAll(Class<?> record, Function<Object, Object> part) {
      return Stream.of(record.getRecordComponents())
          .flatMap(component -> of(component, part.andThen(whole -> read(component, whole))));
    }

    private static Object read(RecordComponent component, Object whole) {
      try {
        return component.getAccessor().invoke(whole);
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException("component must be readable: " + component, e);
      }
    }

    private static Stream<Field> of(RecordComponent component, Function<Object, Object> value) {
      Class<?> type = component.getType();
      if (type.isRecord()) {
        return ofAll(type, value);
      }
      if (type == EntryType.class) {
        Function<Object, EntryType<?>> entryType = value.andThen(found -> (EntryType<?>) found);
        return Stream.of(
            new Field("type", String.class, entryType.andThen(EntryType::name)),
            new Field("role", String.class, entryType.andThen(found -> found.role().name())));
      }
      return Stream.of(new Field(component.getName(), type, value.andThen(Field::plain)));
    }

    private static Object plain(Object value) {
      if (value instanceof Duration duration) {
        return TimeUnit.NANOSECONDS.convert(duration);
      }
      if (value instanceof List<?> list) {
        return list.stream().map(String::valueOf).collect(Collectors.joining("\n"));
      }
      return value instanceof Enum<?> constant ? constant.name() : value;
    }

    ValueDescriptor descriptor() {
      List<AnnotationElement> units = List.of();
      if (type == Duration.class) {
        units = List.of(new AnnotationElement(Timespan.class, Timespan.NANOSECONDS));
      } else if (name.endsWith("Bytes") || name.endsWith("Charge")) {
        units = List.of(new AnnotationElement(DataAmount.class, DataAmount.BYTES));
      }
      boolean isNumber = type.isPrimitive() || type == Duration.class;
      Class<?> written = type == Duration.class ? long.class : isNumber ? type : String.class;
      return new ValueDescriptor(written, name, units);
    }
  }
}
