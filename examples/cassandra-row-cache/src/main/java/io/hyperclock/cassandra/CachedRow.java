/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.cassandra;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.LongFunction;
import org.apache.cassandra.cache.IRowCacheEntry;
import org.apache.cassandra.cache.RowCacheKey;
import org.apache.cassandra.cache.SerializingCacheProvider.RowCacheSerializer;
import org.apache.cassandra.io.util.DataInputBuffer;
import org.apache.cassandra.io.util.DataOutputBuffer;
import org.apache.cassandra.io.util.DataOutputBufferFixed;
import org.apache.cassandra.io.util.Memory;
import org.jspecify.annotations.Nullable;

/**
 * A row or sentinel in memory off the heap, behind the bytes of its key. Who reads it holds a pin;
 * the cache frees it after the last one.
 */
final class CachedRow {
  /** What a row takes beside its bytes: two objects on the heap, and malloc's header. */
  private static final int OVERHEAD_BYTES = 88;

  private static final RowCacheSerializer SERIALIZER = new RowCacheSerializer();

  /** How often the cache had been cleared when the row was made. */
  final long generation;

  private final Memory memory;
  private final int keyBytes;

  /** Not volatile: it only orders the keys that are saved, and most reads need not write it. */
  private long lastUse = now();

  private CachedRow(Memory memory, int keyBytes, long generation) {
    this.memory = memory;
    this.keyBytes = keyBytes;
    this.generation = generation;
  }

  /** Null if there is no memory for it, or if it has more bytes than a buffer can. */
  static @Nullable CachedRow of(
      RowKey key, IRowCacheEntry entry, long generation, LongFunction<Memory> allocator) {
    int keyBytes = key.bytes().length;
    long size = keyBytes + SERIALIZER.serializedSize(entry);
    if (size > Integer.MAX_VALUE) {
      return null;
    }
    Memory memory;
    try {
      memory = allocator.apply(size);
    } catch (OutOfMemoryError e) {
      return null;
    }
    CachedRow row = new CachedRow(memory, keyBytes, generation);
    boolean written = false;
    try (DataOutputBufferFixed out = new DataOutputBufferFixed(row.buffer(0, (int) size))) {
      out.write(key.bytes());
      SERIALIZER.serialize(entry, out);
      written = true;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      if (!written) {
        row.free();
      }
    }
    return row;
  }

  boolean isOf(RowKey key) {
    return keyBuffer().equals(ByteBuffer.wrap(key.bytes()));
  }

  /** Whether it has the same bytes, as OHC compares; sentinels are equal if their numbers are. */
  boolean holds(IRowCacheEntry entry) {
    try (DataOutputBuffer out = new DataOutputBuffer()) {
      SERIALIZER.serialize(entry, out);
      return valueBuffer().equals(out.asNewBuffer());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Null if the row cannot be read any more, because its table was dropped. */
  @Nullable IRowCacheEntry read() {
    try (DataInputBuffer in = new DataInputBuffer(valueBuffer(), false)) {
      return SERIALIZER.deserialize(in);
    } catch (IOException e) {
      return null;
    }
  }

  RowCacheKey key() {
    return RowKey.decode(keyBuffer());
  }

  private ByteBuffer keyBuffer() {
    return buffer(0, keyBytes);
  }

  private ByteBuffer valueBuffer() {
    return buffer(keyBytes, (int) memory.size() - keyBytes);
  }

  private ByteBuffer buffer(int offset, int length) {
    return memory.asByteBuffer(offset, length).order(ByteOrder.BIG_ENDIAN);
  }

  void used() {
    long now = now();
    if (lastUse != now) {
      lastUse = now;
    }
  }

  /** A time as {@link #now} tells it. */
  long lastUse() {
    return lastUse;
  }

  /** In steps of about a millisecond. */
  static long now() {
    return System.nanoTime() >> 20;
  }

  long chargeBytes() {
    return memory.size() + OVERHEAD_BYTES;
  }

  void free() {
    memory.free();
  }
}
