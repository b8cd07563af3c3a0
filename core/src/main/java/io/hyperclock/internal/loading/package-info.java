/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** Loading through the cache: one load per key at a time, outside the table. */
@NullMarked
package io.hyperclock.internal.loading;

import org.jspecify.annotations.NullMarked;
