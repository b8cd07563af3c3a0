/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.jmh;

import io.hyperclock.BlockCache;
import io.hyperclock.Handle;
import io.hyperclock.entry.EntryCodec;
import io.hyperclock.entry.EntryType;
import io.hyperclock.secondary.AsyncLookup;
import io.hyperclock.secondary.TierRequest;
import io.hyperclock.secondary.TieredBlockCache;
import io.hyperclock.secondary.remote.LettuceRemoteStore;
import io.hyperclock.secondary.remote.RemoteSecondaryCache;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
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
import redis.embedded.RedisServer;

/**
 * Hits of blocks of 4 KiB on a Redis server beside this process: 32 keys that are waited for
 * together, beside 32 lookups one after the other. An operation is one key.
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(
    value = 3,
    jvmArgsAppend = {"-Xms2g", "-Xmx2g", "-XX:+UseG1GC"})
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class RemoteTierBenchmark {
  private static final int BLOCK_BYTES = 4 << 10;
  private static final int BATCH = 32;
  private static final long FILE = 1;
  private static final int PORTS_TO_TRY = 5;

  private static final EntryType<byte[]> BLOCK =
      EntryType.<byte[]>named("block").codec(EntryCodec.ofBytes()).build();

  /** Starts all lookups, then waits for all. */
  @Benchmark
  @OperationsPerInvocation(BATCH)
  public long hyperclockWaitAll(Remote state) {
    List<AsyncLookup<byte[]>> lookups = state.cache.startLookups(state.draw(), BLOCK, null);
    state.cache.waitAll(lookups);
    long bytes = 0;
    for (AsyncLookup<byte[]> lookup : lookups) {
      bytes += release(lookup.await());
    }
    return bytes;
  }

  /** Looks one key up after the other. */
  @Benchmark
  @OperationsPerInvocation(BATCH)
  public long sequential(Remote state) {
    long[] keys = state.draw();
    long bytes = 0;
    for (int i = 0; i < keys.length; i += 2) {
      bytes += release(state.cache.lookup(keys[i], keys[i + 1], BLOCK));
    }
    return bytes;
  }

  private static int release(@Nullable Handle<byte[]> handle) {
    if (handle == null) {
      throw new IllegalStateException("every block must be found");
    }
    int length = handle.value().length;
    handle.discard();
    return length;
  }

  /** A cache for few blocks, above a server that holds all. */
  @State(Scope.Benchmark)
  public static class Remote {
    /** Number of blocks. */
    @Param("4096")
    public int size;

    private RedisServer server;
    TieredBlockCache<byte[]> cache;

    long[] draw() {
      ThreadLocalRandom random = ThreadLocalRandom.current();
      long[] keys = new long[2 * BATCH];
      for (int i = 0; i < keys.length; i += 2) {
        keys[i] = FILE;
        keys[i + 1] = random.nextInt(size);
      }
      return keys;
    }

    /** Starts and fills the server. */
    @Setup(Level.Trial)
    public void fill() throws IOException {
      server = startServer();
      int port = server.ports().get(0);
      Duration patient = Duration.ofSeconds(10);
      RemoteSecondaryCache tier =
          RemoteSecondaryCache.builder()
              .store(LettuceRemoteStore.connect("redis://127.0.0.1:" + port, patient, patient))
              .namespace("benchmark")
              .timeout(patient)
              .build();
      for (int i = 0; i < size; i++) {
        tier.insert(FILE, i, block(i), BLOCK, true);
        if (!tier.lookup(TierRequest.of(FILE, i, BLOCK)).join().isHit()) {
          throw new IllegalStateException("the server must have room: block=" + i);
        }
      }
      cache =
          TieredBlockCache.builder(
                  BlockCache.<byte[]>builder()
                      .capacityBytes(64L * BLOCK_BYTES)
                      .estimatedEntryCharge(BLOCK_BYTES))
              .tier(tier)
              .build();
    }

    /** On a free port, and on another one if somebody was faster to use that. */
    private static RedisServer startServer() throws IOException {
      for (int tries = 1; ; tries++) {
        RedisServer server =
            RedisServer.newRedisServer()
                .port(freePort())
                .bind("127.0.0.1")
                .setting("save \"\"")
                .setting("maxmemory 1gb")
                .build();
        try {
          server.start();
          return server;
        } catch (IOException e) {
          if (tries == PORTS_TO_TRY) {
            throw e;
          }
        }
      }
    }

    private static int freePort() throws IOException {
      try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
        return socket.getLocalPort();
      }
    }

    /** A block that shrinks to about a half. */
    private static byte[] block(int number) {
      SplittableRandom random = new SplittableRandom(number);
      ByteBuffer block = ByteBuffer.allocate(BLOCK_BYTES);
      while (block.hasRemaining()) {
        block.putLong(random.nextLong()).putLong(number);
      }
      return block.array();
    }

    /** Ends all. */
    @TearDown(Level.Trial)
    public void close() throws IOException {
      cache.close();
      server.stop();
    }
  }
}
