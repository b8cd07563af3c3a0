/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.soak;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** What is wrong: the first report counts, the others may follow from it. */
final class SoakFindings {
  private final AtomicReference<@Nullable String> first = new AtomicReference<>();
  private final CountDownLatch found = new CountDownLatch(1);

  /** Reports what is wrong, with the stack of the calling thread. */
  void report(String wrong) {
    report(wrong, new Throwable("seen here"));
  }

  /** Reports what is wrong, with the place it shows at. */
  void report(String wrong, Throwable where) {
    if (first.get() == null) {
      StringWriter text = new StringWriter();
      where.printStackTrace(new PrintWriter(text, true));
      String thread = Thread.currentThread().getName();
      reportText(wrong + "\n  thread: " + thread + "\n  " + text);
    }
  }

  /** Reports what is wrong as it is. */
  void reportText(String wrong) {
    first.compareAndSet(null, wrong);
    found.countDown();
  }

  boolean any() {
    return first.get() != null;
  }

  /** Waits for a report, for a limited time; true if there is one. */
  boolean await(long nanos) throws InterruptedException {
    return found.await(nanos, TimeUnit.NANOSECONDS);
  }

  @Nullable String first() {
    return first.get();
  }
}
