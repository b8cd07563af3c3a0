/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

final class CacheBenchCommandTest {
  @TempDir private Path directory;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String args, String... more) {
    List<String> all = new ArrayList<>(List.of("cache-bench"));
    all.addAll(Arrays.asList(args.split(" ")));
    all.addAll(Arrays.asList(more));
    CommandLine line = Main.commandLine();
    line.setOut(new PrintWriter(out));
    line.setErr(new PrintWriter(err));
    return line.execute(all.toArray(String[]::new));
  }

  /** Lines beside the result, but for the progress of a run that takes seconds. */
  private Stream<String> notes() {
    return err.toString().lines().filter(line -> !line.matches("\\d+ s: .*"));
  }

  private JsonObject results(String args) throws IOException {
    Path json = directory.resolve("results.json");
    int exitCode = run(args, "--json", json.toString());
    assertThat(exitCode).as("exit code, %s", err).isZero();
    return JsonParser.parseString(Files.readString(json))
        .getAsJsonObject()
        .getAsJsonArray("workloads")
        .get(0)
        .getAsJsonObject()
        .getAsJsonObject("results");
  }

  @ParameterizedTest
  @CsvSource({
    "--seed=42 --cache_size=67108864,      8064, 8322.03, 0.687245, 0.490234 (8032 / 16384), 2048",
    "--seed=1 --cache_size=67108864,       8064, 8322.03, 0.686665, 0.490479 (8036 / 16384), 2048",
    "--seed=42 --cache_size=67108864 --num_shard_bits=0,                                    8064,"
        + " 8322.03, 0.685911, 0.489868 (8026 / 16384), 2048",
    "--seed=42 --cache_size=67108864 --pinned_ratio=0,"
        + "                                    8064, 8322.03, 0.687587, 0.492188 (8064 / 16384), 0",
    "--seed=42 --cache_size=67108864 --skew=0,                                    8064, 8322.03,"
        + " 0.248221, 0.491577 (8054 / 16384), 2048",
    "--seed=42 --store_values=false,  128919, 8328.81, 0.67111, 0.490173 (128496 / 262144), 32768"
  })
  void agreesWithRocksDbDigitForDigit(
      String args, long population, String charge, String ratio, String load, long pinned) {
    assertThat(run(args + " --cache=parity --threads=1 --ops_per_thread=200000")).isZero();
    assertThat(out.toString())
        .containsSubsequence(
            "Population complete (" + population + " entries, " + charge + " average charge)\n",
            "Lookup hit ratio: " + ratio + "\n",
            "Final load factor: " + load + "\n",
            "Final pinned count: " + pinned + "\n");
  }

  @Test
  void aWarmUpLeavesTheResultsAlone() throws IOException {
    String args = "--cache=parity --threads=1 --cache_size=4194304 --ops_per_thread=5000 --seed=3";
    JsonObject cold = results(args);
    JsonObject warm = results(args + " --warm_up");
    for (String name : new String[] {"populated", "lookups", "hits", "occupancy", "checksums"}) {
      assertThat(warm.get(name)).as(name).isEqualTo(cold.get(name));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--threads=1|Rates and latencies are those of a model, of no cache's speed.",
        "--threads=3|Rates and latencies are those of a model, of no cache's speed."
      })
  void saysThatAModelHasNoSpeed(String args, String line) {
    String all = " --cache_size=4194304 --ops_per_thread=1000 --cache=";
    assertThat(run(args + all + "parity")).isZero();
    assertThat(out.toString())
        .containsSubsequence("Rough parallel ops/sec", line, "Lookup hit ratio: ")
        .contains("Cache               : a model of RocksDB's rules")
        .doesNotContain("Policy", "Problems");
    out.getBuffer().setLength(0);
    assertThat(run(args + all + "pinned")).isZero();
    assertThat(out.toString()).contains("Policy", "Problems").doesNotContain("model");
  }

  @Test
  void endsWhereTheRulesDropANewcomer() {
    assertThat(
            run(
                "--cache=parity --threads=1 --seed=25 --cache_size=145700 --value_bytes=675"
                    + " --value_bytes_estimate=2021 --resident_ratio=0.736662500422823"
                    + " --num_shard_bits=2 --compressible_to_ratio=0.9171362295194856"))
        .isEqualTo(1);
    assertThat(notes())
        .singleElement()
        .asString()
        .startsWith("a key just inserted must be found: key=");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "pin-free",
        "pin-free --policy=classic",
        "pinned",
        "pinned --policy=classic",
        "off-heap",
        "off-heap --policy=classic",
        "parity",
        "caffeine",
        "cache2k",
        "lru"
      })
  void anyCacheRunsTheWorkload(String cache) throws IOException {
    JsonObject results =
        results(
            "--cache_size=4194304 --value_bytes=1024 --threads=3 --ops_per_thread=30000 --seed=7"
                + " --gather_stats --gather_stats_sleep_ms=5 --cache="
                + cache);
    assertThat(results.get("hitRatio").getAsDouble()).isBetween(0.6, 0.85);
    assertThat(results.get("populated").getAsLong()).isBetween(3500L, 4200L);
    assertThat(results.get("occupancy").getAsLong())
        .isBetween(3300L, 4200L)
        .isEqualTo(results.get("visitedEntries").getAsLong());
    assertThat(results.get("visitedChargeBytes").getAsLong())
        .isEqualTo(results.get("occupancy").getAsLong() * 1024);
    assertThat(results.get("pinned").getAsLong()).isEqualTo(1024);
    assertThat(results.get("latencyNanos").getAsJsonObject().get("count").getAsLong())
        .isEqualTo(90_000);
    assertThat(results.get("problems").getAsJsonArray()).isEmpty();
    assertThat(out.toString())
        .containsSubsequence(
            "Using seed = 7",
            "Complete in ",
            "Rough parallel ops/sec = ",
            "Thread ops/sec = ",
            "Lookup hit ratio: 0.",
            "Final pinned count: 1024",
            "Operation latency (ns):",
            "P99.99: ",
            "Gather stats latency (us):");
    assertThat(notes()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"pin-free", "pinned", "parity", "caffeine", "cache2k", "lru"})
  void capacityVaries(String cache) throws IOException {
    String args =
        "--cache_size=4194304 --value_bytes=1024 --threads=1 --ops_per_thread=30000 --seed=7"
            + " --cache=";
    double steady = results(args + cache).get("hitRatio").getAsDouble();
    double varied =
        results(args + cache + " --vary_capacity_ratio=0.5").get("hitRatio").getAsDouble();
    assertThat(varied).isBetween(0.2, steady - 0.02);
  }

  @ParameterizedTest
  @ValueSource(strings = {"pin-free", "pinned", "off-heap"})
  void aTierKeepsWhatIsEvicted(String cache) throws IOException {
    JsonObject results =
        results(
            "--cache_size=1048576 --value_bytes=1024 --threads=2 --ops_per_thread=30000 --seed=7"
                + " --gather_stats --gather_stats_sleep_ms=5 --vary_capacity_ratio=0.3"
                + " --secondary_cache=compressed:8388608 --cache="
                + cache);
    JsonObject tier = results.getAsJsonArray("tiers").get(0).getAsJsonObject();
    assertThat(tier.get("name").getAsString()).isEqualTo("compressed");
    assertThat(tier.get("failures").getAsLong()).isZero();
    assertThat(tier.get("hits").getAsLong()).isLessThanOrEqualTo(results.get("hits").getAsLong());
    assertThat(out.toString())
        .containsSubsequence(
            "Secondary cache     : compressed, 8388608 bytes",
            "Lookup hit ratio: 0.",
            "Secondary cache hits: " + tier.get("hits").getAsLong() + "; accepted: ",
            "Secondary cache entries: ",
            " bytes used of 8388608)",
            "Gather stats latency (us):");
    CommandLine line = Main.commandLine().setOut(new PrintWriter(out));
    assertThat(line.execute("report", "--results", directory.toString())).isZero();
    assertThat(directory.resolve("README.md"))
        .content()
        .contains("| " + cache + ", adaptive, tier compressed:8388608 | 2 | 1048576 |");
  }

  @Test
  void resultsBecomeATable() throws IOException {
    JsonObject results =
        results(
            "--cache=pinned --cache_size=4194304 --value_bytes=1024 --threads=2 --lean"
                + " --ops_per_thread=1000");
    CommandLine line = Main.commandLine().setOut(new PrintWriter(out));
    assertThat(line.execute("report", "--results", directory.toString())).isZero();
    assertThat(directory.resolve("README.md"))
        .content()
        .contains(
            "* command: java -jar benchmarks/target/benchmarks.jar cache-bench --cache=pinned")
        .contains(
            String.format(
                Locale.ROOT,
                "| pinned, adaptive | 2 | 4194304 | 1024 | yes | %.3f | ",
                results.get("parallelOpsPerSecond").getAsDouble() / 1e6));
  }

  @Test
  void reportsProblems() {
    assertThat(
            run(
                "--cache_size=4194304 --value_bytes=1024 --threads=1 --ops_per_thread=1000"
                    + " --value_bytes_estimate=8192"))
        .isZero();
    assertThat(out.toString())
        .contains("ERROR: ")
        .contains("estimatedEntryCharge is too high, recommended estimatedEntryCharge=1024");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--threads 0|--threads must be in [1, 1024]: threads=0",
        "--threads=many|Invalid value for option '--threads': 'many' is not an int",
        "--seed=-1|--seed must be in [0, 4294966271]: seed=-1",
        "--cache_size=-1|--cache_size must be in [1, 281474976710656]: cache_size=-1",
        "--value_bytes=0|--value_bytes must be in [1, 1073741824]: value_bytes=0",
        "--ops_per_thread=0|--ops_per_thread must be in [1, 9007199254740991]: ops_per_thread=0",
        "--skew=-3|--skew must be in [0, 1000]: skew=-3",
        "--num_shard_bits=13|--num_shard_bits must be in [-1, 12]: num_shard_bits=13",
        "--pinned_ratio=-0.5|--pinned_ratio must be in [0, 100]: pinned_ratio=-0.5",
        "--pinned_ratio=NaN|--pinned_ratio must be in [0, 100]: pinned_ratio=NaN",
        "--compressible_to_ratio=2|--compressible_to_ratio must be in [0, 1]: compress",
        "--vary_capacity_ratio=1|--vary_capacity_ratio must be in [0, 1): vary_capacity_ratio=1.0",
        "--resident_ratio=0|--cache_size / --resident_ratio / --value_bytes must be in [1, 2^62)",
        "--cache_size=10|--cache_size / --resident_ratio / --value_bytes must be in [1, 2^62)",
        "--gather_stats_sleep_ms=0|--gather_stats_sleep_ms must be in [1, 2147483647]: gather_",
        "--erase_percent=2|percentages must add up to 100: sum=101",
        "--erase_percent=-1|--erase_percent must be in [0, 100]: erase_percent=-1",
        "--cache=lru2|--cache must be one of pin-free, pinned, off-heap, parity, caffeine, cache2k,"
            + " lru: cache=lru2",
        "--policy=best|--policy must be one of classic, adaptive: policy=best",
        "--cache=parity --policy=classic|--policy is for HyperClock only: cache=parity",
        "--cache=parity --jfr=x.jfr|--jfr is for HyperClock only: cache=parity",
        "--cache=lru --policy=classic|--policy is for HyperClock only: cache=lru",
        "--cache=caffeine --num_shard_bits=2|--num_shard_bits is for HyperClock and parity only:"
            + " cache",
        "--cache=lru --secondary_cache=compressed:9|--secondary_cache is for HyperClock only: cac",
        "--secondary_cache=disk:9|--secondary_cache must be compressed:BYTES, with BYTES in [1,"
            + " 10^",
        "--secondary_cache=compressed:0|--secondary_cache must be compressed:BYTES, with BYTES in",
        "--secondary_cache=compressed:-5|--secondary_cache must be compressed:BYTES, with BYTES in",
        "--secondary_cache=compressed:99 --cache=parity|--secondary_cache is for HyperClock only:"
            + " c",
        "--cache=parity --cache_size=1000 --value_bytes=10 --num_shard_bits=5|each shard must have"
            + " room for a slot of 64 bytes: capacityBytes=1000, shards=32",
        "--cache=parity --cache_size=1099511627776 --value_bytes=1073741824"
            + " --value_bytes_estimate=1 --store_values=false|the slots must fit the heap: slots=",
        "--secondary_cache=compressed:99 --store_values=false|--secondary_cache must have values"
            + " to",
        "--secondary_cache=compressed:99999999999999|the entries must fit the heap (raise -Xmx,",
        "--secondary_cache|Missing required parameter for option '--secondary_cache' (compressed:B",
        "--cache_size=1099511627776|the entries must fit the heap (raise -Xmx,",
        "--cache_size=1000 --value_bytes=10 --num_shard_bits=6|capacityBytes must have room for",
        "--lean=perhaps|Invalid value for option '--lean': 'perhaps' is not a boolean",
        "--sed=1|Unknown option: '--sed=1'",
        "--json=missing/file.json|--json must be in a directory that exists and can be written: j",
        "--json=pom.xml/file.json|--json must be in a directory that exists and can be written: j",
        "--json=src|--json must be a file that can be written: json=src"
      })
  void refusesWrongOptionsInOneLine(String args, String message) {
    assertThat(run(args)).isEqualTo(2);
    assertThat(err.toString()).startsWith(message).hasLineCount(1);
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void explainsItself() {
    assertThat(run("--help")).isZero();
    assertThat(out.toString())
        .startsWith("Usage: benchmarks cache-bench [OPTIONS]")
        .contains("--lookup_insert_percent", "--json", "--cache=parity --threads=1");
  }
}
