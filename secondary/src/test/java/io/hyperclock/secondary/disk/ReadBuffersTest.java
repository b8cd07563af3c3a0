/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.disk;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.secondary.internal.pool.Pool;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ReadBuffersTest {
  private static final int MANY = 4 * Pool.SIZE;

  private static List<ReadBuffer> take(ReadBuffers from, int count) {
    List<ReadBuffer> taken = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      taken.add(from.take());
    }
    return taken;
  }

  private static long outsideOfTheHeap(List<ReadBuffer> buffers) {
    return buffers.stream().filter(buffer -> buffer.of(100).isDirect()).count();
  }

  /** Whatever was taken and given back before, no more is outside of the heap than is kept. */
  @Test
  void memoryOutsideOfTheHeapIsBounded() {
    ReadBuffers buffers = new ReadBuffers(true);
    Set<ReadBuffer> outside = Collections.newSetFromMap(new IdentityHashMap<>());
    for (int round = 0; round < 3; round++) {
      List<ReadBuffer> taken = take(buffers, MANY);
      assertThat(outsideOfTheHeap(taken)).isEqualTo(Pool.SIZE);
      taken.stream().filter(ReadBuffer::isDirect).forEach(outside::add);
      taken.forEach(buffers::giveBack);
    }
    assertThat(outside).hasSize(Pool.SIZE);
  }

  /** A buffer may find no place when it comes back, as others come and go: another one is made. */
  @Test
  void whatFindsNoPlaceIsReplaced() {
    ReadBuffers buffers = new ReadBuffers(true);
    List<ReadBuffer> taken = take(buffers, Pool.SIZE);
    for (int i = 0; i < Pool.SIZE; i++) {
      buffers.giveBack(new ReadBuffer(true));
    }
    taken.forEach(buffers::giveBack);
    assertThat(take(buffers, Pool.SIZE)).doesNotContainAnyElementsOf(taken);
    assertThat(outsideOfTheHeap(take(buffers, MANY))).isEqualTo(Pool.SIZE);
  }

  @Test
  void nobodyElseHasTheMemory() {
    ReadBuffers buffers = new ReadBuffers(true);
    List<ReadBuffer> taken = take(buffers, MANY);
    for (int i = 0; i < MANY; i++) {
      taken.get(i).of(Integer.BYTES).putInt(0, i);
    }
    for (int i = 0; i < MANY; i++) {
      ReadBuffer buffer = taken.get(i);
      if (buffer.isDirect()) {
        assertThat(buffer.of(Integer.BYTES).getInt(0)).isEqualTo(i);
      }
    }
    assertThat(taken).doesNotHaveDuplicates();
  }

  @Test
  void buffersHaveTheSizeAskedFor() {
    ReadBuffer buffer = new ReadBuffer(true);
    for (int bytes : new int[] {0, 1, 20_000, 64, ReadBuffer.MOST_BYTES, 1}) {
      ByteBuffer given = buffer.of(bytes);
      assertThat(given.isDirect()).isTrue();
      assertThat(given.remaining()).isEqualTo(bytes);
      given.position(given.limit());
    }
    ByteBuffer large = buffer.of(ReadBuffer.MOST_BYTES + 1);
    assertThat(large.isDirect()).isFalse();
    assertThat(large.remaining()).isEqualTo(ReadBuffer.MOST_BYTES + 1);
  }

  @Test
  void devicesThatAskForArraysGetArrays() {
    assertThat(outsideOfTheHeap(take(new ReadBuffers(false), MANY))).isZero();
  }
}
