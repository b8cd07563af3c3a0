/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** Handles, and what they pin: entries of a table and entries outside. */
@NullMarked
package io.hyperclock.internal.handle;

import org.jspecify.annotations.NullMarked;
