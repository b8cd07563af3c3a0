/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.files;

/**
 * Reads of one file, or of all files, so far.
 *
 * @param hits blocks that a cursor or pin moved to and found in the cache; a few are lost where
 *     many threads read at once
 * @param misses blocks that it had to wait for
 * @param blocksAhead blocks loaded that no reader waited for: read ahead, or prefetched
 * @param uncachedReads reads past the cache: by the mode, or because no memory was left
 * @param sourceReads calls of the source
 * @param sourceBytes bytes that these brought
 * @param prefetchesFailed prefetches that could not read, or found no room for a block
 * @param prefetchesRefused prefetches for which there was no room in the queue, or that the
 *     executor did not take, whatever it threw
 */
public record FileStats(
    long hits,
    long misses,
    long blocksAhead,
    long uncachedReads,
    long sourceReads,
    long sourceBytes,
    long prefetchesFailed,
    long prefetchesRefused) {}
