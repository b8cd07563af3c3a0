/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.soak;

import io.hyperclock.Handle;

/**
 * A handle that is held for some time.
 *
 * @param handle the handle
 * @param block its value
 * @param due operation of its holder after which it is closed
 */
record Held(Handle<SoakBlock> handle, SoakBlock block, long due) {}
