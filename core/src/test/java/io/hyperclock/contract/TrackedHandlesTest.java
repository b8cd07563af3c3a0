/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.contract;

import io.hyperclock.CapacityMode;
import io.hyperclock.LeakDetection;
import io.hyperclock.SlotStorage;
import org.junit.jupiter.api.Nested;

/** What holds for handles holds for tracked ones. */
final class TrackedHandlesTest {
  private static final Variant ALL =
      Variant.adaptive(SlotStorage.HEAP, CapacityMode.NON_STRICT, 1)
          .withTracking(LeakDetection.all());
  private static final Variant SOME =
      new Variant(SlotStorage.OFF_HEAP, CapacityMode.STRICT, 5)
          .withTracking(LeakDetection.sampled(2));

  @Nested
  class All extends HandleContractTest {
    All() {
      super(ALL);
    }
  }

  @Nested
  class Some extends HandleContractTest {
    Some() {
      super(SOME);
    }
  }

  @Nested
  class AllStandalone extends StandaloneContractTest {
    AllStandalone() {
      super(ALL);
    }
  }

  @Nested
  class SomeStandalone extends StandaloneContractTest {
    SomeStandalone() {
      super(SOME);
    }
  }

  @Nested
  class AllBatch extends BatchContractTest {
    AllBatch() {
      super(ALL);
    }
  }

  @Nested
  class AllCharge extends ChargeContractTest {
    AllCharge() {
      super(ALL);
    }
  }

  @Nested
  class AllRace extends RaceContractTest {
    AllRace() {
      super(ALL);
    }
  }
}
