/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.soak;

import java.time.Duration;
import java.util.Set;

/**
 * What to run.
 *
 * @param length how long to begin new operations
 * @param epochs most epochs to run
 * @param seed decides the settings of the caches and what each thread does
 * @param faults whether faults are injected
 * @param threads threads that use the caches, at least 1
 * @param entries entries that the block cache has room for, at least 64
 * @param what parts of the mix, at least one
 * @param stuckAfter time after which an operation that has not returned counts as stuck
 * @param settle how long caches may take at the end of an epoch for what they do on threads of
 *     their own
 */
public record SoakOptions(
    Duration length,
    int epochs,
    long seed,
    boolean faults,
    int threads,
    int entries,
    Set<What> what,
    Duration stuckAfter,
    Duration settle) {
  /** Copies {@code what}. */
  public SoakOptions {
    what = Set.copyOf(what);
  }
}
