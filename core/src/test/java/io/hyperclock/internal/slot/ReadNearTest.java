/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.slot;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What {@link SlotStore#readNear} answers for each state of a pair, over each store. */
class ReadNearTest {
  private static final int FIRST = 4;
  private static final int OTHER = 5;
  private static final long HI = 7;
  private static final long LO = 8;
  private static final int MAX_COUNTDOWN = 3;
  private static final long VISIBLE = Meta.visible(1, false, true);

  private record Pair(SlotStore store, Slots slots, Announcements announcements) {
    static Pair of(IntFunction<SlotStore> stores) {
      Slots slots = new Slots(stores.apply(10), MAX_COUNTDOWN);
      return new Pair(slots.store(), slots, new Announcements(slots));
    }

    Pair with(int slot, long hi, long lo, Object value, long meta) {
      assertThat(slots.claim(slot)).isTrue();
      slots.fill(slot, hi, lo, value, 1);
      announcements.announce(slot);
      assertThat(announcements.publish(slot, meta)).isTrue();
      return this;
    }

    Object read(int first, int pair, long hotFrom) {
      long looked = Meta.READABLE | Meta.WRITER;
      return store.readNear(first, pair, HI, LO, looked, Meta.READABLE, hotFrom);
    }

    Object read(int first) {
      return read(first, 1, slots.hotFrom());
    }
  }

  static Stream<Arguments> stores() {
    return Stream.<Named<IntFunction<SlotStore>>>of(
            Named.of("heap", HeapSlotStore::new),
            Named.of("off heap", OffHeapSlotStore::new),
            Named.of("counting", CountingSlotStore::new))
        .flatMap(stores -> Stream.of(Arguments.of(stores, FIRST), Arguments.of(stores, OTHER)));
  }

  /** Whichever of the two slots is the first. */
  @ParameterizedTest
  @MethodSource("stores")
  void findsTheKeyInEitherSlot(IntFunction<SlotStore> stores, int first) {
    assertThat(Pair.of(stores).with(first, HI, LO, "a", VISIBLE).read(first)).isEqualTo("a");
    assertThat(Pair.of(stores).with(first ^ 1, HI, LO, "a", VISIBLE).read(first)).isEqualTo("a");
    Pair full = Pair.of(stores).with(first, HI, LO + 1, "b", VISIBLE);
    assertThat(full.with(first ^ 1, HI, LO, "a", VISIBLE).read(first)).isEqualTo("a");
  }

  @ParameterizedTest
  @MethodSource("stores")
  void tellsThatNeitherSlotHasTheKey(IntFunction<SlotStore> stores, int first) {
    assertThat(Pair.of(stores).read(first)).isSameAs(SlotStore.NOT_HERE);
    Pair full = Pair.of(stores).with(first, HI, LO + 1, "b", VISIBLE);
    assertThat(full.with(first ^ 1, HI + 1, LO, "c", VISIBLE).read(first))
        .isSameAs(SlotStore.NOT_HERE);
  }

  /** The hint leads to a slot of another key with the same low word. */
  @ParameterizedTest
  @MethodSource("stores")
  void saysNothingOfASlotItDidNotLookAt(IntFunction<SlotStore> stores, int first) {
    Pair pair = Pair.of(stores).with(first, HI + 1, LO, "b", VISIBLE);
    assertThat(pair.read(first)).isNull();
    assertThat(pair.with(first ^ 1, HI, LO, "a", VISIBLE).read(first)).isNull();
  }

  /** Of its key an older entry may be visible elsewhere, so the next pair must not be next. */
  @ParameterizedTest
  @MethodSource("stores")
  void saysNothingWhereAnEntrySupersedes(IntFunction<SlotStore> stores, int first) {
    long superseding = Meta.superseding(VISIBLE, 0, true, MAX_COUNTDOWN);
    assertThat(Pair.of(stores).with(first, HI, LO, "a", superseding).read(first)).isNull();
    Pair pair = Pair.of(stores).with(first ^ 1, HI, LO, "a", superseding);
    assertThat(pair.read(first)).isNull();
    pair.slots().endSuperseding(first ^ 1);
    assertThat(pair.read(first)).isEqualTo("a");
  }

  @ParameterizedTest
  @MethodSource("stores")
  void passesWhatIsNotAsWanted(IntFunction<SlotStore> stores, int first) {
    long freedByHand = Meta.visible(1, false, false);
    Pair pair = Pair.of(stores).with(first ^ 1, HI, LO, "a", freedByHand);
    assertThat(pair.read(first)).isSameAs(SlotStore.NOT_HERE);
    assertThat(pair.store().readNear(first, 1, HI, LO, Meta.VISIBLE | Meta.WRITER, Meta.VISIBLE, 0))
        .isEqualTo("a");
  }

  @ParameterizedTest
  @MethodSource("stores")
  void aLoneSlotIsItsOwnFirst(IntFunction<SlotStore> stores, int first) {
    Pair pair = Pair.of(stores).with(first ^ 1, HI, LO, "a", VISIBLE);
    assertThat(pair.read(first, 0, 0)).isNull();
    assertThat(pair.read(first ^ 1, 0, 0)).isEqualTo("a");
  }

  @ParameterizedTest
  @MethodSource("stores")
  void countsUsesUntilTheEntryIsHot(IntFunction<SlotStore> stores, int first) {
    Pair pair = Pair.of(stores).with(first ^ 1, HI, LO, "a", VISIBLE);
    assertThat(pair.read(first, 1, 0)).isEqualTo("a");
    assertThat(pair.store().metaAcquire(first ^ 1)).isEqualTo(VISIBLE);
    for (int uses = 0; uses < 5; uses++) {
      assertThat(pair.read(first)).isEqualTo("a");
    }
    long hot = pair.store().metaAcquire(first ^ 1);
    assertThat(Meta.releases(hot)).isEqualTo(MAX_COUNTDOWN);
    assertThat(Meta.wasHit(hot)).isTrue();
    assertThat(Meta.refcount(hot)).isZero();
  }
}
