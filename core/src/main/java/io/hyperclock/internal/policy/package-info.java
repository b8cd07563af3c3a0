/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** Replacement: how long a newcomer stays unused, and what a visit of the clock hand does. */
@NullMarked
package io.hyperclock.internal.policy;

import org.jspecify.annotations.NullMarked;
