/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.slot;

/** What the words of a slot say, for checks and messages. */
public final class SlotWords {
  /** States of a slot. */
  public enum State {
    /** Free; counters have no meaning. */
    EMPTY,
    /** One thread's own: being filled or torn down. */
    UNDER_CONSTRUCTION,
    /** Erased, still referenced or waiting to be freed. */
    INVISIBLE,
    /** Can be found. */
    VISIBLE
  }

  private SlotWords() {}

  public static State state(long meta) {
    if (MetaWord.isEmpty(meta)) {
      return State.EMPTY;
    }
    if (!MetaWord.isShareable(meta)) {
      return State.UNDER_CONSTRUCTION;
    }
    return MetaWord.isVisible(meta) ? State.VISIBLE : State.INVISIBLE;
  }

  /** Names the state and every field. */
  public static String text(long meta) {
    StringBuilder text = new StringBuilder(state(meta).name());
    text.append("[acquires=").append(meta & MetaWord.COUNTER_MASK);
    text.append(", releases=").append(MetaWord.releases(meta));
    if (MetaWord.policy(meta) != 0) {
      text.append(", policy=").append(MetaWord.policy(meta));
    }
    text.append(MetaWord.wasHit(meta) ? ", hit" : "");
    text.append((meta & MetaWord.WRITER) != 0 ? ", W" : "");
    text.append((meta & MetaWord.PREPARED) != 0 ? ", P" : "");
    return text.append(MetaWord.isReadable(meta) ? ", R]" : "]").toString();
  }

  /** The tag of a slot, 0 if it has none; of a quiet table. */
  public static int tag(SlotStore store, int slot) {
    return tag(store.tagsAcquire(slot / SlotStore.BUCKET_SLOTS), slot);
  }

  /** The tag of a slot in the word of its bucket, or 0. */
  static int tag(long word, int slot) {
    return (int) (word >>> Byte.SIZE * (slot % Tags.SLOTS)) & 0xff;
  }

  /** Whether a tag is that of a hash. */
  public static boolean isTagOf(int tag, long hash) {
    return tag == (Tags.pattern(hash) & 0xff);
  }
}
