/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.internal.adapter;

import io.hyperclock.faults.FaultPoint;
import io.hyperclock.faults.FaultTest;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The stack or the memory ends in every operation of the adapter; in the primary too, or not. */
class TierFaultInjectionTest extends FaultTest {
  private static final String SECONDARY = "io.hyperclock.secondary.";
  private static final String STRUCK = SECONDARY + "internal.";

  private static final Predicate<String> ADAPTER = name -> name.startsWith(STRUCK);

  private static final Predicate<String> ADAPTER_AND_PRIMARY =
      name -> !name.startsWith(SECONDARY) || name.startsWith(STRUCK);

  /** What a thread has is there, a list without elements is made once, as is what captures none. */
  private static final Set<String> SPARED =
      Set.of(
          "EvictionTimestamps.exit: ThreadLocal.get",
          "EvictionTimestamps.reported: ThreadLocal.get",
          "EvictionTimestamps.lead: ThreadLocal.get",
          "EvictionTimestamps.led: ThreadLocal.get",
          "TierLookups.lead: List.add",
          "TierRead.takeWaiters: List.of",
          "TierHandle.close: lambda test",
          "TierHandle.discard: lambda test");

  @ParameterizedTest
  @CsvSource({
    "false, ONE_ALLOCATION",
    "false, ALL_ALLOCATIONS",
    "true, ONE_ALLOCATION",
    "true, ALL_ALLOCATIONS",
  })
  void staysWhole(boolean withPrimary, FaultPoint.Kind kind) throws Exception {
    everyOperationStaysWhole(
        TierScenarios.class.getName(),
        kind == FaultPoint.Kind.ALL_ALLOCATIONS,
        kind,
        withPrimary ? ADAPTER_AND_PRIMARY : ADAPTER,
        SPARED);
  }

  @ParameterizedTest
  @EnumSource(
      names = {"STACK_DEPTH", "STACK_DEPTH_FOREIGN", "STACK_DEPTH_AS_IN_JDK", "UNEVEN_FRAMES"})
  void staysWholeWhereTheStackEnds(FaultPoint.Kind kind) throws Exception {
    everyOperationStaysWhole(
        TierScenarios.Awaited.class.getName(), false, kind, ADAPTER_AND_PRIMARY, SPARED);
  }
}
