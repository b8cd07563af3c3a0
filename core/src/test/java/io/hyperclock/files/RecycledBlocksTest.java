/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.files;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.Handle;
import io.hyperclock.MetadataCharge;
import io.hyperclock.entry.FileKey;
import io.hyperclock.memory.PooledBuffer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/**
 * Many cursors that stay in blocks whose memory goes from block to block all the time; {@code
 * -Dhyperclock.files.seconds} makes it longer.
 */
class RecycledBlocksTest {
  private static final double SECONDS =
      Double.parseDouble(System.getProperty("hyperclock.files.seconds", "2"));
  private static final int THREADS = 4;
  private static final int LENGTH = 8 << 20;
  private static final int BUDGET = 64 << 10;

  @Test
  void noReadIsWrongAndAllMemoryComesBack() throws Exception {
    TestSource source = new TestSource(LENGTH);
    AtomicLong reads = new AtomicLong();
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    BlockFiles files =
        BlockFiles.builder()
            .capacityBytes(BUDGET)
            .blockBytes(1024)
            .prefetcher(Runnable::run, 2)
            .cache(settings -> settings.metadataCharge(MetadataCharge.NONE))
            .build();
    long end = System.nanoTime() + (long) (SECONDS * 1e9);
    try {
      CachedFile file = files.open(FileKey.unique(), source);
      List<Future<?>> workers = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        int seed = i;
        workers.add(
            threads.submit(
                () -> {
                  reads.addAndGet(new Worker(files, file, source, seed).run(end));
                  return null;
                }));
      }
      for (Future<?> worker : workers) {
        worker.get();
      }
      assertThat(reads).hasPositiveValue();
    } finally {
      threads.shutdownNow();
      files.close();
    }
    assertThat(files.pool().outstanding()).as("buffers after %d reads", reads.get()).isZero();
    System.out.printf("%,d right reads of recycled blocks in %.0f s%n", reads.get(), SECONDS);
  }

  private static final class Worker {
    private final BlockFiles files;
    private final CachedFile file;
    private final TestSource source;
    private final Random random;
    private final Cursor[] cursors = new Cursor[64];
    private final List<Cursor> forgotten = new ArrayList<>();
    private final long[] positions = new long[cursors.length];
    private final byte[] bytes = new byte[4096];

    Worker(BlockFiles files, CachedFile file, TestSource source, int seed) {
      this.files = files;
      this.file = file;
      this.source = source;
      this.random = new Random(seed);
      for (int i = 0; i < cursors.length; i++) {
        cursors[i] = file.cursor(i % 8 == 0 ? ReadMode.NO_ADMIT : ReadMode.ADMIT);
        positions[i] = random.nextInt(LENGTH - 8192);
      }
    }

    long run(long end) throws IOException {
      long reads = 0;
      do {
        for (int k = 0; k < 500; k++, reads++) {
          int i = random.nextInt(cursors.length);
          if (random.nextInt(50) == 0 || positions[i] > LENGTH - 8192) {
            positions[i] = random.nextInt(LENGTH - 8192);
          }
          positions[i] += read(cursors[i], positions[i]);
        }
        // A cursor that nobody reads any more, and that nobody can close.
        int old = random.nextInt(cursors.length);
        if (forgotten.size() < 10_000) {
          forgotten.add(cursors[old]);
        }
        cursors[old] = cursors[old].copy();
        assertThat(files.pool().allocatedBytes()).isLessThanOrEqualTo(BUDGET + BUDGET / 10);
      } while (System.nanoTime() < end);
      return reads;
    }

    private int read(Cursor cursor, long at) throws IOException {
      switch (random.nextInt(6)) {
        case 0 -> {
          assertThat(cursor.readByte(at)).isEqualTo(source.at(at));
          return 1;
        }
        case 1 -> {
          assertThat(cursor.readInt(at)).isEqualTo((int) source.longAt(at));
          return 4;
        }
        case 2 -> {
          try (Handle<PooledBuffer> pin = file.pin(at)) {
            assertThat(pin.value().bytes().get(file.offsetInBlock(at))).isEqualTo(source.at(at));
          } catch (io.hyperclock.CapacityExceededException e) {
            // The others hold all there is at this moment.
          }
          return 1;
        }
        case 3 -> {
          file.prefetch(at, 3000);
          return 3;
        }
        case 4 -> {
          int count = 1 + random.nextInt(3000);
          cursor.read(at, bytes, 0, count);
          for (int i = 0; i < count; i++) {
            if (bytes[i] != source.at(at + i)) {
              throw new AssertionError("wrong byte: position=" + (at + i));
            }
          }
          return count;
        }
        default -> {
          if (cursor.readLong(at) != source.longAt(at)) {
            throw new AssertionError("wrong long: position=" + at);
          }
          return 8;
        }
      }
    }
  }
}
