/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.soak;

import io.hyperclock.entry.Disposer;
import io.hyperclock.entry.EntryCodec;
import io.hyperclock.entry.EntryRole;
import io.hyperclock.entry.EntryType;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Makes the values of one cache, and knows which of them have not been freed. Thread-safe. */
final class SoakBlocks {
  private static final int HEADER_BYTES = 24;
  private static final int MOST_PADDING = 1000;
  private static final int VERSIONS_OF_A_SIZE = 8;
  private static final int SHIFT = 64;

  private final SoakFindings findings;
  private final Counts counts;
  private final Mishaps mishaps;
  private final Set<SoakBlock> live = ConcurrentHashMap.newKeySet();

  SoakBlocks(SoakFindings findings, Counts counts, Mishaps mishaps) {
    this.findings = findings;
    this.counts = counts;
    this.mishaps = mishaps;
  }

  /** A value that a disposer must free. */
  SoakBlock counted(long hi, long lo, long version, String origin) {
    SoakBlock block = new SoakBlock(hi, lo, version, true, origin);
    counts.made.increment();
    live.add(block);
    return block;
  }

  /** A value of either kind. */
  SoakBlock make(boolean isCounted, long hi, long lo, long version, String origin) {
    return isCounted
        ? counted(hi, lo, version, origin)
        : new SoakBlock(hi, lo, version, false, origin);
  }

  /** Frees a value that no cache has, or has any more. */
  void free(SoakBlock block) {
    if (!block.counted) {
      return;
    }
    if (!block.free()) {
      findings.report("freed twice: " + block);
    } else if (live.remove(block)) {
      counts.freed.increment();
    } else {
      findings.report("freed by a cache that it is not of: " + block);
    }
  }

  /** What a disposer is given must be live and of that key. */
  private void dispose(long hi, long lo, SoakBlock block) {
    if (block.hi != hi || block.lo != lo) {
      findings.report("disposed under another key, %x:%x: %s".formatted(hi, lo, block));
    }
    free(block);
  }

  /** Values that have not been freed. */
  int liveCount() {
    return live.size();
  }

  /** Some of them, for a message. */
  String someLive() {
    return live.stream().limit(5).toList().toString();
  }

  /**
   * A type whose values a disposer frees.
   *
   * @param then called after each free; what it throws is the cache's to bear
   */
  EntryType<SoakBlock> countedType(
      String name, EntryRole role, boolean hasCodec, Disposer<SoakBlock> then) {
    EntryType.Builder<SoakBlock> type =
        EntryType.<SoakBlock>named(name)
            .role(role)
            .disposer(
                (hi, lo, block) -> {
                  dispose(hi, lo, block);
                  then.dispose(hi, lo, block);
                });
    return (hasCodec ? type.codec(new Codec(true)) : type).build();
  }

  /** A type whose values belong to the collector. */
  EntryType<SoakBlock> collectedType(String name, EntryRole role, boolean hasCodec) {
    EntryType.Builder<SoakBlock> type = EntryType.<SoakBlock>named(name).role(role);
    return (hasCodec ? type.codec(new Codec(false)) : type).build();
  }

  /**
   * Charge of a value, always the same for a key and version. Values get smaller and larger by a
   * factor as versions grow, so that tables have to follow.
   */
  static long chargeBytes(SoakBlock block) {
    long charge = 500 + (Space.key(block.lo) * 131L & 0xFFF) + (block.version % 4 == 0 ? 512 : 0);
    return switch ((int) (block.version / VERSIONS_OF_A_SIZE % 3)) {
      case 1 -> charge / SHIFT;
      case 2 -> charge * 2;
      default -> charge;
    };
  }

  private final class Codec implements EntryCodec<SoakBlock> {
    private final boolean isCounted;

    Codec(boolean isCounted) {
      this.isCounted = isCounted;
    }

    @Override
    public int encodedSizeBytes(SoakBlock value) {
      return HEADER_BYTES + padding(value);
    }

    private static int padding(SoakBlock value) {
      return (int) ((Space.key(value.lo) * 7L + value.version) % MOST_PADDING);
    }

    @Override
    public void encode(SoakBlock value, ByteBuffer target) {
      SplittableRandom random = mishaps.random();
      mishaps.throwOneIn(500, random, "encode");
      mishaps.delayOneIn(2000, random);
      target.putLong(value.hi).putLong(value.lo).putLong(value.version);
      for (int i = padding(value); i > 0; i--) {
        target.put((byte) (value.version + (i & 7)));
      }
      String damage = value.damage();
      if (damage != null) {
        findings.report("encoded a value that " + damage + ": " + value);
      }
    }

    @Override
    public SoakBlock decode(ByteBuffer source, @Nullable Object context) {
      SplittableRandom random = mishaps.random();
      mishaps.throwOneIn(500, random, "decode");
      mishaps.delayOneIn(2000, random);
      SoakBlock block =
          make(isCounted, source.getLong(), source.getLong(), source.getLong(), "decode");
      int padding = padding(block);
      boolean whole = source.remaining() == padding;
      for (int i = padding; whole && i > 0; i--) {
        whole = source.get() == (byte) (block.version + (i & 7));
      }
      if (!whole) {
        findings.report("decoded other bytes than were encoded: " + block);
      }
      return block;
    }

    @Override
    public long chargeBytes(SoakBlock value) {
      return SoakBlocks.chargeBytes(value);
    }
  }
}
