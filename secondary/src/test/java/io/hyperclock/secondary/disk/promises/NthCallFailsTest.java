/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.disk.promises;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Timeout.ThreadMode.SEPARATE_THREAD;

import io.hyperclock.secondary.disk.DiskSecondaryCache;
import io.hyperclock.secondary.disk.promises.FaultDevice.Call;
import io.hyperclock.secondary.disk.promises.FaultDevice.Fault;
import io.hyperclock.secondary.disk.promises.FaultDevice.Verdict;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * P4: one call of the device fails, each in turn, while a small store is opened, used, closed and
 * opened again: no exception comes out, and nothing wrong. A device on which the snapshot cannot be
 * deleted as long as a life lasts remembers nothing of that life, as if it had never been.
 */
@Timeout(value = Plan.PATIENCE_SECONDS, threadMode = SEPARATE_THREAD)
class NthCallFailsTest {
  private static final int REGION = 8 << 10;
  private static final int KEYS = 16;
  private static final int STEPS = 60;
  private static final int QUICK_RUNS = 25;
  private static final int LARGEST_VALUE = 3_000;

  /** How calls fail. */
  enum Failure {
    FULL_ONCE,
    ERROR_ONCE,
    ERROR_FROM_THEN_ON,
    FULL_FROM_THEN_ON,
    RUNTIME_EXCEPTION_ONCE,
    SHORT_FROM_THEN_ON;

    Fault at(int n) {
      return (call, number) -> {
        boolean struck =
            this == FULL_FROM_THEN_ON || this == ERROR_FROM_THEN_ON || this == SHORT_FROM_THEN_ON
                ? number >= n
                : number == n;
        boolean writes = call == Call.WRITE || call == Call.WRITE_SNAPSHOT || call == Call.FORCE;
        if (!struck || (this == FULL_ONCE || this == FULL_FROM_THEN_ON) && !writes) {
          return Verdict.PASS;
        }
        return switch (this) {
          case FULL_ONCE, FULL_FROM_THEN_ON -> throw new IOException("No space left on device");
          case ERROR_ONCE, ERROR_FROM_THEN_ON -> throw new IOException("Input/output error");
          case RUNTIME_EXCEPTION_ONCE ->
              throw new UncheckedIOException(new IOException("fails on purpose"));
          case SHORT_FROM_THEN_ON -> Verdict.SHORT;
        };
      };
    }
  }

  @ParameterizedTest
  @EnumSource
  void nothingIsThrownAndNothingIsWrong(Failure failure) throws Exception {
    long seed = Plan.seed();
    System.out.println("NthCallFailsTest: " + failure + ", -Ddisk.seed=" + seed);
    int calls = run(Fault.NONE, seed, "no failure");
    assertThat(calls).as("calls of a run without failure").isGreaterThan(20);
    int step = Plan.isLong() ? 1 : Math.max(1, calls / QUICK_RUNS);
    int from = (int) Math.floorMod(seed, step);
    for (int n = from; n <= calls + step; n += step) {
      run(failure.at(n), seed, failure + ", n=" + n + ", -Ddisk.seed=" + seed);
    }
  }

  private static int run(Fault fault, long seed, String text) {
    Random random = new Random(seed);
    Script script = new Script(KEYS);
    MemoryDevice memory = new MemoryDevice();
    FaultDevice device = new FaultDevice(memory, fault);
    for (int life = 0; life < 2; life++) {
      byte[] found = memory.snapshot();
      int first = script.done();
      try (DiskSecondaryCache tier = open(device)) {
        script.check(tier, text);
        for (int step = 0; step < STEPS; step++) {
          script.random(tier, memory, random, LARGEST_VALUE);
          if (step % 20 == 19) {
            script.check(tier, text);
          }
        }
        assertThat(tier.state()).as(text).isNotNull();
        tier.setCapacity(6 * REGION);
        script.check(tier, text);
      }
      memory.reopened();
      if (found != null && Arrays.equals(found, memory.snapshot())) {
        script.doubt(first);
      }
    }
    int calls = device.calls();
    device.set(Fault.NONE);
    try (DiskSecondaryCache tier = open(device)) {
      script.check(tier, text);
    }
    return calls;
  }

  private static DiskSecondaryCache open(FaultDevice device) {
    return Rig.builder().device(device).regionBytes(REGION).capacityBytes(8 * REGION).build();
  }
}
