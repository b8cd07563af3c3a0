/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** A door to the parts of the replacement policy for stress tests. */
@NullMarked
package io.hyperclock.internal.policy.adaptive;

import org.jspecify.annotations.NullMarked;
