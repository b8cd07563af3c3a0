/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Concurrency tests of the cache. Each class guards an edge of {@code core/docs/memory-ordering.md},
 * [S1] to [S8], and says which interleaving it hunts and which planted fault it catches; {@code
 * planted-faults.sh} plants them.
 *
 * <p>All caches here are tiny (one shard, six slots, room for one to four entries) and all keys have
 * the same probe path, so that actors meet in one slot most of the time. A state is a new cache;
 * actors go a few rounds in it, because making it costs more than using it.
 */
@NullMarked
package io.hyperclock.stress;

import org.jspecify.annotations.NullMarked;
