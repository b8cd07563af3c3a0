/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.soak;

import org.jspecify.annotations.Nullable;

/**
 * How a run ended.
 *
 * @param wrong what was wrong, or null if nothing was
 * @param seconds how long it ran
 * @param summary what happened, in one line
 * @param mostHeapBytes most heap that was seen in use, once a second
 */
public record SoakResult(
    @Nullable String wrong, double seconds, String summary, long mostHeapBytes) {}
