/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * The slot protocol in small, explored exhaustively under a weak memory model: that its orders are
 * enough, and that each of them is needed.
 */
@NullMarked
package io.hyperclock.memorymodel;

import org.jspecify.annotations.NullMarked;
