/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock;

import static io.hyperclock.TestLimits.TEST_SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A JVM beside that of the tests, of the same version. */
public final class OtherJvm {
  private OtherJvm() {}

  /** What a JVM with these arguments says, and that it ends well and warns of nothing. */
  public static String said(Path dir, String... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx64m", "-XX:TieredStopAtLevel=1"));
    // What the JVM itself has to say of the machine is none of the answer.
    command.addAll(List.of("-Xlog:disable", "-Xlog:all=warning:stderr"));
    command.addAll(List.of(arguments));
    Path said = dir.resolve("said");
    Path warned = dir.resolve("warned");
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(said.toFile())
            .redirectError(warned.toFile())
            .start();
    try {
      assertThat(process.waitFor(TEST_SECONDS, TimeUnit.SECONDS)).as("ended").isTrue();
    } finally {
      process.destroyForcibly();
    }
    String errors = Files.readString(warned);
    assertThat(process.exitValue()).as(errors).isZero();
    assertThat(errors).doesNotContain("WARNING");
    return Files.readString(said).strip();
  }
}
