/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.compressed;

import io.hyperclock.faults.FaultScenario;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/** What callers do with a compressed tier. */
public final class CompressedFaultScenarios {
  private CompressedFaultScenarios() {}

  /** Scenarios by name. */
  public static Map<String, Supplier<FaultScenario>> all(boolean ignored) {
    Map<String, CompressedFaultScenario.Step> steps = new LinkedHashMap<>();
    steps.put("insert over a value", CompressedFaultScenario::put);
    steps.put("erase", CompressedFaultScenario::erase);
    steps.put("lookup", it -> it.lookup(false));
    steps.put("lookup that moves up", it -> it.lookup(true));
    steps.put("change of the capacity", CompressedFaultScenario::shrink);
    steps.put("part taken away", CompressedFaultScenario::deflate);
    Map<String, Supplier<FaultScenario>> all = new LinkedHashMap<>();
    steps.forEach((name, step) -> all.put(name, () -> new CompressedFaultScenario(step)));
    return all;
  }
}
