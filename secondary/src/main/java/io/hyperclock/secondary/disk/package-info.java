/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * A tier in a directory of a local disk. Start at {@link
 * io.hyperclock.secondary.disk.DiskSecondaryCache#builder()}.
 *
 * <p>Level of promise: for users of tiers.
 */
@NullMarked
package io.hyperclock.secondary.disk;

import org.jspecify.annotations.NullMarked;
