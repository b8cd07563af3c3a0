/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Which release a JVM is of. */
final class JdkVersion {
  private JdkVersion() {}

  /**
   * Asks a JVM.
   *
   * @param java its path
   * @return the feature number, such as 17
   * @throws IllegalStateException if it does not say
   */
  static String of(String java) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(java, "-XshowSettings:properties", "-version")
            .redirectErrorStream(true)
            .start();
    String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return printed
        .lines()
        .map(String::strip)
        .filter(line -> line.startsWith("java.specification.version = "))
        .map(line -> line.replaceFirst(".*= ", ""))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("jvm must tell its version: jvm=" + java));
  }
}
