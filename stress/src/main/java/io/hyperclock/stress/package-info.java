/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Concurrency tests of the cache. Each class guards an edge of {@code core/docs/memory-ordering.md},
 * [publish] to [exchange], and says which interleaving it hunts and which planted fault it catches; {@code
 * planted-faults.sh} plants them.
 *
 * <p>Caches here are tiny (one shard, sixteen slots, room for one to eight entries, unless a class
 * needs more) and all keys have the same two buckets, so that actors meet in one slot or tag word
 * most of the time. A state is a new cache; actors go a few rounds in it, because making it costs
 * more than using it.
 */
@NullMarked
package io.hyperclock.stress;

import org.jspecify.annotations.NullMarked;
