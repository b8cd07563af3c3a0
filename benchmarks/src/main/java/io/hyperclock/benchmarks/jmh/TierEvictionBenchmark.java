/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.jmh;

import io.hyperclock.BlockCache;
import io.hyperclock.entry.EntryCodec;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.Priority;
import io.hyperclock.secondary.AdmissionPolicy;
import io.hyperclock.secondary.TieredBlockCache;
import io.hyperclock.secondary.compressed.CompressedSecondaryCache;
import io.hyperclock.secondary.compression.Compression;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Inserts of new keys into a full cache, each of which evicts an entry: alone, and above a tier to
 * which nothing is worth moving, because nothing that leaves is ever asked for again. Both insert
 * into the primary itself, so the difference is what an eviction costs the evicting thread.
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(
    value = 3,
    jvmArgsAppend = {"-Xms2g", "-Xmx2g", "-XX:+UseG1GC"})
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class TierEvictionBenchmark {
  private static final int BLOCK_BYTES = 1 << 10;
  private static final long FILE = 1;

  /** Loads until it is known that nothing comes back. */
  private static final int LEARNING = 1 << 16;

  /** Time in which one value may move that is not worth it. */
  private static final long TRY_NANOS = 500_000;

  private static final EntryType<byte[]> BLOCK =
      EntryType.<byte[]>named("block").codec(EntryCodec.ofBytes()).build();

  /** Evicts into nothing. */
  @Benchmark
  public Object primaryAlone(Alone state, Numbers numbers) {
    return state.cache.insert(FILE, numbers.next(), state.block, BLOCK, BLOCK_BYTES, Priority.LOW);
  }

  /** Evicts past a tier. */
  @Benchmark
  public Object hyperclockNothingMoves(AboveTier state, Numbers numbers) {
    return state.primary.insert(
        FILE, numbers.next(), state.block, BLOCK, BLOCK_BYTES, Priority.LOW);
  }

  /** Keys that no other thread has. */
  @State(Scope.Thread)
  public static class Numbers {
    private long next = System.nanoTime() << 20;

    long next() {
      return next++;
    }
  }

  /** What both have. */
  @State(Scope.Benchmark)
  public abstract static class Sized {
    /** Number of blocks. */
    @Param("4096")
    public int size;

    final byte[] block = new byte[BLOCK_BYTES];
  }

  /** A cache alone. */
  @State(Scope.Benchmark)
  public static class Alone extends Sized {
    BlockCache<byte[]> cache;

    /** Fills it. */
    @Setup(Level.Trial)
    public void fill() {
      cache =
          BlockCache.<byte[]>builder()
              .capacityBytes((long) size * BLOCK_BYTES)
              .estimatedEntryCharge(BLOCK_BYTES)
              .build();
      for (int i = 0; i < LEARNING; i++) {
        cache.insert(FILE, i, block, BLOCK, BLOCK_BYTES, Priority.LOW);
      }
    }

    /** Closes it. */
    @TearDown(Level.Trial)
    public void close() {
      cache.close();
    }
  }

  /** A cache above a tier. */
  @State(Scope.Benchmark)
  public static class AboveTier extends Sized {
    TieredBlockCache<byte[]> cache;
    BlockCache<byte[]> primary;

    /** Lets it learn that nothing comes back. */
    @Setup(Level.Trial)
    @SuppressWarnings("unchecked")
    public void fill() {
      cache =
          TieredBlockCache.builder(
                  BlockCache.<byte[]>builder()
                      .capacityBytes((long) size * BLOCK_BYTES)
                      .estimatedEntryCharge(BLOCK_BYTES))
              .admission(AdmissionPolicy.ADAPTIVE)
              .tier(
                  CompressedSecondaryCache.builder()
                      .compression(Compression.LZ4)
                      .capacityBytes((long) size * BLOCK_BYTES)
                      .estimatedEntryCharge(BLOCK_BYTES / 2)
                      .build())
              .build();
      for (int i = 0; i < LEARNING; i++) {
        Objects.requireNonNull(cache.get(FILE, i, BLOCK, null, (hi, lo) -> block));
      }
      long before = cache.stats().total().offered();
      primary = (BlockCache<byte[]>) cache.primary();
      long begin = System.nanoTime();
      for (int i = 0; i < LEARNING; i++) {
        primary.insert(FILE, -1 - i, block, BLOCK, BLOCK_BYTES, Priority.LOW);
      }
      long offered = cache.stats().total().offered() - before;
      // The costs let one value move now and then, to see whether it pays.
      long tries = (System.nanoTime() - begin) / TRY_NANOS;
      if (offered > LEARNING / 32 + tries) {
        throw new IllegalStateException("nothing must be worth moving: offered=" + offered);
      }
    }

    /** Closes it. */
    @TearDown(Level.Trial)
    public void close() {
      cache.close();
    }
  }
}
