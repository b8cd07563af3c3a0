/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.versioned;

/**
 * Tells to which namespace a key belongs. Must give the same answer for a key each time. Asked when
 * a value is added or prepared, not by reads.
 *
 * <pre>{@code
 * VersionedCache<byte[]> rows =
 *     VersionedCache.<byte[]>builder()
 *         .capacityBytes(1 << 30)
 *         .estimatedEntryCharge(200)
 *         .namespaces(16, (hi, lo) -> (int) (hi & 15))
 *         .build();
 * }</pre>
 */
@FunctionalInterface
public interface NamespaceFunction {
  /**
   * Namespace of a key.
   *
   * @return in [0, number of namespaces)
   */
  int namespaceOf(long keyHi, long keyLo);
}
