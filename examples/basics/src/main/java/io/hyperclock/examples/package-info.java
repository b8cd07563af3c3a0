/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** First steps: a quickstart, and values in native memory that are freed exactly once. */
@NullMarked
package io.hyperclock.examples;

import org.jspecify.annotations.NullMarked;
