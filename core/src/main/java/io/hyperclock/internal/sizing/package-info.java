/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** How many slots a table has, and where they lie. */
@NullMarked
package io.hyperclock.internal.sizing;

import org.jspecify.annotations.NullMarked;
