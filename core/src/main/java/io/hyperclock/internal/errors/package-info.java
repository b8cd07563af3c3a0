/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** What keeps an operation whole where the stack or the memory ends. */
@NullMarked
package io.hyperclock.internal.errors;

import org.jspecify.annotations.NullMarked;
