/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * What an entry is made of: its key helpers, its type (role, codec, disposer) and its priority.
 *
 * <p>Level of promise: user.
 */
@NullMarked
package io.hyperclock.entry;

import org.jspecify.annotations.NullMarked;
