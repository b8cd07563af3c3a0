/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.versioned;

import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The prepared version of each slot, beside the slots. Segments are made when first needed. */
final class PrepareArray {
  private static final int SEGMENT_BITS = 10;
  private static final int SEGMENT = 1 << SEGMENT_BITS;

  private final AtomicReferenceArray<@Nullable AtomicReferenceArray<@Nullable Prepare>> segments;

  PrepareArray(int slots) {
    this.segments = new AtomicReferenceArray<>((slots + SEGMENT - 1) >>> SEGMENT_BITS);
  }

  /** The prepared version of a slot, or null. */
  @Nullable Prepare get(int slot) {
    // [two-versions] acquires a segment, whose content is ordered by itself.
    AtomicReferenceArray<@Nullable Prepare> segment = segments.getAcquire(slot >>> SEGMENT_BITS);
    // [two-versions] pairs with the two below: what was written before the version came, or went,
    // is seen.
    return segment == null ? null : segment.getAcquire(slot & SEGMENT - 1);
  }

  /** Makes the segment of a slot, so that nothing has to be allocated by a writer inside. */
  AtomicReferenceArray<@Nullable Prepare> ensure(int slot) {
    int index = slot >>> SEGMENT_BITS;
    for (; ; ) {
      // [two-versions] as in get.
      AtomicReferenceArray<@Nullable Prepare> segment = segments.getAcquire(index);
      if (segment != null) {
        return segment;
      }
      // [two-versions] publishes an empty segment; one thread's is kept.
      segments.compareAndSet(index, null, new AtomicReferenceArray<>(SEGMENT));
    }
  }

  /** Puts a version beside a slot; the caller is inside, or the slot is its own. */
  void set(int slot, Prepare prepare) {
    // [two-versions] publishes the version; before the bits of the slot say that there is one.
    ensure(slot).setRelease(slot & SEGMENT - 1, prepare);
  }

  /** Takes the version of a slot away, if there is one. */
  void clear(int slot) {
    AtomicReferenceArray<@Nullable Prepare> segment = segments.getAcquire(slot >>> SEGMENT_BITS);
    if (segment != null) {
      // [two-versions] publishes the value that took its place.
      segment.setRelease(slot & SEGMENT - 1, null);
    }
  }

  void forEach(Consumer<Prepare> visitor) {
    for (int index = 0; index < segments.length(); index++) {
      // [two-versions] acquires segment and version, as get does.
      AtomicReferenceArray<@Nullable Prepare> segment = segments.getAcquire(index);
      for (int i = 0; segment != null && i < SEGMENT; i++) {
        Prepare prepare = segment.getAcquire(i);
        if (prepare != null) {
          visitor.accept(prepare);
        }
      }
    }
  }
}
