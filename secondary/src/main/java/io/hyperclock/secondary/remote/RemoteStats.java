/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.remote;

/**
 * What a remote tier knows beside {@link io.hyperclock.secondary.TierStats}, for people who watch
 * it.
 *
 * @param batches reads sent to the server
 * @param batchedKeys keys in all of them
 * @param unconfirmed writes and removals that ended without the server's word, so that they may be
 *     carried out later; not those that it refused, or that were not sent
 * @param untrusted values that were there but could be older than they must be: counted as absent
 * @param owedRemovals keys that are to be removed once the server can be reached; nothing is given
 *     under them
 * @param distrusting whether too many were, so that only values written here since are given
 * @param commandsInFlight commands under way
 * @param bytesInFlight bytes under way: of values written, and those expected of values read
 */
public record RemoteStats(
    long batches,
    long batchedKeys,
    long unconfirmed,
    long untrusted,
    int owedRemovals,
    boolean distrusting,
    int commandsInFlight,
    long bytesInFlight) {}
