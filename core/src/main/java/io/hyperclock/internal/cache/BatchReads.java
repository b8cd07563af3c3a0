/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.cache;

import io.hyperclock.Handle;
import io.hyperclock.internal.errors.StackReserve;
import io.hyperclock.internal.loading.LoadingFacade;
import io.hyperclock.internal.slot.Prefetch;
import io.hyperclock.internal.slot.SlotStore;
import io.hyperclock.internal.slot.Tags;
import io.hyperclock.internal.table.Buckets;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads of many keys with their memory misses overlapped: the tag words of a group of keys, and
 * then the slots that these name, are loaded with no dependency between the keys, so that the
 * processor waits for all of them at once. It can look ahead over a few hundred instructions only,
 * hence the hashes are made before.
 */
record BatchReads<V>(KeyReads<V> reads, Shards shards, Buckets buckets, Runnable requireOpen) {
  /** Keys loaded ahead: more misses than a core can have under way. */
  private static final int GROUP = 32;

  int getAll(long[] keys, @Nullable V[] values) {
    int pairs = checkedPairs(keys, values, "values");
    long[] hashes = new long[Math.min(GROUP, pairs)];
    @Nullable Object[] group = new Object[hashes.length];
    int found = 0;
    int from = 0;
    try {
      for (; from < pairs; from += GROUP) {
        int count = Math.min(GROUP, pairs - from);
        hash(keys, from, count, hashes);
        Prefetch.use(touch(count, hashes));
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

  private void hash(long[] keys, int from, int count, long[] hashes) {
    for (int i = 0; i < count; i++) {
      hashes[i] = buckets.hash(keys[2 * (from + i)], keys[2 * (from + i) + 1]);
    }
  }

  /** Loads the tags of a group, then the slots they name; the result depends on every load. */
  private long touch(int count, long[] hashes) {
    long seen = 0;
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
    return seen;
  }

  /**
   * Into an array that takes anything: a store into another one looks at the value's class, which
   * is one more miss, in the middle of a read. The copy has all those of a group under way at once.
   */
  private int read(long[] keys, int from, int count, long[] hashes, @Nullable Object[] group) {
    int found = 0;
    for (int i = 0; i < count; i++) {
      V value = reads.read(keys[2 * (from + i)], keys[2 * (from + i) + 1], hashes[i]);
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
      StackReserve.requireLittle();
      long[] hashes = new long[Math.min(GROUP, pairs)];
      for (; done < pairs; done++) {
        if (done % GROUP == 0) {
          int count = Math.min(GROUP, pairs - done);
          hash(keys, done, count, hashes);
          Prefetch.use(touch(count, hashes));
        }
        handle = reads.pin(keys[2 * done], keys[2 * done + 1], hashes[done % GROUP]);
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
