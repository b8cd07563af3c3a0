/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.BlockCache;
import io.hyperclock.CapacityMode;
import io.hyperclock.EvictionListener;
import io.hyperclock.ReplacementPolicy;
import io.hyperclock.SlotStorage;
import io.hyperclock.entry.EntryType;
import io.hyperclock.model.ModelSettings.Size;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The model must accept a cache that keeps the contract and notice each way of breaking it: a test
 * that cannot fail proves nothing.
 */
class ModelProofTest {
  private static final int PHASES = 40;

  /** A fake, broken in one way or not at all. */
  private record Fakes(Fault fault) implements CacheFactory {
    @Override
    public BlockCache<ModelValue> make(
        ModelSettings settings,
        long hashSeed,
        EntryType<ModelValue> defaultType,
        EvictionListener<ModelValue> listener) {
      return new FakeCache(settings, defaultType, listener, fault);
    }

    @Override
    public List<String> violations(BlockCache<?> cache) {
      return List.of();
    }
  }

  private static ModelRun run(
      Fault fault, CapacityMode mode, boolean changing, int threads, long seed) {
    ModelSettings settings =
        new ModelSettings(
            Size.TINY, SlotStorage.HEAP, mode, changing, ReplacementPolicy.CLASSIC, 1, threads);
    ModelRun run = new ModelRun(settings, seed, new Fakes(fault));
    run.run(PHASES);
    return run;
  }

  @ParameterizedTest
  @CsvSource({
    "STRICT, false, 1",
    "NON_STRICT, false, 1",
    "STRICT, false, 4",
    "NON_STRICT, false, 4",
    "NON_STRICT, true, 4"
  })
  void findsNothingInACacheThatKeepsTheContract(CapacityMode mode, boolean changing, int threads) {
    ModelRun run = run(Fault.NONE, mode, changing, threads, 42);
    assertThat(run.owners().findings()).as("%s", run).isEmpty();
  }

  @Test
  void meetsEveryOutcome() {
    Tally all = new Tally();
    List<ModelRun> runs = new ArrayList<>();
    for (CapacityMode mode : CapacityMode.values()) {
      ModelRun run = run(Fault.NONE, mode, false, 2, 42);
      runs.add(run);
      all.add(run.tally());
    }
    assertThat(
            List.of(
                all.reads,
                all.pinsRequired,
                all.inserted,
                all.keptExisting,
                all.replaced,
                all.putPinned,
                all.notPresent,
                all.notExpected,
                all.dropped,
                all.refused,
                all.insertedStandalone,
                all.standaloneRefused,
                all.visits,
                all.callBacks,
                all.doubleCloses))
        .as("%s", all)
        .allMatch(count -> count > 0);
    assertThat(runs).allMatch(run -> run.evictions() > 0);
  }

  @ParameterizedTest
  @CsvSource({
    "GET_GIVES_ANOTHER_KEYS_VALUE, WRONG_VALUE",
    "LOOKUP_GIVES_ANOTHER_KEYS_VALUE, WRONG_VALUE",
    "GET_GIVES_WHAT_WAS_ERASED, STALE_ENTRY",
    "LOOKUP_MISSES_A_PINNED_ENTRY, LOST_ENTRY",
    "ERASE_FREES_UNDER_A_PIN, EARLY_FREE",
    "SWEEP_FREES_UNDER_A_PIN, EARLY_FREE",
    "LAST_RELEASE_FREES_TWICE, DOUBLE_FREE",
    "SWEEP_FREES_TWICE, DOUBLE_FREE",
    "LISTENERS_VALUE_IS_FREED_TOO, DOUBLE_FREE",
    "REFUSED_VALUE_IS_FREED, DOUBLE_FREE",
    "ERASE_FORGETS_TO_FREE, LEAK",
    "LAST_RELEASE_FORGETS_TO_FREE, LEAK",
    "KEPT_EXISTING_FORGETS_TO_FREE, LEAK",
    "CLOSE_FORGETS_TO_FREE, LEAK",
    "INSERT_STORES_A_SECOND_ENTRY, LOST_ENTRY",
    "SWEEP_KEEPS_THE_CHARGE, USAGE_DRIFT",
    "ADJUST_KEEPS_THE_CHARGE, USAGE_DRIFT",
    "RELEASE_KEEPS_THE_PIN, PINNED_DRIFT",
    "RELEASE_KEEPS_THE_STANDALONE_CHARGE, USAGE_DRIFT",
    "SWEEP_KEEPS_THE_SLOT, OCCUPANCY_DRIFT",
    "VISIT_LEAVES_AN_ENTRY_OUT, VISIT",
    "VISIT_SEES_AN_ENTRY_TWICE, VISIT",
    "VISIT_KEEPS_THE_PIN, PINNED_DRIFT",
    "INSERTS_ARE_MISCOUNTED, COUNTER_DRIFT",
    "STRICT_CAPACITY_IS_IGNORED, USAGE_DRIFT",
    "SHRINK_DOES_NOTHING, CONTRACT",
    "LISTENER_IS_NOT_CALLED, COUNTER_DRIFT",
    "LISTENER_GETS_ANOTHER_KEY, WRONG_VALUE",
    "OVERWRITE_FREES_UNDER_A_PIN, EARLY_FREE",
    "OVERWRITE_FORGETS_TO_FREE, LEAK",
    "OVERWRITE_IS_LOST, STALE_ENTRY",
    "COMPARE_AND_REPLACE_DOES_NOT_COMPARE, STALE_ENTRY"
  })
  void noticesEachFault(Fault fault, Defect defect) {
    Set<Defect> found = EnumSet.noneOf(Defect.class);
    for (long seed = 1; seed <= 200 && !found.contains(defect); seed++) {
      found.addAll(run(fault, CapacityMode.STRICT, false, 2, seed).owners().defects());
    }
    assertThat(found).contains(defect);
  }
}
