/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.table;

import static io.hyperclock.internal.table.TableFixture.CHARGE;
import static io.hyperclock.internal.table.TableFixture.HI;
import static io.hyperclock.internal.table.TableFixture.KEY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperclock.entry.EntryRole;
import io.hyperclock.entry.EntryType;
import io.hyperclock.internal.observe.StatsRecorder;
import io.hyperclock.internal.observe.TypeRegistry;
import io.hyperclock.internal.policy.EvictionRequest;
import io.hyperclock.internal.slot.ChargeWord;
import io.hyperclock.internal.slot.CountingSlotStore;
import io.hyperclock.internal.slot.MetaWord;
import io.hyperclock.internal.slot.SlotProtocol;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a table answers for those that came after it, and how pins end. */
@Timeout(60)
class ClockTableTest {
  private final TableFixture tables = new TableFixture(4, TableView.SETTLED);
  private final ClockTable first = tables.first();
  private final long hash = tables.hash(KEY);

  @Test
  void aTableThatWasLeftAsksTheNewest() {
    tables.insert(KEY, "value");
    for (int buckets : new int[] {6, 5, 7}) {
      tables.grow(buckets);
      assertThat(tables.newest().before()).isNotNull();
      assertThat(tables.move()).isTrue();
      assertThat(tables.newest().before()).isNull();
    }
    assertThat(first.newest()).isSameAs(tables.newest());
    assertThat(first.currentReads().read(HI, KEY, hash, MetaWord.VISIBLE, false))
        .isEqualTo("value");
    assertThat(
            first.currentReads().read(HI, KEY + 1, tables.hash(KEY + 1), MetaWord.VISIBLE, false))
        .isNull();
    assertThat(first.erase(HI, KEY, hash, "another")).isFalse();
    assertThat(first.erase(HI, KEY, hash)).isTrue();
    assertThat(first.erase(HI, KEY, hash)).isFalse();
    assertThat(first.currentReads().read(HI, KEY, hash, MetaWord.VISIBLE, false)).isNull();
    tables.isWhole();
  }

  @Test
  void overwritesInOneTableCountInTheNext() {
    assertThat(first.unpinnedReads().mayHaveMissed()).isFalse();
    tables.insert(KEY, "older");
    tables.put(1, KEY, "newer", true, null);
    tables.grow(6);
    assertThat(tables.move()).isTrue();
    assertThat(tables.newest().unpinnedReads().mayHaveMissed()).isTrue();
  }

  @Test
  void readsLookHere() {
    tables.insert(KEY, "value");
    assertThat(first.unpinnedReads().read(HI, KEY, hash, MetaWord.READABLE, true))
        .isEqualTo("value");
    int slot = first.pinnedReads.lookup(HI, KEY, hash);
    assertThat(slot).isEqualTo(tables.slot(first, KEY));
    first.release(slot, true);
    first.belongTo("owner");
    assertThat(first.owner()).isEqualTo("owner");
    assertThat(first.pinnedReadsOf("handles", TableView.SETTLED).owner()).isEqualTo("handles");
  }

  @Test
  void anEntryInTheTableBeforeIsKept() {
    tables.insert(KEY, "value");
    tables.grow(6);
    assertThat(tables.newest().insertion().keepExisting(HI, KEY, hash, 1)).isTrue();
    assertThat(tables.newest().insertion().keepExisting(HI, KEY + 1, tables.hash(KEY + 1), 1))
        .isFalse();
    assertThat(MetaWord.releases(tables.meta(first, tables.slot(first, KEY)))).isEqualTo(2);
  }

  private int visible() {
    int visible = 0;
    for (int slot = 0; slot < first.store.slots(); slot++) {
      visible += MetaWord.isVisible(tables.meta(first, slot)) ? 1 : 0;
    }
    return visible;
  }

  /** Whoever meets an overwrite that is stopped half way ends it. */
  @Test
  void anOverwriteIsEndedByAnother() {
    int ended = 0;
    for (int access = 1; ; access++) {
      tables.put(0, KEY, "older", true, null);
      int[] found = {0, 0};
      tables.before(
          access,
          () -> {
            found[0] = visible();
            first.pendingWrites.completeReplacement(HI, KEY, hash, null);
            found[1] = visible();
          });
      assertThat(tables.put(1, KEY, "newer", true, null)).isEqualTo(EntryTable.REPLACED);
      if (!tables.wasStopped()) {
        break;
      }
      ended += found[0] == 2 ? 1 : 0;
      assertThat(found[1]).as("visible").isEqualTo(1);
      assertThat(tables.get(KEY)).isEqualTo("newer");
      tables.isWhole();
      tables.erase(KEY, null);
    }
    assertThat(ended).isPositive();
  }

  @Test
  void anEntryHasSoManyPins() {
    tables.insert(KEY, "value");
    int slot = tables.slot(first, KEY);
    long meta = tables.meta(first, slot);
    tables.words(first).setMetaRelease(slot, meta + MetaWord.MAX_PINS);
    assertThatThrownBy(() -> tables.pin(KEY))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("pins=" + MetaWord.MAX_PINS);
    tables.words(first).setMetaRelease(slot, meta + MetaWord.MAX_PINS - 1);
    assertThat(tables.pin(KEY)).isNotNull();
  }

  /** Its last holder had no stack to free it. */
  @Test
  void whoPinsAnEntryThatWasLeftFreesIt() {
    tables.insert(KEY, "value");
    int slot = tables.slot(first, KEY);
    tables.before(2, () -> tables.words(first).setMetaRelease(slot, MetaWord.ABANDONED));
    assertThat(first.pinAny(slot)).isFalse();
    assertThat(tables.wasStopped()).isTrue();
    assertThat(tables.ends.ended).containsExactly("1=value FREED");
    tables.isWhole();
  }

  @Test
  void thePolicyIsToldOfWhatWasWithdrawn() {
    tables.insert(KEY, "value");
    long cold = ChargeWord.of(0, CHARGE);
    int outcome =
        first
            .insertion()
            .insert(
                HI,
                KEY,
                hash,
                "another",
                cold,
                MetaWord.visible(1, false, true, 0),
                1,
                new EvictionRequest(CHARGE));
    assertThat(outcome).isEqualTo(EntryTable.KEPT_EXISTING);
    assertThat(tables.policy.told).containsExactly("admitted", "recharged");
    assertThat(MetaWord.releases(tables.meta(first, tables.slot(first, KEY)))).isEqualTo(2);
    tables.isWhole();
  }

  @Test
  void readsAreCountedWhereTheyAreToBe() {
    TypeRegistry types = new TypeRegistry();
    types.idOf(EntryType.of("other"));
    int type = types.idOf(EntryType.named("index").role(EntryRole.INDEX_BLOCK).build());
    StatsRecorder recorder = new StatsRecorder(types);
    Buckets buckets = first.buckets();
    SlotProtocol slots = new SlotProtocol(new CountingSlotStore(8 * buckets.count()), 3);
    ClockTable counted =
        new ClockTable(
            buckets,
            slots,
            tables.release,
            tables.policy,
            tables.ends,
            recorder,
            TableView.FIXED,
            null);
    assertThat(counted.unpinnedReads().read(HI, KEY, hash, MetaWord.READABLE, true)).isNull();
    assertThat(counted.unpinnedReads().read(HI, KEY, hash, MetaWord.READABLE, false)).isNull();
    assertThat(recorder.misses.sum()).isEqualTo(1);
    assertThat(counted.pinnedReads.lookup(HI, KEY, hash)).isEqualTo(PinnedReads.ABSENT);
    assertThat(recorder.misses.sum()).isEqualTo(2);
    EvictionRequest request = new EvictionRequest(CHARGE);
    long meta = MetaWord.visible(1, false, true, 0);
    long cold = ChargeWord.of(type, CHARGE);
    int slot = counted.insertion().insert(HI, KEY, hash, "value", cold, meta, 1, request);
    assertThat(counted.unpinnedReads().read(HI, KEY, hash, MetaWord.READABLE, true))
        .isEqualTo("value");
    assertThat(counted.unpinnedReads().read(HI, KEY, hash, MetaWord.READABLE, false))
        .isEqualTo("value");
    assertThat(recorder.hits(EntryRole.INDEX_BLOCK)).isEqualTo(1);
    assertThat(counted.pinnedReads.lookup(HI, KEY, hash)).isEqualTo(slot);
    assertThat(recorder.hits(EntryRole.INDEX_BLOCK)).isEqualTo(2);
    assertThat(recorder.misses.sum()).isEqualTo(2);
    assertThat(MetaWord.wasHit(slots.store().metaAcquire(slot))).isTrue();
    assertThat(MetaWord.releases(slots.store().metaAcquire(slot))).isEqualTo(2);
  }
}
