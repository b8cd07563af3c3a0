/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.examples;

import io.hyperclock.BlockCache;
import io.hyperclock.BlockLoadException;
import io.hyperclock.Handle;
import io.hyperclock.LeakDetection;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.FileKey;
import io.hyperclock.files.BlockFiles;
import io.hyperclock.files.BlockSource;
import io.hyperclock.files.CachedFile;
import io.hyperclock.files.Cursor;
import io.hyperclock.files.ReadMode;
import io.hyperclock.memory.BufferPool;
import io.hyperclock.memory.PooledBuffer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Executor;

/** What the page on engines shows: tables of a store, in files that never change. */
final class UnderAnEngine implements AutoCloseable {
  private final BlockFiles files;

  UnderAnEngine(long capacityBytes, Executor executor) {
    // [open]
    files =
        BlockFiles.builder()
            .capacityBytes(capacityBytes)
            .blockBytes(16 << 10)
            .prefetcher(executor, 8)
            .cache(settings -> settings.leakDetection(LeakDetection.sampled(1000)))
            .build();
    // [/open]
  }

  CachedFile table(String store, long number, Path path) throws IOException {
    // [table]
    FileKey key = FileKey.of(store, number);
    return files.open(key, BlockSource.of(FileChannel.open(path)));
    // [/table]
  }

  static long sum(CachedFile table, long position, int count) throws IOException {
    // [cursor]
    Cursor cursor = table.cursor();
    long sum = 0;
    for (int i = 0; i < count; i++) {
      sum += cursor.readLong(position + 8L * i);
    }
    // [/cursor]
    return sum;
  }

  static int scan(CachedFile table) throws IOException {
    int sum = 0;
    // [scan]
    Cursor once = table.cursor(ReadMode.NO_ADMIT);
    for (long at = 0; at < table.length(); at++) {
      sum += once.readByte(at);
    }
    // [/scan]
    return sum;
  }

  static byte pinned(CachedFile table, long position) throws IOException {
    // [pin]
    try (Handle<PooledBuffer> pin = table.pin(position)) {
      ByteBuffer block = pin.value().bytes();
      return block.get(table.offsetInBlock(position));
    }
    // [/pin]
  }

  static void ahead(CachedFile table, long position) {
    // [prefetch]
    table.prefetch(position, 1 << 20);
    // [/prefetch]
  }

  void deleted(List<CachedFile> tables) {
    // [drop]
    files.dropAll(tables.stream().map(CachedFile::key).toList());
    // [/drop]
  }

  /** Without files: blocks of an engine's own, in pooled memory. */
  static final class OwnBlocks implements AutoCloseable {
    private final BufferPool pool;
    private final EntryType<PooledBuffer> type;
    private final BlockCache<PooledBuffer> cache;

    OwnBlocks(long capacityBytes) {
      // [pool]
      pool = BufferPool.ofBytes(capacityBytes + capacityBytes / 10);
      type = pool.entryType("block");
      cache =
          BlockCache.<PooledBuffer>builder()
              .capacityBytes(capacityBytes)
              .estimatedEntryCharge(4 << 10)
              .defaultType(type)
              .build();
      // [/pool]
    }

    /** Reads the first number of a block. */
    @SuppressWarnings("NullAway") // the loader always gives a buffer
    long first(FileKey file, long offset) throws IOException {
      // [stamped]
      PooledBuffer block = cache.get(file.hi(), file.lo(offset));
      if (block != null) {
        long value = block.bytes().getLong(0);
        if (block.isValid()) {
          return value;
        }
      }
      // [/stamped]
      // [load]
      try (Handle<PooledBuffer> held =
          cache.lookup(file.hi(), file.lo(offset), (hi, lo) -> load(file.offset(lo)))) {
        return held.value().bytes().getLong(0);
      } catch (BlockLoadException e) {
        throw e.throwIf(IOException.class);
      }
      // [/load]
    }

    // [loader]
    private PooledBuffer load(long offset) throws IOException {
      PooledBuffer buffer = pool.take(4 << 10);
      if (buffer == null) {
        throw new IOException("no memory for a block: " + pool);
      }
      boolean done = false;
      try {
        read(offset, buffer.bytes().duplicate());
        done = true;
        return buffer;
      } finally {
        if (!done) {
          pool.give(buffer);
        }
      }
    }

    // [/loader]

    private static void read(long offset, ByteBuffer into) throws IOException {
      if (offset < 0) {
        throw new IOException("offset must be >= 0: offset=" + offset);
      }
      into.order(ByteOrder.LITTLE_ENDIAN).putLong(0, offset);
    }

    long outstanding() {
      return pool.outstanding();
    }

    @Override
    public void close() {
      cache.close();
    }
  }

  long outstanding() {
    return files.pool().outstanding();
  }

  @Override
  public void close() throws IOException {
    files.close();
  }
}
