/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.compressed;

import io.hyperclock.faults.FaultPoint;
import io.hyperclock.faults.FaultTest;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The stack ends in the calls of those who use a compressed tier. */
class CompressedFaultInjectionTest extends FaultTest {
  @ParameterizedTest
  @EnumSource(names = {"STACK_DEPTH", "STACK_DEPTH_AS_IN_JDK", "UNEVEN_FRAMES"})
  void staysWhole(FaultPoint.Kind kind) throws Exception {
    everyOperationStaysWhole(
        CompressedFaultScenarios.class.getName(), false, kind, EVERY_CLASS, Set.of());
  }
}
