/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.results;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import io.hyperclock.benchmarks.sizing.SizingRun;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.results.format.ResultFormatFactory;
import org.openjdk.jmh.results.format.ResultFormatType;

/** Results in a file: date, machine and command, then what JMH wrote, complete. Not thread-safe. */
public final class ResultFile {
  private static final Gson GSON =
      new GsonBuilder().setPrettyPrinting().disableHtmlEscaping().create();

  /** Says nothing that its version does not, and differs from machine to machine. */
  private static final String PATH_OF_JVM = "jvm";

  private static final String RUNS = "runs";
  private static final String SECONDARY = "secondaryMetrics";
  private static final String ALLOCATIONS = "allocations";
  private static final String HIT_RATIOS = "hitRatios";
  private static final String WORKLOADS = "workloads";
  private static final String COLLECTIONS = "collections";
  private static final String FOOTPRINTS = "footprints";
  private static final String BESIDE = "beside";
  private static final String BUILT = "built";
  private static final String BEFORE = "before";
  private static final String FIRST_SECONDS = "firstSeconds";
  private static final String TIERS = "tiers";
  private static final String SIZING = "sizing";

  /** Where and how it was made. */
  private static final List<String> ORIGIN = List.of("date", "machine", "command");

  private final JsonObject json;

  private ResultFile(JsonObject json) {
    this.json = json;
  }

  /**
   * Starts a file for results of this machine and this moment.
   *
   * @param command the command line that makes them
   * @return a file without results
   */
  public static ResultFile start(String command) {
    JsonObject json = new JsonObject();
    json.addProperty("date", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
    json.addProperty("machine", Machine.describe());
    json.addProperty("command", command);
    json.add(RUNS, new JsonArray());
    json.add(ALLOCATIONS, new JsonArray());
    return new ResultFile(json);
  }

  /**
   * Reads a file.
   *
   * @param path where it is
   * @return its results
   * @throws IllegalArgumentException if it was not written by this class
   */
  public static ResultFile read(Path path) {
    JsonElement json;
    try {
      json = JsonParser.parseString(Files.readString(path));
    } catch (IOException e) {
      throw new IllegalArgumentException("file must be readable: file=" + path, e);
    } catch (JsonParseException e) {
      throw new IllegalArgumentException("file must be JSON: file=" + path, e);
    }
    require(json, RUNS, path);
    ORIGIN.forEach(name -> require(json, name, path));
    return new ResultFile(json.getAsJsonObject());
  }

  private static void require(JsonElement json, String name, Path path) {
    if (!json.isJsonObject() || !json.getAsJsonObject().has(name)) {
      throw new IllegalArgumentException("file must have " + name + ": file=" + path);
    }
  }

  /**
   * Adds results.
   *
   * @param results what JMH returned
   * @param round number of the round they are of
   */
  public void add(Collection<RunResult> results, int round) {
    toJson(results).forEach(run -> addRun(run.getAsJsonObject(), round));
  }

  /**
   * Adds results of an earlier jar of the code under test.
   *
   * @param results what JMH returned
   * @param round number of the round they are of
   */
  public void addBefore(Collection<RunResult> results, int round) {
    for (JsonElement run : toJson(results)) {
      addRun(run.getAsJsonObject(), round);
      run.getAsJsonObject().addProperty(BEFORE, true);
    }
  }

  private void addRun(JsonObject run, int round) {
    run.addProperty("round", round);
    json.getAsJsonArray(RUNS).add(run);
  }

  /**
   * Says which earlier jar of the code under test is measured beside it.
   *
   * @param jar its name and what identifies it
   */
  public void setBefore(String jar) {
    json.addProperty(BEFORE, jar);
  }

  /** Adds how fast caches are in the first seconds of a process. */
  public void addFirstSeconds(List<FirstSeconds> runs) {
    addMeasured(FIRST_SECONDS, runs);
  }

  /** Adds results that were measured by this process. */
  private void addMeasured(String name, Object results) {
    json.addProperty("jdk", Machine.java());
    json.add(name, GSON.toJsonTree(results));
  }

  private <T> List<T> list(String name, Class<T[]> type) {
    return json.has(name) ? List.of(GSON.fromJson(json.get(name), type)) : List.of();
  }

  /** Adds what tiers did. */
  public void addTiers(List<TierRun> runs) {
    addMeasured(TIERS, runs);
  }

  /** What tiers did, in the order in which it was added. */
  List<TierRun> tiers() {
    return list(TIERS, TierRun[].class);
  }

  /** How fast caches are in the first seconds of a process. */
  List<FirstSeconds> firstSeconds() {
    return list(FIRST_SECONDS, FirstSeconds[].class);
  }

  /** Adds how a cache followed its load. */
  public void addSizing(SizingRun run) {
    addMeasured(SIZING, run);
  }

  /** How a cache followed its load. */
  List<SizingRun> sizing() {
    return json.has(SIZING) ? List.of(GSON.fromJson(json.get(SIZING), SizingRun.class)) : List.of();
  }

  /**
   * Adds results of the GC profiler, of which only the allocation counts.
   *
   * @param results what JMH returned
   */
  public void addAllocations(Collection<RunResult> results) {
    json.getAsJsonArray(ALLOCATIONS).addAll(toJson(results));
  }

  /** Adds hit ratios, measured by this process. */
  public void addHitRatios(List<HitRatio> points) {
    addMeasured(HIT_RATIOS, points);
  }

  /**
   * Adds a run of the workload of RocksDB's tool, measured by this process.
   *
   * @param options what ran, by the names of the options
   * @param results what came out
   */
  public void addWorkload(Map<String, ?> options, JsonObject results) {
    json.addProperty("jdk", Machine.java());
    JsonObject workload = new JsonObject();
    workload.add("options", GSON.toJsonTree(options));
    workload.add("results", results);
    if (!json.has(WORKLOADS)) {
      json.add(WORKLOADS, new JsonArray());
    }
    json.getAsJsonArray(WORKLOADS).add(workload);
  }

  /** Adds what caches cost the garbage collector, measured with the JDK of this process. */
  public void addCollections(List<GcRun> runs) {
    addMeasured(COLLECTIONS, runs);
  }

  /** Adds what caches weigh, measured by this process. */
  public void addFootprints(List<Footprint> footprints) {
    addMeasured(FOOTPRINTS, footprints);
  }

  /**
   * Adds runs of another program beside ours.
   *
   * @param runs what came out
   * @param built how the other program was built, or null
   */
  public void addBeside(List<BesideRun> runs, @Nullable String built) {
    if (built != null) {
      json.addProperty(BUILT, built);
    }
    addMeasured(BESIDE, runs);
  }

  private static JsonArray toJson(Collection<RunResult> results) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
    ResultFormatFactory.getInstance(ResultFormatType.JSON, out).writeOut(results);
    out.flush();
    JsonArray runs =
        JsonParser.parseString(bytes.toString(StandardCharsets.UTF_8)).getAsJsonArray();
    runs.forEach(run -> run.getAsJsonObject().remove(PATH_OF_JVM));
    return runs;
  }

  /**
   * Writes the file, in place of an older one.
   *
   * @param path where to
   */
  public void write(Path path) throws IOException {
    if (path.getParent() != null) {
      Files.createDirectories(path.getParent());
    }
    Files.writeString(path, GSON.toJson(json) + "\n");
  }

  /** When, where and how the results were made: lines of text by their names. */
  Map<String, String> origin() {
    Map<String, String> origin = new LinkedHashMap<>();
    for (String name : ORIGIN) {
      origin.put(name, json.get(name).getAsString());
    }
    if (json.has("jdk")) {
      origin.put("JDK", json.get("jdk").getAsString());
    }
    if (json.has(BUILT)) {
      origin.put("the other program", json.get(BUILT).getAsString());
    }
    if (json.has(BEFORE)) {
      origin.put("before", json.get(BEFORE).getAsString());
    }
    for (JsonElement run : json.getAsJsonArray(RUNS)) {
      JsonObject first = run.getAsJsonObject();
      String jdk = first.get("vmName").getAsString() + " " + first.get("vmVersion").getAsString();
      origin.merge("JDK", jdk, (a, b) -> a.contains(b) ? a : a + "; " + b);
    }
    return origin;
  }

  /**
   * What was measured.
   *
   * @return measurements in the order of their first run
   */
  List<BenchmarkMeasurement> measurements() {
    Map<BenchmarkMeasurement.Id, BenchmarkMeasurement> byId = new LinkedHashMap<>();
    for (JsonElement element : json.getAsJsonArray(RUNS)) {
      JsonObject run = element.getAsJsonObject();
      JsonObject metric = run.getAsJsonObject("primaryMetric");
      BenchmarkMeasurement measurement =
          byId.computeIfAbsent(
              id(run),
              id ->
                  new BenchmarkMeasurement(
                      id,
                      metric.get("scoreUnit").getAsString(),
                      new ArrayList<>(),
                      new ArrayList<>()));
      measurement.forks().addAll(forks(metric));
      if (run.has(SECONDARY)) {
        run.getAsJsonObject(SECONDARY).entrySet().stream()
            .filter(other -> other.getKey().endsWith(BenchmarkMeasurement.CPU))
            .forEach(other -> measurement.cpuNanos().addAll(forks(other.getValue())));
      }
    }
    return List.copyOf(byId.values());
  }

  /** The median of the iterations of each fork. */
  private static List<Double> forks(JsonElement metric) {
    List<Double> forks = new ArrayList<>();
    for (JsonElement fork : metric.getAsJsonObject().getAsJsonArray("rawData")) {
      List<Double> iterations = new ArrayList<>();
      fork.getAsJsonArray().forEach(score -> iterations.add(score.getAsDouble()));
      forks.add(Ratio.median(iterations));
    }
    return forks;
  }

  /** What hit ratios were measured, in the order in which they were added. */
  List<HitRatio> hitRatios() {
    return list(HIT_RATIOS, HitRatio[].class);
  }

  /** What caches cost the garbage collector. */
  List<GcRun> collections() {
    return list(COLLECTIONS, GcRun[].class);
  }

  /** What caches weigh, in the order in which it was added. */
  List<Footprint> footprints() {
    return list(FOOTPRINTS, Footprint[].class);
  }

  /** What another program did beside ours, in the order in which it was added. */
  List<BesideRun> beside() {
    return list(BESIDE, BesideRun[].class);
  }

  /**
   * Which workloads ran.
   *
   * @return objects with options and results, in the order they were added
   */
  List<JsonObject> workloads() {
    List<JsonObject> workloads = new ArrayList<>();
    if (json.has(WORKLOADS)) {
      json.getAsJsonArray(WORKLOADS).forEach(run -> workloads.add(run.getAsJsonObject()));
    }
    return workloads;
  }

  /** What operations allocate, in bytes each. */
  Map<BenchmarkMeasurement.Id, Double> allocations() {
    Map<BenchmarkMeasurement.Id, Double> byId = new LinkedHashMap<>();
    for (JsonElement element : json.getAsJsonArray(ALLOCATIONS)) {
      JsonObject run = element.getAsJsonObject();
      run.getAsJsonObject(SECONDARY).entrySet().stream()
          .filter(metric -> metric.getKey().endsWith("gc.alloc.rate.norm"))
          .map(metric -> metric.getValue().getAsJsonObject().get("score").getAsDouble())
          .forEach(bytes -> byId.put(id(run), bytes));
    }
    return byId;
  }

  private static BenchmarkMeasurement.Id id(JsonObject run) {
    String[] names = run.get("benchmark").getAsString().split("\\.");
    TreeMap<String, String> params = new TreeMap<>();
    if (run.has("params")) {
      run.getAsJsonObject("params")
          .entrySet()
          .forEach(param -> params.put(param.getKey(), param.getValue().getAsString()));
    }
    BenchmarkMeasurement.Id id =
        new BenchmarkMeasurement.Id(
            names[names.length - 2] + "." + names[names.length - 1],
            params,
            run.get("threads").getAsInt());
    return run.has(BEFORE) ? id.before() : id;
  }
}
