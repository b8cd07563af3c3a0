/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.faults;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The stack or the memory ends in operations that call loaders; part of the mutation runs. */
@Tag("loading")
class LoadFaultInjectionTest extends FaultTest {
  @ParameterizedTest
  @CsvSource({
    "LoadScenarios, false, STACK_DEPTH",
    "LoadScenarios, false, UNEVEN_FRAMES",
    "LoadScenarios, false, STACK_DEPTH_FOREIGN",
    "LoadScenarios, false, ONE_ALLOCATION",
    "LoadScenarios, false, ALL_ALLOCATIONS",
  })
  void staysWhole(String factory, boolean variant, FaultPoint.Kind kind) throws Exception {
    everyOperationStaysWhole(factory, variant, kind);
  }
}
