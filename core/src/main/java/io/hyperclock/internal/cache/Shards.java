/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.cache;

import io.hyperclock.CapacityMode;
import io.hyperclock.internal.capacity.CapacityLedger;
import io.hyperclock.internal.drops.DroppedFiles;
import io.hyperclock.internal.sizing.TableSizing;
import io.hyperclock.internal.table.Buckets;
import io.hyperclock.internal.table.OptimisticReads;
import io.hyperclock.internal.table.PinnedReads;
import io.hyperclock.internal.table.TableScan;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The shards of one cache, by a part of the hash. In a cache that sizes itself each may have
 * successors, and reads of keys, which go by arrays of their own, are to look at the newest. The
 * capacity and the mode are shared out among them.
 */
final class Shards implements DroppedFiles.Hands {
  /** Tries to evict early, in a cache with fewer shards. */
  private static final int EARLY_TRIES = 8;

  /** Sweeps of one shard for one change of the capacity, while its tables change all the time. */
  private static final int MOST_PASSES = 8;

  private static final VarHandle SHARD = MethodHandles.arrayElementVarHandle(Shard[].class);
  private static final VarHandle READS =
      MethodHandles.arrayElementVarHandle(OptimisticReads[].class);
  private static final VarHandle PINNED_READS =
      MethodHandles.arrayElementVarHandle(PinnedReads[].class);

  private final Shard[] shards;
  private final @Nullable Resizing[] resizings;

  private volatile long capacityBytes;
  private volatile CapacityMode mode;
  private final AtomicInteger nextToEvict = new AtomicInteger();

  /** Reads that do not pin, by a part of the hash. */
  final OptimisticReads[] reads;

  /** Reads that pin, by a part of the hash. */
  final PinnedReads[] pinnedReads;

  /** Empty ones. */
  Shards(CacheParts parts) {
    CacheConfig<?> config = parts.config;
    TableSizing sizing = parts.sizing;
    this.capacityBytes = config.capacityBytes();
    this.mode = config.mode();
    this.shards = new Shard[sizing.shards()];
    this.resizings = new Resizing[shards.length];
    for (int i = 0; i < shards.length; i++) {
      long share = TableSizing.share(capacityBytes, shards.length, i);
      CapacityLedger ledger = sizing.ledger(share, mode);
      if (config.isAutomatic()) {
        int index = i;
        Resizing resizing = new Resizing(parts, ledger, () -> install(index));
        resizings[i] = resizing;
        shards[i] = resizing.newest();
      } else {
        shards[i] = new Shard(parts, sizing, ledger, null, null, null);
      }
    }
    this.reads =
        Stream.of(shards).map(shard -> shard.table.unpinnedReads()).toArray(OptimisticReads[]::new);
    this.pinnedReads = Stream.of(shards).map(Shard::currentPinnedReads).toArray(PinnedReads[]::new);
    parts.files.begin(this);
  }

  /** Sees to it that reads look at the table that a shard has by now. */
  private void install(int index) {
    for (; ; ) {
      // Opaque: a thread that finds nothing in a stale one goes on to the newest.
      Shard present = (Shard) SHARD.getOpaque(shards, index);
      OptimisticReads reads = (OptimisticReads) READS.getOpaque(this.reads, index);
      PinnedReads pinned = (PinnedReads) PINNED_READS.getOpaque(pinnedReads, index);
      Shard newest = present.newest();
      OptimisticReads wanted = newest.table.currentReads();
      PinnedReads wantedPinned = newest.currentPinnedReads();
      // [view] of several threads none puts an older one in the place of a newer one: looked at
      // again after each change.
      if (present != newest) {
        SHARD.compareAndSet(shards, index, present, newest);
        // [view] as above.
      } else if (reads != wanted) {
        READS.compareAndSet(this.reads, index, reads, wanted);
        // [view] as above.
      } else if (pinned != wantedPinned) {
        PINNED_READS.compareAndSet(pinnedReads, index, pinned, wantedPinned);
      } else {
        return;
      }
    }
  }

  int count() {
    return shards.length;
  }

  /** A shard; in a cache that sizes itself one that was the newest at some time. */
  Shard at(int index) {
    return shards[index];
  }

  /** The shard of a hash. */
  Shard of(long hash) {
    return shards[Buckets.shard(hash, shards.length)];
  }

  /** How the table of a shard comes by another size, or null if it keeps the one it has. */
  @Nullable Resizing resizing(int index) {
    return resizings[index];
  }

  /** Where to write a key; first what is to be done for the size of the table. */
  Shard writes(long hash, long chargeBytes) {
    int index = Buckets.shard(hash, shards.length);
    Resizing resizing = resizings[index];
    return resizing == null ? shards[index] : resizing.beforeWrite(hash, chargeBytes);
  }

  /** Moves some entries of a shard whose table is getting another size. */
  void moveSome(long hash) {
    Resizing resizing = resizings[Buckets.shard(hash, shards.length)];
    if (resizing != null) {
      resizing.moveSome();
    }
  }

  /** Moves a part of the entries of each shard whose table is getting another size. */
  void moveMore() {
    for (Resizing resizing : resizings) {
      if (resizing != null) {
        resizing.moveMore();
      }
    }
  }

  /** Capacity of all together. */
  long capacityBytes() {
    return capacityBytes;
  }

  /** Shares a capacity out; of two at the same moment all shards end with the last one stored. */
  void setCapacityBytes(long bytes) {
    capacityBytes = TableSizing.requireCapacity(bytes);
    long applied;
    do {
      applied = capacityBytes;
      for (int i = 0; i < shards.length; i++) {
        long share = TableSizing.share(applied, shards.length, i);
        Resizing resizing = resizings[i];
        boolean isSmaller = share < shards[i].ledger.capacity();
        if (resizing != null && isSmaller) {
          resizing.giveUp();
        }
        Shard swept = null;
        // Once more if another table has taken the place of what was swept. Under many changes the
        // inserts that follow evict the rest.
        for (int pass = 0; pass < MOST_PASSES && swept != shards[i].newest(); pass++) {
          swept = shards[i].newest();
          swept.enforcer.setCapacity(share);
        }
        if (resizing != null) {
          if (isSmaller) {
            resizing.giveUp(); // What others have charged since for the capacity before.
          }
          resizing.fit();
        }
      }
    } while (applied != capacityBytes);
  }

  /** Evicts a little of one shard, of the next one each time; see {@code EarlyEviction}. */
  void evictSome(long leastBytes) {
    boolean done = false;
    for (int tries = Math.max(shards.length, EARLY_TRIES); tries > 0 && !done; tries--) {
      // A hint which shard is next: orders nothing.
      int index = (nextToEvict.getAndIncrement() & Integer.MAX_VALUE) % shards.length;
      done = shards[index].newest().enforcer.evictSome(leastBytes);
    }
  }

  CapacityMode mode() {
    return mode;
  }

  /** Sets the mode of all shards, as {@link #setCapacityBytes} does. */
  void setMode(CapacityMode wanted) {
    mode = Objects.requireNonNull(wanted, "mode must not be null");
    CapacityMode applied;
    do {
      applied = mode;
      for (Shard shard : shards) {
        shard.ledger.setStrict(applied == CapacityMode.STRICT);
      }
    } while (applied != mode);
  }

  /** All tables of a shard. */
  ShardScan scan(int index) {
    return new ShardScan(shards[index], resizings[index]);
  }

  void forEachScan(Consumer<ShardScan> action) {
    for (int i = 0; i < shards.length; i++) {
      action.accept(scan(i));
    }
  }

  /** Shards that want a larger table, which could not be had. */
  int lackingTables() {
    int lacking = 0;
    for (Resizing resizing : resizings) {
      lacking += resizing != null && resizing.lacksTable() ? 1 : 0;
    }
    return lacking;
  }

  /** Adds up a figure of all shards; allocates nothing. */
  long total(ToLongFunction<Shard> figure) {
    long total = 0;
    for (Shard shard : shards) {
      total += figure.applyAsLong(shard);
    }
    return total;
  }

  /** Adds up a figure of all tables; allocates nothing if each shard has one for ever. */
  long sum(ToLongFunction<TableScan> figure) {
    long sum = 0;
    for (int i = 0; i < shards.length; i++) {
      sum += resizings[i] == null ? figure.applyAsLong(shards[i].scan) : scan(i).sum(figure);
    }
    return sum;
  }

  @Override
  public long[] passed() {
    long[] passed = new long[shards.length];
    for (int i = 0; i < passed.length; i++) {
      passed[i] = shards[i].newest().searchedForDead();
    }
    return passed;
  }

  @Override
  public long turn(int hand) {
    return shards[hand].newest().store.slots();
  }
}
