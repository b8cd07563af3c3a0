/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.internal.adapter;

import io.hyperclock.faults.FaultPoint;
import io.hyperclock.faults.FaultTest;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The stack or the memory ends where memory of the budget is taken and given back. */
class ReservationFaultInjectionTest extends FaultTest {
  /** What a thread has is there. */
  private static final Set<String> SPARED =
      Set.of(
          "EvictionTimestamps.exit: ThreadLocal.get",
          "EvictionTimestamps.reported: ThreadLocal.get");

  @ParameterizedTest
  @CsvSource({
    "false, ONE_ALLOCATION",
    "false, ALL_ALLOCATIONS",
    "true, ALL_ALLOCATIONS",
    "false, STACK_DEPTH",
    "false, STACK_DEPTH_FOREIGN",
    "false, STACK_DEPTH_AS_IN_JDK",
    "true, STACK_DEPTH",
    "false, UNEVEN_FRAMES",
    "true, UNEVEN_FRAMES",
  })
  void budgetAddsUp(boolean strict, FaultPoint.Kind kind) throws Exception {
    everyOperationStaysWhole(
        ReservationScenarios.class.getName(), strict, kind, EVERY_CLASS, SPARED);
  }
}
