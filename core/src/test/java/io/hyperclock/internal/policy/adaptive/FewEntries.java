/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.policy.adaptive;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.internal.policy.SlotTable;
import io.hyperclock.internal.slot.ChargeWord;
import io.hyperclock.internal.slot.MetaWord;
import io.hyperclock.internal.slot.SlotProtocol;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Entries of a table that is nothing but slots; the rings of others have what a test says. */
final class FewEntries extends AdaptiveEntries {
  final SlotTable table;
  final KnownFigures figures;

  /** What is at the front of other rings, by their numbers. */
  final Map<Integer, Long> others = new HashMap<>();

  /** Which rings were asked, and with which own entry. */
  final List<String> asked = new ArrayList<>();

  FewEntries(int count) {
    this(new SlotTable(count, MAX_COUNTDOWN), count);
  }

  private FewEntries(SlotTable table, int count) {
    this(table, count, new KnownFigures(count, count));
  }

  private FewEntries(SlotTable table, int count, KnownFigures figures) {
    super(table.slots, figures, count, null);
    this.table = table;
    this.figures = figures;
  }

  @Override
  long takeOlder(int number, long own) {
    asked.add(number + " " + ProbationRing.slot(own));
    Long token = others.remove(number);
    return token == null ? ProbationRing.NONE : token;
  }

  /** Puts an entry into an empty slot, on probation. */
  void fill(int slot) {
    table.fill(slot, UNUSED);
    usage.add(store.coldAcquire(slot));
  }

  /** An entry leaves, and another takes its slot. */
  void replace(int slot) {
    leave(slot);
    fill(slot);
  }

  void leave(int slot) {
    assertThat(slots.take(slot, table.meta(slot))).isTrue();
    slots.beginTearDown(slot);
    usage.remove(store.getAndSetCold(slot, ChargeWord.GONE));
    slots.finishTearDown(slot);
  }

  /** Erased, and not taken yet by the one who let it go. */
  void abandon(int slot) {
    table.hold(slot);
    table.hold(slot);
    assertThat(slots.hideAndRelease(slot)).as("held by another").isEqualTo(SlotProtocol.MISS);
    table.set(slot, table.meta(slot) - PolicyTable.PIN);
    assertThat(MetaWord.isVisible(table.meta(slot))).isFalse();
  }

  /** Puts entries at the back of a queue. */
  void enqueue(ProbationQueue queue, int... slots) {
    for (int slot : slots) {
      queue.enqueue(slot, tail(slot));
    }
  }

  long tail(int slot) {
    return store.tailAcquire(slot);
  }

  /** What stands for the entry in a slot that comes now. */
  long token(int slot) {
    return ProbationRing.token(slot, tail(slot), learned.turns());
  }

  boolean isMain(int slot) {
    return ChargeWord.isMain(store.coldAcquire(slot));
  }
}
