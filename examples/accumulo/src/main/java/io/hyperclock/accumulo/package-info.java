/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Apache Accumulo's block cache on HyperClock. Put this package and {@code hyperclock-core} on the
 * server's class path and set {@code general.block.cache.manager.class} to {@link
 * io.hyperclock.accumulo.HyperClockBlockCacheManager}.
 */
@NullMarked
package io.hyperclock.accumulo;

import org.jspecify.annotations.NullMarked;
