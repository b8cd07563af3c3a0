/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.faults;

import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The memory ends in operations of files, in their own steps and in those of the pool. */
class FileFaultInjectionTest extends FaultTest {
  /** The list has room for all slabs. */
  private static final Set<String> SPARED = Set.of("Slab$SizeClass.append: ArrayList.add");

  private static final Predicate<String> FILES =
      name -> name.startsWith("io.hyperclock.files.") || name.startsWith("io.hyperclock.memory.");

  private static final Predicate<String> ALL_BUT_SCENARIOS =
      name -> !name.startsWith("io.hyperclock.faults.");

  @ParameterizedTest
  @CsvSource({
    "false, STACK_DEPTH",
    "false, STACK_DEPTH_FOREIGN",
    "false, STACK_DEPTH_AS_IN_JDK",
    "false, UNEVEN_FRAMES",
    "true, UNEVEN_FRAMES",
    "false, ONE_ALLOCATION",
    "false, ALL_ALLOCATIONS",
    "true, ONE_ALLOCATION",
    "true, ALL_ALLOCATIONS",
  })
  void staysWhole(boolean full, FaultPoint.Kind kind) throws Exception {
    everyOperationStaysWhole(
        FileScenarios.class.getName(),
        full,
        kind,
        kind.isOfStack() ? ALL_BUT_SCENARIOS : FILES,
        SPARED);
  }
}
