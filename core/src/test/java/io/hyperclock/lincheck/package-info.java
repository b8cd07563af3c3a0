/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Linearizability of a table without evictions, by Lincheck. More scenarios, and more interleavings of
 * each, than the default few seconds allow:
 *
 * <pre>
 * mvn -pl core test -Dtest='*LincheckTest' -Dhyperclock.lincheck.iterations=100
 *     -Dhyperclock.lincheck.invocations=5000
 * </pre>
 */
@NullMarked
package io.hyperclock.lincheck;

import org.jspecify.annotations.NullMarked;
