/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.caches;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperclock.benchmarks.keys.Distribution;
import io.hyperclock.benchmarks.keys.KeyObject;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class CacheStateTest {
  private static final int SIZE = 8192;

  private static <W extends Workload> W prepared(W workload, CacheState state) {
    workload.size = SIZE;
    workload.distribution = Distribution.ZIPF;
    workload.state = state;
    return workload;
  }

  static List<HyperClockState> hyperclocks() {
    return List.of(
        new HyperClockState(),
        new HyperClockState.OffHeap(),
        new HyperClockState.Freed(),
        new HyperClockState.FreedOffHeap());
  }

  static List<ObjectKeyState> rivals() {
    return List.of(
        new ObjectKeyState.CaffeineState(),
        new ObjectKeyState.CountedCaffeineState(),
        new ObjectKeyState.MapState(),
        new ObjectKeyState.CountedMapState());
  }

  @ParameterizedTest
  @MethodSource("hyperclocks")
  void aSteadyCacheIsFullAndHasTurnedOver(HyperClockState state) {
    prepared(state, CacheState.STEADY).fill();

    assertThat(state.cache.monitor().capacityBytes()).isEqualTo(SIZE * BenchmarkBlock.CHARGE_BYTES);
    assertThat(state.cache.monitor().occupancy()).isBetween((long) (0.98 * SIZE), (long) SIZE);
    assertThat((double) state.cache.monitor().occupancy() / state.cache.monitor().slots())
        .isGreaterThan(0.65);
    assertThat(state.cache.monitor().stats().inserts()).isEqualTo(13L * SIZE);
    assertThat(state.cache.monitor().stats().evictions()).isGreaterThan(5L * SIZE);
    assertReadsHit(state);
    assertTurnedOver(Arrays.stream(HyperClockState.residents(state.cache)));
  }

  private static void assertTurnedOver(IntStream numbers) {
    assertThat(numbers.filter(number -> number < 11 * SIZE - 1).count())
        .as("entries older than two turnovers")
        .isZero();
  }

  @Test
  void aFreshCacheHasRoomLeft() {
    HyperClockState state = prepared(new HyperClockState(), CacheState.FRESH);
    state.fill();

    assertThat(state.cache.monitor().capacityBytes())
        .isEqualTo((SIZE + SIZE / 8) * BenchmarkBlock.CHARGE_BYTES);
    assertThat(state.cache.monitor().occupancy()).isEqualTo(SIZE);
    assertThat(state.cache.monitor().stats().evictions()).isZero();
    assertReadsHit(state);
  }

  private static void assertReadsHit(HyperClockState state) {
    assertThat(Arrays.stream(state.stream).distinct().boxed().toList())
        .hasSizeGreaterThan(SIZE / 2);
    state.requireAllCached();
  }

  @ParameterizedTest
  @MethodSource("rivals")
  void rivalsAreTreatedAlike(ObjectKeyState state) {
    prepared(state, CacheState.STEADY).fill();

    assertThat(state.residents()).hasSizeBetween((int) (0.98 * SIZE), SIZE);
    if (!(state instanceof ObjectKeyState.MapState
        || state instanceof ObjectKeyState.CountedMapState)) {
      assertTurnedOver(Arrays.stream(state.residents()).mapToInt(KeyObject::number));
    }
    assertThat(state.stream[5]).isEqualTo(state.keys[5].number());
    state.requireAllCached();
  }

  @Test
  void aMapThatTurnedOverHoldsKeysOfAllTurns() {
    ObjectKeyState.MapState state = prepared(new ObjectKeyState.MapState(), CacheState.STEADY);
    state.fill();

    assertThat(state.map).hasSize(SIZE);
    assertThat(state.map.keySet().stream().filter(key -> key.number() >= 12 * SIZE).count())
        .isBetween(SIZE / 2L, (long) SIZE - 1);
  }

  @Test
  void versionsAreSteadyToo() {
    VersionedState state = prepared(new VersionedState.Half(), CacheState.STEADY);
    state.fill();

    state.requireAllCached();
    assertThat(Arrays.stream(state.stream).max().orElseThrow()).isGreaterThan(11 * SIZE);
  }

  @Test
  void valuesOffTheHeapAreTurnedOver() throws Exception {
    OffHeapValues.HyperClockValues ours =
        prepared(new OffHeapValues.HyperClockValues(), CacheState.STEADY);
    OffHeapValues.OhcValues theirs = prepared(new OffHeapValues.OhcValues(), CacheState.STEADY);
    ours.fill();
    theirs.fill();
    try {
      assertThat(ours.cache.monitor().occupancy()).isGreaterThan((long) (0.98 * SIZE));
      assertThat(theirs.cache.size()).isBetween((long) (0.98 * SIZE), (long) SIZE);
      assertThat(ours.read(ours.stream[3])).isEqualTo(ours.stream[3]);
      assertThat(theirs.read(theirs.stream[3])).isEqualTo(theirs.stream[3]);
      assertThat(theirs.read(-1)).isEqualTo(-1);
    } finally {
      theirs.close();
    }
  }

  @Test
  void refusesASteadyCacheThatIsNotFull() {
    CacheState.STEADY.requireFull(98, 100);
    CacheState.FRESH.requireFull(1, 100);
    assertThatThrownBy(() -> CacheState.STEADY.requireFull(97, 100))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("a steady cache must be full: entries=97, size=100");
    assertThat(CacheState.STEADY.inserts(100, 5)).isEqualTo(1300);
    assertThat(CacheState.FRESH.inserts(100, 5)).isEqualTo(5);
  }
}
