/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock;

/**
 * How long a test waits for what must come, and fails only if it never does: longer than a machine
 * that is busy with other things stands still. A test that succeeds does not wait as long.
 */
public final class TestLimits {
  /** For one thing to come. */
  public static final long WAIT_SECONDS = 120;

  public static final long WAIT_MILLIS = 1000 * WAIT_SECONDS;

  /** For a test to end, longer than it may wait for any one thing. */
  public static final long TEST_SECONDS = 300;

  private TestLimits() {}
}
