/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Hit ratios of the real cache on generated workloads, and on traces where a folder of them is
 * there.
 */
@NullMarked
package io.hyperclock.replacement;

import org.jspecify.annotations.NullMarked;
