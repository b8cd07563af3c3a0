/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;
import io.hyperclock.BlockCache;
import io.hyperclock.BlockCacheBuilder;
import io.hyperclock.CapacityMode;
import io.hyperclock.Handle;
import io.hyperclock.HashSeed;
import io.hyperclock.InsertResult;
import io.hyperclock.LeakDetection;
import io.hyperclock.MetadataCharge;
import io.hyperclock.OpenHandle;
import io.hyperclock.entry.EntryRole;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.Priority;
import io.hyperclock.stats.CacheStat;
import io.hyperclock.stats.CacheStats;
import io.hyperclock.stats.RoleStats;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import java.lang.reflect.RecordComponent;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class JfrEventsTest {
  private static final Logger LOGGER = Logger.getLogger("io.hyperclock");
  private static final EntryType<String> FILTER =
      EntryType.<String>named("filter").role(EntryRole.FILTER_BLOCK).build();
  private static final EntryType<String> FAILING =
      EntryType.<String>named("failing")
          .disposer(
              (hi, lo, value) -> {
                throw new IllegalStateException("no " + value);
              })
          .build();

  @TempDir private Path directory;

  @BeforeEach
  void quiet() {
    LOGGER.setLevel(Level.OFF);
  }

  private static BlockCacheBuilder<Object> builder(String name, long capacityBytes) {
    return BlockCache.builder()
        .capacityBytes(capacityBytes)
        .estimatedEntryCharge(1)
        .metadataCharge(MetadataCharge.NONE)
        .shards(1)
        .hashSeed(HashSeed.fixed(7))
        .recordHits(true)
        .observer(JfrEvents.named(name));
  }

  private List<RecordedEvent> events(Recording recording, String name) throws IOException {
    Path file = directory.resolve("recording.jfr");
    recording.dump(file);
    List<RecordedEvent> ours = new ArrayList<>();
    for (RecordedEvent event : RecordingFile.readAllEvents(file)) {
      if (event.getEventType().getName().equals("hyperclock." + name)) {
        ours.add(event);
      }
    }
    return ours;
  }

  private static void assertSame(RecordedEvent event, Record figures) throws Exception {
    for (RecordComponent component : figures.getClass().getRecordComponents()) {
      if (component.getType() == long.class) {
        assertThat(event.getLong(component.getName()))
            .as(component.getName())
            .isEqualTo((long) component.getAccessor().invoke(figures));
      }
    }
  }

  @Test
  void lastStatisticsAreThoseOfTheClosingCache() throws Exception {
    try (Recording recording = new Recording()) {
      // Threads write each to a part of its own: a beat in between may come first or last.
      recording.enable("hyperclock.CacheStatistics").with("period", "endChunk");
      recording.enable("hyperclock.RoleStatistics").with("period", "endChunk");
      recording.start();
      CacheStats stats;
      try (BlockCache<Object> cache = builder("stats", 100).build()) {
        for (long lo = 0; lo < 300; lo++) {
          cache.insert(1, lo, "value", 1);
          cache.insert(2, lo, "filter", FILTER, 1, Priority.LOW);
          cache.get(1, lo / 2);
          cache.get(2, lo / 3);
        }
        stats = cache.monitor().stats();
      }
      List<RecordedEvent> totals = events(recording, "CacheStatistics");
      assertThat(totals).hasSizeGreaterThanOrEqualTo(2);
      assertThat(totals.get(0).getLong("inserts")).isZero();
      RecordedEvent last = totals.get(totals.size() - 1);
      assertThat(last.getString("cache")).isEqualTo("stats");
      assertThat(last.getLong("hits")).isPositive();
      for (CacheStat stat : CacheStat.values()) {
        assertThat(last.getLong(stat.key())).as(stat.key()).isEqualTo(stats.get(stat));
      }
      List<RecordedEvent> roles = events(recording, "RoleStatistics");
      for (EntryRole role : List.of(EntryRole.DATA_BLOCK, EntryRole.FILTER_BLOCK)) {
        List<RecordedEvent> mine =
            roles.stream().filter(event -> event.getString("role").equals(role.name())).toList();
        RoleStats figures = stats.role(role);
        assertThat(figures.inserts()).isEqualTo(300);
        assertSame(mine.get(mine.size() - 1), figures);
      }
    }
  }

  @Test
  void statisticsComePeriodically() throws Exception {
    try (Recording recording = new Recording();
        BlockCache<Object> cache = builder("periodic", 100).build()) {
      recording.enable("hyperclock.CacheStatistics").withPeriod(Duration.ofMillis(20));
      recording.enable("hyperclock.RoleStatistics").withPeriod(Duration.ofMillis(20));
      recording.start();
      cache.insert(1, 1, "value", 1);
      await()
          .atMost(Duration.ofSeconds(60))
          .until(
              () ->
                  events(recording, "CacheStatistics").size() >= 3
                      && !events(recording, "RoleStatistics").isEmpty());
    }
  }

  @Test
  void closedAndForgottenCachesWriteNothing() throws Exception {
    BlockCache<Object> forgotten = builder("forgotten", 100).build();
    WeakReference<BlockCache<Object>> weak = new WeakReference<>(forgotten);
    forgotten = null;
    builder("closed", 100).build().close();
    await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () -> {
              System.gc();
              return weak.get() == null;
            });
    try (Recording recording = new Recording();
        BlockCache<Object> open = builder("open", 100).build()) {
      recording.enable("hyperclock.CacheStatistics").withPeriod(Duration.ofMillis(20));
      recording.start();
      await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> events(recording, "CacheStatistics").size() >= 3);
      assertThat(events(recording, "CacheStatistics"))
          .extracting(event -> event.getString("cache"))
          .containsOnly("open");
      assertThat(open.monitor().occupancy()).isZero();
    }
  }

  @Test
  void refusalsFailuresAndLongSweepsAreWritten() throws Exception {
    try (Recording recording = new Recording()) {
      recording.start();
      try (BlockCache<Object> cache =
          builder("strict", 3000).capacityMode(CapacityMode.STRICT).build()) {
        List<Handle<Object>> pins = new ArrayList<>();
        for (long lo = 0; lo < 3000; lo++) {
          pins.add(cache.insertPinned(1, lo, "value", FILTER, 1, Priority.LOW));
        }
        assertThat(cache.insert(2, 7, "more", FILTER, 5, Priority.LOW))
            .isEqualTo(InsertResult.REFUSED);
        pins.forEach(Handle::close);
        cache.eraseUnreferenced();
        cache.insert(3, 3, "three", FAILING, 1, Priority.LOW);
        cache.erase(3, 3);
      }
      List<RecordedEvent> refusals = events(recording, "Refusal");
      assertThat(refusals).hasSize(1);
      RecordedEvent refusal = refusals.get(0);
      assertThat(refusal.getLong("keyHi")).isEqualTo(2);
      assertThat(refusal.getLong("keyLo")).isEqualTo(7);
      assertThat(refusal.getString("type")).isEqualTo("filter");
      assertThat(refusal.getString("role")).isEqualTo("FILTER_BLOCK");
      assertThat(refusal.getLong("chargeBytes")).isEqualTo(5);
      assertThat(refusal.getLong("usageBytes")).isEqualTo(3000);
      assertThat(refusal.getLong("capacityBytes")).isEqualTo(3000);
      RecordedEvent sweep = events(recording, "LongSweep").get(0);
      assertThat(sweep.getLong("slots")).isGreaterThanOrEqualTo(3000);
      assertThat(sweep.getLong("pinnedSeen")).isGreaterThanOrEqualTo(3000);
      assertThat(sweep.getDuration("took")).isPositive();
      assertThat(sweep.getStackTrace().getFrames())
          .anySatisfy(
              frame -> assertThat(frame.getMethod().getType().getName()).contains("JfrEventsTest"));
      RecordedEvent failure = events(recording, "CallbackFailure").get(0);
      assertThat(failure.getString("callback")).contains("disposer of", "failing");
      assertThat(failure.getString("exception")).isEqualTo("java.lang.IllegalStateException");
      assertThat(failure.getString("message")).isEqualTo("no three");
    }
  }

  @Test
  void longPinsAndProblemsAreWritten() throws Exception {
    try (Recording recording = new Recording()) {
      recording.start();
      try (BlockCache<Object> cache =
              builder("pins", 1000)
                  .leakDetection(LeakDetection.all())
                  .longPinAfter(Duration.ofNanos(1))
                  .build();
          Handle<Object> pin = cache.insertPinned(1, 5, "value", FILTER, 900, Priority.LOW)) {
        assertThat(cache.monitor().problems()).hasSize(1);
        assertThat(pin.isReleased()).isFalse();
      }
      List<RecordedEvent> pins = events(recording, "LongPin");
      assertThat(pins).hasSize(1);
      assertThat(pins.get(0).getLong("keyLo")).isEqualTo(5);
      assertThat(pins.get(0).getDuration("held")).isPositive();
      assertThat(pins.get(0).getString("takenAt")).startsWith(JfrEventsTest.class.getName());
      RecordedEvent problem = events(recording, "Problem").get(0);
      assertThat(problem.getString("severity")).isEqualTo("WARN");
      assertThat(problem.getLong("recommendedEntryCharge")).isEqualTo(900);
    }
  }

  @Test
  void anyDurationIsWritten() throws Exception {
    Duration longest = Duration.ofSeconds(Long.MAX_VALUE);
    try (Recording recording = new Recording()) {
      recording.start();
      JfrEvents.named("long")
          .onLongPin(new OpenHandle(1, 2, FILTER, 3, longest, "holder", List.of()));
      assertThat(events(recording, "LongPin")).hasSize(1);
    }
  }

  @Test
  void anObserverServesOneCache() {
    JfrEvents events = JfrEvents.named("twice");
    try (BlockCache<Object> first = builder("other", 10).observer(events).build();
        BlockCache<Object> second = builder("other", 10).observer(events).build()) {
      assertThat(first.monitor().stats().callbackFailures()).isZero();
      assertThat(second.monitor().stats().callbackFailures()).isEqualTo(1);
    }
  }

  @Test
  void closingACacheThatIsNotObservedChangesNothing() throws Exception {
    JfrEvents events = JfrEvents.named("kept");
    try (BlockCache<Object> first = builder("other", 10).observer(events).build()) {
      builder("other", 20).observer(events).build().close();
      try (Recording recording = new Recording()) {
        recording.enable("hyperclock.CacheStatistics").withPeriod(Duration.ofMillis(20));
        recording.start();
        await()
            .atMost(Duration.ofSeconds(60))
            .until(() -> events(recording, "CacheStatistics").size() >= 3);
        assertThat(events(recording, "CacheStatistics"))
            .allSatisfy(event -> assertThat(event.getLong("capacityBytes")).isEqualTo(10));
      }
      assertThat(first.monitor().stats().callbackFailures()).isZero();
    }
  }

  @Test
  void aCacheThatIsNotObservedWritesNothing() throws Exception {
    JfrEvents events = JfrEvents.named("alone");
    try (Recording recording = new Recording()) {
      recording.enable("hyperclock.CacheStatistics").with("period", "endChunk");
      recording.start();
      try (BlockCache<Object> first = builder("other", 10).observer(events).build()) {
        builder("other", 20).observer(events).build().close();
        assertThat(first.monitor().occupancy()).isZero();
      }
      assertThat(events(recording, "CacheStatistics"))
          .isNotEmpty()
          .allSatisfy(event -> assertThat(event.getLong("capacityBytes")).isEqualTo(10));
    }
  }

  @Test
  void withoutARecordingSweepsCostAFlag() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    assumeTrue(threads.isThreadAllocatedMemorySupported(), "this runtime counts no allocations");
    JfrEvents events = JfrEvents.named("idle");
    long id = Thread.currentThread().getId();
    boolean any = events.observesSweeps();
    long least = Long.MAX_VALUE;
    for (int round = 0; round < 5; round++) {
      long before = threads.getThreadAllocatedBytes(id);
      for (int i = 0; i < 1000; i++) {
        any |= events.observesSweeps();
      }
      least = Math.min(least, threads.getThreadAllocatedBytes(id) - before);
    }
    assertThat(least).isZero();
    assertThat(any).isFalse();
  }

  @Test
  void sweepsAreTimedOnlyWhileRecorded() {
    JfrEvents events = JfrEvents.named("flag");
    assertThat(events.observesSweeps()).isFalse();
    try (Recording recording = new Recording()) {
      recording.start();
      assertThat(events.observesSweeps()).isTrue();
      recording.stop();
    }
    assertThat(events.observesSweeps()).isFalse();
  }
}
