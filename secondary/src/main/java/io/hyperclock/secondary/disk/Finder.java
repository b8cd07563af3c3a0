/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.disk;

import io.hyperclock.secondary.TierOutcome;
import java.io.IOException;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Finds the payload of a key, in memory or on the device. Takes no locks. Thread-safe. */
final class Finder {
  /** A record may move while it is looked for; then it is looked for again. */
  private static final int PASSES = 8;

  private final RegionLog log;
  private final Storage storage;
  private final Health health;
  final LongAdder uncertified = new LongAdder();

  Finder(RegionLog log, Storage storage, Health health) {
    this.log = log;
    this.storage = storage;
    this.health = health;
  }

  /** What was found: a payload, which may be damaged, or why there is none. */
  record Found(byte @Nullable [] payload, int position, long slot, TierOutcome outcome) {
    static Found none(TierOutcome outcome) {
      return new Found(null, -1, 0, outcome);
    }
  }

  /** The first slot that may be the key's, or 0. */
  long candidate(long hi, long lo) {
    int position = log.index.first(log.index.hash(hi, lo));
    return position < 0 ? 0 : log.index.get(position);
  }

  /** The payload if it is in memory; null if it is not or there is none. */
  @Nullable Found inMemory(long hi, long lo) {
    long hash = log.index.hash(hi, lo);
    for (int at = log.index.first(hash); at >= 0; at = log.index.next(hash, at)) {
      long slot = log.index.get(at);
      if (log.layout.hasPrint(slot, hash)) {
        long first = firstSequence(slot);
        byte[] bytes = copy(slot);
        if (bytes != null && judge(bytes, slot, first, hi, lo) == DiskRecord.Kind.MATCH) {
          return found(bytes, at, slot);
        }
      }
    }
    return null;
  }

  /** Looks in memory and on the device. */
  Found find(long hi, long lo) {
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
        byte[] bytes;
        try {
          bytes = read(slot);
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
  @Nullable Found in(byte[] bytes, long first, long slot, long hi, long lo) {
    long hash = log.index.hash(hi, lo);
    int at = log.index.first(hash);
    return at >= 0
            && SlotLayout.same(log.index.get(at), slot)
            && judge(bytes, slot, first, hi, lo) == DiskRecord.Kind.MATCH
        ? found(bytes, at, slot)
        : null;
  }

  private Found found(byte[] bytes, int at, long slot) {
    log.index.markHit(at, slot);
    byte[] payload = DiskRecord.payload(bytes);
    return new Found(payload, at, slot, TierOutcome.HIT);
  }

  private DiskRecord.Kind judge(byte[] bytes, long slot, long first, long hi, long lo) {
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

  private byte[] read(long slot) throws IOException {
    byte[] copy = copy(slot);
    return copy == null ? storage.read(slot) : copy;
  }

  private byte @Nullable [] copy(long slot) {
    Region region = region(slot);
    RegionBuffer buffer = region == null ? null : region.buffer;
    if (buffer == null || !buffer.pin()) {
      return null;
    }
    try {
      byte[] bytes = new byte[storage.bytes(slot)];
      System.arraycopy(buffer.bytes, log.layout.offset(slot), bytes, 0, bytes.length);
      return bytes;
    } finally {
      buffer.unpin();
    }
  }
}
