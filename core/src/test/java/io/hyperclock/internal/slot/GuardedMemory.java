/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.slot;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Memory of stores at addresses with bytes at both ends that nobody may change. */
public final class GuardedMemory {
  private static final int GUARD_BYTES = 4096;
  private static final byte GUARD = (byte) 0xA5;

  private record Block(ByteBuffer all, ByteBuffer words) {}

  private final List<Block> blocks = new ArrayList<>();

  /** A store in such memory. */
  public SlotStore newStore(int slots) {
    return new AddressSlotStore(slots, this::allocate);
  }

  private ByteBuffer allocate(int bytes) {
    ByteBuffer all = AlignedMemory.allocate(GUARD_BYTES + bytes + GUARD_BYTES);
    for (int i = 0; i < GUARD_BYTES; i++) {
      all.put(i, GUARD);
      all.put(GUARD_BYTES + bytes + i, GUARD);
    }
    ByteBuffer words = all.slice(GUARD_BYTES, bytes);
    blocks.add(new Block(all, words));
    return words;
  }

  /** The words of the block that was asked for so manieth. */
  ByteBuffer words(int block) {
    return blocks.get(block).words();
  }

  /** Fails if a byte in front of a block or behind it was changed. */
  public void assertGuardsAreWhole() {
    assertThat(blocks).isNotEmpty();
    for (Block block : blocks) {
      int bytes = block.words().capacity();
      for (int i = 0; i < GUARD_BYTES; i++) {
        assertThat(block.all().get(i)).as("in front").isEqualTo(GUARD);
        assertThat(block.all().get(GUARD_BYTES + bytes + i)).as("behind").isEqualTo(GUARD);
      }
    }
  }
}
