/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.slot;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.internal.slot.Meta.State;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MetaTest {
  private static final long[] FIELDS = {
    Meta.ACQUIRE_MASK,
    Meta.RELEASE_MASK,
    Meta.POLICY_MASK,
    Meta.HIT,
    Meta.WRITER,
    Meta.PREPARED,
    Meta.OCCUPIED,
    Meta.SHAREABLE,
    Meta.VISIBLE,
    Meta.READABLE
  };

  @Test
  void fieldsAreDisjointAndComplete() {
    long all = 0;
    for (long field : FIELDS) {
      assertThat(all & field).isZero();
      all |= field;
    }
    assertThat(all).isEqualTo(-1L);
    assertThat(2 * Tail.CONDEMNED).isEqualTo(1L << Tail.GENERATION_SHIFT);
  }

  @Test
  void writerBitMeansWhatTheStateSays() {
    long announced = Meta.ANNOUNCED;
    assertThat(Meta.isAnnounced(announced)).isTrue();
    assertThat(Meta.isAnnounced(Meta.UNDER_CONSTRUCTION)).isFalse();
    assertThat(Meta.state(announced)).isEqualTo(State.UNDER_CONSTRUCTION);
    long older = Meta.visible(2, false, true) + Meta.ACQUIRE_ONE | Meta.HIT;
    long newer = Meta.superseding(older, 5, true, 3);
    assertThat(Meta.isSuperseding(newer)).isTrue();
    assertThat(Meta.isSuperseding(Meta.notSuperseding(newer))).isFalse();
    assertThat(Meta.refcount(newer)).isEqualTo(1);
    assertThat(Meta.releases(newer + Meta.RELEASE_ONE)).isEqualTo(2);
    assertThat(Meta.policy(newer)).isEqualTo(5);
    assertThat(Meta.wasHit(newer)).isTrue();
    assertThat(Meta.isSuperseded(Meta.superseded(newer))).isTrue();
    assertThat(Meta.isSuperseded(Meta.hidden(newer))).isFalse();
    assertThat(Meta.isAnnounced(Meta.superseded(newer))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void newEntryHasItsCountdownAndPin(int countdown) {
    long loose = Meta.visible(countdown, false, true);
    long pinned = Meta.visible(countdown, true, false);
    assertThat(Meta.refcount(loose)).isZero();
    assertThat(Meta.releases(loose)).isEqualTo(countdown);
    assertThat(Meta.isReadable(loose)).isTrue();
    assertThat(Meta.refcount(pinned)).isEqualTo(1);
    assertThat(Meta.isReadable(pinned)).isFalse();
    assertThat(Meta.state(pinned)).isEqualTo(State.VISIBLE);
    assertThat(Meta.releases(pinned + Meta.RELEASE_ONE)).isEqualTo(countdown);
  }

  @Test
  void statesFollowTheBits() {
    long visible = Meta.visible(3, true, true);
    assertThat(Meta.state(Meta.EMPTY)).isEqualTo(State.EMPTY);
    assertThat(Meta.state(Meta.ACQUIRE_ONE)).isEqualTo(State.EMPTY);
    assertThat(Meta.state(Meta.taken(visible))).isEqualTo(State.UNDER_CONSTRUCTION);
    assertThat(Meta.state(Meta.hidden(visible))).isEqualTo(State.INVISIBLE);
    assertThat(Meta.isReadable(Meta.hidden(visible))).isFalse();
    assertThat(Meta.refcount(Meta.hidden(visible))).isEqualTo(1);
  }

  @Test
  void takingKeepsOnlyTheHitBit() {
    long hit = Meta.visible(3, false, true) | Meta.HIT;
    assertThat(Meta.taken(hit)).isEqualTo(Meta.UNDER_CONSTRUCTION | Meta.HIT);
  }

  @Test
  void ticksStopAtTheMaximum() {
    long meta = Meta.visible(1, false, true);
    int writes = 0;
    while (Meta.wantsTick(meta, Meta.hotFrom(3))) {
      meta = Meta.ticked(meta, Meta.hotFrom(3));
      writes++;
    }
    assertThat(writes).isEqualTo(2);
    assertThat(Meta.releases(meta)).isEqualTo(3);
    assertThat(Meta.wasHit(meta)).isTrue();
    assertThat(Meta.refcount(meta)).isZero();
  }

  @Test
  void correctionKeepsRefcountAndCountdownAtMaximum() {
    long meta = Meta.visible(3, false, true);
    long uses = (1L << 23) + 5;
    meta += uses * (Meta.ACQUIRE_ONE + Meta.RELEASE_ONE) + 7 * Meta.ACQUIRE_ONE;
    assertThat(Meta.nearOverflow(meta)).isTrue();
    long corrected = Meta.corrected(meta);
    assertThat(Meta.refcount(corrected)).isEqualTo(7);
    assertThat(Meta.releases(corrected)).isBetween(3, 100);
    assertThat(Meta.nearOverflow(corrected)).isFalse();
    assertThat(Meta.corrected(corrected)).isEqualTo(corrected);
    assertThat(Meta.state(corrected)).isEqualTo(State.VISIBLE);
  }

  @Test
  void mostPinsFitBesideTheLatestCorrection() {
    long highest = (1L << 23) + 3 + Meta.MAX_PINS + 100_000;
    assertThat(highest).isLessThan(1L << Meta.COUNTER_BITS);
  }

  @Test
  void textNamesEveryField() {
    long meta = Meta.visible(2, true, true) | Meta.HIT | Meta.WRITER | Meta.PREPARED;
    assertThat(Meta.toString(meta | 5L << Meta.POLICY_SHIFT))
        .isEqualTo("VISIBLE[acquires=2, releases=1, policy=5, hit, W, P, R]");
    assertThat(Meta.toString(0)).startsWith("EMPTY[");
  }

  @Test
  void coldWordKeepsTypeClassAndChargeApart() {
    long cold = Cold.of(65_535, Cold.MAX_CHARGE_BYTES);
    assertThat(Cold.typeId(cold)).isEqualTo(65_535);
    assertThat(Cold.chargeBytes(cold)).isEqualTo((1L << 47) - 1);
    assertThat(Cold.isMain(cold)).isFalse();
    assertThat(Cold.withCharge(cold, 7)).isEqualTo(Cold.of(65_535, 7));
    long main = Cold.asMain(cold);
    assertThat(Cold.isMain(main)).isTrue();
    assertThat(Cold.typeId(main)).isEqualTo(65_535);
    assertThat(Cold.chargeBytes(main)).isEqualTo(Cold.chargeBytes(cold));
    assertThat(Cold.isMain(Cold.withCharge(main, 7))).isTrue();
  }

  @Test
  void policyBitsStandApartFromTheRest() {
    int all = (1 << Meta.POLICY_BITS) - 1;
    long meta = Meta.visible(2, true, true, all);
    assertThat(Meta.policy(meta)).isEqualTo(all);
    assertThat(Meta.withPolicy(meta, 0)).isEqualTo(Meta.visible(2, true, true));
    assertThat(Meta.policy(Meta.ticked(Meta.visible(1, false, true, all), Meta.hotFrom(2))))
        .isEqualTo(all);
    assertThat(Meta.policy(Meta.hidden(meta))).isEqualTo(all);
    assertThat(Meta.policy(Meta.taken(meta))).isZero();
  }
}
