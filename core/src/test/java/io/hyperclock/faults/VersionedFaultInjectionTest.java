/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.faults;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The stack or the memory ends in operations on two versions; part of the mutation runs. */
@Tag("versioned")
class VersionedFaultInjectionTest extends FaultTest {
  @ParameterizedTest
  @CsvSource({
    "VersionedScenarios, false, STACK_DEPTH",
    "VersionedScenarios, false, UNEVEN_FRAMES",
    "VersionedScenarios, false, STACK_DEPTH_FOREIGN",
    "VersionedScenarios, false, ONE_ALLOCATION",
    "VersionedScenarios, true, ALL_ALLOCATIONS",
  })
  void staysWhole(String factory, boolean variant, FaultPoint.Kind kind) throws Exception {
    everyOperationStaysWhole(factory, variant, kind);
  }
}
