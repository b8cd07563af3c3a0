/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/** Epochs: what keeps a value from being freed while a read scope may still show it to a reader. */
@NullMarked
package io.hyperclock.internal.scope;

import org.jspecify.annotations.NullMarked;
