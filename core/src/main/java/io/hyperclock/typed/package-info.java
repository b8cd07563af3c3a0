/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Views of a cache for one type of key and one type of value.
 *
 * <p>Level of promise: user.
 */
@NullMarked
package io.hyperclock.typed;

import org.jspecify.annotations.NullMarked;
