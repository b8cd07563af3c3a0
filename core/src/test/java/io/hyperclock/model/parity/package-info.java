/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * The cache in parity mode against RocksDB: its own figures for its benchmark, and a restatement of its
 * rules for one thread, compared after every operation.
 */
@NullMarked
package io.hyperclock.model.parity;

import org.jspecify.annotations.NullMarked;
