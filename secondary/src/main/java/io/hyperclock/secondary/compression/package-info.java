/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * How tiers make values smaller. {@link io.hyperclock.secondary.compression.Compression} has what
 * comes with this module; {@link io.hyperclock.secondary.compression.Compressor} is for providers
 * of others.
 *
 * <p>Level of promise: for users and providers.
 */
@NullMarked
package io.hyperclock.secondary.compression;

import org.jspecify.annotations.NullMarked;
