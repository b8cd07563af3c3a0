/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.disk;

import io.hyperclock.faults.FaultPoint;
import io.hyperclock.faults.FaultTest;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The stack ends in the calls of those who use a disk tier. */
class DiskFaultInjectionTest extends FaultTest {
  @ParameterizedTest
  @CsvSource({
    "false, STACK_DEPTH",
    "false, STACK_DEPTH_AS_IN_JDK",
    "false, UNEVEN_FRAMES",
    "true, STACK_DEPTH",
    "true, STACK_DEPTH_AS_IN_JDK",
    "true, UNEVEN_FRAMES",
  })
  void staysWhole(boolean isWritten, FaultPoint.Kind kind) throws Exception {
    everyOperationStaysWhole(
        DiskFaultScenarios.class.getName(), isWritten, kind, EVERY_CLASS, Set.of());
  }
}
