/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.disk;

import io.hyperclock.faults.FaultScenario;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/** What callers do with a disk tier. */
public final class DiskFaultScenarios {
  private DiskFaultScenarios() {}

  /**
   * Scenarios by name.
   *
   * @param isWritten whether the records are on the device
   */
  public static Map<String, Supplier<FaultScenario>> all(boolean isWritten) {
    Map<String, Supplier<FaultScenario>> all = new LinkedHashMap<>();
    Map<String, DiskFaultScenario.Step> steps = new LinkedHashMap<>();
    steps.put("insert over a value", DiskFaultScenario::put);
    steps.put("erase", DiskFaultScenario::erase);
    steps.put("lookup by the caller", DiskFaultScenario::lookupNow);
    steps.put("lookup", DiskFaultScenario::lookup);
    steps.put("lookup that misses", DiskFaultScenario::lookupAbsent);
    steps.put("batch", DiskFaultScenario::lookupAll);
    steps.put("change of the capacity", DiskFaultScenario::shrink);
    steps.forEach((name, step) -> all.put(name, () -> new DiskFaultScenario(isWritten, step)));
    return all;
  }
}
