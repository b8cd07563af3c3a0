/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** Tests of the cache of two versions, and a simple one to compare it with. */
@NullMarked
package io.hyperclock.versioned;

import org.jspecify.annotations.NullMarked;
