/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.jmh;

import io.hyperclock.BlockCache;
import io.hyperclock.Handle;
import io.hyperclock.entry.EntryCodec;
import io.hyperclock.entry.EntryType;
import io.hyperclock.secondary.TierRequest;
import io.hyperclock.secondary.TieredBlockCache;
import io.hyperclock.secondary.compressed.CompressedSecondaryCache;
import io.hyperclock.secondary.compression.Compression;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import net.jpountz.lz4.LZ4Compressor;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.lz4.LZ4SafeDecompressor;
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
 * First hits of blocks of 16 KiB in a compressed tier, beside what cannot be saved: decompressing
 * such a block into a new array.
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(
    value = 3,
    jvmArgsAppend = {"-Xms2g", "-Xmx2g", "-XX:+UseG1GC"})
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class TierBenchmark {
  private static final int BLOCK_BYTES = 16 << 10;
  private static final long FILE = 1;

  private static final EntryType<byte[]> BLOCK =
      EntryType.<byte[]>named("block").codec(EntryCodec.ofBytes()).build();

  /** A block that shrinks to about a half. */
  static byte[] block(int number) {
    SplittableRandom random = new SplittableRandom(number);
    byte[] block = new byte[BLOCK_BYTES];
    for (int i = 0; i < block.length; i += 16) {
      long fresh = random.nextLong();
      for (int j = 0; j < 8; j++) {
        block[i + j] = (byte) (fresh >>> 8 * j);
        block[i + 8 + j] = (byte) (number >>> j % 4 * 8);
      }
    }
    return block;
  }

  /** Puts the lookup of the value through all layers; the value stays in the tier. */
  @Benchmark
  public int hyperclock(Tiered state) {
    int number = state.draw();
    Handle<byte[]> handle = state.cache.lookup(FILE, number, BLOCK);
    int length = handle.value().length;
    handle.discard();
    return length;
  }

  /** Asks the tier itself. */
  @Benchmark
  public int hyperclockTierAlone(Tiered state) {
    int number = state.draw();
    byte[] value = state.tier.lookup(TierRequest.of(FILE, number, BLOCK)).join().value();
    return value.length;
  }

  /** Only decompresses. */
  @Benchmark
  public byte[] decompress(Compressed state) {
    byte[] packed = state.packed[state.draw()];
    byte[] raw = new byte[BLOCK_BYTES];
    state.decompressor.decompress(packed, 0, packed.length, raw, 0, raw.length);
    return raw;
  }

  /** How many blocks. */
  @State(Scope.Benchmark)
  public abstract static class Blocks {
    /** Number of blocks. */
    @Param("4096")
    public int size;

    /**
     * Any block: threads that followed one stream would meet, and share their reads from then on.
     */
    int draw() {
      return ThreadLocalRandom.current().nextInt(size);
    }
  }

  /** A small cache whose tier holds all blocks. */
  @State(Scope.Benchmark)
  public static class Tiered extends Blocks {
    CompressedSecondaryCache tier;
    TieredBlockCache<byte[]> cache;

    /** Fills the tier. */
    @Setup(Level.Trial)
    public void fill() {
      tier =
          CompressedSecondaryCache.builder()
              .compression(Compression.LZ4)
              .capacityBytes(2L * size * BLOCK_BYTES)
              .estimatedEntryCharge(BLOCK_BYTES / 2)
              .build();
      for (int i = 0; i < size; i++) {
        if (!tier.insert(FILE, i, block(i), BLOCK, true)) {
          throw new IllegalStateException("the tier must have room: block=" + i);
        }
      }
      cache =
          TieredBlockCache.builder(
                  BlockCache.<byte[]>builder()
                      .capacityBytes(4L << 20)
                      .estimatedEntryCharge(BLOCK_BYTES))
              .tier(tier)
              .build();
    }

    /** Closes the cache. */
    @TearDown(Level.Trial)
    public void close() {
      cache.close();
    }
  }

  /** The same blocks, compressed. */
  @State(Scope.Benchmark)
  public static class Compressed extends Blocks {
    final LZ4SafeDecompressor decompressor = LZ4Factory.fastestInstance().safeDecompressor();
    byte[][] packed = {};

    /** Compresses them. */
    @Setup(Level.Trial)
    public void fill() {
      LZ4Compressor compressor = LZ4Factory.fastestInstance().fastCompressor();
      packed = new byte[size][];
      for (int i = 0; i < size; i++) {
        packed[i] = compressor.compress(block(i));
      }
    }
  }
}
