/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.EvictionListener;
import io.hyperclock.PinRequiredException;
import io.hyperclock.entry.EntryRole;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.FileKey;
import io.hyperclock.internal.drops.DroppedFiles;
import io.hyperclock.internal.slot.ChargeWord;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the user's code is told at each end of an entry, and what its failures change. */
class UserCallbacksTest {
  private static final long CHARGE = 5;

  private final TypeRegistry types = new TypeRegistry();
  private final StatsRecorder stats = new StatsRecorder(types);
  private final DroppedFiles files = new DroppedFiles();
  private final List<String> told = new ArrayList<>();
  private boolean takesOver;
  private boolean throwing;
  private Runnable inside = () -> {};

  private final EvictionListener<Object> listener =
      (hi, lo, value, type, charge, wasHit) -> {
        tell("evicted", hi, lo, value);
        told.add(type.name() + " " + charge + " " + wasHit);
        return takesOver;
      };

  private final EntryType<Object> freed =
      EntryType.<Object>named("freed")
          .disposer((hi, lo, value) -> tell("disposed", hi, lo, value))
          .build();

  private final long ofFreed = cold(freed);
  private final long ofCollected = cold(EntryType.of("collected"));
  private final UserCallbacks heard = new UserCallbacks(types, stats, files, listener);
  private final UserCallbacks quiet = new UserCallbacks(types, stats, files, null);
  private UserCallbacks tested = heard;

  private long cold(EntryType<?> type) {
    return ChargeWord.of(types.idOf(type), CHARGE);
  }

  private void tell(String what, long hi, long lo, Object value) {
    told.add(
        what + " " + hi + ":" + lo + " " + value + (tested.isEvicting() ? " by the hand" : ""));
    inside.run();
    if (throwing) {
      throw new IllegalStateException("thrown on purpose");
    }
  }

  private void end(long cold, RemovalCause cause) {
    tested.end(1, 2, "value", cold, cause);
    assertThat(tested.isEvicting()).isFalse();
  }

  @Test
  void whatIsFreedIsDisposedOfAndNotHeard() {
    end(ofFreed, RemovalCause.FREED);
    end(ofCollected, RemovalCause.FREED);
    assertThat(told).containsExactly("disposed 1:2 value");
  }

  @Test
  void whatTheHandSweptIsDisposedOfWithinAnEvictionAndNotHeard() {
    end(ofFreed, RemovalCause.SWEPT);
    end(ofCollected, RemovalCause.SWEPT);
    assertThat(told).containsExactly("disposed 1:2 value by the hand");
  }

  @Test
  void whatIsEvictedIsHeardAndThenDisposedOf() {
    end(ofFreed, RemovalCause.EVICTED);
    end(ofCollected, RemovalCause.EVICTED_AFTER_HIT);
    assertThat(told)
        .containsExactly(
            "evicted 1:2 value by the hand",
            "freed 5 false",
            "disposed 1:2 value by the hand",
            "evicted 1:2 value by the hand",
            "collected 5 true");
  }

  @Test
  void whatTheListenerTakesOverIsNotDisposedOf() {
    takesOver = true;
    end(ofFreed, RemovalCause.EVICTED_AFTER_HIT);
    assertThat(told).containsExactly("evicted 1:2 value by the hand", "freed 5 true");
    assertThat(tested.failures.count()).isZero();
  }

  @Test
  void withoutAListenerOnlyDisposersAreCalled() {
    tested = quiet;
    end(ofFreed, RemovalCause.EVICTED);
    end(ofCollected, RemovalCause.EVICTED);
    assertThat(told).containsExactly("disposed 1:2 value by the hand");
    assertThat(quiet.failures.count()).isZero();
    assertThat(quiet.isHeard(ofFreed)).isTrue();
    assertThat(quiet.isHeard(ofCollected)).isFalse();
    assertThat(heard.isHeard(ofCollected)).isTrue();
    assertThat(heard.hasDisposer(ofFreed)).isTrue();
    assertThat(heard.hasDisposer(ofCollected)).isFalse();
  }

  @Test
  void failuresAreCountedAndTheEntryEndsAllTheSame() {
    throwing = true;
    end(ofFreed, RemovalCause.EVICTED);
    assertThat(told)
        .containsExactly("evicted 1:2 value by the hand", "disposed 1:2 value by the hand");
    assertThat(tested.failures.count()).isEqualTo(2);
  }

  /** What a callback lets go of ends within its eviction. */
  @Test
  void anEvictionLastsUntilItsOutermostCallbackEnds() {
    inside =
        () -> {
          inside = () -> {};
          tested.end(3, 4, "inner", ofFreed, RemovalCause.SWEPT);
          assertThat(tested.isEvicting()).isTrue();
        };
    end(ofFreed, RemovalCause.EVICTED);
    assertThat(told)
        .containsExactly(
            "evicted 1:2 value by the hand",
            "disposed 3:4 inner by the hand",
            "freed 5 false",
            "disposed 1:2 value by the hand");
  }

  @Test
  void filesAndStatisticsAreThoseOfTheCache() {
    FileKey file = FileKey.of(3, 4);
    assertThat(heard.isDead(file.hi())).isFalse();
    assertThat(heard.drops()).isZero();
    files.drop(file);
    assertThat(heard.isDead(file.hi())).isTrue();
    assertThat(heard.drops()).isEqualTo(1);
    heard.countEviction(ofFreed);
    assertThat(stats.evictions(freed.role())).isEqualTo(1);
  }

  @Test
  void anExchangeOfOneRoleCountsAsAnInsertAndAnEviction() {
    EntryRole role = freed.role();
    EntryRole other = EntryRole.INDEX_BLOCK;
    long ofOther = cold(EntryType.<Object>named("other").role(other).build());
    stats.exchanged(ofFreed, ofFreed);
    assertThat(stats.inserts(role)).isEqualTo(1);
    assertThat(stats.evictions(role)).isEqualTo(1);
    stats.exchanged(ofFreed, ofOther);
    stats.inserted(ofOther);
    stats.evicted(ofFreed);
    assertThat(stats.inserts(role)).isEqualTo(2);
    assertThat(stats.evictions(role)).isEqualTo(2);
    assertThat(stats.inserts(other)).isEqualTo(1);
    assertThat(stats.evictions(other)).isEqualTo(1);
    assertThat(stats.inserts()).isEqualTo(3);
    stats.exchanged(ofOther, ofFreed);
    stats.exchanged(ofOther, ofOther);
    assertThat(stats.inserts(role)).isEqualTo(2);
    assertThat(stats.evictions(role)).isEqualTo(3);
    assertThat(stats.inserts(other)).isEqualTo(3);
    assertThat(stats.evictions(other)).isEqualTo(2);
    stats.hit(ofOther);
    assertThat(stats.hits(other)).isEqualTo(1);
    assertThat(stats.hits(role)).isZero();
  }

  @Test
  void aReadThatNeedsAPinNamesItsKey() {
    assertThat(heard.pinRequired(1, 2))
        .isInstanceOf(PinRequiredException.class)
        .hasMessageEndingWith("keyHi=1, keyLo=2");
  }

  @Test
  void theHandTellsWhetherAnEntryWasVisibleAndHit() {
    assertThat(RemovalCause.byHand(false, false)).isEqualTo(RemovalCause.SWEPT);
    assertThat(RemovalCause.byHand(false, true)).isEqualTo(RemovalCause.SWEPT);
    assertThat(RemovalCause.byHand(true, false)).isEqualTo(RemovalCause.EVICTED);
    assertThat(RemovalCause.byHand(true, true)).isEqualTo(RemovalCause.EVICTED_AFTER_HIT);
  }
}
