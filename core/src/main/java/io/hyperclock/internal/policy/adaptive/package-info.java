/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** The adaptive replacement: two segments, ghosts, duels and the search for a victim. */
@NullMarked
package io.hyperclock.internal.policy.adaptive;

import org.jspecify.annotations.NullMarked;
