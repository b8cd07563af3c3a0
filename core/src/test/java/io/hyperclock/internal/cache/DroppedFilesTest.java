/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.cache;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.hyperclock.BlockCache;
import io.hyperclock.HashSeed;
import io.hyperclock.MetadataCharge;
import io.hyperclock.ReplacementPolicy;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.FileKey;
import io.hyperclock.entry.FileKeys;
import io.hyperclock.internal.drops.DropTables;
import io.hyperclock.internal.drops.DroppedFiles;
import io.hyperclock.internal.slot.HeapSlotStore;
import io.hyperclock.internal.slot.MetaWord;
import io.hyperclock.internal.slot.SlotStore;
import java.lang.management.ManagementFactory;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Drops very many files that have very many blocks in the cache. */
class DroppedFilesTest {
  private static final int FILES = 100_000;
  private static final int BLOCKS_PER_FILE = 10;
  private static final int BLOCKS = FILES * BLOCKS_PER_FILE;
  private static final int NEW_FILE = -1;
  private static final int LIVE = 0;
  private static final int DEAD = 1;
  private static final int NEW = 2;
  private static final int LOOKS_PER_INSERT = 31;

  /** What the table of dropped files grows by. */
  private static final long MOST_BYTES_PER_DROP = 200;

  private static BlockCache<String> cache(int blocks) {
    return BlockCache.<String>builder()
        .capacityBytes(blocks)
        .estimatedEntryCharge(1)
        .metadataCharge(MetadataCharge.NONE)
        .shards(1)
        .hashSeed(HashSeed.fixed(5))
        .build();
  }

  private static FileKey[] open(FileKeys files, int count) {
    FileKey[] keys = new FileKey[count];
    for (int i = 0; i < count; i++) {
      keys[i] = files.open("file", i);
    }
    return keys;
  }

  /** Inserts blocks of all files in turn. */
  private static void fill(BlockCache<String> cache, FileKey[] files, int blocks) {
    for (int i = 0; i < blocks; i++) {
      FileKey file = files[i % files.length];
      cache.insert(file.hi(), file.lo(i / files.length), "block", 1);
    }
  }

  private static SlotStore store(BlockCache<?> cache) {
    return ((HyperClockCache<?>) cache).shards.at(0).store;
  }

  /** Blocks of live files, of dropped ones, and of none. */
  private static long[] count(BlockCache<String> cache) {
    SlotStore store = store(cache);
    FileKeys files = cache.fileKeys();
    long[] counts = new long[3];
    for (int slot = 0; slot < store.slots(); slot++) {
      if (MetaWord.isShareable(store.metaAcquire(slot))) {
        long hi = store.keyHiOpaque(slot);
        counts[hi == NEW_FILE ? NEW : files.isDropped(hi) ? DEAD : LIVE]++;
      }
    }
    return counts;
  }

  private static long words(BlockCache<?> cache) {
    SlotStore store = store(cache);
    long sum = 0;
    for (int slot = 0; slot < store.slots(); slot++) {
      long meta = store.metaAcquire(slot);
      sum = 31 * (31 * (31 * sum + meta) + store.tailAcquire(slot)) + store.coldAcquire(slot);
    }
    return sum;
  }

  /** Drops the first of some files and says how much each took. */
  private static long allocatedPerDrop(FileKeys keys, FileKey[] files, int drops) {
    ThreadMXBean thread = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = thread.getCurrentThreadAllocatedBytes();
    for (int i = 0; i < drops; i++) {
      keys.drop(files[i]);
    }
    return (thread.getCurrentThreadAllocatedBytes() - before) / drops;
  }

  @Test
  void droppingTouchesNoSlotAndDeadBlocksLeaveBeforeAnyLiveOne() {
    try (BlockCache<String> cache = cache(BLOCKS)) {
      FileKeys keys = cache.fileKeys();
      FileKey[] files = open(keys, FILES);
      FileKey big = keys.open("a tenth of the cache");
      fill(cache, files, BLOCKS * 9 / 10);
      for (int i = 0; i < BLOCKS / 10; i++) {
        cache.insert(big.hi(), big.lo(i), "block", 1);
      }
      long words = words(cache);

      FileKeys nothingCached = new DroppedFiles();
      assertThat(allocatedPerDrop(nothingCached, open(nothingCached, FILES), FILES / 2))
          .isLessThan(MOST_BYTES_PER_DROP);
      assertThat(allocatedPerDrop(keys, files, FILES / 2)).isLessThan(MOST_BYTES_PER_DROP);
      assertThat(allocatedPerDrop(keys, new FileKey[] {big}, 1)).isLessThan(MOST_BYTES_PER_DROP);
      assertThat(words(cache)).as("words of all slots").isEqualTo(words);
      assertThat(keys.droppedFiles()).isEqualTo(FILES / 2 + 1);

      long[] before = count(cache);
      assertThat(cache.monitor().droppedFileBytes()).isEqualTo(before[DEAD]);
      assertThat(before[DEAD]).isBetween(BLOCKS * 50L / 100, BLOCKS * 60L / 100);
      long inserts = before[DEAD] / 3;
      for (long i = 0; i < inserts; i++) {
        cache.insert(NEW_FILE, i, "new", 1);
      }
      long[] after = count(cache);
      // A key whose two buckets are full takes the place of one that is there, a dead one if any.
      assertThat(after[LIVE]).as("live").isBetween(before[LIVE] - 2, before[LIVE]);
      assertThat(after[DEAD]).as("dead").isLessThanOrEqualTo(before[DEAD] - inserts * 999 / 1000);
      assertThat(InvariantsChecker.violations(cache)).isEmpty();
    }
  }

  /** One slot in a hundred: more than one insert looks at, so live blocks leave too meanwhile. */
  @Test
  void scatteredDeadBlocksAreGoneAfterOneTurnOfTheirHand() {
    int blocks = BLOCKS / 10;
    try (BlockCache<String> cache = cache(blocks)) {
      FileKey[] files = open(cache.fileKeys(), blocks / BLOCKS_PER_FILE);
      fill(cache, files, blocks);
      for (int i = 0; i < files.length; i += 100) {
        cache.fileKeys().drop(files[i]);
      }
      assertThat(count(cache)[DEAD]).isBetween(blocks * 9L / 1000, blocks * 11L / 1000);
      long turn = cache.monitor().slots() / LOOKS_PER_INSERT + blocks / 100;
      for (long i = 0; i < turn; i++) {
        cache.insert(NEW_FILE, i, "new", 1);
      }
      assertThat(count(cache)[DEAD]).isZero();
    }
  }

  /** There a search looks at more slots for live blocks, but not for dead ones. */
  @Test
  void aThinTableIsSearchedForDeadBlocksAsAnyOther() {
    try (BlockCache<String> cache = cache(20_000)) {
      cache.setCapacityBytes(100);
      for (int i = 0; i < 1_000; i++) {
        cache.insert(NEW_FILE, i, "new", 1);
      }
      FileKey file = cache.fileKeys().open("dropped");
      cache.insert(file.hi(), file.lo(0), "block", 1);
      cache.fileKeys().drop(file);
      int inserts = 20;
      for (int i = 0; i < inserts; i++) {
        cache.insert(NEW_FILE, 1_000 + i, "new", 1);
      }
      long searched = ((HyperClockCache<?>) cache).shards.at(0).replacement.searchedForDead();
      assertThat(searched).isBetween(1L, (long) inserts * LOOKS_PER_INSERT);
    }
  }

  /** Else their drops would be forgotten while blocks are left that no hand has met. */
  @Test
  void whatAHandHasPassedInALargerTableIsNoRoundOfTheOneInUse() {
    EntryType<Object> type = EntryType.of("block");
    try (HyperClockCache<Object> cache = AutomaticCaches.open(8 << 20, type, HeapSlotStore::new)) {
      Resizing resizing = Objects.requireNonNull(cache.shards.resizing(0));
      resize(resizing, 8192);
      for (int i = 0; i < 300; i++) {
        cache.insert(NEW_FILE, i, "new", 1000);
      }
      long start = cache.shards.passed()[0];
      cache.fileKeys().drop(FileKey.unique());
      while (cache.shards.passed()[0] - start < 600) {
        cache.evictSome(1);
      }
      resize(resizing, 512);
      assertThat(cache.monitor().occupancy()).isGreaterThan(100);
      assertThat(cache.shards.turn(0)).isEqualTo(512);
      assertThat(cache.shards.passed()[0] - start).isLessThan(512);
      while (resizing.newest().replacement.searchedForDead() < 512) {
        cache.evictSome(1);
        assertThat(cache.monitor().occupancy()).isPositive();
      }
      assertThat(cache.shards.passed()[0] - start).isGreaterThanOrEqualTo(512);
    }
  }

  /** They leave while entries are moved to a smaller table, if the file still counts as dropped. */
  @Test
  void aDropIsNotForgottenBeforeTheHandHasGoneRoundOneTable() {
    try (HyperClockCache<Object> cache =
        AutomaticCaches.open(8 << 20, EntryType.of("block"), HeapSlotStore::new)) {
      Resizing resizing = Objects.requireNonNull(cache.shards.resizing(0));
      resize(resizing, 8192);
      FileKeys files = cache.fileKeys();
      files.drop(FileKey.unique());
      for (int i = 0; i < 300 || cache.shards.passed()[0] < 8192; i++) {
        cache.insert(NEW_FILE, i, "new", 1000);
        if (i >= 300 && i % 3 == 0) {
          cache.evictSome(1);
        }
      }
      FileKey file = files.open("dropped");
      for (int i = 0; i < 50; i++) {
        cache.insert(file.hi(), file.lo(i), "block", 1000);
      }
      files.drop(file);
      dropOthers(files);
      while (cache.shards.passed()[0] < 8192 + 600) {
        cache.evictSome(1);
      }
      assertThat(resizing.start(resizing.newest(), 512)).isTrue();
      dropOthers(files);
      assertThat(blocks(cache, file)).isPositive();
      assertThat(resizing.finish()).isTrue();
      assertThat(blocks(cache, file)).isZero();
    }
  }

  /** So many that what is remembered is looked through. */
  private static void dropOthers(FileKeys files) {
    for (int i = 0; i < 5000; i++) {
      files.drop(FileKey.unique());
    }
  }

  private static long blocks(HyperClockCache<Object> cache, FileKey file) {
    return IntStream.range(0, 50).filter(i -> cache.contains(file.hi(), file.lo(i))).count();
  }

  private static void resize(Resizing resizing, int slots) {
    assertThat(resizing.start(resizing.newest(), slots)).isTrue();
    assertThat(resizing.finish()).isTrue();
  }

  /** A search that meets no dead block takes a live one. */
  @ParameterizedTest
  @CsvSource({"10, 6, 0, 10", "2, 30, 300, 400"})
  void theFewerSlotsAreDeadTheMoreLiveBlocksLeave(
      int dropped, int slotsPerDead, long least, long most) {
    int blocks = BLOCKS / 10;
    try (BlockCache<String> cache = cache(blocks)) {
      FileKey[] files = open(cache.fileKeys(), blocks / BLOCKS_PER_FILE);
      fill(cache, files, blocks);
      for (int i = 0; i < files.length; i++) {
        if (i % 45 < dropped) {
          cache.fileKeys().drop(files[i]);
        }
      }
      long[] before = count(cache);
      assertThat(cache.monitor().slots() / (double) before[DEAD])
          .isBetween(slotsPerDead * 0.98, slotsPerDead * 1.02);
      for (long i = 0; i < 1000; i++) {
        cache.insert(NEW_FILE, i, "new", 1);
      }
      assertThat(before[LIVE] - count(cache)[LIVE]).isBetween(least, most);
    }
  }

  /** Files come and go, each with blocks: what is remembered of those dropped stays small. */
  @ParameterizedTest
  @EnumSource(ReplacementPolicy.class)
  void dropsAreForgottenWhenTheHandsHaveGoneRound(ReplacementPolicy policy) {
    int blocks = 10_000;
    try (BlockCache<String> cache =
        BlockCache.<String>builder()
            .capacityBytes(blocks)
            .estimatedEntryCharge(1)
            .metadataCharge(MetadataCharge.NONE)
            .shards(4)
            .hashSeed(HashSeed.fixed(5))
            .replacementPolicy(policy)
            .build()) {
      DroppedFiles keys = (DroppedFiles) cache.fileKeys();
      int most = 0;
      for (int number = 0; number < 100_000; number++) {
        FileKey file = keys.open("file", number);
        for (int block = 0; block < BLOCKS_PER_FILE; block++) {
          cache.insert(file.hi(), file.lo(block), "block", 1);
        }
        keys.drop(file);
        most = Math.max(most, DropTables.places(keys));
      }
      assertThat(keys.droppedFiles()).isEqualTo(100_000);
      assertThat(most).isBetween(64, 32_768);
      assertThat(keys.isDropped(FileKey.of("file", 99_999).hi())).isTrue();
      assertThat(keys.isDropped(FileKey.of("file", 0).hi())).isFalse();
      assertThat(InvariantsChecker.violations(cache)).isEmpty();
    }
  }

  /** Hits of a hot set that moves, among keys that come once. */
  private static int hitsOfAMovingHotSet(int dropEvery) {
    int hits = 0;
    try (BlockCache<String> cache = cache(4096)) {
      FileKeys files = cache.fileKeys();
      SplittableRandom random = new SplittableRandom(3);
      int inserts = 0;
      for (int i = 0; i < 400_000; i++) {
        boolean hot = random.nextInt(10) < 7;
        long key = hot ? i / 100_000 * 10_000L + random.nextInt(3000) : 1_000_000L + i;
        if (cache.get(1, key) != null) {
          hits++;
        } else {
          cache.insert(1, key, "block", 1);
          if (dropEvery != 0 && ++inserts % dropEvery == 0) {
            files.drop(FileKey.unique());
          }
        }
      }
    }
    return hits;
  }

  /** Of files of which nothing is cached, as a store does that compacts all the time. */
  @Test
  void dropsAllTheTimeLeaveTheReplacementAlone() {
    int without = hitsOfAMovingHotSet(0);
    assertThat(without).isGreaterThan(230_000);
    assertThat(hitsOfAMovingHotSet(16)).isGreaterThan(without - without / 50);
    assertThat(hitsOfAMovingHotSet(1)).isGreaterThan(without - without / 50);
  }
}
