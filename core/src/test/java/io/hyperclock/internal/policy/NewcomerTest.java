/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.internal.slot.Meta;
import org.junit.jupiter.api.Test;

class NewcomerTest {
  @Test
  void partsComeBackWhole() {
    for (int countdown = 0; countdown <= 3; countdown++) {
      for (int policy : new int[] {0, 1, 0x155, (1 << Meta.POLICY_BITS) - 1}) {
        for (boolean main : new boolean[] {false, true}) {
          int newcomer = Newcomer.of(countdown, policy, main);
          assertThat(Newcomer.countdown(newcomer)).isEqualTo(countdown);
          assertThat(Newcomer.policy(newcomer)).isEqualTo(policy);
          assertThat(Newcomer.isMain(newcomer)).isEqualTo(main);
        }
      }
    }
  }
}
