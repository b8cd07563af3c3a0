/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.faults;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The stack or the memory ends in every operation; loads without tracked handles are in {@link
 * LoadFaultInjectionTest}, two versions in {@link VersionedFaultInjectionTest}.
 */
class FaultInjectionTest extends FaultTest {
  @ParameterizedTest
  @CsvSource({
    "CacheScenarios, false, STACK_DEPTH",
    "CacheScenarios, false, UNEVEN_FRAMES",
    "CacheScenarios, false, STACK_DEPTH_FOREIGN",
    "CacheScenarios, false, STACK_DEPTH_AS_IN_JDK",
    "CacheScenarios, false, ONE_ALLOCATION",
    "CacheScenarios, false, ALL_ALLOCATIONS",
    "CacheScenarios, true, STACK_DEPTH",
    "CacheScenarios, true, UNEVEN_FRAMES",
    "CacheScenarios, true, STACK_DEPTH_FOREIGN",
    "CacheScenarios, true, STACK_DEPTH_AS_IN_JDK",
    "CacheScenarios, true, ONE_ALLOCATION",
    "CacheScenarios, true, ALL_ALLOCATIONS",
    "ResizeScenarios, true, STACK_DEPTH",
    "ResizeScenarios, true, UNEVEN_FRAMES",
    "ResizeScenarios, true, STACK_DEPTH_FOREIGN",
    "ResizeScenarios, true, STACK_DEPTH_AS_IN_JDK",
    "ResizeScenarios, true, ONE_ALLOCATION",
    "ResizeScenarios, true, ALL_ALLOCATIONS",
    "LoadScenarios, true, STACK_DEPTH",
    "LoadScenarios, true, UNEVEN_FRAMES",
    "LoadScenarios, true, STACK_DEPTH_FOREIGN",
    "LoadScenarios, true, STACK_DEPTH_AS_IN_JDK",
    "LoadScenarios, true, ONE_ALLOCATION",
    "LoadScenarios, true, ALL_ALLOCATIONS",
  })
  void staysWhole(String factory, boolean variant, FaultPoint.Kind kind) throws Exception {
    everyOperationStaysWhole(factory, variant, kind);
  }
}
