/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.model;

import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Keeps the log of failures that a test plans out of its output. */
final class QuietLog {
  /** Held here: a logger nobody holds forgets its level. */
  private final Logger logger = Logger.getLogger("io.hyperclock");

  private @Nullable Level before;

  void start() {
    before = logger.getLevel();
    logger.setLevel(Level.OFF);
  }

  void end() {
    logger.setLevel(before);
  }
}
