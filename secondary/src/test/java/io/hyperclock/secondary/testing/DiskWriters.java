/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.testing;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * The threads that write for the disk tiers opened since this was made. A close waits a limited
 * time for such a thread, which on a slow disk goes on and keeps the directory until it ends. As an
 * extension of a test it waits for them before the directory of the test is deleted.
 */
public final class DiskWriters implements AfterEachCallback {
  private final Set<Thread> before = Set.copyOf(running());

  private static List<Thread> running() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().endsWith("-writer"))
        .toList();
  }

  /** Those that live. */
  public List<Thread> living() {
    return running().stream().filter(thread -> !before.contains(thread)).toList();
  }

  /** Waits until the tiers, all of which were closed, have written what they write. */
  public void awaitEnd() {
    await()
        .pollDelay(Duration.ZERO)
        .atMost(TierTestLimits.SECONDS, SECONDS)
        .until(() -> living().isEmpty());
  }

  @Override
  public void afterEach(ExtensionContext context) {
    awaitEnd();
  }
}
