/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.faults;

import java.util.List;

/** One operation with its surroundings, to be run once. */
public interface FaultScenario {
  /** Makes what the operation needs; nothing fails here. */
  void arrange() throws Exception;

  /** The operation; may throw what was injected. */
  void act() throws Exception;

  /**
   * Uses and closes everything, and tells what is wrong.
   *
   * @return one sentence per violation
   */
  List<String> violations() throws Exception;
}
