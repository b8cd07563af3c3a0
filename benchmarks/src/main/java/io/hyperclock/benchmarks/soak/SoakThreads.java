/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.soak;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.util.Map;
import java.util.concurrent.ThreadFactory;

/** Platform and virtual threads. */
final class SoakThreads {
  private SoakThreads() {}

  /** Makes daemon threads of one name. */
  static ThreadFactory daemons(String name) {
    return task -> {
      Thread thread = new Thread(task, name);
      thread.setDaemon(true);
      return thread;
    };
  }

  static boolean hasVirtual() {
    return Runtime.version().feature() >= 21;
  }

  /** Makes a thread that is not started: a virtual one where wanted and possible. */
  static Thread make(boolean virtual, String name, Runnable task) {
    if (!virtual || !hasVirtual()) {
      return daemons(name).newThread(task);
    }
    try {
      Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
      Thread thread =
          ((ThreadFactory)
                  Class.forName("java.lang.Thread$Builder").getMethod("factory").invoke(builder))
              .newThread(task);
      thread.setName(name + " (virtual)");
      return thread;
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("virtual threads must be there: " + e, e);
    }
  }

  /** The stacks of all platform threads, with what they wait for. */
  static String dump() {
    StringBuilder text = new StringBuilder();
    for (ThreadInfo info : ManagementFactory.getThreadMXBean().dumpAllThreads(true, true)) {
      text.append(info);
    }
    for (Map.Entry<Thread, StackTraceElement[]> each : Thread.getAllStackTraces().entrySet()) {
      if (each.getValue().length > 8) {
        text.append(stack(each.getKey().getName(), each.getValue()));
      }
    }
    return text.toString();
  }

  /** One stack as text. */
  static String stack(String name, StackTraceElement[] frames) {
    StringBuilder text = new StringBuilder("\"" + name + "\"\n");
    for (StackTraceElement frame : frames) {
      text.append("\tat ").append(frame).append('\n');
    }
    return text.append('\n').toString();
  }
}
