/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperclock.entry.EntryRole;
import java.lang.reflect.Method;
import java.util.EnumMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class SnapshotsTest {
  private static CacheStats stats(long hits, long misses, Map<EntryRole, RoleStats> roles) {
    return new CacheStats(
        Map.of(CacheStat.HITS, hits, CacheStat.MISSES, misses), SlotAccess.ARRAY, roles);
  }

  @Test
  void hitRatioIsTheShareOfHits() {
    assertThat(stats(0, 0, Map.of()).hitRatio()).isZero();
    assertThat(stats(3, 1, Map.of()).hitRatio()).isEqualTo(0.75);
    assertThat(stats(5, 0, Map.of()).hitRatio()).isEqualTo(1);
    assertThat(stats(0, 5, Map.of()).hitRatio()).isZero();
  }

  /** Each accessor of a number tells the value of its name; a new value can do without one. */
  @Test
  void accessorsAndTheTableAgree() throws Exception {
    Map<CacheStat, Long> values = new EnumMap<>(CacheStat.class);
    for (CacheStat stat : CacheStat.values()) {
      values.put(stat, 100L + stat.ordinal());
    }
    CacheStats stats = new CacheStats(values, SlotAccess.ARRAY, Map.of());
    values.clear();
    int accessors = 0;
    for (Method method : CacheStats.class.getDeclaredMethods()) {
      if (method.getReturnType() == long.class && method.getParameterCount() == 0) {
        CacheStat stat =
            Stream.of(CacheStat.values())
                .filter(each -> each.key().equals(method.getName()))
                .findFirst()
                .orElseThrow();
        assertThat(method.invoke(stats)).as(method.getName()).isEqualTo(100L + stat.ordinal());
        accessors++;
      }
    }
    assertThat(accessors).isBetween(24, CacheStat.values().length);
    assertThat(new CacheStats(Map.of(), SlotAccess.ARRAY, Map.of()).longPins()).isZero();
  }

  @Test
  void rolesAreCopiedAndFixed() {
    RoleStats one = new RoleStats(1, 2, 3, 4, 5, 6);
    Map<EntryRole, RoleStats> roles = new EnumMap<>(EntryRole.class);
    roles.put(EntryRole.MISC, one);
    CacheStats stats = stats(1, 1, roles);
    roles.clear();
    assertThat(stats.roles()).containsExactly(Map.entry(EntryRole.MISC, one));
    assertThat(stats.role(EntryRole.MISC)).isEqualTo(one);
    assertThat(stats.role(EntryRole.DATA_BLOCK)).isSameAs(RoleStats.NONE);
    assertThatThrownBy(() -> stats.roles().clear())
        .isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void noneIsAllZero() {
    assertThat(RoleStats.NONE).isEqualTo(new RoleStats(0, 0, 0, 0, 0, 0));
  }

  @Test
  void severitiesAreOrdered() {
    assertThat(Problem.Severity.values())
        .containsExactly(Problem.Severity.INFO, Problem.Severity.WARN, Problem.Severity.ERROR);
  }
}
