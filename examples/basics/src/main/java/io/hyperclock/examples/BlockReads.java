/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.examples;

/**
 * Cached reads of a storage engine, the same whichever cache is behind it. Its files have numbers,
 * and what they hold never changes: a number is not used again.
 *
 * @param <F> a file that is open
 */
interface BlockReads<F> extends AutoCloseable {
  F open(long number);

  byte[] read(F file, long offset);

  /** Reads like {@link #read}; of callers that miss at once only one asks the disk. */
  byte[] load(F file, long offset);

  void write(F file, long offset, byte[] block);

  void forget(F file, long offset);

  /** Forgets all blocks of a file that is deleted. */
  void delete(F file);

  double hitRatio();

  long evictedBytes();

  @Override
  void close();
}
