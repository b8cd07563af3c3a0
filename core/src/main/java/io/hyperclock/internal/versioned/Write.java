/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.versioned;

/** What a write is to do. */
enum Write {
  PUT,
  INSERT,
  REPLACE,
  ERASE;

  /** Whether it may add an entry. */
  boolean mayAdd() {
    return this == PUT || this == INSERT;
  }
}
