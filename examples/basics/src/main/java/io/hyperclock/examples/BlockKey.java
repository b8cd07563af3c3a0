/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.examples;

/** Key object of caches that take objects. */
record BlockKey(long file, long offset) {}
