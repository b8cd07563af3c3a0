/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.disk.promises;

import static java.util.concurrent.TimeUnit.SECONDS;

import io.hyperclock.secondary.testing.TierTestLimits;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/** A JVM of its own, with the class path of this one, that can be killed. */
final class ChildJvm implements AutoCloseable {
  private static final int KILLED = 128 + 9;

  private final Process process;

  private ChildJvm(Process process) {
    this.process = process;
  }

  static ChildJvm start(Class<?> main, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(ProcessHandle.current().info().command().orElse("java"));
    command.addAll(
        List.of(
            "-Xmx128m",
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-Xshare:auto",
            "-cp",
            System.getProperty("java.class.path"),
            main.getName()));
    command.addAll(List.of(arguments));
    try {
      return new ChildJvm(
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Process process() {
    return process;
  }

  /**
   * Kills it by a signal that it cannot handle, and waits until it is gone. What it said before can
   * still be read, which {@link Process#destroyForcibly} would not allow.
   */
  void kill() throws InterruptedException {
    process.toHandle().destroyForcibly();
    if (!process.waitFor(TierTestLimits.SECONDS, SECONDS)) {
      throw new IllegalStateException("child must end when killed: pid=" + process.pid());
    }
  }

  /** Whether it was killed, as opposed to having ended by itself. */
  boolean wasKilled() {
    return process.exitValue() == KILLED;
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
