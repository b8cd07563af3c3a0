/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.soak;

import io.hyperclock.BlockCache;
import io.hyperclock.CapacityMode;
import io.hyperclock.entry.EntryRole;
import io.hyperclock.reservation.Reservation;
import io.hyperclock.reservation.ReservationManager;
import io.hyperclock.stats.CacheStats;
import io.hyperclock.stats.StatsCollector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** What one worker does to a whole block cache: capacity, files, reservations, visits, figures. */
final class BlockSettings {
  private final BlockPart part;
  private final SoakWorker worker;
  private final SplittableRandom random;
  private final BlockCache<SoakBlock> cache;
  private final List<Reservation> reservations = new ArrayList<>();
  private @Nullable ReservationManager manager;
  private @Nullable StatsCollector<CacheStats> collector;

  BlockSettings(BlockPart part, SoakWorker worker) {
    this.part = part;
    this.worker = worker;
    this.random = worker.random;
    this.cache = part.cache();
  }

  void step() {
    switch (random.nextInt(12)) {
      case 0 -> capacity();
      case 1 -> mode();
      case 2 -> dropFile();
      case 3, 4, 5, 6 -> reserve();
      case 7 -> visit();
      case 8, 9 -> stats();
      case 10 -> figures();
      default -> eraseUnreferenced();
    }
  }

  private void capacity() {
    worker.doing("setCapacityBytes");
    long most = part.capacityBytes();
    cache.setCapacityBytes(
        random.nextInt(3) == 0 ? most : most / 8 + random.nextLong(most - most / 8));
  }

  private void mode() {
    worker.doing("setCapacityMode");
    cache.setCapacityMode(CapacityMode.values()[random.nextInt(2)]);
  }

  private void dropFile() {
    worker.doing("drop");
    if (random.nextInt(4) == 0 && !part.isClosing()) {
      part.dropFile(random);
    }
  }

  private void reserve() {
    worker.doing("reserve");
    ReservationManager open = manager;
    if (open == null) {
      open =
          random.nextBoolean()
              ? ReservationManager.of(cache, EntryRole.WRITE_BUFFER)
              : ReservationManager.delayed(cache, EntryRole.WRITE_BUFFER);
      manager = open;
    }
    int chosen = random.nextInt(10);
    if (chosen == 0) {
      closeReservations();
    } else if (reservations.isEmpty() || chosen < 4 && reservations.size() < 3) {
      reservations.add(open.makeReservation(random.nextLong(part.capacityBytes() / 64 + 1)));
    } else {
      Reservation one = reservations.get(random.nextInt(reservations.size()));
      if (chosen < 7) {
        one.allocate(random.nextLong(part.capacityBytes() / 128 + 1));
      } else {
        one.free(random.nextLong(one.bytes() + 1));
      }
    }
  }

  private void closeReservations() {
    ReservationManager open = manager;
    manager = null;
    try {
      reservations.forEach(Reservation::close);
    } finally {
      reservations.clear();
      if (open != null) {
        open.close();
        if (open.reservedBytes() != 0) {
          worker.findings.report("a closed manager must reserve nothing: " + open.reservedBytes());
        }
      }
    }
  }

  private void visit() {
    worker.doing("forEachEntry");
    int most = random.nextInt(2000);
    int[] seen = {0};
    cache
        .monitor()
        .forEachEntry(
            (hi, lo, block, type, charge) -> {
              String damage = block.damage();
              if (damage != null || block.hi != hi || block.lo != lo) {
                worker.findings.report("visited %x:%x, whose value is %s".formatted(hi, lo, block));
              }
              if (++seen[0] > most) {
                throw new Mishaps.Mishap("visitor");
              }
            });
  }

  private void stats() {
    worker.doing("stats");
    StatsCollector<CacheStats> young = collector;
    if (young == null) {
      young =
          new StatsCollector<>(
              cache.monitor()::stats, Duration.ofMillis(20), 100, System::nanoTime);
      collector = young;
    }
    CacheStats stats = random.nextInt(8) == 0 ? cache.monitor().stats() : young.get();
    // The figures are read one after the other: meanwhile another thread may make a table smaller.
    long most = part.sizesItself() ? Long.MAX_VALUE : stats.slots();
    if (stats.occupancy() < 0 || stats.occupancy() > most || stats.usageBytes() < 0) {
      worker.findings.report("occupancy must be in [0, slots], usage >= 0: " + stats);
    }
  }

  private void figures() {
    worker.doing("figures");
    cache.monitor().problems();
    cache.monitor().scopeStats();
    cache.monitor().loadStats();
    cache.monitor().longestHeld(3);
    if (cache.monitor().pinnedUsageBytes() < 0
        || cache.monitor().droppedFileBytes() < 0
        || cache.monitor().usageBytes() < 0) {
      worker.findings.report("usages must be >= 0: " + cache.monitor().stats());
    }
  }

  private void eraseUnreferenced() {
    worker.doing("eraseUnreferenced");
    if (random.nextInt(50) == 0) {
      cache.eraseUnreferenced();
    }
  }

  void finish() {
    closeReservations();
  }
}
