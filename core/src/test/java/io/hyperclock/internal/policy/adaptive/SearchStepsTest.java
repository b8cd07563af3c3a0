/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.policy.adaptive;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.internal.policy.EvictionRequest;
import io.hyperclock.internal.slot.MetaWord;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a search does with one entry, and what it keeps in mind. */
class SearchStepsTest {
  private static final int SLOTS = 8;

  private final FewEntries entries = new FewEntries(SLOTS);
  private final EvictionRequest request = new EvictionRequest(0);
  private final SearchSteps steps = new SearchSteps(entries, request);

  @BeforeEach
  void fill() {
    for (int slot = 0; slot < SLOTS; slot++) {
      entries.fill(slot);
    }
  }

  private long meta(int slot) {
    return entries.table.meta(slot);
  }

  /** An entry in use whose frequency will be one more than this. */
  private void use(int slot, int frequency) {
    assertThat(entries.slots.annotate(slot, meta(slot), PolicyBits.of(frequency, 0))).isTrue();
    entries.slots.tick(slot);
  }

  private void credit(int slot) {
    steps.credit(slot, meta(slot));
  }

  @Test
  void aSearchBeginsWithItsLooksAndItsTable() {
    steps.begin(entries.table, 3);
    assertThat(steps.looks).isEqualTo(3);
    assertThat(steps.residents()).isSameAs(entries.table);
  }

  /** How many had died is that of the beginning. */
  @Test
  void whatHasDiedIsUselessIfThatIsKnown() {
    entries.table.dead.add(3);
    steps.begin(entries.table, 1);
    assertThat(steps.deaths).isEqualTo(1);
    assertThat(steps.isUseless(3, meta(3))).isTrue();
    assertThat(steps.isUseless(4, meta(4))).isFalse();
    entries.table.dead.clear();
    steps.begin(entries.table, 1);
    entries.table.dead.add(3);
    assertThat(steps.deaths).isZero();
    assertThat(steps.isUseless(3, meta(3))).isFalse();
  }

  @Test
  void whatNobodySeesIsUseless() {
    steps.begin(entries.table, 1);
    entries.table.hold(3);
    entries.table.hold(3);
    entries.slots.hideAndRelease(3);
    assertThat(MetaWord.isVisible(meta(3))).isFalse();
    assertThat(steps.isUseless(3, meta(3))).isTrue();
  }

  @Test
  void frequenciesAreThoseOfTheEpochInWhichItBegan() {
    steps.begin(entries.table, 1);
    use(3, 6);
    entries.learned.nextEpoch();
    assertThat(steps.frequency(meta(3))).isEqualTo(6);
    steps.begin(entries.table, 1);
    assertThat(steps.frequency(meta(3))).isEqualTo(3);
  }

  @Test
  void theLeastFrequentOfThoseInUseLeaves() {
    steps.begin(entries.table, 9);
    use(2, 6);
    use(3, 4);
    use(4, 5);
    credit(2);
    credit(3);
    credit(4);
    steps.evictLeastOfUsed();
    assertThat(entries.table.evicted).containsExactly(3);
    assertThat(request.freedEntries()).isEqualTo(1);
  }

  @Test
  void theFirstOfEqualsLeaves() {
    steps.begin(entries.table, 9);
    use(4, 4);
    use(2, 4);
    credit(4);
    credit(2);
    steps.evictLeastOfUsed();
    assertThat(entries.table.evicted).containsExactly(4);
  }

  @Test
  void whatChangedMeanwhileIsNotTheLeastFrequent() {
    steps.begin(entries.table, 9);
    use(2, 6);
    credit(2);
    long seen = meta(3);
    use(3, 1);
    steps.credit(3, seen);
    steps.evictLeastOfUsed();
    assertThat(entries.table.evicted).containsExactly(2);
  }

  @Test
  void withoutAnyInUseNoneLeaves() {
    steps.begin(entries.table, 9);
    use(2, 6);
    credit(2);
    steps.begin(entries.table, 9);
    steps.evictLeastOfUsed();
    assertThat(entries.table.evicted).isEmpty();
  }

  @Test
  void anEvictionTellsWhoLeft() {
    steps.begin(entries.table, 9);
    assertThat(steps.evict(3, meta(3))).isEqualTo(AdaptiveEntries.mixed(3));
    assertThat(steps.evict(4, meta(5) + 1)).isEqualTo(AdaptiveEntries.GONE);
    assertThat(entries.table.evicted).containsExactly(3);
  }
}
