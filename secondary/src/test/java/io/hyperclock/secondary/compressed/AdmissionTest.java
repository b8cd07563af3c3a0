/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.compressed;

import static io.hyperclock.secondary.testing.TestValues.BYTES;
import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.secondary.TierRequest;
import io.hyperclock.secondary.TierResult;
import io.hyperclock.secondary.testing.TestValues;
import org.junit.jupiter.api.Test;

class AdmissionTest {
  private final CompressedSecondaryCache tier =
      CompressedSecondaryCache.builder()
          .capacityBytes(1 << 20)
          .estimatedEntryCharge(1 << 10)
          .build();

  @Test
  void firstOfferLeavesDummySecondStores() {
    assertThat(offer(1, 0)).isFalse();
    assertThat(holds(1)).isFalse();
    assertThat(tier.stats().entries()).isZero();
    assertThat(offer(1, 0)).isTrue();
    assertThat(holds(1)).isTrue();
    assertThat(tier.stats().accepted()).isEqualTo(1);
    assertThat(tier.stats().declined()).isEqualTo(1);
  }

  @Test
  void forceSkipsTheDummy() {
    assertThat(tier.insert(1, 1, value(1, 0), BYTES, true)).isTrue();
    assertThat(holds(1)).isTrue();
  }

  @Test
  void olderValueStandsForDummy() {
    tier.insert(1, 1, value(1, 0), BYTES, true);
    assertThat(offer(1, 1)).isTrue();
    assertThat(TestValues.versionOf(1, lookup(1, false).value())).isEqualTo(1);
  }

  @Test
  void storingUsesTheDummyUp() {
    offer(1, 0);
    offer(1, 0);
    tier.erase(1, 1);
    assertThat(offer(1, 0)).isFalse();
  }

  @Test
  void valueThatMovedUpLeavesDummy() {
    tier.insert(1, 1, value(1, 0), BYTES, true);
    TierResult<byte[]> result = lookup(1, true);
    assertThat(result.isHit()).isTrue();
    assertThat(result.kept()).isFalse();
    assertThat(holds(1)).isFalse();
    assertThat(tier.stats().entries()).isZero();
    assertThat(offer(1, 0)).isTrue();
  }

  @Test
  void adviceAboutAbsentKeyLeavesNoDummy() {
    lookup(1, true);
    assertThat(offer(1, 0)).isFalse();
  }

  @Test
  void eraseForgetsTheDummyToo() {
    offer(1, 0);
    tier.erase(1, 1);
    assertThat(offer(1, 0)).isFalse();
    assertThat(offer(1, 0)).isTrue();
  }

  @Test
  void keysTouchedOnceTakeNothingFromThoseTouchedTwice() {
    for (int key = 0; key < 100; key++) {
      tier.insert(1, key, value(key, 0), BYTES, true);
    }
    long usage = tier.stats().usageBytes();
    for (int key = 1_000; key < 101_000; key++) {
      assertThat(tier.insert(1, key, value(1, 0), BYTES, false)).isFalse();
    }
    assertThat(tier.stats().usageBytes()).isEqualTo(usage);
    assertThat(tier.stats().entries()).isEqualTo(100);
    assertThat(tier.stats().dropped()).isZero();
  }

  @Test
  void remembersAboutAsManyKeysAsThereArePlaces() {
    OfferDummies dummies = new OfferDummies(1_000, 1);
    assertThat(dummies.bytes()).isEqualTo(1_024 * Long.BYTES);
    int remembered = 0;
    for (int key = 0; key < 1_000; key++) {
      dummies.add(key, -key);
    }
    for (int key = 0; key < 1_000; key++) {
      remembered += dummies.remove(key, -key) ? 1 : 0;
      assertThat(dummies.remove(key, -key)).isFalse();
    }
    // Of a thousand keys thrown into as many places, 1 - 1/e have a place in the end.
    assertThat(remembered).isBetween(580, 690);
  }

  private boolean offer(long key, int version) {
    return tier.insert(1, key, value(key, version), BYTES, false);
  }

  private static byte[] value(long key, int version) {
    return TestValues.value(key, version, 600);
  }

  private boolean holds(long key) {
    return lookup(key, false).isHit();
  }

  private TierResult<byte[]> lookup(long key, boolean advise) {
    return tier.lookup(new TierRequest<byte[]>(1, key, BYTES, null, advise)).join();
  }
}
