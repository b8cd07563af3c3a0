/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.internal.adapter;

import static io.hyperclock.secondary.internal.adapter.ReservationScenario.MIB;

import io.hyperclock.faults.FaultScenario;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/** What takes memory of the budget that a cache and a tier share, and gives it back. */
public final class ReservationScenarios {
  private final Map<String, Supplier<FaultScenario>> all = new LinkedHashMap<>();
  private final boolean strict;

  private ReservationScenarios(boolean strict) {
    this.strict = strict;
  }

  /** Scenarios by name. */
  public static Map<String, Supplier<FaultScenario>> all(boolean strict) {
    ReservationScenarios made = new ReservationScenarios(strict);
    made.managers();
    made.parts();
    made.changes();
    return made.all;
  }

  private void add(String name, ReservationScenario.Step arrange, ReservationScenario.Step act) {
    all.put(name, () -> new ReservationScenario(strict, arrange, act));
  }

  private static final ReservationScenario.Step NOTHING = it -> {};

  private void managers() {
    add("manager that grows", NOTHING, it -> it.manager.update(MIB));
    add("manager that grows beyond what is left", it -> it.pin(170), it -> it.manager.update(MIB));
    add("manager that shrinks", it -> it.manager.update(MIB), it -> it.manager.update(MIB / 2));
    add("manager that is closed", it -> it.manager.update(MIB), it -> it.manager.close());
  }

  private void parts() {
    add("part", NOTHING, ReservationScenario::takePart);
    add("part that is refused", it -> it.pin(160), ReservationScenario::takePart);
    add("part given back", ReservationScenario::takePart, ReservationScenario::givePartBack);
  }

  private void changes() {
    add("reserve", NOTHING, ReservationScenario::reserve);
    add("release", ReservationScenario::reserve, ReservationScenario::release);
    add(
        "another total",
        ReservationScenario::reserve,
        it -> it.alter(own -> own.cache.setTotalCapacityBytes(12 * MIB)));
    add("another ratio", NOTHING, it -> it.alter(own -> own.cache.setSecondaryRatio(0.5)));
  }
}
