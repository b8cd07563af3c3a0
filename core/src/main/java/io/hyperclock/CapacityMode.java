/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock;

/** What an insert does when room cannot be made because entries are pinned. */
public enum CapacityMode {
  /** Usage never exceeds capacity: the insert is refused and the value stays the caller's. */
  STRICT,
  /** The insert goes on and usage may exceed capacity until later inserts have evicted enough. */
  NON_STRICT
}
