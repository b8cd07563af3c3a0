/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.testing;

import static java.time.Duration.ZERO;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.Callable;

/**
 * How long tests wait for what must happen. A machine that others use may hold up a thread, or all
 * of them, for half a minute; where all is well nobody waits as long.
 */
public final class TierTestLimits {
  /** For one thing that must happen, and no more than it may take. */
  public static final long SECONDS = 60;

  /** The same. */
  public static final Duration TIME = Duration.ofSeconds(SECONDS);

  /** For a whole test: several pauses, and less than what would be a hang. */
  public static final long TEST_SECONDS = 300;

  private TierTestLimits() {}

  /** Waits until it holds; fails if that takes too long. */
  public static void eventually(Callable<Boolean> holds) {
    await().pollDelay(ZERO).atMost(TIME).until(holds);
  }
}
