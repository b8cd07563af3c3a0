/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.internal.record;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ScratchTest {
  @Test
  void scratchForgetsLargeArrays() {
    Scratch scratch = new Scratch();
    byte[] small = scratch.raw(5_000);
    assertThat(scratch.raw(100)).isSameAs(small).hasSize(8_192);
    assertThat(scratch.packed(Scratch.KEPT_BYTES + 1)).hasSize(Scratch.KEPT_BYTES + 1);
    assertThat(scratch.trimmed().raw(1)).isSameAs(small);
    assertThat(scratch.packed(1)).hasSize(1_024);
    assertThat(scratch.raw(Scratch.KEPT_BYTES)).hasSize(Scratch.KEPT_BYTES);
    byte[] largestKept = scratch.packed(Scratch.KEPT_BYTES);
    byte[] kept = scratch.raw(Scratch.KEPT_BYTES);
    assertThat(scratch.trimmed().raw(1)).isSameAs(kept);
    scratch.raw(Scratch.KEPT_BYTES + 1);
    assertThat(scratch.trimmed().packed(1)).isSameAs(largestKept);
    assertThat(scratch.raw(1)).hasSize(1_024);
  }
}
