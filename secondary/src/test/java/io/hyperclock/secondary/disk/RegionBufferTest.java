/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.disk;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RegionBufferTest {
  private final RegionBuffer buffer = new RegionBuffer(new Region(0), new byte[16]);

  @Test
  void isRetiredOnlyWhileNobodyReads() {
    assertThat(buffer.pin()).isTrue();
    assertThat(buffer.pin()).isTrue();
    assertThat(buffer.retire()).isFalse();
    buffer.unpin();
    assertThat(buffer.retire()).isFalse();
    buffer.unpin();
    assertThat(buffer.retire()).isTrue();
    assertThat(buffer.pin()).isFalse();
    assertThat(buffer.retire()).isFalse();
  }
}
