/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.BlockCache;
import io.hyperclock.Handle;
import io.hyperclock.HashSeed;
import io.hyperclock.InsertResult;
import io.hyperclock.entry.FileKey;
import io.hyperclock.entry.Priority;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which entries leave first. */
abstract class EvictionContractTest extends CacheContract {
  private static final int CLASS = 200;

  /** Slots that a hand with a stride of four may visit twice in a round. */
  private static final long WRAP = 20;

  EvictionContractTest(Variant variant) {
    super(variant);
  }

  private void insertAll(BlockCache<Object> cache, long fromLo, int count, Priority priority) {
    for (long lo = fromLo; lo < fromLo + count; lo++) {
      assertThat(insertBlock(cache, lo, 1, priority)).isEqualTo(InsertResult.INSERTED);
    }
  }

  private static long present(BlockCache<Object> cache, long fromLo) {
    return countPresent(cache, fromLo, fromLo + CLASS);
  }

  @Test
  void bottomLeavesBeforeLowBeforeHigh() {
    // With some seeds both buckets of a key get full, and a HIGH one leaves for that.
    BlockCache<Object> cache = track(builder(3 * CLASS, 1).hashSeed(HashSeed.fixed(1)).build());
    insertAll(cache, 0, CLASS, Priority.HIGH);
    insertAll(cache, 1000, CLASS, Priority.BOTTOM);
    insertAll(cache, 2000, CLASS, Priority.LOW);

    insertAll(cache, 5000, CLASS - 10, Priority.HIGH);
    assertThat(present(cache, 1000)).as("BOTTOM").isLessThanOrEqualTo(10 + WRAP);
    assertThat(present(cache, 2000)).as("LOW").isGreaterThanOrEqualTo(CLASS - WRAP);
    assertThat(present(cache, 0)).as("HIGH").isEqualTo(CLASS);

    insertAll(cache, 6000, CLASS - 10, Priority.HIGH);
    assertThat(present(cache, 1000)).as("BOTTOM").isZero();
    assertThat(present(cache, 2000)).as("LOW").isLessThanOrEqualTo(20 + WRAP);
    assertThat(present(cache, 0)).as("HIGH").isGreaterThanOrEqualTo(CLASS - 2 * WRAP);

    insertAll(cache, 7000, CLASS, Priority.HIGH);
    assertThat(present(cache, 2000)).as("LOW").isZero();
    assertThat(present(cache, 0)).as("HIGH").isLessThanOrEqualTo(20 + 2 * WRAP);
  }

  /** Visits that must not make a difference to replacement. */
  private void staysLow(BlockCache<Object> cache, LongConsumer visit) {
    insertAll(cache, 0, CLASS, Priority.LOW);
    insertAll(cache, 1000, CLASS, Priority.HIGH);
    insertAll(cache, 2000, CLASS, Priority.LOW);
    for (int round = 0; round < 5; round++) {
      visitAll(cache, visit);
    }
    insertAll(cache, 5000, 2 * CLASS - 10, Priority.HIGH);
    assertThat(present(cache, 1000)).as("HIGH").isGreaterThanOrEqualTo(CLASS - WRAP);
    assertThat(present(cache, 0)).as("visited").isLessThanOrEqualTo(10 + WRAP);
    assertThat(present(cache, 2000)).as("not visited").isLessThanOrEqualTo(10 + WRAP);
  }

  /** Visits the first entries, but for the few whose buckets were full. */
  private void visitAll(BlockCache<Object> cache, LongConsumer visit) {
    assertThat(present(cache, 0)).isGreaterThanOrEqualTo(CLASS - WRAP);
    for (long lo = 0; lo < CLASS; lo++) {
      if (has(cache, lo)) {
        visit.accept(lo);
      }
    }
  }

  /** Visits that must count as uses. */
  private void becomesHigh(BlockCache<Object> cache, LongConsumer visit) {
    for (long lo = 0; lo < CLASS; lo++) {
      insert(cache, lo, 1);
    }
    insertAll(cache, 1000, CLASS, Priority.LOW);
    insertAll(cache, 2000, CLASS, Priority.BOTTOM);
    visitAll(cache, visit);
    insertAll(cache, 5000, 2 * CLASS - 10, Priority.HIGH);
    assertThat(present(cache, 0)).as("used").isGreaterThanOrEqualTo(CLASS - WRAP);
    assertThat(present(cache, 1000)).as("LOW").isLessThanOrEqualTo(10 + WRAP);
    assertThat(present(cache, 2000)).as("BOTTOM").isZero();
  }

  private BlockCache<Object> three() {
    return cache(3 * CLASS, 1);
  }

  @Test
  void uselessReleaseDoesNotPromote() {
    BlockCache<Object> cache = three();
    staysLow(cache, lo -> assertThat(pin(cache, lo).discard()).isFalse());
  }

  @Test
  void uselessReleaseOfASecondHandleDoesNotPromote() {
    BlockCache<Object> cache = three();
    staysLow(
        cache,
        lo -> {
          Handle<Object> handle = pin(cache, lo);
          handle.ref().discard();
          handle.discard();
        });
  }

  @Test
  void iterationDoesNotPromote() {
    BlockCache<Object> cache = three();
    staysLow(
        cache,
        lo -> {
          if (lo == 0) {
            cache.monitor().forEachEntry((hi, low, value, type, charge) -> {});
            cache.monitor().stats();
            cache.monitor().pinnedUsageBytes();
          }
        });
  }

  @Test
  void peekDoesNotPromote() {
    BlockCache<Object> cache = cache(10, 1);
    insert(cache, 0, 1);
    for (long lo = 1; lo < 200; lo++) {
      insert(cache, lo, 1);
      cache.peek(HI, 0);
    }
    assertThat(cache.peek(HI, 0)).isNull();
  }

  @Test
  void getIsAUse() {
    BlockCache<Object> cache = three();
    becomesHigh(cache, lo -> assertThat(cache.get(HI, lo)).isEqualTo(text(lo)));
  }

  @Test
  void lookupIsAUse() {
    BlockCache<Object> cache = three();
    becomesHigh(cache, lo -> pin(cache, lo).close());
  }

  @Test
  void batchReadIsAUse() {
    BlockCache<Object> cache = three();
    Object[] values = new Object[1];
    becomesHigh(cache, lo -> assertThat(cache.getAll(new long[] {HI, lo}, values)).isEqualTo(1));
  }

  @Test
  void keptInsertIsAUseOfTheOlderValue() {
    BlockCache<Object> cache = three();
    becomesHigh(
        cache, lo -> assertThat(cache.insert(HI, lo, "", 1)).isEqualTo(InsertResult.KEPT_EXISTING));
  }

  @ParameterizedTest
  @ValueSource(strings = {"get", "lookup"})
  void hotEntrySurvivesAndColdOneDoesNot(String read) {
    BlockCache<Object> cache = cache(1000, 1);
    insert(cache, 1, 1);
    insert(cache, 2, 1);
    for (long lo = 10_000; lo < 16_000; lo++) {
      assertThat(cache.insert(HI, lo, "x", io.hyperclock.entry.EntryType.of("x"), 1, Priority.HIGH))
          .isEqualTo(InsertResult.INSERTED);
      if (read.equals("get")) {
        assertThat(cache.get(HI, 1)).isEqualTo(text(1));
      } else {
        pin(cache, 1).close();
      }
    }
    assertThat(has(cache, 1)).isTrue();
    assertThat(has(cache, 2)).isFalse();
  }

  @Test
  void untouchedEntriesLeaveAndReferencedOnesStay() {
    BlockCache<Object> cache = cache(1000, 1);
    List<Handle<Object>> pins = new ArrayList<>();
    for (long lo = 0; lo < 4; lo++) {
      inserted(cache, lo, 1);
      pins.add(insertPinned(cache, 100 + lo, 1));
      inserted(cache, 200 + lo, 1);
    }
    for (long lo = 10_000; lo < 110_000; lo++) {
      insert(cache, lo, 1);
    }
    assertThat(countPresent(cache, 0, 4)).isZero();
    assertThat(countPresent(cache, 100, 104)).isEqualTo(4);
    assertThat(countPresent(cache, 200, 204)).isZero();
    release(pins);
    for (long lo = 110_000; lo < 120_000; lo++) {
      insert(cache, lo, 1);
    }
    assertThat(countPresent(cache, 100, 104)).isZero();
  }

  @Test
  void blocksOfADroppedFileLeaveFirst() {
    BlockCache<Object> cache = cache(1000, 1);
    FileKey file = cache.fileKeys().open("dropped");
    long dropped = file.hi();
    long kept = cache.fileKeys().open("kept").hi();
    for (long offset = 0; offset < 500; offset++) {
      assertThat(cache.insert(dropped, offset, offset, 1)).isEqualTo(InsertResult.INSERTED);
      assertThat(cache.insert(kept, offset, offset, 1)).isEqualTo(InsertResult.INSERTED);
      for (int use = 0; use < 4; use++) {
        cache.get(dropped, offset);
      }
      cache.get(kept, offset);
    }
    // Where both buckets of a key are full one of their entries leaves.
    long present = LongStream.range(0, 500).filter(lo -> cache.peek(dropped, lo) != null).count();
    assertThat(present).isBetween(498L, 500L);
    assertThat(cache.monitor().droppedFileBytes()).isZero();
    assertThat(cache.fileKeys().drop(file)).isTrue();
    assertThat(cache.monitor().droppedFileBytes()).isEqualTo(present);
    long still = LongStream.range(0, 500).filter(lo -> cache.get(dropped, lo) != null).count();
    assertThat(still).isEqualTo(present);
    for (long lo = 0; lo < 400; lo++) {
      assertThat(insert(cache, lo, 1)).isEqualTo(InsertResult.INSERTED);
    }
    long[] left = new long[2];
    cache
        .monitor()
        .forEachEntry(
            (hi, lo, value, type, charge) -> {
              left[0] += hi == dropped ? 1 : 0;
              left[1] += hi == kept ? 1 : 0;
            });
    // A dead one leaves full buckets, if there is any.
    assertThat(left[1]).as("blocks of the other file").isBetween(498L, 500L);
    assertThat(left[0]).as("blocks of the dropped file").isLessThanOrEqualTo(110);
    assertThat(cache.monitor().droppedFileBytes()).isEqualTo(left[0]);
  }

  @Test
  void blocksOfAFileThatIsOpenedAgainStay() {
    BlockCache<Object> cache = cache(1000, 1);
    FileKey file = cache.fileKeys().open("file");
    for (long offset = 0; offset < 500; offset++) {
      cache.insert(file.hi(), file.lo(offset), offset, 1);
    }
    cache.fileKeys().drop(file);
    assertThat(cache.monitor().droppedFileBytes()).isEqualTo(500);
    assertThat(cache.fileKeys().open("file")).isEqualTo(file);
    assertThat(cache.monitor().droppedFileBytes()).isZero();
    for (long lo = 0; lo < 400; lo++) {
      assertThat(insert(cache, lo, 1)).isEqualTo(InsertResult.INSERTED);
    }
    int stayed = 0;
    for (long offset = 0; offset < 500; offset++) {
      Object block = cache.peek(file.hi(), file.lo(offset));
      if (block != null) {
        assertThat(block).isEqualTo(offset);
        stayed++;
      }
    }
    assertThat(stayed).isGreaterThanOrEqualTo(498);
    cache.fileKeys().drop(file);
    assertThat(cache.monitor().droppedFileBytes()).as("dropped again").isEqualTo(stayed);
    for (long lo = 400; lo < 900; lo++) {
      assertThat(insert(cache, lo, 1)).isEqualTo(InsertResult.INSERTED);
    }
    assertThat(cache.monitor().droppedFileBytes()).isLessThanOrEqualTo(110);
  }
}
