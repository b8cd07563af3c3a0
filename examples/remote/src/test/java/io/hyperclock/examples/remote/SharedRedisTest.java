/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.examples.remote;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import org.junit.jupiter.api.Test;

class SharedRedisTest {
  @Test
  void theSecondProcessFindsWhatTheFirstLeft() throws Exception {
    PrintStream before = System.out;
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    System.setOut(new PrintStream(said, true));
    try {
      SharedRedis.main(new String[0]);
    } finally {
      System.setOut(before);
    }
    assertThat(said.toString())
        .contains("first process:  Found[warm=0, cold=1000]")
        .containsPattern("second process: Found\\[warm=9\\d\\d, cold=\\d+\\]");
  }

  @Test
  void withoutAServerAllIsCold() {
    assertThat(SharedRedis.read("redis://127.0.0.1:1", "nowhere"))
        .isEqualTo(new SharedRedis.Found(0, 1_000));
  }
}
