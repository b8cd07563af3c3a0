/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.memorymodel;

import io.hyperclock.memorymodel.Program.Mode;
import java.util.function.Predicate;

/**
 * A tag word in small: a tag has four bits instead of eight, so that an int holds those of a few
 * slots. A sum that overflows the bits of one slot runs into those of the next, as in the code.
 */
final class TagWord {
  /** The tag of the key at hand: the high bit and three of the hash. */
  static final int TAG = 8 | 1;

  /** The tag of another key. */
  static final int OTHER_TAG = 8 | 3;

  private static final int BITS = 4;

  private TagWord() {}

  static int tag(int word, int slot) {
    return word >>> BITS * slot & (1 << BITS) - 1;
  }

  static int with(int slot, int tag) {
    return tag << BITS * slot;
  }

  /** Whether the word in a register shows the tag at hand. */
  static Predicate<int[]> shows(int register, int slot) {
    return r -> tag(r[register], slot) == TAG;
  }

  static Program set(int register, int word, int slot, int tag, Mode mode) {
    return new Program().update(register, word, (old, r) -> old + with(slot, tag), mode);
  }

  static Program clear(int register, int word, int slot, int tag, Mode mode) {
    return new Program().update(register, word, (old, r) -> old - with(slot, tag), mode);
  }
}
