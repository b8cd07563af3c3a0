/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.jmh;

import io.hyperclock.BlockCache;
import io.hyperclock.Handle;
import io.hyperclock.entry.EntryCodec;
import io.hyperclock.entry.EntryType;
import io.hyperclock.memory.BufferPool;
import io.hyperclock.memory.PooledBuffer;
import io.hyperclock.secondary.AsyncLookup;
import io.hyperclock.secondary.TierRequest;
import io.hyperclock.secondary.TieredBlockCache;
import io.hyperclock.secondary.disk.DiskSecondaryCache;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Hits of blocks of 16 KiB in a disk tier, whose data the system has in memory: 32 keys that are
 * waited for together, beside 32 lookups one after the other, beside the tier alone, and beside
 * reading the same blocks, as they were before they were compressed, from a plain file. An
 * operation is one block.
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(
    value = 3,
    jvmArgsAppend = {"-Xms2g", "-Xmx2g", "-XX:+UseG1GC"})
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class DiskTierBenchmark {
  private static final int BLOCK_BYTES = 16 << 10;
  private static final int BATCH = 32;
  private static final long FILE = 1;

  private static final String IN_USE = "must not be in use by this process";
  private static final int TRIES = 600;
  private static final long WAIT_NANOS = 100_000_000;

  private static final EntryType<byte[]> BLOCK =
      EntryType.<byte[]>named("block").codec(EntryCodec.ofBytes()).build();

  /** Starts all lookups, then waits for all. */
  @Benchmark
  @OperationsPerInvocation(BATCH)
  public long hyperclockWaitAll(OnDisk state) {
    long[] keys = new long[2 * BATCH];
    for (int i = 0; i < keys.length; i += 2) {
      keys[i] = FILE;
      keys[i + 1] = state.draw();
    }
    List<AsyncLookup<Object>> lookups = state.cache.startLookups(keys, BLOCK, null);
    state.cache.waitAll(lookups);
    long bytes = 0;
    for (AsyncLookup<Object> lookup : lookups) {
      bytes += release(lookup.await());
    }
    return bytes;
  }

  /** Looks one key up after the other. */
  @Benchmark
  @OperationsPerInvocation(BATCH)
  public long sequential(OnDisk state) {
    long bytes = 0;
    for (int i = 0; i < BATCH; i++) {
      bytes += release(state.cache.lookup(FILE, state.draw(), BLOCK));
    }
    return bytes;
  }

  /** Looks one key up after the other, into buffers of a pool. */
  @Benchmark
  @OperationsPerInvocation(BATCH)
  public long hyperclockPooled(OnDisk state) {
    long bytes = 0;
    for (int i = 0; i < BATCH; i++) {
      Handle<Object> handle =
          Objects.requireNonNull(
              state.cache.lookup(FILE, state.draw(), state.pooledBlock),
              "every block must be found");
      bytes += ((PooledBuffer) handle.value()).length();
      handle.discard();
    }
    return bytes;
  }

  /** Asks the tier itself, on the calling thread. */
  @Benchmark
  public int hyperclockTierAlone(OnDisk state) {
    byte[] block = state.tier.lookupNow(TierRequest.of(FILE, state.draw(), BLOCK)).value();
    return Objects.requireNonNull(block, "every block must be found").length;
  }

  /** Reads a block of a plain file. */
  @Benchmark
  public byte[] originFile(Origin state) throws IOException {
    ByteBuffer block = ByteBuffer.allocate(BLOCK_BYTES);
    long position = (long) state.draw() * BLOCK_BYTES;
    while (block.hasRemaining()) {
      state.channel.read(block, position + block.position());
    }
    return block.array();
  }

  /** Reads a block of a plain file, checks it, and copies it: what a tier cannot save. */
  @Benchmark
  public byte[] originFileChecked(Origin state, Direct direct) throws IOException {
    int number = state.draw();
    ByteBuffer buffer = direct.buffer.clear();
    long position = (long) number * BLOCK_BYTES;
    while (buffer.hasRemaining()) {
      state.channel.read(buffer, position + buffer.position());
    }
    direct.crc.reset();
    direct.crc.update(buffer.flip());
    if ((int) direct.crc.getValue() != state.checksums[number]) {
      throw new IllegalStateException("the block must be whole: block=" + number);
    }
    byte[] block = new byte[BLOCK_BYTES];
    buffer.flip().get(block);
    return block;
  }

  private static int release(@Nullable Handle<Object> handle) {
    Object block = Objects.requireNonNull(handle, "every block must be found").value();
    int length = ((byte[]) block).length;
    handle.discard();
    return length;
  }

  /** How many blocks. */
  @State(Scope.Benchmark)
  public abstract static class Blocks {
    /** Number of blocks. */
    @Param("4096")
    public int size;

    Path directory;

    int[] numbers;

    int draw() {
      return numbers[ThreadLocalRandom.current().nextInt(numbers.length)];
    }

    void makeDirectory() throws IOException {
      directory = Files.createTempDirectory("hyperclock-benchmark");
    }

    void deleteDirectory() throws IOException {
      try (var files = Files.list(directory)) {
        for (Path file : files.toList()) {
          Files.delete(file);
        }
      }
      Files.delete(directory);
    }
  }

  /** A small cache whose tier holds all blocks. */
  @State(Scope.Benchmark)
  public static class OnDisk extends Blocks {
    DiskSecondaryCache tier;
    TieredBlockCache<Object> cache;
    EntryType<PooledBuffer> pooledBlock;

    /** Fills the tier, and opens it again: nothing is in its own memory then. */
    @Setup(Level.Trial)
    public void fill() throws IOException {
      makeDirectory();
      try (DiskSecondaryCache filled = open()) {
        for (int i = 0; i < size; i++) {
          while (!filled.insert(FILE, i, TierBenchmark.block(i), BLOCK, true)) {
            LockSupport.parkNanos(1_000_000);
          }
        }
      }
      tier = openAgain();
      // A tier may forget: where two keys are alike in its index one of them goes.
      numbers =
          IntStream.range(0, size)
              .filter(i -> tier.lookupNow(TierRequest.of(FILE, i, BLOCK)).isHit())
              .toArray();
      if (numbers.length < size * 0.9) {
        throw new IllegalStateException("the tier must have room: found=" + numbers.length);
      }
      cache =
          TieredBlockCache.builder(
                  BlockCache.builder()
                      .capacityBytes(64L * BLOCK_BYTES)
                      .estimatedEntryCharge(BLOCK_BYTES))
              .tier(tier)
              .build();
      BufferPool pool = BufferPool.ofBytes(256L * BLOCK_BYTES);
      pooledBlock = pool.entryType("block");
    }

    /** Close may leave the directory to the tier's own thread, which on a slow disk goes on. */
    private DiskSecondaryCache openAgain() {
      for (int tries = 1; ; tries++) {
        try {
          return open();
        } catch (IllegalStateException e) {
          if (tries == TRIES || !String.valueOf(e.getMessage()).contains(IN_USE)) {
            throw e;
          }
          LockSupport.parkNanos(WAIT_NANOS);
        }
      }
    }

    private DiskSecondaryCache open() {
      return DiskSecondaryCache.builder()
          .directory(directory)
          .capacityBytes(Math.max(64L << 20, 2L * size * BLOCK_BYTES))
          .build();
    }

    /** Ends all. */
    @TearDown(Level.Trial)
    public void close() throws IOException {
      cache.close();
      deleteDirectory();
    }
  }

  /** Memory outside of the heap for each thread. */
  @State(Scope.Thread)
  public static class Direct {
    final ByteBuffer buffer = ByteBuffer.allocateDirect(BLOCK_BYTES);
    final CRC32C crc = new CRC32C();
  }

  /** A file with all blocks. */
  @State(Scope.Benchmark)
  public static class Origin extends Blocks {
    FileChannel channel;
    int[] checksums = {};

    /** Writes it. */
    @Setup(Level.Trial)
    public void fill() throws IOException {
      makeDirectory();
      channel =
          FileChannel.open(
              directory.resolve("blocks"),
              StandardOpenOption.CREATE,
              StandardOpenOption.READ,
              StandardOpenOption.WRITE);
      numbers = IntStream.range(0, size).toArray();
      checksums = new int[size];
      for (int i = 0; i < size; i++) {
        byte[] block = TierBenchmark.block(i);
        channel.write(ByteBuffer.wrap(block), (long) i * BLOCK_BYTES);
        CRC32C crc = new CRC32C();
        crc.update(block);
        checksums[i] = (int) crc.getValue();
      }
    }

    /** Deletes it. */
    @TearDown(Level.Trial)
    public void close() throws IOException {
      channel.close();
      deleteDirectory();
    }
  }
}
