/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.sizing;

/**
 * The state of a cache at one moment of a run, and what happened since the one before.
 *
 * @param turnovers bytes inserted so far, in capacities
 * @param charge bytes of each entry that is inserted
 * @param entries in the cache
 * @param slots it has
 * @param metadataBytes of all tables
 * @param usageBytes in use, metadata with it
 * @param hitPercent of the reads since the last sample
 * @param longestInsertMicros processor time of the longest insert since the last sample
 */
public record SizeSample(
    double turnovers,
    long charge,
    long entries,
    long slots,
    long metadataBytes,
    long usageBytes,
    double hitPercent,
    double longestInsertMicros) {}
