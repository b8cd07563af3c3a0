/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * The cache against models: threads that do everything at random while books are kept of every value
 * ({@code SeededModelTest}; {@code ModelProofTest} shows that the books notice each kind of fault), and
 * one thread side by side with a map ({@code SequentialOracleTest}).
 */
@NullMarked
package io.hyperclock.model;

import org.jspecify.annotations.NullMarked;
