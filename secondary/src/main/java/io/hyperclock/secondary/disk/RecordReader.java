/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.disk;

import io.hyperclock.secondary.TierOutcome;
import io.hyperclock.secondary.internal.record.Words;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Finds the payload of a key, in memory or on the device. Takes no locks. Thread-safe. */
final class RecordReader {
  /** A record may move while it is looked for; then it is looked for again. */
  private static final int PASSES = 8;

  private final RegionLog log;
  private final Storage storage;
  private final DiskHealth health;
  final LongAdder uncertified = new LongAdder();

  RecordReader(RegionLog log, Storage storage, DiskHealth health) {
    this.log = log;
    this.storage = storage;
    this.health = health;
  }

  /**
   * What was found: a payload, which may be damaged, or why there is none. The payload is in the
   * {@link ReadBuffer} that was read into: it is valid until that is used or given back.
   */
  record Found(@Nullable ByteBuffer payload, int position, long slot, TierOutcome outcome) {
    static Found none(TierOutcome outcome) {
      return new Found(null, -1, 0, outcome);
    }

    /** The same with a payload of its own. */
    Found detached() {
      if (payload == null) {
        return this;
      }
      byte[] own = new byte[payload.remaining()];
      payload.get(payload.position(), own);
      ByteBuffer copy = Words.of(own);
      return new Found(copy, position, slot, outcome);
    }
  }

  /** The first slot that may be the key's; 0 only if there is none, whatever changes meanwhile. */
  long candidate(long hi, long lo) {
    long hash = log.index.hash(hi, lo);
    for (int at = log.index.first(hash); at >= 0; at = log.index.next(hash, at)) {
      long slot = log.index.get(at);
      if (log.layout.hasPrint(slot, hash)) {
        return slot;
      }
    }
    return 0;
  }

  /** The payload if it is in memory; null if it is not or there is none. */
  @Nullable Found inMemory(long hi, long lo, ReadBuffer into) {
    long hash = log.index.hash(hi, lo);
    for (int at = log.index.first(hash); at >= 0; at = log.index.next(hash, at)) {
      long slot = log.index.get(at);
      if (log.layout.hasPrint(slot, hash)) {
        long first = firstSequence(slot);
        ByteBuffer bytes = copy(slot, into);
        if (bytes != null && judge(bytes, slot, first, hi, lo) == DiskRecord.Kind.MATCH) {
          return found(bytes, at, slot);
        }
      }
    }
    return null;
  }

  /** Looks in memory and on the device. */
  Found find(long hi, long lo, ReadBuffer into) {
    if (!health.readFault().isEmpty()) {
      return Found.none(TierOutcome.UNAVAILABLE);
    }
    long hash = log.index.hash(hi, lo);
    boolean again = true;
    boolean doubtful = false;
    for (int pass = 0; again && pass < PASSES; pass++) {
      again = false;
      for (int at = log.index.first(hash); at >= 0; at = log.index.next(hash, at)) {
        long slot = log.index.get(at);
        if (!log.layout.hasPrint(slot, hash)) {
          again = true;
          continue;
        }
        long first = firstSequence(slot);
        ByteBuffer bytes;
        try {
          bytes = read(slot, into);
        } catch (IOException e) {
          return Found.none(TierOutcome.UNAVAILABLE);
        }
        DiskRecord.Kind kind = judge(bytes, slot, first, hi, lo);
        if (kind == DiskRecord.Kind.MATCH) {
          return found(bytes, at, slot);
        }
        uncertified.increment();
        if (!SlotLayout.same(log.index.get(at), slot)) {
          again = true;
        } else if (kind == DiskRecord.Kind.NONE) {
          doubtful |= !log.forget(at, slot);
        }
      }
    }
    // The cache above does not erase a key that was absent before it writes it: so be certain.
    return Found.none(again || doubtful ? TierOutcome.UNAVAILABLE : TierOutcome.ABSENT);
  }

  /** The payload in bytes that were read for a slot before it is known whose they are, or null. */
  @Nullable Found in(ByteBuffer bytes, long first, long slot, long hi, long lo) {
    long hash = log.index.hash(hi, lo);
    int at = log.index.first(hash);
    return at >= 0
            && SlotLayout.same(log.index.get(at), slot)
            && judge(bytes, slot, first, hi, lo) == DiskRecord.Kind.MATCH
        ? found(bytes, at, slot)
        : null;
  }

  private Found found(ByteBuffer bytes, int at, long slot) {
    log.index.markHit(at, slot);
    return new Found(DiskRecord.payload(bytes), at, slot, TierOutcome.HIT);
  }

  private DiskRecord.Kind judge(ByteBuffer bytes, long slot, long first, long hi, long lo) {
    return DiskRecord.judge(bytes, log.magic, storage.position(slot), log.epoch, first, hi, lo);
  }

  /** To be asked before the bytes are read. */
  long firstSequence(long slot) {
    Region region = region(slot);
    return region == null ? Region.NO_LIFE : region.firstSequence;
  }

  private @Nullable Region region(long slot) {
    Region[] regions = log.regions;
    int id = log.layout.region(slot);
    return id < regions.length ? regions[id] : null;
  }

  private ByteBuffer read(long slot, ReadBuffer into) throws IOException {
    ByteBuffer copy = copy(slot, into);
    return copy == null ? storage.read(slot, into) : copy;
  }

  private @Nullable ByteBuffer copy(long slot, ReadBuffer into) {
    Region region = region(slot);
    RegionBuffer buffer = region == null ? null : region.buffer;
    if (buffer == null || !buffer.pin()) {
      return null;
    }
    try {
      int length = storage.bytes(slot);
      return into.of(length).put(buffer.bytes, log.layout.offset(slot), length).flip();
    } finally {
      buffer.unpin();
    }
  }
}
