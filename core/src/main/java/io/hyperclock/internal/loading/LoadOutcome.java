/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.loading;

import org.jspecify.annotations.Nullable;

/**
 * Where a load ended.
 *
 * @param own what the leader gets
 * @param shared what the others get; if it is the leader's own handle, they must be served before
 *     the leader has it
 */
record LoadOutcome<V, R>(@Nullable R own, SharedResult<V> shared) {}
