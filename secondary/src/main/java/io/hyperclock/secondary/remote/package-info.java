/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * A tier on a server that several processes may share: {@link
 * io.hyperclock.secondary.remote.RemoteSecondaryCache}, over any {@link
 * io.hyperclock.secondary.remote.RemoteStore}.
 *
 * <p>Level of promise: for users and providers.
 */
@NullMarked
package io.hyperclock.secondary.remote;

import org.jspecify.annotations.NullMarked;
