/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A file whose bytes follow from their positions, and which can be told to misbehave. */
class TestSource implements BlockSource {
  /** Runs before each read. */
  interface Before {
    void read(long position, long bytes) throws IOException;
  }

  private final long seed;
  volatile long length;
  volatile Before before = (position, bytes) -> {};
  volatile int mostBytes = Integer.MAX_VALUE;
  volatile int readAhead;
  final AtomicInteger reads = new AtomicInteger();
  final AtomicLong bytes = new AtomicLong();
  final AtomicInteger closes = new AtomicInteger();

  /** How often each 1 KiB was read. */
  final ConcurrentHashMap<Long, Integer> pieces = new ConcurrentHashMap<>();

  TestSource(long length) {
    this(length, 0);
  }

  TestSource(long length, long seed) {
    this.length = length;
    this.seed = seed;
  }

  /** No block of a cache that was closed is still out. */
  static void assertAllBack(BlockFiles files) throws InterruptedException {
    assertThat(files.pool().awaitAllBack(Duration.ofMinutes(1))).as(files.toString()).isTrue();
  }

  byte at(long position) {
    return (byte) ((position + seed) * 0x9E3779B97F4A7C15L >>> 56);
  }

  long longAt(long position) {
    long value = 0;
    for (int i = 7; i >= 0; i--) {
      value = value << 8 | at(position + i) & 0xFF;
    }
    return value;
  }

  byte[] bytes(long position, int count) {
    byte[] expected = new byte[count];
    for (int i = 0; i < count; i++) {
      expected[i] = at(position + i);
    }
    return expected;
  }

  @Override
  public long length() {
    return length;
  }

  @Override
  public int readAheadBytes() {
    return readAhead;
  }

  @Override
  public long readAt(long position, ByteBuffer[] into) throws IOException {
    reads.incrementAndGet();
    long wanted = 0;
    for (ByteBuffer buffer : into) {
      wanted += buffer.remaining();
    }
    before.read(position, wanted);
    long count = Math.min(Math.min(wanted, mostBytes), length - position);
    long done = 0;
    for (ByteBuffer buffer : into) {
      while (buffer.hasRemaining() && done < count) {
        long here = position + done++;
        if (here % 1024 == 0) {
          pieces.merge(here / 1024, 1, Integer::sum);
        }
        buffer.put(at(here));
      }
    }
    bytes.addAndGet(done);
    return done;
  }

  @Override
  public void close() {
    closes.incrementAndGet();
  }
}
