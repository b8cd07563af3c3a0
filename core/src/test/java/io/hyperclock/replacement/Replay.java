/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.replacement;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.BlockCache;
import io.hyperclock.CapacityMode;
import io.hyperclock.HashSeed;
import io.hyperclock.InsertResult;
import io.hyperclock.MetadataCharge;
import io.hyperclock.ReplacementPolicy;
import io.hyperclock.internal.cache.InvariantsChecker;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntToLongFunction;

/** Replays keys on a real cache: what is not found is inserted. */
final class Replay {
  static final long HI = 7;

  private static final HashSeed SEED = HashSeed.fixed(42);

  private Replay() {}

  /** A cache in which so many entries of charge 1 fit. */
  static BlockCache<Integer> cache(int entries, ReplacementPolicy policy) {
    return cache(entries, 1, policy);
  }

  /** A cache in which so many entries of a charge fit. */
  static BlockCache<Integer> cache(int entries, long chargeBytes, ReplacementPolicy policy) {
    return BlockCache.<Integer>builder()
        .capacityBytes(entries * chargeBytes)
        .estimatedEntryCharge(chargeBytes)
        .capacityMode(CapacityMode.STRICT)
        .shards(1)
        .metadataCharge(MetadataCharge.NONE)
        .hashSeed(SEED)
        .replacementPolicy(policy)
        .build();
  }

  /** Requests a part of the keys; returns the number of hits. */
  static long play(BlockCache<Integer> cache, int[] keys, int from, int to) {
    long hits = 0;
    for (int i = from; i < to; i++) {
      int key = keys[i];
      if (cache.get(HI, key) != null) {
        hits++;
      } else {
        cache.insert(HI, key, key, 1);
      }
    }
    return hits;
  }

  static double play(BlockCache<Integer> cache, int[] keys) {
    return play(cache, keys, 0, keys.length) / (double) keys.length;
  }

  /** Requests keys whose values have charges of their own; each insert succeeds. */
  static double play(BlockCache<Integer> cache, int[] keys, IntToLongFunction charge) {
    long hits = 0;
    for (int key : keys) {
      if (cache.get(HI, key) != null) {
        hits++;
      } else {
        assertThat(cache.insert(HI, key, key, charge.applyAsLong(key)))
            .isEqualTo(InsertResult.INSERTED);
      }
    }
    return hits / (double) keys.length;
  }

  /** A number that depends on all bits of a key, to draw its charge from. */
  static long mixed(int key) {
    return (key * 0x9E3779B97F4A7C15L) >>> 33;
  }

  static double hitRatio(int[] keys, int entries, ReplacementPolicy policy) {
    return hitRatio(keys, entries, policy, 1);
  }

  static double adaptive(int[] keys, int entries) {
    return hitRatio(keys, entries, ReplacementPolicy.ADAPTIVE);
  }

  static double classic(int[] keys, int entries) {
    return hitRatio(keys, entries, ReplacementPolicy.CLASSIC);
  }

  /** Each thread replays its part of the keys from a whole cache, which must be whole after it. */
  static double hitRatio(int[] keys, int entries, ReplacementPolicy policy, int threads) {
    try (BlockCache<Integer> cache = cache(entries, policy)) {
      long hits = threads == 1 ? play(cache, keys, 0, keys.length) : together(cache, keys, threads);
      List<String> violations = InvariantsChecker.violations(cache);
      if (!violations.isEmpty()) {
        throw new AssertionError(violations);
      }
      return hits / (double) keys.length;
    }
  }

  private static long together(BlockCache<Integer> cache, int[] keys, int threads) {
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      List<Future<Long>> parts = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        int from = (int) ((long) keys.length * i / threads);
        int to = (int) ((long) keys.length * (i + 1) / threads);
        parts.add(pool.submit(() -> play(cache, keys, from, to)));
      }
      long hits = 0;
      for (Future<Long> part : parts) {
        hits += part.get();
      }
      return hits;
    } catch (InterruptedException | ExecutionException e) {
      throw new AssertionError(e);
    } finally {
      pool.shutdownNow();
    }
  }

  /** Hit ratio of exact LRU. */
  static double lru(int[] keys, int entries) {
    int size = 1 + Arrays.stream(keys).max().orElse(0);
    int[] newer = new int[size + 1];
    int[] older = new int[size + 1];
    boolean[] present = new boolean[size];
    newer[size] = size;
    older[size] = size;
    int count = 0;
    long hits = 0;
    for (int key : keys) {
      if (present[key]) {
        hits++;
        unlink(key, newer, older);
      } else if (count == entries) {
        int last = newer[size];
        unlink(last, newer, older);
        present[last] = false;
      } else {
        count++;
      }
      present[key] = true;
      int first = older[size];
      older[key] = first;
      newer[key] = size;
      newer[first] = key;
      older[size] = key;
    }
    return hits / (double) keys.length;
  }

  private static void unlink(int key, int[] newer, int[] older) {
    older[newer[key]] = older[key];
    newer[older[key]] = newer[key];
  }
}
