/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Seeing what a cache does from outside: JFR events, a Micrometer binder and a view in JMX. What
 * they need is optional; what is not used is not loaded. An application that is a named module
 * itself requires {@code jdk.jfr}, {@code micrometer.core} or {@code java.management}, whichever it
 * uses.
 *
 * <p>Level of promise: user.
 */
@NullMarked
package io.hyperclock.metrics;

import org.jspecify.annotations.NullMarked;
