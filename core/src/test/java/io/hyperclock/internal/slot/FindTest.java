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

/** What {@link SlotStore#find} answers for each state of a slot in either bucket, in each store. */
class FindTest {
  private static final int FIRST = 2;
  private static final int SECOND = 1;
  private static final long HI = 7;
  private static final long LO = 8;
  private static final long HASH = 0x55;
  private static final int MAX_COUNTDOWN = 3;
  private static final long VISIBLE = MetaWord.visible(1, false, true, 0);

  private record Table(SlotStore store, SlotProtocol slots, TentativeInserts tentativeInserts) {
    static Table of(IntFunction<SlotStore> stores) {
      SlotProtocol slots = new SlotProtocol(stores.apply(32), MAX_COUNTDOWN);
      return new Table(slots.store(), slots, new TentativeInserts(slots));
    }

    Table with(int slot, long hi, long lo, Object value, long meta) {
      assertThat(slots.claim(slot)).isTrue();
      slots.fill(slot, hi, lo, value, 1);
      tentativeInserts.announce(slot, HASH);
      assertThat(tentativeInserts.publish(slot, meta)).isTrue();
      return this;
    }

    Object find(long looked, long wanted, long hotFrom) {
      return store.find(FIRST, SECOND, Tags.pattern(HASH), HI, LO, looked, wanted, hotFrom);
    }

    Object find() {
      return find(MetaWord.READABLE | MetaWord.WRITER, MetaWord.READABLE, slots.hotFrom());
    }
  }

  static Stream<Arguments> stores() {
    Stream<Named<IntFunction<SlotStore>>> anywhere =
        Stream.of(
            Named.of("heap", HeapSlotStore::new),
            Named.of("off heap", OffHeapSlotStore::new),
            Named.of("counting", CountingSlotStore::new));
    Stream<Named<IntFunction<SlotStore>>> byAddress =
        AllMemory.isUsable()
            ? Stream.of(Named.of("addresses", AddressSlotStore::new))
            : Stream.empty();
    return Stream.concat(anywhere, byAddress)
        .flatMap(stores -> Stream.of(8, 15, 16, 23).map(slot -> Arguments.of(stores, slot)));
  }

  @ParameterizedTest
  @MethodSource("stores")
  void findsTheKeyWhereverItIs(IntFunction<SlotStore> stores, int slot) {
    Table table = Table.of(stores);
    assertThat(table.find()).isSameAs(SlotStore.NOT_FOUND);
    assertThat(table.with(slot, HI, LO, "a", VISIBLE).find()).isEqualTo("a");
  }

  /** Whose generation is not that of other slots. */
  @ParameterizedTest
  @MethodSource("stores")
  void findsALaterTenant(IntFunction<SlotStore> stores, int slot) {
    Table table = Table.of(stores).with(slot, HI, LO, "a", VISIBLE);
    assertThat(table.slots().take(slot, VISIBLE)).isTrue();
    table.slots().clearTag(slot, HASH);
    table.slots().beginTearDown(slot);
    assertThat(table.find()).isSameAs(SlotStore.NOT_FOUND);
    table.slots().finishTearDown(slot);
    assertThat(table.with(slot, HI, LO, "b", VISIBLE).find()).isEqualTo("b");
    assertThat(table.store().read(slot, HI, LO, MetaWord.READABLE)).isEqualTo("b");
    assertThat(table.store().read(slot, HI, LO + 1, MetaWord.READABLE)).isNull();
  }

  /** It is just being torn down. */
  @ParameterizedTest
  @MethodSource("stores")
  void doesNotFindWhatHasNoValueAnyMore(IntFunction<SlotStore> stores, int slot) {
    Table table = Table.of(stores).with(slot, HI, LO, "a", VISIBLE);
    table.store().setValueOpaque(slot, null);
    assertThat(table.find()).isSameAs(SlotStore.NOT_FOUND);
    assertThat(table.store().read(slot, HI, LO, MetaWord.READABLE)).isNull();
  }

  @ParameterizedTest
  @MethodSource("stores")
  void passesOtherKeysWithItsTag(IntFunction<SlotStore> stores, int slot) {
    Table table = Table.of(stores).with(9, HI, LO + 1, "b", VISIBLE);
    table.with(17, HI + 1, LO, "c", VISIBLE);
    assertThat(table.find()).isSameAs(SlotStore.NOT_FOUND);
    assertThat(table.with(slot, HI, LO, "a", VISIBLE).find()).isEqualTo("a");
  }

  @ParameterizedTest
  @MethodSource("stores")
  void doesNotLookElsewhere(IntFunction<SlotStore> stores, int slot) {
    int elsewhere = slot < 16 ? slot - 8 : slot + 8;
    Table table = Table.of(stores).with(elsewhere, HI, LO, "a", VISIBLE);
    assertThat(table.find()).isSameAs(SlotStore.NOT_FOUND);
  }

  @ParameterizedTest
  @MethodSource("stores")
  void doesNotFindWhatHasNoTag(IntFunction<SlotStore> stores, int slot) {
    Table table = Table.of(stores).with(slot, HI, LO, "a", VISIBLE);
    table.slots().clearTag(slot, HASH);
    assertThat(table.find()).isSameAs(SlotStore.NOT_FOUND);
  }

  /** An older entry of the key may be visible elsewhere. */
  @ParameterizedTest
  @MethodSource("stores")
  void saysNothingWhereAnEntrySupersedes(IntFunction<SlotStore> stores, int slot) {
    long superseding = MetaWord.superseding(VISIBLE, 0, true, MAX_COUNTDOWN);
    Table table = Table.of(stores).with(slot, HI, LO, "a", superseding);
    assertThat(table.find()).isNull();
    table.slots().endSuperseding(slot);
    assertThat(table.find()).isEqualTo("a");
  }

  @ParameterizedTest
  @MethodSource("stores")
  void saysNothingOfWhatMayNotBeReadSo(IntFunction<SlotStore> stores, int slot) {
    Table table = Table.of(stores).with(slot, HI, LO, "a", MetaWord.visible(1, false, false, 0));
    assertThat(table.find()).isNull();
    assertThat(table.find(MetaWord.VISIBLE | MetaWord.WRITER, MetaWord.VISIBLE, 0)).isEqualTo("a");
  }

  @ParameterizedTest
  @MethodSource("stores")
  void passesWhatIsErased(IntFunction<SlotStore> stores, int slot) {
    Table table = Table.of(stores).with(slot, HI, LO, "a", MetaWord.visible(1, true, true, 0));
    assertThat(table.slots().pinUnseen(slot, HI, LO, 9)).isEqualTo(SlotProtocol.PINNED);
    assertThat(table.slots().hideAndRelease(slot)).isEqualTo(SlotProtocol.MISS);
    assertThat(table.find()).isSameAs(SlotStore.NOT_FOUND);
  }

  @ParameterizedTest
  @MethodSource("stores")
  void countsUsesUntilTheEntryIsHot(IntFunction<SlotStore> stores, int slot) {
    Table table = Table.of(stores).with(slot, HI, LO, "a", VISIBLE);
    assertThat(table.find(MetaWord.READABLE, MetaWord.READABLE, 0)).isEqualTo("a");
    assertThat(table.store().metaAcquire(slot)).isEqualTo(VISIBLE);
    for (int uses = 0; uses < 5; uses++) {
      assertThat(table.find()).isEqualTo("a");
    }
    long hot = table.store().metaAcquire(slot);
    assertThat(MetaWord.releases(hot)).isEqualTo(MAX_COUNTDOWN);
    assertThat(MetaWord.wasHit(hot)).isTrue();
    assertThat(MetaWord.refcount(hot)).isZero();
  }
}
