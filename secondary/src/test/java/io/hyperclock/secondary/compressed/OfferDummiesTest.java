/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.compressed;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OfferDummiesTest {
  @ParameterizedTest
  @CsvSource({"0, 64", "1, 64", "64, 64", "65, 128", "128, 128", "129, 256", "1048576, 1048576"})
  void thePlacesAreTheNextPowerOfTwo(long keys, long places) {
    assertThat(OfferDummies.bytes(keys)).isEqualTo(places * Long.BYTES);
    assertThat(new OfferDummies(keys, 7).bytes()).isEqualTo(OfferDummies.bytes(keys));
  }

  @ParameterizedTest
  @CsvSource({"268435456", "268435457", "9223372036854775807"})
  void aHugeTierHasNoMoreThanTwoGibibytes(long keys) {
    assertThat(OfferDummies.bytes(keys)).isEqualTo(2L << 30);
  }

  @Test
  void aDummyIsTakenOnce() {
    OfferDummies dummies = new OfferDummies(64, 7);
    assertThat(dummies.remove(1, 2)).isFalse();

    dummies.add(1, 2);

    assertThat(dummies.remove(2, 1)).isFalse();
    assertThat(dummies.remove(1, 2)).isTrue();
    assertThat(dummies.remove(1, 2)).isFalse();
  }

  @Test
  void dummiesOfOthersTakeThePlaces() {
    OfferDummies dummies = new OfferDummies(64, 7);
    for (int key = 0; key < 6400; key++) {
      dummies.add(key, 0);
    }
    int left = 0;
    for (int key = 0; key < 6400; key++) {
      left += dummies.remove(key, 0) ? 1 : 0;
    }
    assertThat(left).isEqualTo(64);
  }
}
