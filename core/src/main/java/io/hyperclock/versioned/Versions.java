/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.versioned;

import org.jspecify.annotations.Nullable;

/**
 * Both versions of a key at one moment.
 *
 * <pre>{@code
 * Versions<byte[]> versions = rows.readVersions(table, id);
 * boolean undecided = versions.prepared() != null;
 * }</pre>
 *
 * @param <V> type of the values
 * @param committed the committed value, or null
 * @param prepared the prepared version, or null
 */
public record Versions<V>(@Nullable V committed, @Nullable PreparedVersion<V> prepared) {}
