/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** Stack and memory that end in the middle of every operation. */
package io.hyperclock.faults;
