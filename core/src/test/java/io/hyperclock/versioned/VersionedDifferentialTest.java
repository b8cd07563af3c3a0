/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.versioned;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.SlotStorage;
import io.hyperclock.internal.versioned.VersionedInvariants;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * One thread does the same at random to a cache and to the simple reference, and compares every
 * answer. {@code -Dhyperclock.versioned.seed} repeats a run.
 */
@Tag("versioned")
class VersionedDifferentialTest {
  private static final int STEPS = 40_000;
  private static final int KEYS = 12;

  private final long seed = Long.getLong("hyperclock.versioned.seed", System.nanoTime());
  private final SplittableRandom random = new SplittableRandom(seed);
  private final List<Pair<PrepareToken>> tokens = new ArrayList<>();
  private final List<Pair<PrepareGroup>> groups = new ArrayList<>();
  private long now;

  private record Pair<T>(T real, T simple) {}

  private interface Operation {
    @Nullable Object on(VersionedCache<String> cache);
  }

  @ParameterizedTest
  @EnumSource(SlotStorage.class)
  void bothGiveTheSameAnswers(SlotStorage storage) {
    VersionedCache<String> real = VersionedCaches.forContract(storage, () -> now);
    VersionedCache<String> simple =
        new ReferenceVersionedCache<>(
            VersionedCacheContractTest.MAX_PREPARES,
            VersionedCacheContractTest.LEASE_NANOS,
            () -> now,
            (hi, lo) -> (int) (lo % VersionedCacheContractTest.NAMESPACES));
    for (int step = 0; step < STEPS; step++) {
      now += random.nextInt(60);
      String what = "seed " + seed + ", step " + step;
      int kind = random.nextInt(22);
      if (kind < 5) {
        prepare(real, simple, what);
      } else if (kind < 9) {
        decide(real, simple, what);
      } else {
        Operation operation = operation(kind);
        assertThat(answer(real, operation)).as(what).isEqualTo(answer(simple, operation));
      }
      if (step % 64 == 0) {
        // Else a group would end when the visit meets the key whose lease has.
        assertThat(real.expireLeases()).as(what).isEqualTo(simple.expireLeases());
        assertThat(comparable(real.monitor().stats()))
            .as(what)
            .isEqualTo(comparable(simple.monitor().stats()));
        for (int i = 0; i < VersionedCacheContractTest.NAMESPACES; i++) {
          assertThat(real.monitor().namespaceStats(i))
              .as(what)
              .isEqualTo(simple.monitor().namespaceStats(i));
        }
        assertThat(VersionedInvariants.violations(real)).as(what).isEmpty();
        assertThat(visited(real)).as(what).containsExactlyInAnyOrderElementsOf(visited(simple));
      }
    }
  }

  private static @Nullable Object answer(VersionedCache<String> cache, Operation operation) {
    try {
      return operation.on(cache);
    } catch (InDoubtException e) {
      return "in doubt";
    }
  }

  private Operation operation(int kind) {
    long key = random.nextInt(KEYS);
    String value = "v" + random.nextInt(1000);
    long charge = random.nextInt(50);
    return switch (kind) {
      case 9, 10 -> cache -> cache.get(0, key);
      case 11, 12 -> cache -> cache.readForWrite(0, key);
      case 13 -> cache -> withoutId(cache.readVersions(0, key));
      case 14, 15 -> cache -> cache.put(0, key, value, charge);
      case 16 -> cache -> cache.replace(0, key, value, charge);
      case 17 -> cache -> cache.erase(0, key);
      case 20, 21 -> cache -> cache.insert(0, key, value, charge);
      case 18 -> cache -> cache.markInDoubt((hi, lo) -> lo == key);
      default -> VersionedCache::expireLeases;
    };
  }

  /** Numbers of prepares that failed are used up by one of the two only. */
  private static Object withoutId(Versions<String> versions) {
    PreparedVersion<String> prepared = versions.prepared();
    return List.of(
        String.valueOf(versions.committed()),
        prepared == null
            ? ""
            : prepared.value() + prepared.mode() + prepared.grouped() + prepared.chargeBytes());
  }

  private static List<String> visited(VersionedCache<String> cache) {
    List<String> visited = new ArrayList<>();
    cache.monitor().forEach((hi, lo, versions) -> visited.add(lo + ":" + withoutId(versions)));
    return visited;
  }

  private void prepare(VersionedCache<String> real, VersionedCache<String> simple, String what) {
    long key = random.nextInt(KEYS);
    String value = random.nextInt(4) == 0 ? null : "p" + random.nextInt(1000);
    long charge = value == null ? 0 : random.nextInt(50);
    PrepareMode mode = random.nextInt(4) == 0 ? PrepareMode.IN_DOUBT : PrepareMode.PLAIN;
    PrepareResult one;
    PrepareResult other;
    boolean grouped = random.nextInt(3) == 0;
    if (grouped) {
      if (groups.isEmpty() || random.nextInt(4) == 0) {
        groups.add(new Pair<>(real.newGroup(), simple.newGroup()));
      }
      Pair<PrepareGroup> group = recent(groups);
      one = real.prepare(0, key, value, charge, mode, group.real);
      other = simple.prepare(0, key, value, charge, mode, group.simple);
    } else {
      one = real.prepare(0, key, value, charge, mode);
      other = simple.prepare(0, key, value, charge, mode);
    }
    assertThat(one.outcome()).as(what).isEqualTo(other.outcome());
    if (one.token() != null && !grouped) {
      tokens.add(new Pair<>(one.token(), Objects.requireNonNull(other.token())));
    }
  }

  private void decide(VersionedCache<String> real, VersionedCache<String> simple, String what) {
    boolean commits = random.nextBoolean();
    if (random.nextInt(3) == 0 && !groups.isEmpty()) {
      Pair<PrepareGroup> group = recent(groups);
      assertThat(commits ? group.real.commit() : group.real.abort())
          .as(what)
          .isEqualTo(commits ? group.simple.commit() : group.simple.abort());
    } else if (!tokens.isEmpty()) {
      Pair<PrepareToken> token = recent(tokens);
      assertThat(commits ? real.commit(token.real) : real.abort(token.real))
          .as(what)
          .isEqualTo(commits ? simple.commit(token.simple) : simple.abort(token.simple));
    }
  }

  private <T> T recent(List<T> list) {
    return list.get(list.size() - 1 - random.nextInt(Math.min(5, list.size())));
  }

  private static List<Long> comparable(VersionedStats stats) {
    return List.of(
        stats.usageBytes(),
        stats.occupancy(),
        stats.items(),
        stats.itemBytes(),
        stats.prepares(),
        stats.preparedBytes(),
        stats.inDoubt(),
        stats.commits(),
        stats.aborts(),
        stats.expirations(),
        stats.refusedInProgress(),
        stats.refusedNoRoom());
  }
}
