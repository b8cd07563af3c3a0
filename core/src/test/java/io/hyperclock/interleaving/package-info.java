/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** Operations of several threads whose turns are chosen by a test. */
package io.hyperclock.interleaving;
