/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.BlockCache;
import io.hyperclock.CapacityMode;
import io.hyperclock.EvictionListener;
import io.hyperclock.Handle;
import io.hyperclock.ReplacementPolicy;
import io.hyperclock.SlotStorage;
import io.hyperclock.entry.EntryType;
import io.hyperclock.internal.cache.HandleOwners;
import io.hyperclock.internal.cache.InvariantsChecker;
import io.hyperclock.model.ModelSettings.Size;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Threads do everything a cache can do, chosen by a seed, and everything is checked against books
 * kept beside it; see {@link ModelRun}.
 *
 * <p>System properties, as Maven passes them on with {@code -D}:
 *
 * <ul>
 *   <li>{@code hyperclock.model.seed}: the seed, as printed by a failure; random if not given. The
 *       seed fixes what each thread does, not how the threads interleave: repeat a run a few times,
 *       or with more seconds.
 *   <li>{@code hyperclock.model.seconds}: time of each variant in seconds, default 0.2.
 *   <li>{@code hyperclock.model.variant}: a regular expression; only the variants in whose name it
 *       is found are run, such as {@code "TINY HEAP STRICT.*8 threads"}.
 * </ul>
 *
 * <p>A long run, about two and a half hours:
 *
 * <pre>mvn -pl core test -Dtest=SeededModelTest -Dhyperclock.model.seconds=90</pre>
 */
class SeededModelTest {
  private static final String SEED = "hyperclock.model.seed";
  private static final String SECONDS = "hyperclock.model.seconds";
  private static final String VARIANT = "hyperclock.model.variant";
  private static final double LONG_RUN_SECONDS = 2;

  private static final QuietLog LOG = new QuietLog();

  private static final class RealCaches implements CacheFactory {
    @Override
    public BlockCache<ModelValue> make(
        ModelSettings settings,
        long hashSeed,
        EntryType<ModelValue> defaultType,
        EvictionListener<ModelValue> listener) {
      return CacheFactory.build(settings, hashSeed, defaultType, listener);
    }

    @Override
    public List<String> violations(BlockCache<?> cache) {
      return InvariantsChecker.violations(cache);
    }

    @Override
    public boolean isOverwritten(Handle<?> handle) {
      return HandleOwners.isOverwritten(handle);
    }
  }

  @BeforeAll
  static void silencePlannedFailures() {
    LOG.start();
  }

  @AfterAll
  static void endSilence() {
    LOG.end();
  }

  static List<ModelSettings> variants() {
    List<ModelSettings> all = new ArrayList<>();
    for (SlotStorage storage : SlotStorage.values()) {
      for (int threads : new int[] {2, 4, 8}) {
        addModes(all, Size.HOT, storage, 1, threads);
        for (int shards : new int[] {1, 3}) {
          addModes(all, Size.TINY, storage, shards, threads);
          addModes(all, Size.LARGE, storage, shards, threads);
        }
      }
    }
    for (CapacityMode mode : CapacityMode.values()) {
      all.add(of(Size.SMALL, SlotStorage.HEAP, mode, false, 1, 1));
      all.add(of(Size.SMALL, SlotStorage.OFF_HEAP, mode, true, 3, 4));
    }
    for (SlotStorage storage : SlotStorage.values()) {
      for (int threads : new int[] {2, 8}) {
        addAdaptive(all, Size.HOT, storage, 1, threads);
        addAdaptive(all, Size.TINY, storage, 3, threads);
        addAdaptive(all, Size.DOZENS, storage, 1, threads);
        addAdaptive(all, Size.DOZENS, storage, 3, threads);
        addAdaptive(all, Size.LARGE, storage, 1, threads);
      }
    }
    addAdaptive(all, Size.DOZENS, SlotStorage.HEAP, 1, 1);
    Predicate<String> wanted = Pattern.compile(System.getProperty(VARIANT, "")).asPredicate();
    return all.stream().filter(settings -> wanted.test(settings.toString())).toList();
  }

  private static void addModes(
      List<ModelSettings> all, Size size, SlotStorage storage, int shards, int threads) {
    all.add(of(size, storage, CapacityMode.STRICT, false, shards, threads));
    all.add(of(size, storage, CapacityMode.NON_STRICT, false, shards, threads));
    all.add(of(size, storage, CapacityMode.STRICT, true, shards, threads));
  }

  private static void addAdaptive(
      List<ModelSettings> all, Size size, SlotStorage storage, int shards, int threads) {
    ReplacementPolicy policy = ReplacementPolicy.ADAPTIVE;
    for (CapacityMode mode : CapacityMode.values()) {
      all.add(new ModelSettings(size, storage, mode, false, policy, shards, threads));
    }
    CapacityMode first = CapacityMode.STRICT;
    all.add(new ModelSettings(size, storage, first, true, policy, shards, threads));
  }

  private static ModelSettings of(
      Size size,
      SlotStorage storage,
      CapacityMode mode,
      boolean changing,
      int shards,
      int threads) {
    return new ModelSettings(
        size, storage, mode, changing, ReplacementPolicy.CLASSIC, shards, threads);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("variants")
  void agreesWithTheBooks(ModelSettings settings) {
    long seed = Long.getLong(SEED, new SplittableRandom().nextLong());
    double seconds = Double.parseDouble(System.getProperty(SECONDS, "0.2"));
    ModelRun run = new ModelRun(settings, seed, new RealCaches());
    run.run(Duration.ofNanos((long) (seconds * 1e9)));
    if (seconds >= LONG_RUN_SECONDS) {
      System.out.println(run);
    }
    assertThat(run.owners().findings())
        .as(
            "%s%nagain: mvn -pl core test -Dtest=SeededModelTest -D%s=%d -D%s='%s'",
            run, SEED, seed, VARIANT, settings)
        .isEmpty();
  }
}
