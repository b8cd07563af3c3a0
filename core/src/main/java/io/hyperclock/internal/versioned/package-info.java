/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * A cache with a committed and a prepared version of each key, over the slots of {@code
 * internal.slot}. Nothing of it is in a plain cache. See {@code core/docs/versioned.md}.
 */
@NullMarked
package io.hyperclock.internal.versioned;

import org.jspecify.annotations.NullMarked;
