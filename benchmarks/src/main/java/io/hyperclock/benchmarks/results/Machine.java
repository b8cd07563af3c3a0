/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.results;

import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.Stream;

/** The machine that runs this. */
public final class Machine {
  private Machine() {}

  /**
   * Describes it.
   *
   * @return processor, cores, memory and system in one line
   */
  public static String describe() {
    var system =
        (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    return String.format(
        Locale.ROOT,
        "%s, %d cores, %.0f GiB, %s %s",
        processor(),
        system.getAvailableProcessors(),
        (double) system.getTotalMemorySize() / (1L << 30),
        system.getName(),
        system.getVersion());
  }

  /**
   * Describes the JVM.
   *
   * @return name and version in one line
   */
  public static String java() {
    return System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version");
  }

  /**
   * Memory of direct buffers in this process.
   *
   * @return bytes
   */
  public static long directBytes() {
    return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
        .filter(pool -> pool.getName().equals("direct"))
        .mapToLong(BufferPoolMXBean::getMemoryUsed)
        .sum();
  }

  private static String processor() {
    try (Stream<String> lines = Files.lines(Path.of("/proc/cpuinfo"))) {
      return lines
          .filter(line -> line.startsWith("model name"))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElseGet(() -> System.getProperty("os.arch"));
    } catch (IOException e) {
      return System.getProperty("os.arch");
    }
  }
}
