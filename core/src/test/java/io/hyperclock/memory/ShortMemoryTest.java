/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Pools that the JVM gives less memory than their bound. */
class ShortMemoryTest {
  private static final int BLOCK = 16 << 10;
  private static final int SLAB = 1 << 20;
  private static final int PER_SLAB = SLAB / BLOCK;
  private final ShortMemory memory = new ShortMemory(3 * SLAB);
  private final BufferPool pool = memory.pool(64 << 20);

  private List<PooledBuffer> takeAll() {
    List<PooledBuffer> taken = new ArrayList<>();
    for (PooledBuffer b = pool.take(BLOCK); b != null; b = pool.take(BLOCK)) {
      taken.add(b);
    }
    return taken;
  }

  @Test
  void aRefusalIsRememberedForAllSizes() {
    assertThat(takeAll()).hasSize(3 * PER_SLAB);
    assertThat(memory.calls).as("three slabs, and one that was refused").hasValue(4);
    for (int i = 0; i < 100; i++) {
      assertThat(pool.take(1 << 2 * (i % 9))).isNull();
    }
    assertThat(memory.calls).hasValue(4);
    assertThat(pool.refusals()).isEqualTo(101);
    assertThat(pool.allocatedBytes()).isEqualTo(3 * SLAB);
  }

  @Test
  void whatIsGivenBackIsLentWithoutAskingTheJvm() {
    List<PooledBuffer> taken = takeAll();
    for (int i = 0; i < 100; i++) {
      pool.give(taken.remove(0));
      PooledBuffer again = pool.take(BLOCK);
      assertThat(again).isNotNull();
      taken.add(again);
      assertThat(pool.take(BLOCK)).isNull();
    }
    assertThat(memory.calls).hasValue(4);
  }

  @Test
  void afterAMinuteTheJvmIsAskedOnceAgain() {
    takeAll();
    memory.nanoTime.addAndGet(TimeUnit.SECONDS.toNanos(60) - 1);
    assertThat(pool.take(BLOCK)).isNull();
    assertThat(memory.calls).hasValue(4);
    memory.nanoTime.addAndGet(1);
    for (int i = 0; i < 10; i++) {
      assertThat(pool.take(BLOCK)).isNull();
      assertThat(memory.calls).hasValue(5);
    }
    memory.leftBytes.set(2 * SLAB);
    assertThat(pool.take(BLOCK)).as("a minute from the last refusal on").isNull();
    memory.nanoTime.addAndGet(TimeUnit.SECONDS.toNanos(60));
    assertThat(takeAll()).hasSize(2 * PER_SLAB);
    assertThat(memory.calls).hasValue(8);
  }

  @Test
  void theJvmIsAskedOnceForWhatWasGivenUp() {
    List<PooledBuffer> taken = takeAll();
    taken.forEach(pool::give);
    assertThat(pool.allocatedBytes()).isEqualTo(SLAB);
    taken.clear();
    // What was given up is unmapped, and others have taken the memory.
    memory.awaitFreed(1);
    assertThat(takeAll()).hasSize(PER_SLAB);
    assertThat(memory.calls).hasValue(5);
    assertThat(pool.take(1)).isNull();
    assertThat(memory.calls).hasValue(5);
  }

  @Test
  void memoryThatWasGivenUpIsHadAgainFromTheJvm() {
    takeAll().forEach(pool::give);
    memory.awaitFreed(1);
    memory.leftBytes.set(2 * SLAB);
    assertThat(takeAll()).hasSize(3 * PER_SLAB);
    assertThat(memory.calls).hasValue(6);
    assertThat(pool.allocatedBytes()).isEqualTo(3 * SLAB);
  }

  @Test
  void unusedMemoryOfOneSizeServesAnother() {
    List<PooledBuffer> taken = takeAll();
    taken.forEach(pool::give);
    assertThat(pool.allocatedBytes()).isEqualTo(SLAB);
    for (int i = 0; i < 3 * SLAB / 1024; i++) {
      assertThat(pool.take(1)).as("%d of %s", i, pool).isNotNull();
    }
    assertThat(taken).allSatisfy(old -> assertThat(old.isValid()).isFalse());
    assertThat(pool.take(1)).isNull();
    assertThat(memory.calls).as("the old memory, which is still reachable").hasValue(4);
  }
}
