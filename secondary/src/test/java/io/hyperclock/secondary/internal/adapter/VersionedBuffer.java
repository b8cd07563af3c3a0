/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.internal.adapter;

import java.util.concurrent.atomic.AtomicInteger;

/** A value that is freed explicitly. */
final class VersionedBuffer {
  final int version;
  final AtomicInteger freed = new AtomicInteger();

  /** Whether it is not known who has it: a call that it was given to has thrown. */
  boolean mayBeLost;

  VersionedBuffer(int version) {
    this.version = version;
  }
}
