/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.memory;

import io.hyperclock.entry.EntryType;
import io.hyperclock.internal.errors.StackReserve;
import io.hyperclock.memory.Slab.SizeClass;
import java.lang.invoke.VarHandle;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Lends direct memory in pieces of 1, 4, 16 and 64 KiB, never more than a bound.
 *
 * <pre>{@code
 * BufferPool pool = BufferPool.ofBytes(1 << 30);
 * EntryType<PooledBuffer> blocks = pool.entryType("block");   // brings evicted buffers back
 * BlockCache<PooledBuffer> cache =
 *     BlockCache.<PooledBuffer>builder()
 *         .capacityBytes(pool.maxBytes() * 9 / 10)             // the rest is for loads under way
 *         .estimatedEntryCharge(16 << 10)
 *         .defaultType(blocks)
 *         .build();
 * }</pre>
 *
 * <p>Memory comes in slabs of up to 1 MiB, made when they are needed. A slab of which all pieces
 * are back is given up unless it is the last of its size with room; the collector frees its memory
 * when no reader can reach a buffer of it any more. Memory that readers keep so is lent again
 * before new memory is made: however many old buffers are never forgotten, the process has no more
 * than the bound, as long as the buffers are of one size.
 *
 * <p><b>What the JVM gives.</b> The JVM bounds direct memory by {@code -XX:MaxDirectMemorySize}, by
 * default the size of the heap. If it refuses a slab, the pool makes do with what it has, as if
 * that were the bound. The pool asks the JVM again when it has given up a slab, or when a buffer is
 * wanted and a minute has passed. A refusal takes the JVM about half a second, because it collects
 * garbage first.
 *
 * <p>A pool has no {@code close}: the garbage collector frees its memory when neither the pool nor
 * a buffer of it can be reached.
 *
 * <p>Thread-safe. {@link #take} and {@link #give} hold a lock for a few instructions, and while a
 * slab is made or refused; {@link PooledBuffer#isValid} takes none.
 */
public final class BufferPool {
  /** Largest buffer that can be taken, in bytes. */
  public static final int MAX_BUFFER_BYTES = 64 << 10;

  private static final int MIN_BUFFER_BYTES = 1 << 10;
  private static final int MAX_SLAB_BYTES = 1 << 20;

  /** How long the JVM is not asked again after it refused memory. */
  private static final long REFUSAL_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final long maxBytes;
  private final int slabBytes;
  private final IntFunction<ByteBuffer> allocator;
  private final LongSupplier nanoTime;
  private final SizeClass[] classes = {
    new SizeClass(MIN_BUFFER_BYTES),
    new SizeClass(4 << 10),
    new SizeClass(16 << 10),
    new SizeClass(MAX_BUFFER_BYTES)
  };

  /** Memory of slabs that were given up; the collector frees what no reader can reach. */
  private final List<WeakReference<ByteBuffer>> givenUp = new LinkedList<>();

  /** The bound, or what was allocated when the JVM gave no more. */
  private long reachableBytes;

  private long refusedAt;
  private long allocatedBytes;
  private long outstanding;
  private long outstandingBytes;
  private long refusals;

  /**
   * A pool without memory yet.
   *
   * @param allocator makes memory of so many bytes, or throws {@link OutOfMemoryError}
   * @param nanoTime the time, of which only differences count
   */
  BufferPool(long maxBytes, IntFunction<ByteBuffer> allocator, LongSupplier nanoTime) {
    this.maxBytes = maxBytes;
    this.reachableBytes = maxBytes;
    this.allocator = allocator;
    this.nanoTime = nanoTime;
    // Many slabs, so that sizes can share the bound, and that unused ones are found.
    this.slabBytes =
        (int)
            Math.min(
                MAX_SLAB_BYTES, Math.max(MIN_BUFFER_BYTES, Long.highestOneBit(maxBytes / 64 | 1)));
  }

  /**
   * A pool without memory yet.
   *
   * @param maxBytes bound of the memory of all slabs, at least 1024
   * @return a new pool
   */
  public static BufferPool ofBytes(long maxBytes) {
    if (maxBytes < MIN_BUFFER_BYTES) {
      throw new IllegalArgumentException("maxBytes must be >= 1024: maxBytes=" + maxBytes);
    }
    return new BufferPool(maxBytes, ByteBuffer::allocateDirect, System::nanoTime);
  }

  /**
   * Capacity of the buffer that {@link #take} gives where memory is not short.
   *
   * @param bytes in [0, 65536]
   * @return 1, 4, 16 or 64 KiB
   */
  public static int capacityFor(int bytes) {
    if (bytes < 0 || bytes > MAX_BUFFER_BYTES) {
      throw new IllegalArgumentException("bytes must be in [0, 65536]: bytes=" + bytes);
    }
    int capacity = MIN_BUFFER_BYTES;
    while (capacity < bytes) {
      capacity <<= 2;
    }
    return capacity;
  }

  /**
   * Lends a buffer, with arbitrary contents. If the bound leaves no room for another slab of its
   * size, it may be a larger one.
   *
   * @param bytes least capacity, in [0, 65536]
   * @return a buffer that the caller must {@link #give} back, or null if there is no room
   */
  public @Nullable PooledBuffer take(int bytes) {
    PooledBuffer buffer = lend(bytes);
    // [stamp] the end of the last loan, seen under the lock, comes before what is written now.
    VarHandle.releaseFence();
    return buffer;
  }

  private synchronized @Nullable PooledBuffer lend(int bytes) {
    int least = capacityFor(bytes);
    // A slab without a free piece must not stay among those with room.
    StackReserve.requireLittle();
    for (SizeClass sizeClass : classes) {
      if (sizeClass.bytes >= least && (sizeClass.hasRoom() || grow(sizeClass))) {
        PooledBuffer buffer = sizeClass.take();
        outstanding++;
        outstandingBytes += sizeClass.bytes;
        return buffer;
      }
    }
    refusals++;
    return null;
  }

  /** Makes room in a size that has none. */
  private boolean grow(SizeClass sizeClass) {
    if (reachableBytes < maxBytes && nanoTime.getAsLong() - refusedAt >= REFUSAL_NANOS) {
      reachableBytes = maxBytes;
    }
    if (reachableBytes - allocatedBytes < Math.max(slabBytes, sizeClass.bytes)) {
      for (SizeClass other : classes) {
        allocatedBytes -= other.giveUpUnused();
      }
    }
    long most = reachableBytes - allocatedBytes;
    if (most < sizeClass.bytes) {
      return false;
    }
    try {
      return growByKept(sizeClass, most) || growByNew(sizeClass, most);
    } catch (OutOfMemoryError e) {
      // Of the heap: it may have room at the next call.
      return false;
    }
  }

  /** Grows by memory that readers of ended loans keep from being unmapped, if there is some. */
  private boolean growByKept(SizeClass sizeClass, long most) {
    for (Iterator<WeakReference<ByteBuffer>> all = givenUp.iterator(); all.hasNext(); ) {
      ByteBuffer memory = all.next().get();
      if (memory == null) {
        all.remove();
      } else if (memory.capacity() >= sizeClass.bytes && memory.capacity() <= most) {
        add(sizeClass, memory);
        // Not before: if the heap had no room for the slab, the memory is still kept.
        all.remove();
        return true;
      }
    }
    return false;
  }

  /** Grows by new memory, if the JVM gives some. */
  private boolean growByNew(SizeClass sizeClass, long most) {
    long bytes = Math.min(Math.max(slabBytes, sizeClass.bytes), most);
    ByteBuffer memory;
    try {
      memory = allocator.apply((int) (bytes - bytes % sizeClass.bytes));
    } catch (OutOfMemoryError e) {
      // The process has less direct memory than the bound: as if the bound were lower.
      reachableBytes = allocatedBytes;
      refusedAt = nanoTime.getAsLong();
      return false;
    }
    add(sizeClass, memory);
    return true;
  }

  /** Adds a slab, or changes nothing if the heap has no room for it. */
  private void add(SizeClass sizeClass, ByteBuffer memory) {
    Slab slab = new Slab(this, sizeClass, memory);
    sizeClass.add(slab);
    allocatedBytes += slab.bytes();
  }

  /** Notes memory of a slab that is no longer kept. For {@link Slab}, under the lock. */
  void givenUp(ByteBuffer memory) {
    givenUp.add(new WeakReference<>(memory));
  }

  /**
   * Takes a buffer back. From here on it is not {@linkplain PooledBuffer#isValid() valid}, and its
   * memory may be lent to others.
   *
   * @param buffer taken from this pool and not given back
   * @throws IllegalStateException if it was given back before
   * @throws IllegalArgumentException if it is of another pool, or of none
   */
  public void give(PooledBuffer buffer) {
    StackReserve.requireLittle();
    giveBack(buffer);
  }

  /** As {@link #give}; an entry that is freed has made sure of the stack for it. */
  private void giveBack(PooledBuffer buffer) {
    Slab slab = Objects.requireNonNull(buffer, "buffer must not be null").slab;
    if (slab == null || slab.pool != this) {
      throw new IllegalArgumentException("a buffer must be of this pool: buffer=" + buffer);
    }
    if (!buffer.end()) {
      throw new IllegalStateException("a buffer must not be given back twice: buffer=" + buffer);
    }
    synchronized (this) {
      outstanding--;
      outstandingBytes -= slab.owner.bytes;
      allocatedBytes -= slab.owner.give(slab, buffer.place);
      notifyAll();
    }
  }

  /**
   * A type of entry whose values are buffers of this pool: {@linkplain EntryType#isStamped()
   * stamped}, freed by giving them back, and with a codec for lower tiers that copies their {@link
   * PooledBuffer#length() length}. Its role is {@code DATA_BLOCK}; a type of another role is built
   * of the disposer and the codec of this one.
   *
   * @param name name for statistics and messages, not blank
   * @return a new type
   */
  public EntryType<PooledBuffer> entryType(String name) {
    return EntryType.<PooledBuffer>named(name)
        .disposer((keyHi, keyLo, buffer) -> giveBack(buffer))
        .stamped()
        .codec(new PooledBufferCodec(this))
        .build();
  }

  /**
   * Buffers that were taken and not given back.
   *
   * @return a count
   */
  public synchronized long outstanding() {
    return outstanding;
  }

  /**
   * Capacity of the buffers that were taken and not given back.
   *
   * @return bytes
   */
  public synchronized long outstandingBytes() {
    return outstandingBytes;
  }

  /**
   * Memory of all slabs that are in use.
   *
   * @return bytes, at most {@link #maxBytes()}
   */
  public synchronized long allocatedBytes() {
    return allocatedBytes;
  }

  /**
   * The bound.
   *
   * @return bytes
   */
  public long maxBytes() {
    return maxBytes;
  }

  /**
   * How often {@link #take} found no room.
   *
   * @return a count
   */
  public synchronized long refusals() {
    return refusals;
  }

  /**
   * Waits until all buffers are back, such as after the end of a cache whose last handles others
   * still hold.
   *
   * @param limit longest time to wait; zero or less only looks
   * @return false if some are still out
   * @throws InterruptedException if the thread is interrupted
   */
  public synchronized boolean awaitAllBack(Duration limit) throws InterruptedException {
    Objects.requireNonNull(limit, "limit must not be null");
    long end = System.nanoTime() + Math.max(0, TimeUnit.NANOSECONDS.convert(limit));
    while (outstanding > 0) {
      long left = end - System.nanoTime();
      if (left <= 0) {
        return false;
      }
      TimeUnit.NANOSECONDS.timedWait(this, left);
    }
    return true;
  }

  @Override
  public String toString() {
    return String.format(
        "BufferPool[maxBytes=%s, allocatedBytes=%s, outstanding=%s]",
        maxBytes, allocatedBytes(), outstanding());
  }
}
