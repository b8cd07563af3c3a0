/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperclock.BlockCache;
import io.hyperclock.Handle;
import io.hyperclock.InsertResult;
import io.hyperclock.MetadataCharge;
import io.hyperclock.PinRequiredException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * Writes that depend on what is there: replace, compare and replace, put if absent, erase of a
 * value seen.
 */
abstract class ConditionalOverwriteContractTest extends OverwriteContract {
  ConditionalOverwriteContractTest(Variant variant) {
    super(variant);
  }

  @Test
  void replaceOnlyWhatIsThere() {
    Block none = block(1);
    assertThat(cache.replace(HI, 1, none, Block.TYPE, 2)).isEqualTo(InsertResult.NOT_PRESENT);
    blocks.keep(none);
    totals(0, 0);
    assertThat(has(cache, 1)).isFalse();
    Block older = put(1, 3, InsertResult.INSERTED);
    Block newer = block(1);
    assertThat(cache.replace(HI, 1, newer, Block.TYPE, 2)).isEqualTo(InsertResult.REPLACED);
    assertThat(older.timesFreed()).isEqualTo(1);
    holds(1, newer, 2);
    totals(1, 2);
    assertThat(cache.erase(HI, 1)).isTrue();
    Block late = block(1);
    assertThat(cache.replace(HI, 1, late, Block.TYPE, 2)).isEqualTo(InsertResult.NOT_PRESENT);
    blocks.keep(late);
    totals(0, 0);
  }

  @Test
  void replaceDoesNotBringBackAnErasedEntryThatIsHeld() {
    put(1, 1, InsertResult.INSERTED);
    Handle<Object> held = pin(cache, 1);
    assertThat(cache.erase(HI, 1)).isTrue();
    Object expected = held.value();
    assertThat(cache.replace(HI, 1, "x", COLLECTED, 1)).isEqualTo(InsertResult.NOT_PRESENT);
    assertThat(cache.compareAndReplace(HI, 1, expected, "x", COLLECTED, 1))
        .isEqualTo(InsertResult.NOT_PRESENT);
    assertThat(cache.lookup(HI, 1)).isNull();
    held.close();
    totals(0, 0);
  }

  @Test
  void compareAndReplaceLooksAtTheObject() {
    String older = new String("equal");
    String equal = new String("equal");
    assertThat(cache.compareAndReplace(HI, 1, older, "x", COLLECTED, 1))
        .isEqualTo(InsertResult.NOT_PRESENT);
    cache.put(HI, 1, older, 1);
    assertThat(cache.compareAndReplace(HI, 1, equal, "x", COLLECTED, 1))
        .isEqualTo(InsertResult.NOT_EXPECTED);
    assertThat(cache.get(HI, 1)).isSameAs(older);
    totals(1, 1);
    assertThat(cache.compareAndReplace(HI, 1, older, "x", COLLECTED, 2))
        .isEqualTo(InsertResult.REPLACED);
    assertThat(cache.get(HI, 1)).isEqualTo("x");
    assertThat(cache.compareAndReplace(HI, 1, older, "y", COLLECTED, 2))
        .isEqualTo(InsertResult.NOT_EXPECTED);
    assertThat(cache.get(HI, 1)).isEqualTo("x");
    totals(1, 2);
  }

  @Test
  void compareAndReplaceLeavesRefusedBlocksToTheCaller() {
    Block present = put(1, 1, InsertResult.INSERTED);
    Block other = block(1);
    Block offered = block(1);
    blocks.keep(other);
    assertThat(cache.compareAndReplace(HI, 1, other, offered, Block.TYPE, 1))
        .isEqualTo(InsertResult.NOT_EXPECTED);
    assertThat(offered.timesFreed()).isZero();
    try (Handle<Object> held = pin(cache, 1)) {
      assertThat(cache.compareAndReplace(HI, 1, held.value(), offered, Block.TYPE, 4))
          .isEqualTo(InsertResult.REPLACED);
      assertThat(present.timesFreed()).isZero();
      totals(2, 5);
    }
    assertThat(present.timesFreed()).isEqualTo(1);
    holds(1, offered, 4);
  }

  @Test
  void putIfAbsentTellsWhatIsThere() {
    Object first = new Object();
    assertThat(cache.putIfAbsent(HI, 1, first, 2)).isNull();
    assertThat(cache.putIfAbsent(HI, 1, new Object(), 7)).isSameAs(first);
    assertThat(cache.get(HI, 1)).isSameAs(first);
    totals(1, 2);
    put(2, 3, InsertResult.INSERTED);
    assertThatThrownBy(() -> cache.putIfAbsent(HI, 2, "x", 1))
        .isInstanceOf(PinRequiredException.class);
    totals(2, 5);
  }

  @Test
  void putIfAbsentIsOneReadThoughAnInsertIsFaster() {
    List<BlockCache<Object>> late = new ArrayList<>();
    BlockCache<Object> cache =
        track(
            builder(20, 10)
                .shards(1)
                .recordHits(true)
                .evictionListener(
                    (hi, lo, value, type, charge, wasHit) -> {
                      if (!late.isEmpty()) {
                        late.remove(0).insert(HI, 2, "faster", 1);
                      }
                      return false;
                    })
                .build());
    cache.insert(HI, 1, "evicted", 20);
    late.add(cache);
    assertThat(cache.putIfAbsent(HI, 2, "slower", 5)).isEqualTo("faster");
    assertThat(cache.monitor().stats().keptExisting()).isEqualTo(1);
    assertThat(cache.monitor().stats().misses()).isEqualTo(1);
    assertThat(cache.monitor().stats().hits()).isZero();
  }

  @Test
  void putIfAbsentOfTypesFreedByHandIsRefused() {
    BlockCache<Block> freed =
        track(
            variant
                .<Block>builder()
                .capacityBytes(1000)
                .estimatedEntryCharge(1)
                .metadataCharge(MetadataCharge.NONE)
                .defaultType(Block.TYPE)
                .build());
    Block block = block(1);
    blocks.keep(block);
    assertThatThrownBy(() -> freed.putIfAbsent(HI, 1, block, 1))
        .isInstanceOf(PinRequiredException.class);
    assertThat(freed.monitor().occupancy()).isZero();
    assertThat(freed.monitor().usageBytes()).isZero();
    assertThat(freed.lookup(HI, 1)).isNull();
  }

  @Test
  void conditionalEraseSeesTheNewerValueOnly() {
    BlockCache<Object> cache = roomy(10);
    String older = text(1);
    String inPlace = text(2);
    cache.put(HI, 1, older, 1);
    // Same type and charge: exchanged in its slot.
    cache.put(HI, 1, inPlace, 1);
    assertThat(cache.erase(HI, 1, older)).isFalse();
    assertThat(cache.peek(HI, 1)).isSameAs(inPlace);
    // Another charge: an entry of its own.
    String moved = text(3);
    cache.put(HI, 1, moved, 2);
    assertThat(cache.erase(HI, 1, inPlace)).isFalse();
    assertThat(cache.erase(HI, 1, moved)).isTrue();
    assertThat(cache.peek(HI, 1)).isNull();
    assertThat(cache.monitor().usageBytes()).isZero();
  }

  /** Of all threads that see a value, one erases it; nobody erases one that it has not seen. */
  @Test
  void eachValueIsErasedByOneThread() throws Exception {
    BlockCache<Object> cache = roomy(10);
    int rounds = 4000;
    AtomicInteger put = new AtomicInteger();
    AtomicInteger gone = new AtomicInteger();
    Crew.run(
        4,
        thread -> {
          for (int i = 0; i < rounds; i++) {
            if (thread == 0) {
              InsertResult result = cache.put(HI, 1, text(i), 1 + i % 2);
              put.incrementAndGet();
              gone.addAndGet(result == InsertResult.REPLACED ? 1 : 0);
            } else {
              Object seen = cache.get(HI, 1);
              gone.addAndGet(seen != null && cache.erase(HI, 1, seen) ? 1 : 0);
            }
          }
        });
    gone.addAndGet(cache.erase(HI, 1) ? 1 : 0);
    assertThat(gone).hasValue(put.get());
    assertThat(cache.monitor().usageBytes()).isZero();
  }
}
