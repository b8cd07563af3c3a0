/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.metrics;

import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperclock.BlockCache;
import io.hyperclock.entry.EntryRole;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.Priority;
import io.hyperclock.secondary.AdmissionPolicy;
import io.hyperclock.secondary.RecordKey;
import io.hyperclock.secondary.TierMetric;
import io.hyperclock.secondary.TierObserver;
import io.hyperclock.secondary.TierOutcome;
import io.hyperclock.secondary.TieredBlockCache;
import io.hyperclock.secondary.TieredBlockCacheBuilder;
import io.hyperclock.secondary.TieredStats;
import io.hyperclock.secondary.compressed.CompressedSecondaryCache;
import io.hyperclock.secondary.disk.DiskSecondaryCache;
import io.hyperclock.secondary.remote.RemoteSecondaryCache;
import io.hyperclock.secondary.remote.RemoteStore;
import io.hyperclock.secondary.testing.DiskWriters;
import io.hyperclock.secondary.testing.Faults;
import io.hyperclock.secondary.testing.FaultySecondaryCache;
import io.hyperclock.secondary.testing.MapSecondaryCache;
import io.hyperclock.secondary.testing.TestValues;
import io.hyperclock.stats.StatsCollector;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TieredMetricsTest {
  private static final int CHARGE = 1000;

  private static final EntryType<byte[]> DATA =
      EntryType.<byte[]>named("data")
          .role(EntryRole.DATA_BLOCK)
          .codec(TestValues.BYTES.codec())
          .build();

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

  private static TieredBlockCacheBuilder<byte[]> builder() {
    return TieredBlockCache.builder(
            BlockCache.<byte[]>builder().capacityBytes(20L * CHARGE).estimatedEntryCharge(CHARGE))
        .tier(new MapSecondaryCache(1 << 20))
        .admission(AdmissionPolicy.ALL)
        .executor(Runnable::run);
  }

  /** A server that knows nothing. */
  private static final class NoStore implements RemoteStore {
    /** As {@code LettuceRemoteStore} has them. */
    @Override
    public List<TierMetric> metrics() {
      return List.of(TierMetric.count("remote.oversized", "values", 0));
    }

    @Override
    public CompletionStage<List<byte @Nullable []>> mget(List<byte[]> keys) {
      return CompletableFuture.completedFuture(Collections.nCopies(keys.size(), null));
    }

    @Override
    public CompletionStage<?> psetex(byte[] key, long ttlMillis, byte[] value) {
      return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletionStage<?> del(List<byte[]> keys) {
      return CompletableFuture.completedFuture(null);
    }

    @Override
    public void close() {}
  }

  private static void fill(TieredBlockCache<byte[]> cache) {
    for (int key = 0; key < 100; key++) {
      cache.insert(1, key, new byte[] {(byte) key}, DATA, CHARGE, Priority.LOW);
    }
  }

  private double count(String name, String... tags) {
    return registry.get(name).tags("cache", "blocks").tags(tags).functionCounter().count();
  }

  @Test
  void metersShowWhatMoved() {
    try (TieredBlockCache<byte[]> cache = builder().build()) {
      fill(cache);
      int found = 0;
      for (int key = 0; key < 200; key++) {
        found += cache.get(1, key, DATA) == null ? 0 : 1;
      }
      assertThat(found).isEqualTo(100);
      TieredMetrics metrics = new TieredMetrics(cache, "blocks", Tags.empty());
      metrics.bindTo(registry);

      assertThat(count("hyperclock.tiers.lookups", "role", "data_block", "result", "hit"))
          .isEqualTo(cache.stats().total().hits())
          .isPositive();
      assertThat(count("hyperclock.tiers.lookups", "role", "data_block", "result", "miss"))
          .isEqualTo(100);
      assertThat(count("hyperclock.tiers.offers", "role", "data_block", "result", "accepted"))
          .isGreaterThanOrEqualTo(80);
      assertThat(count("hyperclock.tiers.rises", "role", "data_block", "result", "standalone"))
          .isPositive();
      assertThat(count("hyperclock.tier.reads", "tier", "0-map", "result", "absent"))
          .isEqualTo(100);
      assertThat(registry.get("hyperclock.tier.open").gauge().value()).isOne();
      assertThat(registry.get("hyperclock.tier.entries").gauge().value()).isPositive();

      metrics.close();
      assertThat(registry.getMeters()).isEmpty();
    }
  }

  @Test
  void aCacheThatTakesThePlaceOfAClosedOneHasTheMeters() {
    TieredMetrics old;
    try (TieredBlockCache<byte[]> cache = builder().build()) {
      old = new TieredMetrics(cache, "blocks", Tags.empty());
      old.bindTo(registry);
    }
    int meters = registry.getMeters().size();
    try (TieredBlockCache<byte[]> cache = builder().build()) {
      assertThat(cache.get(1, 1, DATA)).isNull();
      TieredMetrics metrics = new TieredMetrics(cache, "blocks", Tags.empty());
      metrics.bindTo(registry);
      assertThat(gauge("hyperclock.tier.open")).isOne();
      assertThat(count("hyperclock.tier.reads", "tier", "0-map", "result", "absent")).isOne();
      assertThat(registry.getMeters()).hasSize(meters);
      old.close();
      assertThat(registry.getMeters()).hasSize(meters);
      metrics.close();
      assertThat(registry.getMeters()).isEmpty();
    }
  }

  /** A new counter would count the total again in a registry of steps. */
  @Test
  void metersBoundTwiceAreTheSame() {
    registry.config().commonTags("app", "x");
    try (TieredBlockCache<byte[]> cache = builder().build()) {
      TieredMetrics metrics = new TieredMetrics(cache, "blocks", Tags.empty());
      metrics.bindTo(registry);
      List<Meter> before = registry.getMeters();
      metrics.bindTo(registry);
      assertThat(registry.getMeters())
          .usingElementComparator(Comparator.comparing(System::identityHashCode))
          .containsExactlyInAnyOrderElementsOf(before);
      metrics.close();
      assertThat(registry.getMeters()).isEmpty();
    }
  }

  @Test
  void metersShowTheSharedBudgetAndTiersThatDoNotAnswer() {
    MapSecondaryCache map = new MapSecondaryCache(0);
    FaultySecondaryCache silent = new FaultySecondaryCache(map, 1);
    silent.setFaults(Faults.NONE.withStall(1));
    try (TieredBlockCache<byte[]> cache =
        TieredBlockCache.builder(
                BlockCache.<byte[]>builder().capacityBytes(1).estimatedEntryCharge(CHARGE))
            .tier(silent)
            .totalCapacityBytes(10 << 20, 0.5)
            .tierTimeout(Duration.ofMillis(1))
            .build()) {
      cache.tryReserve(EntryRole.WRITE_BUFFER, 1 << 18);
      cache.reserve(12 << 20);
      assertThat(cache.get(1, 1, DATA)).isNull();
      new TieredMetrics(cache, "blocks", Tags.empty()).bindTo(registry);
      assertThat(gauge("hyperclock.tiers.budget")).isEqualTo(10 << 20);
      assertThat(gauge("hyperclock.tiers.budget.reserved", "role", "write_buffer"))
          .isEqualTo(1 << 18);
      assertThat(gauge("hyperclock.tiers.budget.reserved", "role", "misc")).isEqualTo(12 << 20);
      assertThat(gauge("hyperclock.tiers.budget.charged")).isEqualTo((10 << 20) - 1);
      assertThat(gauge("hyperclock.tiers.budget.overdraft")).isEqualTo((3 << 20) + 1);
      assertThat(count("hyperclock.tier.timeouts", "tier", "0-faulty map")).isOne();
    }
  }

  private double gauge(String name, String... tags) {
    return registry.get(name).tags("cache", "blocks").tags(tags).gauge().value();
  }

  @Test
  void metersOfAClosedCacheSayNothingNew() {
    TieredBlockCache<byte[]> cache = builder().build();
    fill(cache);
    TieredMetrics metrics = new TieredMetrics(cache, "blocks", Tags.empty());
    metrics.bindTo(registry);
    double before = count("hyperclock.tier.inserts", "result", "accepted");
    cache.close();
    assertThat(before).isPositive();
    assertThat(count("hyperclock.tier.inserts", "result", "accepted")).isEqualTo(before);
  }

  @Test
  void metersShowWhatOnlySomeTiersHave() {
    CompressedSecondaryCache compressed =
        CompressedSecondaryCache.builder().capacityBytes(1 << 20).estimatedEntryCharge(100).build();
    try (TieredBlockCache<byte[]> cache = builder().tier(compressed).build()) {
      StatsCollector<TieredStats> eager =
          new StatsCollector<>(cache::stats, Duration.ZERO, 0, System::nanoTime);
      new TieredMetrics(cache, "blocks", Tags.empty(), eager).bindTo(registry);
      String before = "hyperclock.tier.compression.before";
      assertThat(count(before, "tier", "1-compressed")).isZero();
      compressed.insert(1, 1, new byte[CHARGE], DATA, true);
      compressed.insert(1, 1, new byte[CHARGE], DATA, true);
      assertThat(compressed.compressionStats().rawBytes()).isPositive();
      assertThat(count(before, "tier", "1-compressed"))
          .isEqualTo(compressed.compressionStats().rawBytes());
    }
  }

  @Test
  void everyMeterIsInTheTable(@TempDir Path directory) throws IOException {
    DiskWriters writers = new DiskWriters();
    TieredBlockCacheBuilder<byte[]> builder =
        builder()
            .admission(AdmissionPolicy.ADAPTIVE)
            .tier(CompressedSecondaryCache.builder().capacityBytes(1 << 20).build())
            .tier(DiskSecondaryCache.builder().directory(directory).capacityBytes(64 << 20).build())
            .tier(
                RemoteSecondaryCache.builder()
                    .store(new NoStore())
                    .namespace("metrics")
                    .recordKey(RecordKey.hmacSha256(new byte[RecordKey.MIN_SECRET_BYTES]))
                    .build());
    try (TieredBlockCache<byte[]> cache = builder.build()) {
      new TieredMetrics(cache, "blocks", Tags.empty()).bindTo(registry);
      Set<String> rows =
          Files.readAllLines(Path.of("docs/metrics.md")).stream()
              .filter(line -> line.startsWith("| `hyperclock.tier"))
              .map(line -> line.substring(0, line.lastIndexOf(" | ")) + " |")
              .collect(toCollection(TreeSet::new));
      assertThat(registry.getMeters().stream().map(TieredMetricsTest::row)).hasSameElementsAs(rows);
    }
    writers.awaitEnd();
  }

  private static String row(Meter meter) {
    List<String> tags =
        meter.getId().getTags().stream()
            .filter(tag -> !tag.getKey().equals("cache"))
            .map(Tag::getKey)
            .sorted()
            .toList();
    return "| `%s` | %s | %s | %s |"
        .formatted(
            meter.getId().getName(),
            meter.getId().getType().name().toLowerCase(Locale.ROOT),
            meter.getId().getBaseUnit(),
            tags.isEmpty() ? "–" : String.join(", ", tags));
  }

  @Test
  void observerHearsOfDropsAndSlowTiers() {
    List<String> heard = new CopyOnWriteArrayList<>();
    TierObserver observer =
        new TierObserver() {
          @Override
          public void onDemotionDropped(long hi, long lo, EntryRole role, long chargeBytes) {
            heard.add("dropped " + role + " " + chargeBytes);
            throw new IllegalStateException("not to be seen");
          }

          @Override
          public void onSlowRead(String tier, TierOutcome outcome, Duration took) {
            heard.add(tier + " " + outcome + " " + !took.isNegative());
          }
        };
    try (TieredBlockCache<byte[]> cache =
        builder().handOffEntries(0).observer(observer).slowReadAfter(Duration.ZERO).build()) {
      fill(cache);
      assertThat(heard)
          .hasSize((int) cache.stats().total().overflowed())
          .containsOnly("dropped DATA_BLOCK 1000");
      heard.clear();
      assertThat(cache.get(1, 1000, DATA)).isNull();
      assertThat(heard).containsExactly("map ABSENT true");
    }
  }

  @Test
  void noReadIsSlowIfThatTimeIsForEver() {
    List<String> slow = new ArrayList<>();
    TierObserver observer =
        new TierObserver() {
          @Override
          public void onSlowRead(String tier, TierOutcome outcome, Duration took) {
            slow.add(tier);
          }
        };
    Duration forEver = ChronoUnit.FOREVER.getDuration();
    try (TieredBlockCache<byte[]> cache =
        builder().observer(observer).slowReadAfter(forEver).build()) {
      assertThat(cache.get(1, 1000, DATA)).isNull();
      assertThat(slow).isEmpty();
    }
  }

  @Test
  void negativeTimeIsRefused() {
    assertThatThrownBy(() -> builder().slowReadAfter(Duration.ofNanos(-1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("slowReadAfter must be >= 0: slowReadAfter=PT-0.000000001S");
  }

  @Test
  void flightRecordingTellsOfDropsAndSlowTiers(@TempDir Path directory) throws IOException {
    Path file = directory.resolve("tiers.jfr");
    AtomicLong clock = new AtomicLong();
    long dropped;
    try (Recording recording = new Recording();
        TieredBlockCache<byte[]> cache =
            builder()
                .handOffEntries(0)
                .observer(new TierJfrEvents("blocks", clock::get))
                .slowReadAfter(Duration.ZERO)
                .build()) {
      recording.start();
      fill(cache);
      dropped = cache.stats().total().overflowed();
      assertThat(dropped).isGreaterThan(1);
      clock.addAndGet(Duration.ofSeconds(1).toNanos());
      fill(cache);
      assertThat(cache.stats().total().overflowed()).isGreaterThan(dropped);
      assertThat(cache.get(1, 1000, DATA)).isNull();
      TierJfrEvents.named("blocks").onCloseTimeout("map", Duration.ofSeconds(30));
      recording.stop();
      recording.dump(file);
    }
    List<String> events = new ArrayList<>();
    for (RecordedEvent event : RecordingFile.readAllEvents(file)) {
      switch (event.getEventType().getName()) {
        case "hyperclock.DemotionsDropped" ->
            events.add(
                event.getString("cache")
                    + " "
                    + event.getLong("values")
                    + " "
                    + event.getString("lastRole"));
        case "hyperclock.SlowTier" ->
            events.add(
                event.getString("cache")
                    + " "
                    + event.getString("tier")
                    + " "
                    + event.getString("outcome"));
        case "hyperclock.TierCloseTimeout" ->
            events.add(
                event.getString("cache")
                    + " "
                    + event.getString("tier")
                    + " "
                    + event.getDuration("waited"));
        default -> {}
      }
    }
    // The second tells of those that came after the first within its second, and of itself.
    assertThat(events)
        .containsExactlyInAnyOrder(
            "blocks 1 DATA_BLOCK",
            "blocks " + dropped + " DATA_BLOCK",
            "blocks map ABSENT",
            "blocks map PT30S");
  }
}
