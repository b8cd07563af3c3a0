/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Reuse of what is costly to make.
 *
 * <p>Level of promise: none, internal.
 */
@NullMarked
package io.hyperclock.secondary.internal.pool;

import org.jspecify.annotations.NullMarked;
