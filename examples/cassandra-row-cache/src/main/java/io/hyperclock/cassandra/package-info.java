/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/** Cassandra's row cache on HyperClock; chosen by the name of its provider. */
@NullMarked
package io.hyperclock.cassandra;

import org.jspecify.annotations.NullMarked;
