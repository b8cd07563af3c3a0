/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.observe;

import io.hyperclock.internal.policy.EvictionRequest;

/** Learns how long sweeps take. Implementations never throw. */
public interface SweepWatch {
  /** Whether the next sweep is to be timed. */
  boolean isOn();

  /** A sweep is over. */
  void swept(EvictionRequest request, long nanos);
}
