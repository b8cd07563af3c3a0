/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.memory.Slab.SizeClass;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SlabTest {
  private static final int BYTES = 1024;
  private final BufferPool pool = BufferPool.ofBytes(1 << 20);
  private final SizeClass sizeClass = new SizeClass(BYTES);
  private final Set<Slab> slabs = new LinkedHashSet<>();

  private void requirePlaces(String when) {
    for (int i = 0; i < sizeClass.withRoom.size(); i++) {
      assertThat(sizeClass.withRoom.get(i).index).as(when).isEqualTo(i);
    }
    for (Slab slab : slabs) {
      assertThat(sizeClass.withRoom.contains(slab)).as(when).isEqualTo(slab.hasRoom());
      assertThat(slab.index >= 0).as(when).isEqualTo(slab.hasRoom());
    }
    assertThat(slabs).as(when).containsAll(sizeClass.withRoom);
  }

  @Test
  void eachSlabKnowsItsPlaceWhateverIsTakenAndGiven() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    List<PooledBuffer> taken = new ArrayList<>();
    int givenUp = 0;
    for (int i = 0; i < 5000; i++) {
      String when = "seed=" + seed + ", step=" + i;
      // Now more is taken, now more is given.
      if (random.nextInt(100) < (i / 250 % 2 == 0 ? 70 : 30)) {
        if (!sizeClass.hasRoom()) {
          ByteBuffer memory = ByteBuffer.allocateDirect(BYTES * (1 + random.nextInt(4)));
          Slab slab = new Slab(pool, sizeClass, memory);
          slabs.add(slab);
          sizeClass.add(slab);
        }
        taken.add(sizeClass.take());
      } else if (!taken.isEmpty()) {
        Collections.swap(taken, random.nextInt(taken.size()), taken.size() - 1);
        PooledBuffer buffer = taken.remove(taken.size() - 1);
        Slab slab = Objects.requireNonNull(buffer.slab);
        long bytes = sizeClass.give(slab, buffer.place);
        assertThat(bytes).as(when).isIn(0L, slab.bytes());
        if (bytes > 0) {
          assertThat(slab.isUnused()).as(when).isTrue();
          assertThat(slab.index).as(when).isEqualTo(-1);
          slabs.remove(slab);
          givenUp++;
        }
      } else {
        long bytes = slabs.stream().mapToLong(Slab::bytes).sum();
        assertThat(sizeClass.giveUpUnused()).as(when).isEqualTo(bytes);
        slabs.clear();
      }
      requirePlaces(when);
    }
    assertThat(givenUp).as("seed=%d", seed).isPositive();
  }

  @Test
  void onlyUnusedSlabsAreGivenUpForAnotherSize() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    List<PooledBuffer> taken = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      Slab slab = new Slab(pool, sizeClass, ByteBuffer.allocateDirect(2 * BYTES));
      slabs.add(slab);
      sizeClass.add(slab);
      if (random.nextBoolean()) {
        taken.add(sizeClass.take());
      }
    }
    long kept = 2L * BYTES * taken.size();
    assertThat(sizeClass.giveUpUnused()).as("seed=%d", seed).isEqualTo(200L * 2 * BYTES - kept);
    slabs.removeIf(Slab::isUnused);
    assertThat(slabs).as("seed=%d", seed).hasSize(taken.size());
    requirePlaces("seed=" + seed);
  }
}
