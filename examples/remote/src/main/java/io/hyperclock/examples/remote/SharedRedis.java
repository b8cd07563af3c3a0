/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.examples.remote;

import io.hyperclock.BlockCache;
import io.hyperclock.Handle;
import io.hyperclock.entry.EntryCodec;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.FileKey;
import io.hyperclock.entry.Priority;
import io.hyperclock.secondary.AdmissionPolicy;
import io.hyperclock.secondary.AsyncLookup;
import io.hyperclock.secondary.TieredBlockCache;
import io.hyperclock.secondary.remote.LettuceRemoteStore;
import io.hyperclock.secondary.remote.RemoteSecondaryCache;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import redis.embedded.RedisServer;

/**
 * Reads the same blocks in two processes, one after the other, each with a cache of its own above
 * one Redis server. What the first read from disk and evicted, the second finds on the server.
 */
public final class SharedRedis {
  private static final int BLOCK = 4096;
  private static final int BLOCKS = 1_000;
  private static final int BATCH = 32;
  private static final int PORTS_TO_TRY = 5;

  /** The same in both processes. */
  private static final FileKey FILE = FileKey.of("orders", 1);

  private static final Duration MOST_CLOSING = Duration.ofSeconds(60);

  private static final EntryType<byte[]> TYPE =
      EntryType.<byte[]>named("block").codec(EntryCodec.ofBytes()).build();

  /**
   * What one process found.
   *
   * @param warm blocks that it did not have to read from disk
   * @param cold blocks that it had to
   */
  record Found(int warm, int cold) {}

  private SharedRedis() {}

  /**
   * Starts a server and two processes; with two arguments, is one of them.
   *
   * @param args a server, such as {@code redis://localhost:6379}, or none to start one; then a
   *     namespace to be one of the processes
   */
  public static void main(String[] args) throws Exception {
    if (args.length == 2) {
      System.out.println(read(args[0], args[1]));
    } else if (args.length == 1) {
      runBoth(args[0]);
    } else {
      runWithServer();
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private static void runWithServer() throws IOException, InterruptedException {
    RedisServer server = startServer();
    try {
      runBoth("redis://127.0.0.1:" + server.ports().get(0));
    } finally {
      server.stop();
    }
  }

  /** On a free port, and on another one if somebody was faster to use that. */
  private static RedisServer startServer() throws IOException {
    for (int tries = 1; ; tries++) {
      RedisServer server =
          RedisServer.newRedisServer()
              .port(freePort())
              .bind("127.0.0.1")
              .setting("save \"\"")
              .setting("maxmemory 64mb")
              .setting("maxmemory-policy allkeys-lru")
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

  /** Runs two processes, and returns what they said. */
  static List<String> runBoth(String uri) throws IOException, InterruptedException {
    String namespace = "example-" + UUID.randomUUID();
    String first = runProcess(uri, namespace);
    System.out.println("first process:  " + first);
    String second = runProcess(uri, namespace);
    System.out.println("second process: " + second);
    return List.of(first, second);
  }

  private static String runProcess(String uri, String namespace)
      throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                System.getProperty("java.home") + File.separator + "bin" + File.separator + "java",
                "-Xmx128m",
                "-cp",
                System.getProperty("java.class.path"),
                SharedRedis.class.getName(),
                uri,
                namespace)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    String said = new String(process.getInputStream().readAllBytes()).strip();
    if (process.waitFor() != 0) {
      throw new IllegalStateException("process must end well: exitCode=" + process.exitValue());
    }
    return said;
  }

  /** Reads all blocks through a small cache, in batches. */
  static Found read(String uri, String namespace) {
    Duration patient = Duration.ofSeconds(60);
    RemoteSecondaryCache remote =
        RemoteSecondaryCache.builder()
            .store(LettuceRemoteStore.connect(uri, patient, patient))
            .namespace(namespace)
            .ttl(Duration.ofMinutes(10))
            .timeout(patient)
            .maxInFlightCommands(2 * BLOCKS)
            .build();
    try (TieredBlockCache<byte[]> cache =
        TieredBlockCache.builder(
                BlockCache.<byte[]>builder().capacityBytes(64L * BLOCK).estimatedEntryCharge(BLOCK))
            .tier(remote)
            .admission(AdmissionPolicy.ALL)
            .build()) {
      int warm = 0;
      for (int from = 0; from < BLOCKS; from += BATCH) {
        warm += readBatch(cache, from, Math.min(BATCH, BLOCKS - from));
      }
      awaitWritten(cache, remote);
      return new Found(warm, BLOCKS - warm);
    }
  }

  /** Waits for what was evicted to reach the server, which close does not, but not for long. */
  private static void awaitWritten(TieredBlockCache<?> cache, RemoteSecondaryCache remote) {
    long begin = System.nanoTime();
    while (cache.stats().pendingOffers() > 0 || remote.remoteStats().commandsInFlight() > 0) {
      if (System.nanoTime() - begin > MOST_CLOSING.toNanos()) {
        return;
      }
      LockSupport.parkNanos(1_000_000);
    }
  }

  private static int readBatch(TieredBlockCache<byte[]> cache, int from, int count) {
    long[] keys = new long[2 * count];
    for (int i = 0; i < count; i++) {
      keys[2 * i] = FILE.hi();
      keys[2 * i + 1] = FILE.lo(from + i);
    }
    List<AsyncLookup<byte[]>> lookups = cache.startLookups(keys, TYPE, null);
    cache.waitAll(lookups);
    int found = 0;
    for (int i = 0; i < count; i++) {
      try (Handle<byte[]> handle = lookups.get(i).await()) {
        if (handle == null) {
          byte[] block = readFromDisk(from + i);
          cache.insert(FILE.hi(), FILE.lo(from + i), block, TYPE, BLOCK, Priority.LOW);
        } else if (ByteBuffer.wrap(handle.value()).getInt() == from + i) {
          found++;
        }
      }
    }
    return found;
  }

  private static byte[] readFromDisk(int number) {
    byte[] block = new byte[BLOCK];
    ByteBuffer.wrap(block).putInt(number);
    return block;
  }
}
