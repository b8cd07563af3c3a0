/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.examples;

import io.hyperclock.BlockCache;
import io.hyperclock.Handle;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.FileKey;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Answers requests on one thread that must not wait, as an event loop does. What is missing is read
 * by the threads of the disk, each block once however many requests ask for it meanwhile.
 */
public final class EventLoopReads implements AutoCloseable {
  private static final int BLOCK = 4096;
  private static final FileKey FILE = FileKey.of("db", 1);

  private final Thread loop = Thread.currentThread();
  private final ExecutorService disk;
  private final DirectBufferPool pool = new DirectBufferPool(BLOCK);
  private final AtomicInteger reads = new AtomicInteger();
  private final BlockCache<byte[]> cache =
      BlockCache.<byte[]>builder().capacityBytes(16 << 20).estimatedEntryCharge(BLOCK).build();
  private final BlockCache<ByteBuffer> natives =
      BlockCache.<ByteBuffer>builder()
          .capacityBytes(16 << 20)
          .estimatedEntryCharge(BLOCK)
          .defaultType(
              EntryType.<ByteBuffer>named("native block")
                  .disposer((hi, lo, buffer) -> pool.give(buffer))
                  .build())
          .build();

  EventLoopReads() {
    this(Executors.newFixedThreadPool(2));
  }

  EventLoopReads(ExecutorService disk) {
    this.disk = disk;
  }

  /**
   * Asks for ten blocks a thousand times and prints how often the disk was read.
   *
   * @param args ignored
   */
  public static void main(String[] args) {
    try (EventLoopReads reads = new EventLoopReads()) {
      long sum = reads.sum(1_000, 10);
      System.out.printf("checksum %d, %d blocks read from disk%n", sum, reads.diskReads());
    }
  }

  /** The same requests of both kinds; the sum of the numbers of the blocks that came back. */
  long sum(int requests, int blocks) {
    List<CompletableFuture<Long>> answers = new ArrayList<>();
    for (int i = 0; i < requests; i++) {
      answers.add(answer(i % blocks));
      answers.add(answerPinned(i % blocks));
    }
    return answers.stream().mapToLong(CompletableFuture::join).sum();
  }

  private CompletableFuture<Long> answer(long number) {
    // [get]
    return cache
        .getAsync(FILE.hi(), FILE.lo(number), disk, (hi, lo) -> readFromDisk(number))
        .thenApply(block -> ByteBuffer.wrap(block).getLong());
    // [/get]
  }

  CompletableFuture<Long> answerPinned(long number) {
    // [lookup]
    return natives
        .lookupAsync(FILE.hi(), FILE.lo(number), disk, (hi, lo) -> readIntoPool(number))
        .thenApply(EventLoopReads::numberIn)
        .copy(); // cancel ends the copy: numberIn always runs, and closes
    // [/lookup]
  }

  // [close]
  private static long numberIn(@Nullable Handle<ByteBuffer> block) {
    try (block) { // freed from here on, if it was evicted meanwhile
      return block == null ? -1 : block.value().getLong(0);
    }
  }

  // [/close]

  private byte[] readFromDisk(long number) {
    countRead();
    return ByteBuffer.allocate(BLOCK).putLong(0, number).array();
  }

  private ByteBuffer readIntoPool(long number) {
    countRead();
    return pool.take().putLong(0, number);
  }

  private void countRead() {
    if (Thread.currentThread() == loop) {
      throw new IllegalStateException("the event loop must not read from disk");
    }
    reads.incrementAndGet();
  }

  int diskReads() {
    return reads.get();
  }

  long pinnedBytes() {
    return natives.monitor().pinnedUsageBytes();
  }

  int buffersInUse() {
    return pool.inUse();
  }

  @Override
  public void close() {
    disk.shutdown();
    cache.close();
    natives.close();
  }
}
