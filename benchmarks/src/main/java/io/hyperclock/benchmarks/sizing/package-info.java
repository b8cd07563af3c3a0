/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** How caches that size themselves follow their load. */
@org.jspecify.annotations.NullMarked
package io.hyperclock.benchmarks.sizing;
