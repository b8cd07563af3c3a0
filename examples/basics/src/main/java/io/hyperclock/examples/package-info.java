/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** First steps: a quickstart, values in native memory that are freed exactly once, reads of an
 * event loop, and the same reads before and after a migration. */
@NullMarked
package io.hyperclock.examples;

import org.jspecify.annotations.NullMarked;
