/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.examples;

/** Cached reads of a storage engine, the same whichever cache is behind it. */
interface BlockReads extends AutoCloseable {
  /** Number of a file. */
  long open(String name);

  byte[] read(long file, long offset);

  /** Reads like {@link #read}; of callers that miss at once only one asks the disk. */
  byte[] load(long file, long offset);

  void write(long file, long offset, byte[] block);

  void forget(long file, long offset);

  void forgetFile(long file);

  double hitRatio();

  long evictedBytes();

  @Override
  void close();
}
