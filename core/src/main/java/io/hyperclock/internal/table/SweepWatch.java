/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.table;

import io.hyperclock.internal.policy.RoomRequest;

/** Is told how long sweeps take. Implementations never throw. */
public interface SweepWatch {
  /** Whether the next sweep is to be timed. */
  boolean isOn();

  /** A sweep is over. */
  void swept(RoomRequest room, long nanos);
}
