/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * A static analyser over an Accumulo RFile that holds the classes of the running JDK: the same work
 * with each block cache, side by side.
 */
@NullMarked
package io.hyperclock.examples.accumulo;

import org.jspecify.annotations.NullMarked;
