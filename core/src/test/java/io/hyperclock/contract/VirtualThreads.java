/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.contract;

import java.util.concurrent.ThreadFactory;

/** Virtual threads where the runtime has them. */
final class VirtualThreads {
  private VirtualThreads() {}

  /** Makes virtual threads, or platform threads before Java 21. */
  static ThreadFactory factory() throws ReflectiveOperationException {
    if (Runtime.version().feature() < 21) {
      return Thread::new;
    }
    Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
    return (ThreadFactory)
        Class.forName("java.lang.Thread$Builder").getMethod("factory").invoke(builder);
  }
}
