/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * A cache whose keys may have two versions: a committed one, which reads find, and a prepared one,
 * which waits for its commit. For participants of a two-phase commit, replicas and others who must
 * keep room for a value before it may be seen.
 *
 * <p>Level of promise: expert. Start at {@link io.hyperclock.versioned.VersionedCache#builder()}.
 */
@NullMarked
package io.hyperclock.versioned;

import org.jspecify.annotations.NullMarked;
