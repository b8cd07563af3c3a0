/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.examples;

import java.nio.ByteBuffer;
import java.util.function.ToLongFunction;

/** Cached reads of blocks in native memory, which must be given back to their pool once. */
interface PooledReads extends AutoCloseable {
  /** Reads something from a block, which is valid during the call only. */
  long read(long file, long offset, ToLongFunction<ByteBuffer> use);

  void forget(long file, long offset);

  @Override
  void close();
}
