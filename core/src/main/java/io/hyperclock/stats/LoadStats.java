/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.stats;

/**
 * Statistics of the loads of one cache since it was built. Callers who found their block are
 * counted nowhere here.
 *
 * <pre>{@code
 * LoadStats loads = cache.monitor().loadStats();
 * log(loads.loads() + " loads, " + loads.underWay() + " under way");
 * }</pre>
 *
 * @param loads blocks asked from loaders that returned, those that do not exist included
 * @param loadFailures blocks asked from loaders that threw
 * @param waiters callers who were served by the load of another caller, or shared its failure
 * @param totalLoadNanos time spent in loaders in nanoseconds; a bulk load counts once
 * @param underWay loads begun or queued and not yet finished, at this moment
 */
public record LoadStats(
    long loads, long loadFailures, long waiters, long totalLoadNanos, int underWay) {}
