/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.examples;

/** Where blocks come from when they are not cached. */
@FunctionalInterface
interface BlockDisk {
  byte[] read(long file, long offset);
}
