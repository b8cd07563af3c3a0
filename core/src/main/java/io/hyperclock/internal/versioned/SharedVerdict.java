/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.versioned;

/** The verdict of several prepared versions. */
interface SharedVerdict {
  /** What was decided, or pending. */
  int verdict();

  /** Gives a verdict, unless there is one, and ends the members by the one that is; no waiting. */
  void end(int verdict);
}
