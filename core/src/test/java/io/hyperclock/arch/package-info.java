/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** Rules about the source of this module itself: who may use whom, what must be commented. */
@NullMarked
package io.hyperclock.arch;

import org.jspecify.annotations.NullMarked;
