/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.slot;

/** What stress tests need of the words of slots. */
public final class SlotParts {
  private SlotParts() {}

  /** Whether the tag of a slot is that of a hash; of a quiet table. */
  public static boolean hasTag(SlotStore store, int slot, long hash) {
    return tag(store, slot) == (Tags.pattern(hash) & 0xff);
  }

  /** Whether a slot has no tag; of a quiet table. */
  public static boolean hasNoTag(SlotStore store, int slot) {
    return tag(store, slot) == 0;
  }

  private static long tag(SlotStore store, int slot) {
    long word = store.tagsAcquire(slot / SlotStore.BUCKET_SLOTS);
    return word >>> Byte.SIZE * (slot % SlotStore.BUCKET_SLOTS) & 0xff;
  }
}
