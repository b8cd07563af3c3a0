/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.versioned;

/**
 * What one namespace holds. Prepared versions count apart: a key with both counts in both places.
 *
 * @param items keys with a committed value
 * @param itemBytes their charge
 * @param prepares prepared versions
 * @param preparedBytes their charge
 */
public record NamespaceStats(long items, long itemBytes, long prepares, long preparedBytes) {}
