/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** Files that were dropped, whose blocks are of no use any more. */
@NullMarked
package io.hyperclock.internal.drops;

import org.jspecify.annotations.NullMarked;
