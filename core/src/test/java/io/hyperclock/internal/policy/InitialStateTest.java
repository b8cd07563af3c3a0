/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.internal.slot.MetaWord;
import org.junit.jupiter.api.Test;

class InitialStateTest {
  @Test
  void partsComeBackWhole() {
    for (int countdown = 0; countdown <= 3; countdown++) {
      for (int policy : new int[] {0, 1, 0x155, (1 << MetaWord.POLICY_BITS) - 1}) {
        for (boolean main : new boolean[] {false, true}) {
          int newcomer = InitialState.of(countdown, policy, main);
          assertThat(InitialState.countdown(newcomer)).isEqualTo(countdown);
          assertThat(InitialState.policy(newcomer)).isEqualTo(policy);
          assertThat(InitialState.isMain(newcomer)).isEqualTo(main);
        }
      }
    }
  }
}
