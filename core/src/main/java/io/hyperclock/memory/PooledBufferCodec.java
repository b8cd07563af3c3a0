/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.memory;

import io.hyperclock.CapacityExceededException;
import io.hyperclock.entry.EntryCodec;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Copies buffers to lower tiers and back. */
final class PooledBufferCodec implements EntryCodec<PooledBuffer> {
  private final BufferPool pool;

  PooledBufferCodec(BufferPool pool) {
    this.pool = pool;
  }

  @Override
  public int encodedSizeBytes(PooledBuffer value) {
    return value.length();
  }

  @Override
  public void encode(PooledBuffer value, ByteBuffer target) {
    target.put(value.bytes().slice(0, value.length()));
  }

  @Override
  public PooledBuffer decode(ByteBuffer source, @Nullable Object context) {
    int length = source.remaining();
    PooledBuffer buffer = pool.take(length);
    if (buffer == null) {
      throw new CapacityExceededException("the pool must have room for a value: pool=" + pool);
    }
    // Allocates nothing: a buffer that an error keeps from the caller would be lost.
    buffer.bytes().put(0, source, source.position(), length);
    source.position(source.limit());
    return buffer.length(length);
  }

  @Override
  public long chargeBytes(PooledBuffer value) {
    return value.capacity();
  }
}
