/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** A door to the words of slots for stress tests. */
@NullMarked
package io.hyperclock.internal.slot;

import org.jspecify.annotations.NullMarked;
