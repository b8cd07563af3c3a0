/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.tiered;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.entry.EntryCodec;
import io.hyperclock.entry.EntryRole;
import io.hyperclock.entry.EntryType;
import java.nio.ByteBuffer;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Values freed explicitly, each of which knows how often it was freed and what it should hold. */
final class Blocks {
  static final long CHARGE = 100;

  private final AtomicLong made = new AtomicLong();
  private final AtomicLong freed = new AtomicLong();
  private final Queue<String> wrong = new ConcurrentLinkedQueue<>();

  final EntryType<Block> data = type("data", EntryRole.DATA_BLOCK);
  final EntryType<Block> index = type("index", EntryRole.INDEX_BLOCK);
  final EntryType<Block> filter = type("filter", EntryRole.FILTER_BLOCK);

  /** One value. */
  static final class Block {
    final long key;
    final int version;
    private final AtomicInteger frees = new AtomicInteger();

    private Block(long key, int version) {
      this.key = key;
      this.version = version;
    }

    boolean isFreed() {
      return frees.get() > 0;
    }
  }

  Block make(long key, int version) {
    made.incrementAndGet();
    return new Block(key, version);
  }

  private void free(Block block) {
    freed.incrementAndGet();
    if (block.frees.incrementAndGet() != 1) {
      wrong.add("freed twice: key=" + block.key + ", version=" + block.version);
    }
  }

  /** Frees a value that no cache took. */
  void giveUp(Block block) {
    free(block);
  }

  long live() {
    return made.get() - freed.get();
  }

  void assertSound() {
    assertThat(wrong).isEmpty();
  }

  private EntryType<Block> type(String name, EntryRole role) {
    return EntryType.<Block>named(name)
        .role(role)
        .codec(new Codec())
        .disposer((hi, lo, block) -> free(block))
        .build();
  }

  private final class Codec implements EntryCodec<Block> {
    @Override
    public int encodedSizeBytes(Block value) {
      return (int) CHARGE;
    }

    @Override
    public void encode(Block value, ByteBuffer target) {
      int end = target.position() + (int) CHARGE;
      target.putLong(value.key).putInt(value.version);
      if (value.isFreed()) {
        wrong.add("encoded after it was freed: key=" + value.key);
      }
      target.position(end);
    }

    @Override
    public Block decode(ByteBuffer source, @Nullable Object context) {
      return make(source.getLong(), source.getInt());
    }

    @Override
    public long chargeBytes(Block value) {
      return CHARGE;
    }
  }
}
