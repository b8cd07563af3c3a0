/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.slot;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** [exchange] Which values can be exchanged in place, and what the exchange leaves behind. */
@Timeout(60)
class ValueSwapTest {
  private static final int SLOT = 3;
  private static final long LOOSE = MetaWord.visible(2, false, true, 0);

  private final CountingSlotStore store = new CountingSlotStore(8);
  private final SlotProtocol slots = new SlotProtocol(store, 3);
  private final ValueSwap swap = new ValueSwap(slots);

  @BeforeEach
  void fill() {
    assertThat(slots.claim(SLOT)).isTrue();
    slots.fill(SLOT, 1, 2, "value", ChargeWord.of(0, 1));
    set(LOOSE);
  }

  private void set(long meta) {
    store.setMetaRelease(SLOT, meta);
  }

  private long meta() {
    return store.words().metaAcquire(SLOT);
  }

  @Test
  void anExchangeHoldsTheEntryAndKeepsOthersOut() {
    assertThat(swap.enter(SLOT)).isEqualTo(LOOSE);
    assertThat(MetaWord.refcount(meta())).isEqualTo(1);
    assertThat(swap.enter(SLOT)).as("another").isZero();
    assertThat(swap.awaitBriefly(SLOT)).isFalse();
    swap.setValue(SLOT, "other");
    assertThat(swap.leave(SLOT, LOOSE, true)).isFalse();
    assertThat(meta()).isEqualTo(LOOSE);
    assertThat(store.valueAcquire(SLOT)).isEqualTo("other");
    assertThat(swap.awaitBriefly(SLOT)).isTrue();
  }

  @Test
  void onlyALooseReadableEntryIsEntered() {
    long[] others = {
      LOOSE + MetaWord.ACQUIRE_ONE,
      LOOSE | MetaWord.WRITER,
      MetaWord.notReadable(LOOSE),
      MetaWord.ABANDONED,
      MetaWord.EMPTY
    };
    for (long word : others) {
      set(word);
      assertThat(swap.enter(SLOT)).as(SlotWords.text(word)).isZero();
      assertThat(meta()).isEqualTo(word);
    }
  }

  /** A store in which an entry has a word until it was looked at so often. */
  private static CountingSlotStore changing(int[] looks, long before, int most, long after) {
    SlotStore[] words = {null};
    CountingSlotStore changing =
        new CountingSlotStore(
            8,
            () -> {
              if (++looks[0] == most) {
                words[0].setMetaRelease(SLOT, after);
              }
            });
    words[0] = changing.words();
    words[0].setMetaRelease(SLOT, before);
    return changing;
  }

  private static ValueSwap swap(SlotStore store) {
    return new ValueSwap(new SlotProtocol(store, 3));
  }

  @Test
  void aHolderIsWaitedForAMoment() {
    long held = LOOSE + MetaWord.ACQUIRE_ONE;
    int[] looks = {0};
    assertThat(swap(changing(looks, held, 5, LOOSE)).enter(SLOT)).isEqualTo(LOOSE);
    looks[0] = 0;
    assertThat(swap(changing(looks, held, 10_000, LOOSE)).enter(SLOT)).isZero();
    assertThat(looks[0]).isBetween(10, 1000);
    looks[0] = 0;
    long hidden = MetaWord.hidden(held);
    assertThat(swap(changing(looks, hidden, 10_000, LOOSE)).enter(SLOT)).isZero();
    assertThat(looks[0]).as("in vain").isEqualTo(1);
  }

  /** A new entry in its place would have one. */
  @ParameterizedTest
  @CsvSource({"0, true, 1", "0, false, 0", "2, true, 2", "2, false, 2"})
  void anEntryWithoutAUseKeepsOneIfItIsToBeUsed(int before, boolean used, int after) {
    set(MetaWord.visible(before, false, true, 0));
    long entered = swap.enter(SLOT);
    assertThat(MetaWord.releases(entered)).isEqualTo(before);
    assertThat(swap.leave(SLOT, entered, used)).isFalse();
    assertThat(meta()).isEqualTo(MetaWord.visible(after, false, true, 0));
  }

  @Test
  void anEntryHiddenMeanwhileIsTheExchangersToTearDownIfNobodyHoldsIt() {
    long entered = swap.enter(SLOT);
    set(MetaWord.hidden(meta()));
    assertThat(swap.leave(SLOT, entered, true)).isTrue();
    assertThat(meta()).isEqualTo(MetaWord.UNDER_CONSTRUCTION);
    set(LOOSE);
    entered = swap.enter(SLOT);
    set(MetaWord.hidden(meta() + MetaWord.ACQUIRE_ONE));
    assertThat(swap.leave(SLOT, entered, true)).as("another holds it").isFalse();
    assertThat(MetaWord.refcount(meta())).isEqualTo(1);
  }

  /** Its thread may have been stopped. */
  @Test
  void anExchangeIsWaitedForUntilItsEnd() {
    int[] looks = {0};
    swap(changing(looks, MetaWord.exchanging(LOOSE), 500, LOOSE)).await(SLOT);
    assertThat(looks[0]).isEqualTo(500);
  }

  @Test
  void aBriefWaitEndsWithTheExchange() {
    int[] looks = {0};
    CountingSlotStore ending = changing(looks, MetaWord.exchanging(LOOSE), 5, LOOSE);
    assertThat(swap(ending).awaitBriefly(SLOT)).isTrue();
    assertThat(looks[0]).isEqualTo(5);
  }
}
