/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * The user's code, and what a cache reports: listeners, disposers, the observer, statistics,
 * incidents, and the handles and scopes that are tracked.
 */
@NullMarked
package io.hyperclock.internal.observe;

import org.jspecify.annotations.NullMarked;
