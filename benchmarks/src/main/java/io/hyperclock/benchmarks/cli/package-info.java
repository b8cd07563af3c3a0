/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** The command line, one class for each command. */
@NullMarked
package io.hyperclock.benchmarks.cli;

import org.jspecify.annotations.NullMarked;
