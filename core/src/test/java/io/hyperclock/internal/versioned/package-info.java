/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** Tests that look inside of the cache of two versions. */
@NullMarked
package io.hyperclock.internal.versioned;

import org.jspecify.annotations.NullMarked;
