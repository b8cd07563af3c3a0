/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.cachebench;

import io.hyperclock.benchmarks.cachebench.ReferenceCache.Entry;
import java.math.BigInteger;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;

/**
 * The workload for one thread, written down a second time, on a {@link ReferenceCache}. Shares the
 * random numbers with the command, whose vectors are public, and nothing else.
 */
final class ReferenceRun {
  private static final BigInteger ALL = BigInteger.ONE.shiftLeft(64);

  /**
   * Options of a run, under the names of RocksDB's tool.
   *
   * @param percentages lookup and insert, insert, blind insert, lookup, erase
   */
  record Setup(
      long seed,
      long cacheSize,
      int valueBytes,
      long valueBytesEstimate,
      int evictionEffortCap,
      double residentRatio,
      int skew,
      double pinnedRatio,
      double compressibleToRatio,
      int shardBits,
      List<Integer> percentages,
      int operations) {}

  /** What must come out. */
  record Expected(
      long populated, long lookups, long hits, long pinned, long occupancy, long slots) {}

  /** The rules end the run: an entry is gone right after its insert. */
  static final class NewcomerDroppedException extends Exception {
    private static final long serialVersionUID = 1L;

    private NewcomerDroppedException(long key, long occupancy) {
      super("a key just inserted must be found: key=" + key + ", occupancy=" + occupancy);
    }
  }

  private final Setup setup;
  private final ReferenceCache cache;
  private final BigInteger maxKey;
  private MersenneTwister64 random;

  private ReferenceRun(Setup setup) {
    this.setup = setup;
    this.cache =
        new ReferenceCache(
            setup.cacheSize,
            setup.valueBytes,
            setup.valueBytesEstimate,
            setup.shardBits < 0 ? 0 : 1 << setup.shardBits,
            setup.evictionEffortCap,
            setup.seed & 0x7fffffff);
    this.maxKey =
        BigInteger.valueOf((long) (setup.cacheSize / setup.residentRatio / setup.valueBytes));
    this.random = new MersenneTwister64(setup.seed);
  }

  /** Runs it. */
  static Expected of(Setup setup) throws NewcomerDroppedException {
    ReferenceRun run = new ReferenceRun(setup);
    return run.operate(run.populate());
  }

  private BigInteger draw() {
    return new BigInteger(Long.toUnsignedString(random.next()));
  }

  private long drawKey() {
    BigInteger least = draw();
    for (int i = 0; i < setup.skew; i++) {
      least = least.min(draw());
    }
    return least.multiply(maxKey).divide(ALL).longValueExact();
  }

  private void drawValue() {
    int part = (int) (setup.compressibleToRatio * setup.valueBytes);
    int draws = (Math.max(1, part) + 7) / 8;
    for (int i = 0; i < draws; i++) {
      random.next();
    }
  }

  private long populate() throws NewcomerDroppedException {
    long most = 0;
    int found = 0;
    for (int idle = 0; idle < 100 && found < 100; ) {
      long key = drawKey();
      if (touch(key)) {
        found++;
      } else {
        found = 0;
        drawValue();
        cache.insert(key, false);
        if (!touch(key)) {
          throw new NewcomerDroppedException(key, cache.occupancy());
        }
        idle = cache.occupancy() > most ? 0 : idle + 1;
        most = Math.max(most, cache.occupancy());
      }
    }
    return most;
  }

  private boolean touch(long key) {
    Entry entry = cache.lookup(key);
    if (entry != null) {
      cache.release(entry);
    }
    return entry != null;
  }

  private Expected operate(long populated) {
    random = new MersenneTwister64(setup.seed + 1);
    BigInteger percent = ALL.subtract(BigInteger.ONE).divide(BigInteger.valueOf(100));
    double exact = setup.cacheSize * setup.pinnedRatio / setup.valueBytes;
    long mostHeld = (long) Math.floor(exact + 0.999999);
    Queue<Entry> held = new ArrayDeque<>();
    long lookups = 0;
    long hits = 0;
    for (int i = 0; i < setup.operations; i++) {
      long key = drawKey();
      int kind = kind(draw().divide(percent).intValueExact());
      if (kind == 0 || kind == 3) {
        lookups++;
        Entry found = cache.lookup(key);
        if (found != null) {
          hits++;
          held.add(found);
        } else if (kind == 0) {
          drawValue();
          held.add(cache.insert(key, true));
        }
      } else if (kind == 1 || kind == 2) {
        drawValue();
        Entry entry = cache.insert(key, kind == 1);
        if (kind == 1) {
          held.add(entry);
        }
      } else if (kind == 4) {
        cache.erase(key);
      }
      while (held.size() > mostHeld) {
        cache.release(held.remove());
      }
    }
    int pinned = held.size();
    held.forEach(cache::release);
    return new Expected(populated, lookups, hits, pinned, cache.occupancy(), cache.slots());
  }

  private int kind(int percentile) {
    int end = 0;
    for (int kind = 0; kind < setup.percentages.size(); kind++) {
      end += setup.percentages.get(kind);
      if (percentile < end) {
        return kind;
      }
    }
    return -1;
  }
}
