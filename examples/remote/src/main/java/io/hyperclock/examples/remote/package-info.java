/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/** Two processes that share one Redis server. */
@NullMarked
package io.hyperclock.examples.remote;

import org.jspecify.annotations.NullMarked;
