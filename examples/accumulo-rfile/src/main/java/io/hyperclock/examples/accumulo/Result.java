/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.examples.accumulo;

/**
 * One measurement and the cache it is of.
 *
 * @param cache the cache
 * @param measurement what was measured
 */
record Result(CacheChoice cache, Measurement measurement) {}
