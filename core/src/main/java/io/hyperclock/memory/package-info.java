/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Memory outside the heap for cached blocks.
 *
 * <p>{@link io.hyperclock.memory.BufferPool} lends {@linkplain io.hyperclock.memory.PooledBuffer
 * buffers} and makes the {@linkplain io.hyperclock.memory.BufferPool#entryType type of entry} that
 * brings them back. They can be read without a pin, by readers who look afterwards whether the loan
 * had ended.
 *
 * <p>Level of promise: {@link io.hyperclock.memory.BufferPool} is for users; reads without a pin are
 * for experts.
 */
@NullMarked
package io.hyperclock.memory;

import org.jspecify.annotations.NullMarked;
