/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.cache;

import io.hyperclock.Handle;
import io.hyperclock.internal.handle.PinnedHandle;
import io.hyperclock.internal.handle.TableEntries;
import io.hyperclock.internal.slot.MetaWord;
import io.hyperclock.internal.table.Buckets;
import io.hyperclock.internal.table.OptimisticReads;
import io.hyperclock.internal.table.PinnedReads;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads of one key: turns what a table has found into values and handles. */
final class KeyReads<V> {
  private final Shards shards;

  // Arrays of the shards: one load less.
  private final OptimisticReads[] reads;
  private final PinnedReads[] pinnedReads;

  KeyReads(Shards shards) {
    this.shards = shards;
    this.reads = shards.reads;
    this.pinnedReads = shards.pinnedReads;
  }

  @SuppressWarnings("unchecked")
  @Nullable V read(long keyHi, long keyLo, long hash) {
    return (V)
        reads[Buckets.shard(hash, reads.length)].read(keyHi, keyLo, hash, MetaWord.READABLE, true);
  }

  @Nullable Handle<V> pin(long keyHi, long keyLo, long hash) {
    PinnedReads pins = pinnedReads[Buckets.shard(hash, pinnedReads.length)];
    // What is needed behind the pin is loaded before it: that costs less.
    TableEntries owner = (TableEntries) Objects.requireNonNull(pins.owner());
    int slot = pins.lookup(keyHi, keyLo, hash);
    if (slot >= 0) {
      return owner.handle(slot, owner.<V>value(slot));
    }
    PinnedHandle<V> found = unusual(owner, slot, keyHi, keyLo, hash);
    return found == null ? null : owner.trackedOrReleased(found);
  }

  /** As {@link #pin}, for a read that has been counted: by the search that is for all tables. */
  @Nullable Handle<V> pinUncounted(long keyHi, long keyLo, long hash) {
    Shard shard = shards.of(hash);
    PinnedHandle<V> found = shard.lookupAll(keyHi, keyLo, hash, false);
    return found == null ? null : shard.held.trackedOrReleased(found);
  }

  /** A closed handle for {@link #pinInto}. */
  Handle<V> newHandle() {
    return new PinnedHandle<>();
  }

  boolean pinInto(long keyHi, long keyLo, long hash, Handle<V> into) {
    if (!(into instanceof PinnedHandle<V> handle) || !handle.isReusable()) {
      Objects.requireNonNull(into, "into must not be null");
      throw new IllegalArgumentException(
          "into must be a closed handle made by newHandle(): into=" + into);
    }
    PinnedReads pins = pinnedReads[Buckets.shard(hash, pinnedReads.length)];
    TableEntries owner = (TableEntries) Objects.requireNonNull(pins.owner());
    int slot = pins.lookup(keyHi, keyLo, hash);
    if (slot >= 0) {
      handle.reuse(owner, slot, owner.value(slot));
      return true;
    }
    PinnedHandle<V> found = unusual(owner, slot, keyHi, keyLo, hash);
    if (found != null) {
      handle.reuse(found);
    }
    return found != null;
  }

  private @Nullable PinnedHandle<V> unusual(
      TableEntries owner, int found, long keyHi, long keyLo, long hash) {
    return switch (found) {
      case PinnedReads.ABSENT -> null;
      case PinnedReads.ELSEWHERE -> shards.of(hash).lookupAll(keyHi, keyLo, hash, true);
      default -> owner.pinnedValue(found - PinnedReads.BEING_EXCHANGED);
    };
  }
}
