/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.examples.lucene;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.hyperclock.memory.BufferPool;
import io.hyperclock.memory.PooledBuffer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.apache.lucene.store.IndexInput;

/**
 * The rival: blocks in Caffeine, in pooled buffers with a count of their readers. It has our pool
 * and our stamps; without these its inputs would have to hold blocks, or copy them.
 */
final class CaffeineBlocks {
  static final int BLOCK_BYTES = 16 << 10;

  private static final ThreadLocal<byte[]> SCRATCH =
      ThreadLocal.withInitial(() -> new byte[BLOCK_BYTES]);

  /** A block of a file. */
  private record Key(int file, long index) {}

  /** A loaded block, for as long as somebody counts. One for each load, so none is mistaken. */
  private static final class Counted extends AtomicInteger {
    private static final long serialVersionUID = 1L;

    private final transient PooledBuffer buffer;

    Counted(PooledBuffer buffer) {
      super(1);
      this.buffer = buffer;
    }

    boolean retain() {
      for (int count = get(); count > 0; count = get()) {
        if (compareAndSet(count, count + 1)) {
          return true;
        }
      }
      return false;
    }
  }

  private final BufferPool pool;
  private final Cache<Key, Counted> cache;
  private final LongAdder lookups = new LongAdder();
  private final LongAdder misses = new LongAdder();

  CaffeineBlocks(long capacityBytes) {
    // Evictions come after inserts, some time: a tenth more was not enough on a busy machine.
    this.pool = BufferPool.ofBytes(4 * capacityBytes + (16 << 20));
    this.cache =
        Caffeine.newBuilder()
            .maximumSize(Math.max(1, capacityBytes / BLOCK_BYTES))
            .executor(Runnable::run)
            .<Key, Counted>removalListener((key, block, cause) -> release(block))
            .build();
  }

  BufferPool pool() {
    return pool;
  }

  long lookups() {
    return lookups.sum();
  }

  long misses() {
    return misses.sum();
  }

  private void release(Counted block) {
    if (block.decrementAndGet() == 0) {
      pool.give(block.buffer);
    }
  }

  /** A block, which the caller does not hold. */
  PooledBuffer find(int file, long index, IndexInput input) throws IOException {
    lookups.increment();
    Key key = new Key(file, index);
    try {
      for (; ; ) {
        Counted block = cache.getIfPresent(key);
        if (block == null) {
          block = cache.get(key, missing -> load(missing, input));
        }
        if (block.retain()) {
          PooledBuffer buffer = block.buffer;
          release(block);
          return buffer;
        }
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private Counted load(Key key, IndexInput input) {
    misses.increment();
    PooledBuffer buffer = pool.take(BLOCK_BYTES);
    if (buffer == null) {
      throw new IllegalStateException("the pool must have room: pool=" + pool);
    }
    boolean done = false;
    try {
      IndexInput own;
      synchronized (input) {
        own = input.clone();
      }
      long start = key.index * BLOCK_BYTES;
      int count = (int) Math.min(BLOCK_BYTES, own.length() - start);
      byte[] bytes = SCRATCH.get();
      own.seek(start);
      own.readBytes(bytes, 0, count, false);
      buffer.bytes().put(0, bytes, 0, count);
      done = true;
      return new Counted(buffer.length(count));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      if (!done) {
        pool.give(buffer);
      }
    }
  }
}
