/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.remote;

import io.hyperclock.secondary.TierState;

/** Failures as they are shown. */
final class Causes {
  /** A server chooses what it says: it must not fill a log. */
  static final int MAX_CHARS = 200;

  private Causes() {}

  /** On one line, and not too long. */
  static TierState.Cause of(String type, String message) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < Math.min(message.length(), MAX_CHARS); i++) {
      char next = message.charAt(i);
      line.append(Character.isISOControl(next) ? '?' : next);
    }
    return new TierState.Cause(
        type, line.append(message.length() > MAX_CHARS ? "…" : "").toString());
  }
}
