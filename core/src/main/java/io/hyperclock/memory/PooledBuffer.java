/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * One loan of memory of a {@link BufferPool}. Each {@link BufferPool#take} makes a new object,
 * which is therefore its own stamp: once given back it is never valid again, even if its memory is
 * lent again.
 *
 * <pre>{@code
 * long value = buffer.bytes().getLong(at);
 * if (buffer.isValid()) {
 *   return value;
 * }
 * // look the block up again
 * }</pre>
 *
 * <p><b>Reading without a hold.</b> Who finds a buffer in a cache may read it at once and ask
 * {@link #isValid()} <em>afterwards</em>: true says that all that was read before was written
 * before the loan ended. If the answer is false, what was read may be anything and must not be
 * used, not even as an index or a length. Nothing is held, and nothing can be forgotten.
 *
 * <p><b>Writing</b> is for the one who took the buffer, before others can find it.
 *
 * <p>Reading after the end of the loan is harmless: the memory is not unmapped as long as any
 * thread can reach this object.
 */
public final class PooledBuffer {
  private static final VarHandle ENDED;

  static {
    try {
      ENDED = MethodHandles.lookup().findVarHandle(PooledBuffer.class, "ended", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final ByteBuffer bytes;
  private final ByteBuffer memory;
  private final int offset;
  final @Nullable Slab slab;
  final int place;
  private int length;
  private int ended;

  PooledBuffer(ByteBuffer bytes, ByteBuffer memory, int offset, @Nullable Slab slab, int place) {
    this.bytes = bytes;
    this.memory = memory;
    this.offset = offset;
    this.slab = slab;
    this.place = place;
    this.length = bytes.capacity();
  }

  /**
   * A buffer on the heap, of no pool: always valid, and left to the garbage collector. For one
   * reader's own copies, where the same code reads these and pooled ones.
   *
   * @param capacity bytes, at least 0
   * @return a new buffer of zeros
   */
  public static PooledBuffer unpooled(int capacity) {
    if (capacity < 0) {
      throw new IllegalArgumentException("capacity must be >= 0: capacity=" + capacity);
    }
    ByteBuffer bytes = ByteBuffer.allocate(capacity).order(ByteOrder.LITTLE_ENDIAN);
    return new PooledBuffer(bytes, bytes, 0, null, 0);
  }

  /**
   * The memory, little-endian. Shared by all readers: only its absolute methods may be used, or a
   * {@link ByteBuffer#duplicate() duplicate}, which is big-endian unless set otherwise.
   *
   * @return the same buffer at each call, its position 0 and its limit the capacity
   */
  public ByteBuffer bytes() {
    return bytes;
  }

  /**
   * The memory that the {@link #bytes()} are a part of, little-endian, for absolute reads from
   * {@link #offset()} on by those who read from many buffers: there are far fewer of these objects,
   * so that they are in the processor's cache. What lies before and behind is of others.
   *
   * @return the same buffer for all that share its memory
   */
  public ByteBuffer memory() {
    return memory;
  }

  /**
   * Where the {@link #bytes()} begin in the {@link #memory()}.
   *
   * @return an index
   */
  public int offset() {
    return offset;
  }

  /**
   * Bytes that can be used: of the size class, which is at least what was asked for.
   *
   * @return a count
   */
  public int capacity() {
    return bytes.capacity();
  }

  /**
   * Bytes that are used, the capacity unless set otherwise.
   *
   * @return a count
   */
  public int length() {
    return length;
  }

  /**
   * Sets how many bytes are used; before others can find the buffer.
   *
   * @param length in [0, capacity]
   * @return this
   */
  public PooledBuffer length(int length) {
    if (length < 0 || length > bytes.capacity()) {
      throw new IllegalArgumentException(
          "length must be in [0, capacity]: length=" + length + ", capacity=" + bytes.capacity());
    }
    this.length = length;
    return this;
  }

  /**
   * Whether the loan goes on, so that what was read from the {@link #bytes()} before this call is
   * right. Wait-free; a fence and a read.
   *
   * @return false for ever once the buffer has been given back
   */
  public boolean isValid() {
    // [stamp] the reads of the bytes come before the look at the stamp.
    VarHandle.acquireFence();
    // Opaque: the fence orders it; a stale "valid" is one of a moment behind the reads all the
    // same.
    return (int) ENDED.getOpaque(this) == 0;
  }

  /** Ends the loan; false if it had ended. */
  boolean end() {
    // [stamp] of several who give it back one succeeds; the lock of the pool hands it on.
    return ENDED.compareAndSet(this, 0, 1);
  }

  @Override
  public String toString() {
    return String.format(
        "PooledBuffer[capacity=%s, length=%s%s]",
        capacity(), length, isValid() ? "" : ", given back");
  }
}
