/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** Hashes of 128-bit keys: a cheap seeded one, and RocksDB's bijection for comparisons. */
@NullMarked
package io.hyperclock.internal.hash;

import org.jspecify.annotations.NullMarked;
