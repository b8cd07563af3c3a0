/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.slot;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.internal.slot.SlotWords.State;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MetaWordTest {
  private static final long[] FIELDS = {
    MetaWord.COUNTER_MASK,
    MetaWord.RELEASE_MASK,
    MetaWord.POLICY_MASK,
    MetaWord.HIT,
    MetaWord.WRITER,
    MetaWord.PREPARED,
    MetaWord.OCCUPIED,
    MetaWord.SHAREABLE,
    MetaWord.VISIBLE,
    MetaWord.READABLE
  };

  @Test
  void fieldsAreDisjointAndComplete() {
    long all = 0;
    for (long field : FIELDS) {
      assertThat(all & field).isZero();
      all |= field;
    }
    assertThat(all).isEqualTo(-1L);
    assertThat(2 * GenerationWord.ERASING).isEqualTo(1L << GenerationWord.GENERATION_SHIFT);
  }

  @Test
  void writerBitMeansWhatTheStateSays() {
    long announced = MetaWord.ANNOUNCED;
    assertThat(MetaWord.isAnnounced(announced)).isTrue();
    assertThat(MetaWord.isAnnounced(MetaWord.UNDER_CONSTRUCTION)).isFalse();
    assertThat(SlotWords.state(announced)).isEqualTo(State.UNDER_CONSTRUCTION);
    long older = MetaWord.visible(2, false, true, 0) + MetaWord.ACQUIRE_ONE | MetaWord.HIT;
    long newer = MetaWord.superseding(older, 5, true, 3);
    assertThat(MetaWord.isSuperseding(newer)).isTrue();
    assertThat(MetaWord.isSuperseding(MetaWord.notSuperseding(newer))).isFalse();
    assertThat(MetaWord.refcount(newer)).isEqualTo(1);
    assertThat(MetaWord.releases(newer + MetaWord.RELEASE_ONE)).isEqualTo(2);
    assertThat(MetaWord.policy(newer)).isEqualTo(5);
    assertThat(MetaWord.wasHit(newer)).isTrue();
    assertThat(MetaWord.isSuperseded(MetaWord.superseded(newer))).isTrue();
    assertThat(MetaWord.isSuperseded(MetaWord.hidden(newer))).isFalse();
    assertThat(MetaWord.isAnnounced(MetaWord.superseded(newer))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void newEntryHasItsCountdownAndPin(int countdown) {
    long loose = MetaWord.visible(countdown, false, true, 0);
    long pinned = MetaWord.visible(countdown, true, false, 0);
    assertThat(MetaWord.refcount(loose)).isZero();
    assertThat(MetaWord.releases(loose)).isEqualTo(countdown);
    assertThat(MetaWord.isReadable(loose)).isTrue();
    assertThat(MetaWord.refcount(pinned)).isEqualTo(1);
    assertThat(MetaWord.isReadable(pinned)).isFalse();
    assertThat(SlotWords.state(pinned)).isEqualTo(State.VISIBLE);
    assertThat(MetaWord.releases(pinned + MetaWord.RELEASE_ONE)).isEqualTo(countdown);
  }

  @Test
  void statesFollowTheBits() {
    long visible = MetaWord.visible(3, true, true, 0);
    assertThat(SlotWords.state(MetaWord.EMPTY)).isEqualTo(State.EMPTY);
    assertThat(SlotWords.state(MetaWord.ACQUIRE_ONE)).isEqualTo(State.EMPTY);
    assertThat(SlotWords.state(MetaWord.taken(visible))).isEqualTo(State.UNDER_CONSTRUCTION);
    assertThat(SlotWords.state(MetaWord.hidden(visible))).isEqualTo(State.INVISIBLE);
    assertThat(MetaWord.isReadable(MetaWord.hidden(visible))).isFalse();
    assertThat(MetaWord.refcount(MetaWord.hidden(visible))).isEqualTo(1);
  }

  @Test
  void takingKeepsOnlyTheHitBit() {
    long hit = MetaWord.visible(3, false, true, 0) | MetaWord.HIT;
    assertThat(MetaWord.taken(hit)).isEqualTo(MetaWord.UNDER_CONSTRUCTION | MetaWord.HIT);
  }

  @Test
  void ticksStopAtTheMaximum() {
    long meta = MetaWord.visible(1, false, true, 0);
    int writes = 0;
    while (MetaWord.wantsTick(meta, MetaWord.hotFrom(3))) {
      meta = MetaWord.ticked(meta, MetaWord.hotFrom(3));
      writes++;
    }
    assertThat(writes).isEqualTo(2);
    assertThat(MetaWord.releases(meta)).isEqualTo(3);
    assertThat(MetaWord.wasHit(meta)).isTrue();
    assertThat(MetaWord.refcount(meta)).isZero();
  }

  /** What comes in with the most uses is not known as hit yet. */
  @Test
  void theFirstHitOfAHotEntryOnlyMarksIt() {
    long meta = MetaWord.visible(3, false, true, 0);
    assertThat(MetaWord.wantsTick(meta, MetaWord.hotFrom(3))).isTrue();
    assertThat(MetaWord.ticked(meta, MetaWord.hotFrom(3))).isEqualTo(meta | MetaWord.HIT);
    assertThat(MetaWord.wantsTick(meta, 0)).as("never").isFalse();
    assertThat(MetaWord.wantsTick(MetaWord.hidden(meta), MetaWord.hotFrom(3))).isFalse();
  }

  /** Two references: that of the slot it leaves, and the mover's. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aMovedEntryIsUsedAsItWas(boolean readable) {
    long older = MetaWord.visible(3, true, readable, 5);
    assertThat(MetaWord.releases(older)).isEqualTo(2);
    long moved = MetaWord.moved(older, 9, 3);
    assertThat(MetaWord.isVisible(moved)).isTrue();
    assertThat(MetaWord.isReadable(moved)).isEqualTo(readable);
    assertThat(MetaWord.isSuperseding(moved)).isTrue();
    assertThat(MetaWord.refcount(moved)).isEqualTo(2);
    assertThat(MetaWord.releases(moved)).isEqualTo(2);
    assertThat(MetaWord.policy(moved)).isEqualTo(9);
    assertThat(MetaWord.wasHit(moved)).isFalse();
    long hot = MetaWord.moved(older | MetaWord.HIT, 9, 1);
    assertThat(MetaWord.wasHit(hot)).isTrue();
    assertThat(MetaWord.releases(hot)).as("not more than counts").isEqualTo(1);
    assertThat(MetaWord.refcount(hot)).isEqualTo(2);
  }

  @Test
  void aPlaceholderIsPinnedByItsPreparedVersion() {
    long placeholder = MetaWord.placeholder(2, 5);
    assertThat(MetaWord.isPrepared(placeholder)).isTrue();
    assertThat(MetaWord.isReadable(placeholder)).isFalse();
    assertThat(MetaWord.refcount(placeholder)).isEqualTo(1);
    assertThat(MetaWord.releases(placeholder)).as("one more when the pin ends").isEqualTo(1);
    assertThat(MetaWord.policy(placeholder)).isEqualTo(5);
  }

  @Test
  void countersLoseTheirTopBitsTogether() {
    long top = 1L << (MetaWord.COUNTER_BITS - 1);
    long meta = MetaWord.visible(1, false, true, 0);
    assertThat(MetaWord.corrected(meta + top)).isEqualTo(meta + top);
    long releases = meta + top * MetaWord.RELEASE_ONE;
    assertThat(MetaWord.corrected(releases)).isEqualTo(releases);
    assertThat(MetaWord.corrected(releases + top)).isEqualTo(meta);
  }

  @Test
  void correctionKeepsRefcountAndCountdownAtMaximum() {
    long meta = MetaWord.visible(3, false, true, 0);
    long uses = (1L << 23) + 5;
    meta += uses * (MetaWord.ACQUIRE_ONE + MetaWord.RELEASE_ONE) + 7 * MetaWord.ACQUIRE_ONE;
    assertThat(MetaWord.nearOverflow(meta)).isTrue();
    long corrected = MetaWord.corrected(meta);
    assertThat(MetaWord.refcount(corrected)).isEqualTo(7);
    assertThat(MetaWord.releases(corrected)).isBetween(3, 100);
    assertThat(MetaWord.nearOverflow(corrected)).isFalse();
    assertThat(MetaWord.corrected(corrected)).isEqualTo(corrected);
    assertThat(SlotWords.state(corrected)).isEqualTo(State.VISIBLE);
  }

  @Test
  void mostPinsFitBesideTheLatestCorrection() {
    long highest = (1L << 23) + 3 + MetaWord.MAX_PINS + 100_000;
    assertThat(highest).isLessThan(1L << MetaWord.COUNTER_BITS);
  }

  @Test
  void textNamesEveryField() {
    long meta =
        MetaWord.visible(2, true, true, 0) | MetaWord.HIT | MetaWord.WRITER | MetaWord.PREPARED;
    assertThat(SlotWords.text(meta | 5L << MetaWord.POLICY_SHIFT))
        .isEqualTo("VISIBLE[acquires=2, releases=1, policy=5, hit, W, P, R]");
    assertThat(SlotWords.text(0)).isEqualTo("EMPTY[acquires=0, releases=0]");
  }

  @Test
  void coldWordKeepsTypeClassAndChargeApart() {
    long cold = ChargeWord.of(32_767, ChargeWord.MAX_CHARGE_BYTES);
    assertThat(ChargeWord.typeId(cold)).isEqualTo(32_767);
    assertThat(ChargeWord.chargeBytes(cold)).isEqualTo((1L << 47) - 1);
    assertThat(ChargeWord.isMain(cold)).isFalse();
    assertThat(ChargeWord.withCharge(cold, 7)).isEqualTo(ChargeWord.of(32_767, 7));
    long main = ChargeWord.asMain(cold);
    assertThat(ChargeWord.isMain(main)).isTrue();
    assertThat(ChargeWord.typeId(main)).isEqualTo(32_767);
    assertThat(ChargeWord.chargeBytes(main)).isEqualTo(ChargeWord.chargeBytes(cold));
    assertThat(ChargeWord.isMain(ChargeWord.withCharge(main, 7))).isTrue();
  }

  @Test
  void policyBitsStandApartFromTheRest() {
    int all = (1 << MetaWord.POLICY_BITS) - 1;
    long meta = MetaWord.visible(2, true, true, all);
    assertThat(MetaWord.policy(meta)).isEqualTo(all);
    assertThat(MetaWord.withPolicy(meta, 0)).isEqualTo(MetaWord.visible(2, true, true, 0));
    assertThat(
            MetaWord.policy(
                MetaWord.ticked(MetaWord.visible(1, false, true, all), MetaWord.hotFrom(2))))
        .isEqualTo(all);
    assertThat(MetaWord.policy(MetaWord.hidden(meta))).isEqualTo(all);
    assertThat(MetaWord.policy(MetaWord.taken(meta))).isZero();
  }
}
