/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.contract;

import org.junit.jupiter.api.Nested;

/** All contracts of one shard but those that tell which entries leave. */
abstract class AdaptiveVariantTest extends CacheVariantTest {
  AdaptiveVariantTest(Variant tested) {
    super(tested);
  }

  @Nested
  class Capacity extends CapacityContractTest {
    Capacity() {
      super(tested);
    }
  }

  @Nested
  class Limits extends LimitsContractTest {
    Limits() {
      super(tested);
    }
  }

  @Nested
  class FullBuckets extends FullBucketsContractTest {
    FullBuckets() {
      super(tested);
    }
  }

  @Nested
  class Problems extends ProblemsContractTest {
    Problems() {
      super(tested);
    }
  }

  @Nested
  class Resize extends ResizeContractTest {
    Resize() {
      super(tested);
    }
  }

  @Nested
  class ScopeRoom extends ScopeRoomContractTest {
    ScopeRoom() {
      super(tested);
    }
  }

  @Nested
  class TableSizes extends TableSizesContractTest {
    TableSizes() {
      super(tested);
    }
  }
}
