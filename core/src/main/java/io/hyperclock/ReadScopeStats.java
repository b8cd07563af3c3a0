/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock;

import java.time.Duration;

/**
 * What read scopes hold back.
 *
 * @param openScopes scopes that are open
 * @param retiredValues values that left the cache and wait for scopes to close
 * @param retiredBytes charge of these values, which still counts as usage
 * @param stuckFor how long scopes have held back values without any of them having become free;
 *     zero if nothing waits. More than a moment means that a scope was left open
 */
public record ReadScopeStats(
    long openScopes, long retiredValues, long retiredBytes, Duration stuckFor) {}
