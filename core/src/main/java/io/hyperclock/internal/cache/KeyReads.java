/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.cache;

import io.hyperclock.Handle;
import io.hyperclock.internal.errors.StackReserve;
import io.hyperclock.internal.handle.PinTarget;
import io.hyperclock.internal.handle.PinnedHandle;
import io.hyperclock.internal.handle.TableEntries;
import io.hyperclock.internal.loading.LoadingFacade;
import io.hyperclock.internal.slot.MetaWord;
import io.hyperclock.internal.slot.Prefetch;
import io.hyperclock.internal.slot.SlotStore;
import io.hyperclock.internal.slot.Tags;
import io.hyperclock.internal.table.Buckets;
import io.hyperclock.internal.table.OptimisticReads;
import io.hyperclock.internal.table.PinnedReads;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads of one key or of many: turns what a table has found into values and handles.
 *
 * <p>Of many keys the memory misses are overlapped: the tag words of a group of keys, and then the
 * slots that these name, are loaded with no dependency between the keys, so that the processor
 * waits for all of them at once. It can look ahead over a few hundred instructions only, hence the
 * hashes are made before.
 */
final class KeyReads<V> {
  /** Keys loaded ahead: more misses than a core can have under way. */
  private static final int GROUP = 32;

  private final Shards shards;
  private final Buckets buckets;
  private final Runnable requireOpen;

  // Arrays of the shards: one load less.
  private final OptimisticReads[] reads;
  private final PinnedReads[] pinnedReads;

  /**
   * Reads of all shards.
   *
   * @param requireOpen throws if the cache is closed
   */
  KeyReads(Shards shards, Buckets buckets, Runnable requireOpen) {
    this.shards = shards;
    this.buckets = buckets;
    this.requireOpen = requireOpen;
    this.reads = shards.reads;
    this.pinnedReads = shards.pinnedReads;
  }

  @Nullable Handle<V> pin(long keyHi, long keyLo, long hash) {
    PinnedReads pins = pinnedReads[Buckets.shard(hash, pinnedReads.length)];
    // What is needed behind the pin is loaded before it: that costs less.
    TableEntries owner = (TableEntries) Objects.requireNonNull(pins.owner());
    owner.requireStackToPin();
    int slot = pins.lookup(keyHi, keyLo, hash);
    PinTarget target = owner;
    V value;
    if (slot >= 0) {
      value = owner.value(slot);
    } else {
      // One place makes the handle, however it was found: else the compiler cannot leave it out.
      PinnedHandle<V> found = unusual(owner, slot, keyHi, keyLo, hash);
      if (found == null) {
        return null;
      }
      target = found.pinned();
      slot = found.slot();
      value = found.value();
    }
    return owner.handleOn(target, slot, value);
  }

  /** As {@link #pin}, for a read that has been counted: by the search that is for all tables. */
  @Nullable Handle<V> pinUncounted(long keyHi, long keyLo, long hash) {
    Shard shard = shards.of(hash);
    shard.held.requireStackToPin();
    PinnedHandle<V> found = shard.lookupAll(keyHi, keyLo, hash, false);
    return found == null ? null : shard.held.trackedOrReleased(found);
  }

  boolean pinInto(long keyHi, long keyLo, long hash, Handle<V> into) {
    if (!(into instanceof PinnedHandle<V> handle) || !handle.isReusable()) {
      Objects.requireNonNull(into, "into must not be null");
      throw new IllegalArgumentException(
          "into must be a closed handle made by newHandle(): into=" + into);
    }
    PinnedReads pins = pinnedReads[Buckets.shard(hash, pinnedReads.length)];
    TableEntries owner = (TableEntries) Objects.requireNonNull(pins.owner());
    StackReserve.requireToPin();
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

  int getAll(long[] keys, @Nullable V[] values) {
    int pairs = checkedPairs(keys, values, "values");
    long[] hashes = new long[Math.min(GROUP, pairs)];
    @Nullable Object[] group = new Object[hashes.length];
    int found = 0;
    int from = 0;
    try {
      for (; from < pairs; from += GROUP) {
        int count = Math.min(GROUP, pairs - from);
        loadAhead(keys, from, count, hashes);
        found += read(keys, from, count, hashes, group);
        System.arraycopy(group, 0, values, from, count);
      }
    } catch (Throwable e) {
      // What was there before would pass for a hit.
      Arrays.fill(values, from, pairs, null);
      throw e;
    }
    return found;
  }

  /** Makes the hashes of a group, loads the tags of its keys, then the slots they name. */
  private void loadAhead(long[] keys, int from, int count, long[] hashes) {
    for (int i = 0; i < count; i++) {
      hashes[i] = buckets.hash(keys[2 * (from + i)], keys[2 * (from + i) + 1]);
    }
    long seen = 0; // Depends on every load.
    for (int i = 0; i < count; i++) {
      Shard shard = shards.of(hashes[i]);
      Buckets places = shard.table.buckets();
      seen += shard.store.touchTags(places.first(hashes[i]), places.second(hashes[i]));
    }
    for (int i = 0; i < count; i++) {
      long hash = hashes[i];
      Shard shard = shards.of(hash);
      SlotStore store = shard.store;
      Buckets places = shard.table.buckets();
      int first = places.first(hash);
      int second = places.second(hash);
      long found = store.candidates(first, second, Tags.pattern(hash));
      if (found != 0) {
        int slot = SlotStore.slot(first, second, found);
        seen += store.metaOpaque(slot) + (store.valueOpaque(slot) == null ? 1 : 0);
      }
    }
    Prefetch.use(seen);
  }

  /**
   * Into an array that takes anything: a store into another one looks at the value's class, which
   * is one more miss, in the middle of a read. The copy has all those of a group under way at once.
   */
  private int read(long[] keys, int from, int count, long[] hashes, @Nullable Object[] group) {
    int found = 0;
    for (int i = 0; i < count; i++) {
      long hi = keys[2 * (from + i)];
      long lo = keys[2 * (from + i) + 1];
      OptimisticReads shard = reads[Buckets.shard(hashes[i], reads.length)];
      Object value = shard.read(hi, lo, hashes[i], MetaWord.READABLE, true);
      group[i] = value;
      found += value == null ? 0 : 1;
    }
    return found;
  }

  int lookupAll(long[] keys, @Nullable Handle<V>[] handles) {
    int pairs = checkedPairs(keys, handles, "handles");
    int found = 0;
    int done = 0;
    Handle<V> handle = null;
    try {
      requireOpen.run();
      // To let go of what was pinned takes more calls than to pin it.
      StackReserve.require();
      long[] hashes = new long[Math.min(GROUP, pairs)];
      for (; done < pairs; done++) {
        if (done % GROUP == 0) {
          loadAhead(keys, done, Math.min(GROUP, pairs - done), hashes);
        }
        handle = pin(keys[2 * done], keys[2 * done + 1], hashes[done % GROUP]);
        handles[done] = handle;
        found += handle == null ? 0 : 1;
        handle = null;
      }
    } catch (Throwable e) {
      if (handle != null) {
        handle.discard();
      }
      LoadingFacade.releaseAll(handles, done);
      // What was there before would pass for a pin.
      Arrays.fill(handles, done, pairs, null);
      throw e;
    }
    return found;
  }

  private static int checkedPairs(long[] keys, @Nullable Object[] results, String name) {
    Objects.requireNonNull(keys, "keys must not be null");
    Objects.requireNonNull(results, () -> name + " must not be null");
    if ((keys.length & 1) != 0) {
      throw new IllegalArgumentException("keys must be pairs of words: keys.length=" + keys.length);
    }
    int pairs = keys.length >>> 1;
    if (results.length < pairs) {
      throw new IllegalArgumentException(
          name + " must have room for " + pairs + " keys: " + name + ".length=" + results.length);
    }
    return pairs;
  }
}
