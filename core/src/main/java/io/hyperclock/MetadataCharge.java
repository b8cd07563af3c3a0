/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock;

/** Whether the memory of the slots counts against the capacity. */
public enum MetadataCharge {
  /** Slots are charged up front, so that capacity bounds the memory of cache and values. */
  FULL,
  /** Only the charges given with the entries count. */
  NONE
}
