/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.tiered;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.BlockCache;
import io.hyperclock.HashSeed;
import io.hyperclock.entry.EntryCodec;
import io.hyperclock.entry.EntryType;
import io.hyperclock.secondary.AdmissionPolicy;
import io.hyperclock.secondary.BuilderSettings;
import io.hyperclock.secondary.ScriptedClock;
import io.hyperclock.secondary.TieredBlockCache;
import io.hyperclock.secondary.TieredBlockCacheBuilder;
import io.hyperclock.secondary.compressed.CompressedSecondaryCache;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A load that changes, in simulated time: what a lookup costs on average when both shares and moves
 * find themselves, beside the best of the settings that stay as they are, chosen anew for each
 * phase. Loads, hits of the tier and moves take what the test says; everything else takes nothing.
 *
 * <p>The aim is 1.05 in each phase. What is allowed leaves room for chance: the caches choose by
 * fixed seeds, but the tier has others each time. It is missed where the hot set halves: the model
 * takes a value that moves up as room that stays taken, so it does not see what a larger tier would
 * hold, and stays at a half.
 *
 * <p>{@code -Dchanging.load=print} prints the table.
 */
@Timeout(300)
class ChangingLoadTest {
  private static final int BYTES = 1 << 10;
  private static final int FIT = 1024;
  private static final long TOTAL = (long) FIT * BYTES;
  private static final long HI = 3;
  private static final long SEED = Long.getLong("changing.seed", 22);
  private static final int SETTLE_TURNOVERS = 20;
  private static final int MEASURED_TURNOVERS = 4;
  private static final long PRIMARY_NANOS = 300;
  private static final long HIT_NANOS = 4_000;
  private static final long MOVE_NANOS = 12_000;
  private static final double[] FIXED = {0, 0.25, 0.5, 0.75};
  private static final EntryType<byte[]> TYPE =
      EntryType.<byte[]>named("block").codec(EntryCodec.ofBytes()).build();

  /** One phase of the load. */
  private record Phase(
      String name, int keys, boolean compressible, long loadNanos, double allowed) {}

  private static final List<Phase> PHASES =
      List.of(
          new Phase("compressible, 200 µs a load", 3 * FIT, true, 200_000, 1.15),
          new Phase("not compressible", 3 * FIT, false, 200_000, 1.3),
          new Phase("compressible again", 3 * FIT, true, 200_000, 1.2),
          new Phase("hot set halved", 3 * FIT / 2, true, 200_000, 2.2),
          new Phase("10 µs a load", 3 * FIT / 2, true, 10_000, 1.05),
          new Phase("1 ms a load", 3 * FIT / 2, true, 1_000_000, 1.8),
          new Phase("10 µs a load again", 3 * FIT / 2, true, 10_000, 1.05));

  /** A cache in simulated time. */
  private static final class Run implements AutoCloseable {
    private final ScriptedClock clock = new ScriptedClock();
    private final SplittableRandom random = new SplittableRandom(22);
    private final TieredBlockCache<byte[]> cache;
    private long nanos;
    private long loads;
    private Phase phase = PHASES.get(0);

    /** With a share, or one that finds itself if that is negative. */
    Run(double share) {
      HookedTier tier =
          new HookedTier(
              CompressedSecondaryCache.builder()
                  .capacityBytes((long) (TOTAL * (share < 0 ? 1.0 / 16 : share)))
                  .maxCapacityBytes(TOTAL)
                  .estimatedEntryCharge(BYTES / 2)
                  .build());
      tier.beforeLookup = () -> pass(HIT_NANOS);
      tier.beforeInsert = () -> pass(MOVE_NANOS);
      TieredBlockCacheBuilder<byte[]> builder =
          BuilderSettings.seed(
              clock.in(
                  TieredBlockCache.builder(
                          BlockCache.<byte[]>builder()
                              .capacityBytes(TOTAL)
                              .shards(1)
                              .hashSeed(HashSeed.fixed(22))
                              .estimatedEntryCharge(BYTES))
                      .tier(tier)
                      .executor(Runnable::run)),
              SEED);
      cache =
          (share < 0
                  ? builder.totalCapacityBytes(TOTAL)
                  : builder.totalCapacityBytes(TOTAL, share).admission(AdmissionPolicy.ALL))
              .build();
    }

    private void pass(long more) {
      nanos += more;
      clock.pass(more);
    }

    private byte[] load(long key) {
      loads++;
      pass(phase.loadNanos);
      byte[] value = new byte[BYTES];
      new SplittableRandom(key).nextBytes(value);
      if (phase.compressible) {
        Arrays.fill(value, BYTES / 2, BYTES, (byte) 1);
      }
      return value;
    }

    /** Nearly Zipf: the logarithm of the rank is uniform. */
    private long draw() {
      double rank = Math.pow(phase.keys, random.nextDouble());
      return (long) rank * 7919 % 1_000_003;
    }

    private void lookup() {
      pass(PRIMARY_NANOS);
      long key = draw();
      // What a value holds follows from the phase, so a key has another name in another one.
      long name = phase.compressible ? key : ~key;
      Objects.requireNonNull(cache.get(HI, name, TYPE, null, (hi, lo) -> load(lo)));
    }

    private void lookups(int count) {
      for (int i = 0; i < count; i++) {
        lookup();
      }
    }

    /** Lookups until so many capacities have been filled in; how many that took. */
    private int turnOver(int turnovers) {
      long until = filledIn() + (long) turnovers * FIT;
      int count = 0;
      while (filledIn() < until) {
        lookups(FIT / 8);
        count += FIT / 8;
      }
      return count;
    }

    private long filledIn() {
      return loads + cache.stats().total().promotions();
    }

    double share() {
      return (double) cache.stats().budget().belowBytes() / TOTAL;
    }

    @Override
    public void close() {
      cache.close();
    }
  }

  @Test
  void aLookupCostsHardlyMoreThanWithTheBestSettingOfEachPhase() {
    List<Run> fixed = new ArrayList<>();
    for (double share : FIXED) {
      fixed.add(new Run(share));
    }
    List<String> tooSlow = new ArrayList<>();
    try (Run adaptive = new Run(-1)) {
      for (Phase phase : PHASES) {
        adaptive.phase = phase;
        int settling = adaptive.turnOver(SETTLE_TURNOVERS);
        long begin = adaptive.nanos;
        int measured = adaptive.turnOver(MEASURED_TURNOVERS);
        double ours = (double) (adaptive.nanos - begin) / measured;
        double best = Double.MAX_VALUE;
        double bestShare = -1;
        for (int i = 0; i < FIXED.length; i++) {
          Run run = fixed.get(i);
          run.phase = phase;
          run.lookups(settling);
          long before = run.nanos;
          run.lookups(measured);
          double average = (double) (run.nanos - before) / measured;
          if (average < best) {
            best = average;
            bestShare = FIXED[i];
          }
        }
        String row =
            String.format(
                Locale.ROOT,
                "| %s | %.2f (%.2f) | %.2f (%.2f) | %.3f |",
                phase.name,
                best / 1e3,
                bestShare,
                ours / 1e3,
                adaptive.share(),
                ours / best);
        if ("print".equals(System.getProperty("changing.load"))) {
          System.out.println(row);
        }
        if (ours > phase.allowed * best) {
          tooSlow.add(row);
        }
      }
    } finally {
      fixed.forEach(Run::close);
    }
    assertThat(tooSlow).isEmpty();
  }
}
