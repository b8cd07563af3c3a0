/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.loading;

import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.Priority;

/** A loaded value and how it is to be entered. */
record LoadedEntry<V>(
    long hi, long lo, V value, EntryType<? super V> type, long chargeBytes, Priority priority) {}
