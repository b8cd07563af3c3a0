/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperclock.BlockCache;
import io.hyperclock.CapacityExceededException;
import io.hyperclock.Handle;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.Priority;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

class BufferPoolTest {
  private static PooledBuffer take(BufferPool pool, int bytes) {
    return Objects.requireNonNull(pool.take(bytes), () -> "no room: " + pool);
  }

  @Test
  void buffersAreOfTheNextSizeClass() {
    BufferPool pool = BufferPool.ofBytes(1 << 20);
    int[] asked = {0, 1, 1024, 1025, 4096, 4097, 16384, 16385, 65536};
    int[] given = {1024, 1024, 1024, 4096, 4096, 16384, 16384, 65536, 65536};
    for (int i = 0; i < asked.length; i++) {
      PooledBuffer buffer = take(pool, asked[i]);
      assertThat(buffer.capacity()).isEqualTo(given[i]).isEqualTo(buffer.length());
      assertThat(BufferPool.capacityFor(asked[i])).isEqualTo(given[i]);
      assertThat(buffer.bytes().isDirect()).isTrue();
      assertThat(buffer.bytes().order()).isEqualTo(ByteOrder.LITTLE_ENDIAN);
    }
    assertThat(pool.outstanding()).isEqualTo(asked.length);
    assertThat(pool.outstandingBytes()).isEqualTo(3 * 1024 + 2 * 4096 + 2 * 16384 + 2 * 65536);
  }

  @Test
  void aLoanEndsForEverWhoeverHasTheMemoryThen() {
    BufferPool pool = BufferPool.ofBytes(1024);
    PooledBuffer first = take(pool, 10);
    first.bytes().putLong(0, 42);
    assertThat(first.isValid()).isTrue();
    pool.give(first);
    assertThat(first.isValid()).isFalse();
    PooledBuffer second = take(pool, 10);
    assertThat(second).isNotSameAs(first);
    assertThat(second.bytes().getLong(0)).isEqualTo(42);
    assertThat(first.isValid()).isFalse();
    assertThat(second.isValid()).isTrue();
    assertThat(first).hasToString("PooledBuffer[capacity=1024, length=1024, given back]");
    assertThat(second).hasToString("PooledBuffer[capacity=1024, length=1024]");
    assertThat(pool).hasToString("BufferPool[maxBytes=1024, allocatedBytes=1024, outstanding=1]");
  }

  @Test
  void aSecondGiveAndForeignBuffersAreRefused() {
    BufferPool pool = BufferPool.ofBytes(1 << 20);
    PooledBuffer buffer = take(pool, 10);
    assertThatThrownBy(() -> BufferPool.ofBytes(1 << 20).give(buffer))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a buffer must be of this pool: buffer=" + buffer);
    assertThatThrownBy(() -> pool.give(PooledBuffer.unpooled(10)))
        .isInstanceOf(IllegalArgumentException.class);
    pool.give(buffer);
    assertThatThrownBy(() -> pool.give(buffer))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("a buffer must not be given back twice: buffer=" + buffer);
    assertThat(pool.outstanding()).isZero();
    assertThatThrownBy(() -> pool.take(65537)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> pool.take(-1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> BufferPool.ofBytes(1023)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void theLengthIsAnythingUpToTheCapacity() {
    PooledBuffer buffer = take(BufferPool.ofBytes(1 << 20), 10);
    for (int length : new int[] {0, 1, 1024}) {
      assertThat(buffer.length(length).length()).isEqualTo(length);
    }
    for (int length : new int[] {-1, 1025}) {
      assertThatThrownBy(() -> buffer.length(length))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("length must be in [0, capacity]: length=" + length + ", capacity=1024");
    }
    assertThat(buffer.length()).isEqualTo(1024);
  }

  @Test
  void theBytesOfABufferLieInItsMemoryFromItsOffsetOn() {
    BufferPool pool = BufferPool.ofBytes(1 << 20);
    for (int i = 0; i < 100; i++) {
      PooledBuffer buffer = take(pool, 1000);
      buffer.bytes().putLong(8, i);
      assertThat(buffer.memory().getLong(buffer.offset() + 8)).isEqualTo(i);
      assertThat(buffer.memory().order()).isEqualTo(ByteOrder.LITTLE_ENDIAN);
    }
  }

  @Test
  void badArgumentsAreRefusedByName() {
    BufferPool pool = BufferPool.ofBytes(1 << 20);
    PooledBuffer buffer = take(pool, 10);
    assertThatThrownBy(() -> pool.give(null))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("buffer must not be null");
    assertThat(pool.outstanding()).isOne();
    assertThat(buffer.isValid()).isTrue();
    for (int capacity : new int[] {-1, Integer.MIN_VALUE}) {
      assertThatThrownBy(() -> PooledBuffer.unpooled(capacity))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("capacity must be >= 0: capacity=" + capacity);
    }
    assertThat(PooledBuffer.unpooled(0).capacity()).isZero();
  }

  @Test
  void theBoundIsReachedAndNeverExceeded() {
    BufferPool pool = BufferPool.ofBytes(100 * 1024 + 1);
    List<PooledBuffer> taken = new ArrayList<>();
    for (PooledBuffer b = pool.take(1000); b != null; b = pool.take(1000)) {
      taken.add(b);
    }
    assertThat(taken).hasSize(100);
    assertThat(pool.allocatedBytes()).isEqualTo(100 * 1024);
    assertThat(pool.refusals()).isEqualTo(1);
    pool.give(taken.remove(50));
    assertThat(pool.take(4000)).isNull();
    assertThat(pool.take(1000)).isNotNull();
  }

  @Test
  void unusedMemoryOfOneSizeServesAnother() {
    BufferPool pool = BufferPool.ofBytes(256 << 10);
    List<PooledBuffer> small = new ArrayList<>();
    for (PooledBuffer b = pool.take(1); b != null && b.capacity() == 1024; b = pool.take(1)) {
      small.add(b);
    }
    assertThat(pool.take(64 << 10)).isNull();
    small.forEach(pool::give);
    assertThat(pool.take(64 << 10)).isNotNull();
    assertThat(pool.allocatedBytes()).isLessThanOrEqualTo(256 << 10);
  }

  @Test
  void unusedMemoryStaysWhereAnotherSizeHasRoomBesideIt() {
    BufferPool pool = BufferPool.ofBytes(64 << 10);
    List<PooledBuffer> small = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      small.add(take(pool, 1));
    }
    pool.give(small.remove(30));
    assertThat(take(pool, 4096).capacity()).isEqualTo(4096);
    assertThat(pool.allocatedBytes()).isEqualTo(64 << 10);
    assertThat(take(pool, 1).capacity()).isEqualTo(1024);
    assertThat(pool.take(1)).isNull();
  }

  @Test
  void theLastSlabIsAsLargeAsTheBoundLeavesRoomFor() {
    BufferPool pool = BufferPool.ofBytes((1 << 20) + (9 << 10));
    for (int i = 0; i < (1 << 20) / 4096 + 2; i++) {
      assertThat(take(pool, 4096).capacity()).isEqualTo(4096);
    }
    assertThat(pool.take(4096)).isNull();
    assertThat(pool.allocatedBytes()).isEqualTo((1 << 20) + (8 << 10));
  }

  @Test
  void aLargerBufferServesWhereItsOwnSizeHasNoRoom() {
    BufferPool pool = BufferPool.ofBytes(128 << 10);
    PooledBuffer first = take(pool, 64 << 10);
    take(pool, 64 << 10);
    pool.give(first);
    // The slab with the free piece is kept, so there is no memory for another.
    PooledBuffer small = take(pool, 1);
    assertThat(small.capacity()).isGreaterThanOrEqualTo(1024);
    pool.give(small);
    assertThat(pool.outstanding()).isEqualTo(1);
  }

  @Test
  void slabsAreGivenUpWhenAllIsBack() {
    BufferPool pool = BufferPool.ofBytes(64 << 20);
    Deque<PooledBuffer> taken = new ArrayDeque<>();
    for (int i = 0; i < 4000; i++) {
      taken.add(take(pool, 16 << 10));
    }
    assertThat(pool.allocatedBytes()).isGreaterThanOrEqualTo(4000L * (16 << 10));
    taken.forEach(pool::give);
    assertThat(pool.outstanding()).isZero();
    assertThat(pool.outstandingBytes()).isZero();
    assertThat(pool.allocatedBytes()).isLessThanOrEqualTo(1 << 20);
    assertThat(taken.getFirst().bytes().get(0)).isZero();
  }

  /** Takes all there is, with a mark at the beginning of each buffer. */
  private static List<PooledBuffer> takeAll(BufferPool pool, int size, int mark) {
    List<PooledBuffer> taken = new ArrayList<>();
    for (PooledBuffer b = pool.take(size); b != null; b = pool.take(size)) {
      b.bytes().putInt(0, mark);
      taken.add(b);
    }
    return taken;
  }

  @Test
  void memoryThatReadersKeepIsLentAgainBeforeNewIsMade() {
    for (int size : new int[] {1 << 10, 16 << 10}) {
      BufferPool pool = BufferPool.ofBytes(1 << 20);
      List<PooledBuffer> kept = new ArrayList<>();
      for (int round = 1; round <= 5; round++) {
        List<PooledBuffer> taken = takeAll(pool, size, round);
        assertThat(taken).hasSize((1 << 20) / size);
        for (PooledBuffer old : kept) {
          assertThat(old.bytes().getInt(0)).as("same memory in each round").isEqualTo(round);
        }
        taken.forEach(pool::give);
        kept.addAll(taken);
      }
    }
  }

  @Test
  void memoryThatAReaderKeepsIsLentAgainAfterLaterLoansOfItAreForgotten() {
    int size = 16 << 10;
    BufferPool pool = BufferPool.ofBytes(1 << 20);
    List<ByteBuffer> kept = new ArrayList<>();
    for (int round = 1; round <= 4; round++) {
      List<PooledBuffer> taken = takeAll(pool, size, round);
      if (round == 1) {
        taken.forEach(buffer -> kept.add(buffer.bytes()));
      }
      for (ByteBuffer old : kept) {
        assertThat(old.getInt(0)).as("same memory in each round").isEqualTo(round);
      }
      taken.forEach(pool::give);
      WeakReference<PooledBuffer> last = new WeakReference<>(taken.get(0));
      taken.clear();
      await(() -> last.get() == null);
    }
  }

  private static void await(BooleanSupplier condition) {
    long end = System.nanoTime() + 60_000_000_000L;
    while (!condition.getAsBoolean()) {
      System.gc();
      assertThat(System.nanoTime()).as("the collector forgets the loan").isLessThan(end);
    }
  }

  @Test
  void memoryThatIsKeptServesAnotherSize() {
    BufferPool pool = BufferPool.ofBytes(1 << 20);
    List<PooledBuffer> kept = new ArrayList<>();
    for (PooledBuffer b = pool.take(16 << 10); b != null; b = pool.take(16 << 10)) {
      kept.add(b);
    }
    kept.forEach(pool::give);
    int small = 0;
    for (PooledBuffer b = pool.take(1); b != null && b.capacity() == 1024; b = pool.take(1)) {
      b.bytes().putInt(0, 77);
      small++;
    }
    assertThat(small).isEqualTo(1024);
    assertThat(kept).allSatisfy(old -> assertThat(old.bytes().getInt(0)).isEqualTo(77));
  }

  @Test
  void memoryThatIsKeptIsNotLentBeyondTheBound() {
    BufferPool pool = BufferPool.ofBytes(88 << 10);
    List<PooledBuffer> kept = takeAll(pool, 16 << 10, 7);
    assertThat(kept).hasSize(5);
    kept.forEach(pool::give);
    take(pool, 64 << 10);
    assertThat(pool.allocatedBytes()).isEqualTo(80 << 10);
    take(pool, 1).bytes().putInt(0, 8);
    assertThat(pool.allocatedBytes()).isEqualTo(81 << 10);
    assertThat(kept).allSatisfy(old -> assertThat(old.bytes().getInt(0)).isEqualTo(7));
  }

  @Test
  void randomTakesAndGivesNeverShareMemory() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    BufferPool pool = BufferPool.ofBytes(700 << 10);
    Map<PooledBuffer, Integer> held = new IdentityHashMap<>();
    for (int i = 0; i < 20_000; i++) {
      if (random.nextInt(3) < 2) {
        PooledBuffer buffer = pool.take(random.nextInt(65537));
        if (buffer != null) {
          for (int at = 0; at < buffer.capacity(); at += 1024) {
            buffer.bytes().putInt(at, i);
          }
          held.put(buffer, i);
        }
      } else if (!held.isEmpty()) {
        PooledBuffer buffer = held.keySet().iterator().next();
        int mark = Objects.requireNonNull(held.remove(buffer));
        for (int at = 0; at < buffer.capacity(); at += 1024) {
          assertThat(buffer.bytes().getInt(at)).as("seed=%d", seed).isEqualTo(mark);
        }
        pool.give(buffer);
      }
      assertThat(pool.outstanding()).isEqualTo(held.size());
      assertThat(pool.allocatedBytes()).isLessThanOrEqualTo(pool.maxBytes());
    }
    held.keySet().forEach(pool::give);
    assertThat(pool.outstandingBytes()).isZero();
  }

  @Test
  void aCacheBringsThemBack() throws Exception {
    BufferPool pool = BufferPool.ofBytes(1 << 20);
    EntryType<PooledBuffer> type = pool.entryType("block");
    BlockCache<PooledBuffer> cache =
        BlockCache.<PooledBuffer>builder()
            .capacityBytes(256 << 10)
            .estimatedEntryCharge(4 << 10)
            .defaultType(type)
            .build();
    for (int i = 0; i < 500; i++) {
      PooledBuffer buffer = take(pool, 4 << 10);
      buffer.bytes().putLong(0, i);
      cache.insert(1, i, buffer, type, buffer.capacity(), Priority.LOW);
      PooledBuffer found = cache.get(1, i);
      assertThat(found == null || found.bytes().getLong(0) == i || !found.isValid()).isTrue();
    }
    assertThat(pool.outstanding()).isEqualTo(cache.monitor().occupancy()).isPositive();
    Handle<PooledBuffer> held = Objects.requireNonNull(cache.lookup(1, 499));
    cache.close();
    assertThat(pool.awaitAllBack(Duration.ofMillis(1))).isFalse();
    held.close();
    assertThat(pool.awaitAllBack(Duration.ofSeconds(1))).isTrue();
  }

  @Test
  void anyTimeMayBeWaitedForBuffers() throws Exception {
    BufferPool pool = BufferPool.ofBytes(4096);
    Duration longest = Duration.ofSeconds(Long.MAX_VALUE);
    assertThat(pool.awaitAllBack(longest)).isTrue();
    PooledBuffer buffer = take(pool, 4000);
    assertThat(pool.awaitAllBack(Duration.ZERO)).isFalse();
    assertThat(pool.awaitAllBack(Duration.ofNanos(1))).isFalse();
    assertThat(pool.awaitAllBack(longest.negated())).isFalse();
    assertWaits(pool, buffer, longest);
    assertWaits(pool, take(pool, 4000), Duration.ofMinutes(10));
  }

  private static void assertWaits(BufferPool pool, PooledBuffer buffer, Duration limit)
      throws InterruptedException {
    Thread giving = new Thread(() -> pool.give(buffer), "giving");
    synchronized (pool) {
      giving.start();
      assertThat(pool.awaitAllBack(limit)).isTrue();
    }
    giving.join();
  }

  @Test
  void theCodecCopiesWhatIsUsed() {
    BufferPool pool = BufferPool.ofBytes(4096);
    EntryType<PooledBuffer> type = pool.entryType("block");
    PooledBuffer buffer = take(pool, 4000).length(4000);
    for (int i = 0; i < 4000; i++) {
      buffer.bytes().put(i, (byte) i);
    }
    var codec = Objects.requireNonNull(type.codec());
    ByteBuffer encoded = ByteBuffer.allocate(codec.encodedSizeBytes(buffer));
    codec.encode(buffer, encoded);
    assertThat(encoded.flip().remaining()).isEqualTo(4000);
    assertThatThrownBy(() -> codec.decode(encoded.duplicate(), null))
        .isInstanceOf(CapacityExceededException.class)
        .hasMessage("the pool must have room for a value: pool=" + pool);
    buffer.bytes().putLong(0, -1).put(3999, (byte) -1);
    pool.give(buffer);
    encoded.position(2);
    PooledBuffer decoded = codec.decode(encoded, null);
    assertThat(encoded.hasRemaining()).isFalse();
    assertThat(decoded.length()).isEqualTo(3998);
    for (int i = 0; i < 3998; i++) {
      assertThat(decoded.bytes().get(i)).isEqualTo((byte) (i + 2));
    }
    assertThat(codec.chargeBytes(decoded)).isEqualTo(4096);
  }
}
