/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.hyperclock.BlockCache;
import io.hyperclock.CapacityMode;
import io.hyperclock.Handle;
import io.hyperclock.HashSeed;
import io.hyperclock.LeakDetection;
import io.hyperclock.MetadataCharge;
import io.hyperclock.entry.EntryRole;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.Priority;
import io.hyperclock.metrics.JfrEvents;
import io.hyperclock.stats.CacheStats;
import io.hyperclock.stats.RoleStats;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.regex.Pattern;
import jdk.jfr.Recording;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

final class InspectCommandTest {
  private static final Logger LOGGER = Logger.getLogger("io.hyperclock");

  /** Any but black, white and grey. */
  private static final Pattern COLOUR = Pattern.compile("rgb\\(((\\d+),(?!\\2,\\2)\\d+,\\d+)\\)");

  private static final EntryType<String> FILTER =
      EntryType.<String>named("filter").role(EntryRole.FILTER_BLOCK).build();

  @TempDir private Path directory;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @BeforeEach
  void quiet() {
    LOGGER.setLevel(Level.OFF);
  }

  private int run(String... args) {
    CommandLine line = Main.commandLine();
    line.setOut(new PrintWriter(out));
    line.setErr(new PrintWriter(err));
    return line.execute(args);
  }

  private String file(String name) {
    return directory.resolve(name).toString();
  }

  private static BlockCache<Object> cache(String name) {
    return BlockCache.builder()
        .capacityBytes(1000)
        .estimatedEntryCharge(1)
        .metadataCharge(MetadataCharge.NONE)
        .capacityMode(CapacityMode.STRICT)
        .shards(1)
        .hashSeed(HashSeed.fixed(3))
        .recordHits(true)
        .leakDetection(LeakDetection.all())
        .longPinAfter(Duration.ofNanos(1))
        .observer(JfrEvents.named(name))
        .build();
  }

  /** Records one cache; returns its figures at the end. */
  private CacheStats record(String name, Path file) throws IOException {
    try (Recording recording = new Recording()) {
      // Threads write each to a part of its own: a beat in between may come first or last.
      recording.enable("hyperclock.CacheStatistics").with("period", "endChunk");
      recording.enable("hyperclock.RoleStatistics").with("period", "endChunk");
      recording.start();
      CacheStats stats;
      try (BlockCache<Object> cache = cache(name)) {
        for (long lo = 0; lo < 2000; lo++) {
          cache.insert(1, lo, "value", 1);
          cache.insert(2, lo, "filter", FILTER, 1, Priority.LOW);
          cache.get(1, lo / 2);
          cache.get(2, lo);
        }
        List<Handle<Object>> pins = new ArrayList<>();
        cache.eraseUnreferenced();
        pins.add(cache.insertPinned(3, 1, "most", FILTER, 900, Priority.LOW));
        cache.monitor().problems();
        cache.insert(3, 2, "refused", FILTER, 200, Priority.LOW);
        cache.insert(3, 3, "refused too", FILTER, 300, Priority.LOW);
        pins.forEach(Handle::close);
        stats = cache.monitor().stats();
      }
      recording.dump(file);
      return stats;
    }
  }

  private static void assertSame(JsonObject json, Record figures) throws Exception {
    for (RecordComponent component : figures.getClass().getRecordComponents()) {
      if (component.getType() == long.class) {
        assertThat(json.get(component.getName()).getAsLong())
            .as(component.getName())
            .isEqualTo((long) component.getAccessor().invoke(figures));
      }
    }
  }

  @Test
  void showsTheFiguresOfTheCache() throws Exception {
    Path recording = directory.resolve("run.jfr");
    CacheStats stats = record("blocks", recording);
    assertThat(stats.refused()).isEqualTo(2);
    assertThat(run("inspect", recording.toString(), "--json", file("run.json")))
        .as("%s", err)
        .isZero();

    JsonObject json =
        JsonParser.parseString(Files.readString(directory.resolve("run.json")))
            .getAsJsonObject()
            .getAsJsonArray("caches")
            .get(0)
            .getAsJsonObject();
    assertThat(json.get("cache").getAsString()).isEqualTo("blocks");
    assertSame(json.getAsJsonObject("last"), stats);
    for (Map.Entry<EntryRole, RoleStats> role : stats.roles().entrySet()) {
      assertSame(
          json.getAsJsonObject("lastByRole").getAsJsonObject(role.getKey().name()),
          role.getValue());
    }
    long hits = 0;
    for (var step : json.getAsJsonArray("timeline")) {
      hits += step.getAsJsonObject().get("hits").getAsLong();
    }
    assertThat(hits).isEqualTo(stats.hits());
    JsonObject events = json.getAsJsonObject("events");
    assertThat(events.getAsJsonObject("Refusal").get("count").getAsLong()).isEqualTo(2);
    assertThat(events.getAsJsonObject("LongPin").get("count").getAsLong()).isEqualTo(1);

    assertThat(out.toString())
        .containsSubsequence(
            "Cache blocks",
            stats.hits() + " hits, " + stats.misses() + " misses",
            String.format(Locale.ROOT, "hit ratio %.1f %%", 100 * stats.hitRatio()),
            "Over time",
            "DATA_BLOCK %",
            "By role:",
            "FILTER_BLOCK",
            "problems: 1",
            "estimatedEntryCharge",
            "refusals: 2",
            "key=3:3, type=filter, role=FILTER_BLOCK, chargeBytes=300",
            "key=3:2, type=filter, role=FILTER_BLOCK, chargeBytes=200",
            "long pins: 1",
            "key=3:1",
            "InspectCommandTest.record",
            "leaked handles: none");
  }

  @Test
  void drawsHitRatiosByRole() throws Exception {
    Path recording = directory.resolve("run.jfr");
    record("blocks", recording);
    assertThat(run("inspect", recording.toString(), "--svg", file("run.svg")))
        .as("%s", err)
        .isZero();
    String svg = Files.readString(directory.resolve("run.svg"));
    assertThat(svg).contains("<svg");
    assertThat(COLOUR.matcher(svg).results().map(colour -> colour.group(1)).distinct())
        .as("colours of points or lines for all reads and for two roles")
        .hasSize(3);
  }

  @Test
  void aBenchmarkCanBeRecordedAndInspected() throws Exception {
    String recording = file("bench.jfr");
    assertThat(
            run(
                "cache-bench",
                "--cache_size=4194304",
                "--value_bytes=1024",
                "--threads=2",
                "--ops_per_thread=50000",
                "--seed=7",
                "--jfr",
                recording))
        .as("%s", err)
        .isZero();
    assertThat(run("inspect", recording, "--cache", "cache-bench", "--svg", file("bench.svg")))
        .as("%s", err)
        .isZero();
    assertThat(out.toString())
        .containsSubsequence("Lookup hit ratio: 0.", "Cache cache-bench", "INDEX_BLOCK %");
    assertThat(directory.resolve("bench.svg")).isNotEmptyFile();
  }

  private void assertRefused(String text, String... args) {
    assertThat(run(args)).isEqualTo(2);
    assertThat(err.toString().lines()).as("%s", err).hasSize(1);
    assertThat(err.toString()).contains(text);
    err.getBuffer().setLength(0);
  }

  @Test
  void refusesWhatIsNoRecordingOfACache() throws Exception {
    assertRefused("recording must be a file that can be read: recording=", "inspect", file("no"));
    assertRefused("recording must be a file that can be read", "inspect", directory.toString());

    Path text = Files.writeString(directory.resolve("text.jfr"), "not a recording at all");
    assertRefused("recording must be a whole flight recording", "inspect", text.toString());
    Path empty = Files.write(directory.resolve("empty.jfr"), new byte[0]);
    assertRefused("recording must be a whole flight recording", "inspect", empty.toString());

    Path foreign = directory.resolve("foreign.jfr");
    try (Recording recording = new Recording()) {
      recording.enable("jdk.JVMInformation");
      recording.start();
      recording.stop();
      recording.dump(foreign);
    }
    assertRefused("recording must hold events of a cache", "inspect", foreign.toString());

    Path whole = directory.resolve("whole.jfr");
    record("blocks", whole);
    byte[] bytes = Files.readAllBytes(whole);
    for (int part : new int[] {8, 60, bytes.length / 3, bytes.length / 2, bytes.length - 20}) {
      Path cut = Files.write(directory.resolve("cut.jfr"), Arrays.copyOf(bytes, part));
      assertRefused("recording must", "inspect", cut.toString());
    }
    byte[] scrambled = bytes.clone();
    for (int i = 68; i < scrambled.length; i += 7) {
      scrambled[i] = (byte) (i * 31);
    }
    Path broken = Files.write(directory.resolve("broken.jfr"), scrambled);
    assertRefused("recording must", "inspect", broken.toString());
    assertRefused(
        "--cache must be one of blocks: cache=other",
        "inspect",
        whole.toString(),
        "--cache",
        "other");
    assertRefused(
        "--svg must be in a directory", "inspect", whole.toString(), "--svg", file("no/x.svg"));
    assertRefused("Missing required parameter", "inspect");
  }

  @Test
  void recordsHyperClockOnly() {
    assertRefused(
        "--jfr is for HyperClock only: cache=lru",
        "cache-bench",
        "--cache=lru",
        "--jfr",
        file("lru.jfr"));
    assertRefused(
        "--jfr must be in a directory that exists", "cache-bench", "--jfr", file("no/lru.jfr"));
  }
}
