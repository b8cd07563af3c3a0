/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.memory;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;

/** Direct memory cut into pieces of one size. Guarded by the monitor of its pool. */
final class Slab {
  final BufferPool pool;
  final SizeClass owner;
  private final ByteBuffer[] pieces;
  private final int[] free;

  /** As allocated: reachable as long as any view of it is, also of a slab that had it before. */
  private final ByteBuffer memory;

  private int freeCount;

  /** Where it is in the list of its size; -1 if it is not there. */
  int index = -1;

  Slab(BufferPool pool, SizeClass owner, ByteBuffer memory) {
    int pieces = memory.capacity() / owner.bytes;
    this.pool = pool;
    this.owner = owner;
    this.pieces = new ByteBuffer[pieces];
    this.free = new int[pieces];
    this.memory = memory.order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < pieces; i++) {
      this.pieces[i] = memory.slice(i * owner.bytes, owner.bytes).order(ByteOrder.LITTLE_ENDIAN);
      free[i] = pieces - 1 - i;
    }
    this.freeCount = pieces;
  }

  long bytes() {
    return memory.capacity();
  }

  boolean hasRoom() {
    return freeCount > 0;
  }

  boolean isUnused() {
    return freeCount == pieces.length;
  }

  PooledBuffer take() {
    int place = free[freeCount - 1];
    PooledBuffer buffer = new PooledBuffer(pieces[place], memory, place * owner.bytes, this, place);
    freeCount--;
    return buffer;
  }

  void give(int place) {
    free[freeCount++] = place;
  }

  /** The slabs of one size that have free pieces; one of them may be unused. */
  static final class SizeClass {
    final int bytes;
    final ArrayList<Slab> withRoom = new ArrayList<>();
    private int slabs;

    SizeClass(int bytes) {
      this.bytes = bytes;
    }

    boolean hasRoom() {
      return !withRoom.isEmpty();
    }

    void add(Slab slab) {
      // Room in the list for all: one that comes back needs no memory.
      withRoom.ensureCapacity(slabs + 1);
      append(slab);
      slabs++;
    }

    private void append(Slab slab) {
      slab.index = withRoom.size();
      withRoom.add(slab);
    }

    /** Takes a slab out of the list; the last one has its place then. */
    private void takeOut(Slab slab) {
      Slab last = withRoom.remove(withRoom.size() - 1);
      if (last != slab) {
        withRoom.set(slab.index, last);
        last.index = slab.index;
      }
      slab.index = -1;
    }

    PooledBuffer take() {
      Slab slab = withRoom.get(withRoom.size() - 1);
      PooledBuffer buffer = slab.take();
      if (!slab.hasRoom()) {
        takeOut(slab);
      }
      return buffer;
    }

    /** Takes a piece back; returns the bytes of a slab that is no longer kept. */
    long give(Slab slab, int place) {
      boolean wasFull = !slab.hasRoom();
      slab.give(place);
      if (wasFull) {
        append(slab);
      }
      // One with free pieces stays, so that a class that breathes makes no new one each time.
      return slab.isUnused() && withRoom.size() > 1 ? remove(slab) : 0;
    }

    private long remove(Slab slab) {
      try {
        slab.pool.givenUp(slab.memory);
      } catch (OutOfMemoryError e) {
        // It stays, unused.
        return 0;
      }
      takeOut(slab);
      slabs--;
      return slab.bytes();
    }

    /** Gives up what is unused for another class; returns its bytes. */
    long giveUpUnused() {
      long bytes = 0;
      for (int i = withRoom.size() - 1; i >= 0; i--) {
        if (withRoom.get(i).isUnused()) {
          bytes += remove(withRoom.get(i));
        }
      }
      return bytes;
    }
  }
}
