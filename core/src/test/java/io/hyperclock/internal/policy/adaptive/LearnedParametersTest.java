/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.policy.adaptive;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LearnedParametersTest {
  private final LearnedParameters learned = new LearnedParameters();

  @Test
  void startsWithTheMoreFrequentStaying() {
    int[] expected = {-4, -4, -4, -4, 4, 4, 4};
    for (int difference = -3; difference <= 3; difference++) {
      assertThat(learned.score(difference)).isEqualTo(expected[difference + 3]);
    }
  }

  @Test
  void differencesBeyondThreeCountAsThree() {
    assertThat(LearnedParameters.clamped(15)).isEqualTo(3);
    assertThat(LearnedParameters.clamped(-15)).isEqualTo(-3);
    assertThat(LearnedParameters.clamped(-2)).isEqualTo(-2);
  }

  @Test
  void votesCountForTheirClassUpToTwentyFour() {
    for (int i = 0; i < 50; i++) {
      learned.vote(-1, 1);
      learned.vote(2, -1);
    }
    assertThat(learned.score(-1)).isEqualTo(24);
    assertThat(learned.score(2)).isEqualTo(-24);
    assertThat(learned.score(0)).isEqualTo(-4);
    learned.vote(-1, -1);
    assertThat(learned.score(-1)).isEqualTo(23);
  }

  /** One difference is enough, even the least. */
  @Test
  void candidatesMayStayIfAnyDifferenceLetsThem() {
    for (int difference = 1; difference <= 3; difference++) {
      assertThat(learned.mayCandidatesStay()).isTrue();
      learned.vote(difference, -4);
    }
    assertThat(learned.mayCandidatesStay()).as("0 is not enough").isFalse();
    for (int difference = -3; difference <= 3; difference++) {
      int score = learned.score(difference);
      learned.vote(difference, 1 - score);
      assertThat(learned.mayCandidatesStay()).as("by %s", difference).isTrue();
      learned.vote(difference, score - 1);
    }
    assertThat(learned.mayCandidatesStay()).isFalse();
  }

  @Test
  void meanDifferenceInSizeIsOfAboutSixteenNewcomers() {
    assertThat(learned.spreads(16)).isZero();
    learned.sizes(8, 800, 1);
    assertThat(learned.spreads(16)).isEqualTo(800);
    learned.sizes(16, 3_200, 1);
    assertThat(learned.spreads(16)).as("as many replace it").isEqualTo(3_200);
    learned.sizes(64, 640, 1);
    assertThat(learned.spreads(16)).as("more do, too").isEqualTo(160);
    learned.sizes(4, 0, 1);
    assertThat(learned.spreads(16)).isEqualTo(120);
  }

  @Test
  void largestNewcomerIsForgottenSlowly() {
    learned.sizes(8, 0, 3_200);
    assertThat(learned.largest()).isEqualTo(3_200);
    learned.sizes(8, 0, 3_000);
    assertThat(learned.largest()).isEqualTo(3_175);
    learned.sizes(8, 0, 3_160);
    assertThat(learned.largest()).as("at least the newest").isEqualTo(3_160);
    learned.sizes(64, 0, 1);
    assertThat(learned.largest()).isEqualTo(3_160 - 197);
    learned.sizes(1_024, 0, 1);
    assertThat(learned.largest()).isEqualTo(1);
  }

  /** Where each entry counts as one, a part of the largest is less than a unit. */
  @Test
  void largestNewcomerOfSmallOnesIsForgotten() {
    learned.sizes(8, 0, 100);
    for (int i = 0; i < 99; i++) {
      learned.sizes(8, 0, 1);
    }
    assertThat(learned.largest()).isEqualTo(1);
    learned.sizes(8, 0, 1);
    assertThat(learned.largest()).isEqualTo(1);
  }

  @Test
  void probationStaysWithinItsShares() {
    assertThat(learned.probationHalves(1000)).as("2 %%").isEqualTo(40);
    learned.resizeProbation(-1, 1000);
    assertThat(learned.probationHalves(1000)).isEqualTo(40);
    learned.resizeProbation(2, 1000);
    learned.resizeProbation(-1, 1000);
    assertThat(learned.probationHalves(1000)).isEqualTo(41);
    for (int i = 0; i < 1000; i++) {
      learned.resizeProbation(2, 1000);
    }
    assertThat(learned.probationHalves(1000)).as("25 %%").isEqualTo(500);
    learned.resizeProbation(-1, 1000);
    assertThat(learned.probationHalves(1000)).isEqualTo(499);
  }

  @Test
  void epochsFollowEachOther() {
    assertThat(learned.epoch()).isZero();
    learned.nextEpoch();
    assertThat(learned.epoch()).isEqualTo(1);
  }

  @Test
  void allKeysAreRememberedUntilFewReturn() {
    assertThat(learned.doKeysReturn()).isTrue();
    for (int i = 0; i < 200; i++) {
      learned.came(false);
      assertThat(learned.doKeysReturn()).isTrue();
    }
    assertThat(learned.doKeysReturn()).isTrue();
    for (int i = 0; i < 100; i++) {
      learned.came(false);
    }
    assertThat(learned.doKeysReturn()).isFalse();
    for (int i = 0; i < 3; i++) {
      learned.came(true);
    }
    assertThat(learned.doKeysReturn()).isTrue();
  }

  @Test
  void turnsAreCounted() {
    learned.nextTurn();
    learned.nextTurn();
    assertThat(learned.turns()).isEqualTo(2);
    assertThat(learned.epoch()).isZero();
  }
}
