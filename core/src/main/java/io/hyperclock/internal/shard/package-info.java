/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** Shards and the cache object that implements the API. */
@NullMarked
package io.hyperclock.internal.shard;

import org.jspecify.annotations.NullMarked;
