/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.remote;

import io.hyperclock.faults.FaultScenario;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/** What callers do with a remote tier. */
public final class RemoteFaultScenarios {
  private RemoteFaultScenarios() {}

  /** Scenarios by name. */
  public static Map<String, Supplier<FaultScenario>> all(boolean ignored) {
    Map<String, RemoteFaultScenario.Step> steps = new LinkedHashMap<>();
    steps.put("insert over a value", RemoteFaultScenario::put);
    steps.put("erase", RemoteFaultScenario::erase);
    steps.put("erase while a removal is owed", RemoteFaultScenario::eraseTwice);
    steps.put("lookup", RemoteFaultScenario::lookup);
    steps.put("batch", RemoteFaultScenario::lookupAll);
    Map<String, Supplier<FaultScenario>> all = new LinkedHashMap<>();
    steps.forEach((name, step) -> all.put(name, () -> new RemoteFaultScenario(step)));
    return all;
  }
}
