/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.contract;

import org.junit.jupiter.api.Nested;

/** All contracts that hold for any number of shards; each subclass names one variant. */
abstract class CacheVariantTest {
  final Variant tested;

  CacheVariantTest(Variant tested) {
    this.tested = tested;
  }

  @Nested
  class AsyncLoad extends AsyncLoadContractTest {
    AsyncLoad() {
      super(tested);
    }
  }

  @Nested
  class AsyncLoadFailures extends AsyncLoadFailuresContractTest {
    AsyncLoadFailures() {
      super(tested);
    }
  }

  @Nested
  class BadInput extends BadInputContractTest {
    BadInput() {
      super(tested);
    }
  }

  @Nested
  class Basic extends BasicContractTest {
    Basic() {
      super(tested);
    }
  }

  @Nested
  class Batch extends BatchContractTest {
    Batch() {
      super(tested);
    }
  }

  @Nested
  class BulkLoad extends BulkLoadContractTest {
    BulkLoad() {
      super(tested);
    }
  }

  @Nested
  class Callback extends CallbackContractTest {
    Callback() {
      super(tested);
    }
  }

  @Nested
  class CallbackDuringLoad extends CallbackDuringLoadContractTest {
    CallbackDuringLoad() {
      super(tested);
    }
  }

  @Nested
  class Charge extends ChargeContractTest {
    Charge() {
      super(tested);
    }
  }

  @Nested
  class Close extends CloseContractTest {
    Close() {
      super(tested);
    }
  }

  @Nested
  class DependentLoad extends DependentLoadContractTest {
    DependentLoad() {
      super(tested);
    }
  }

  @Nested
  class Disposer extends DisposerContractTest {
    Disposer() {
      super(tested);
    }
  }

  @Nested
  class Handle extends HandleContractTest {
    Handle() {
      super(tested);
    }
  }

  @Nested
  class InPlace extends InPlaceContractTest {
    InPlace() {
      super(tested);
    }
  }

  @Nested
  class Iteration extends IterationContractTest {
    Iteration() {
      super(tested);
    }
  }

  @Nested
  class Listener extends ListenerContractTest {
    Listener() {
      super(tested);
    }
  }

  @Nested
  class Load extends LoadContractTest {
    Load() {
      super(tested);
    }
  }

  @Nested
  class LoadForms extends LoadFormsContractTest {
    LoadForms() {
      super(tested);
    }
  }

  @Nested
  class LoadStress extends LoadStressContractTest {
    LoadStress() {
      super(tested);
    }
  }

  @Nested
  class NestedLoad extends NestedLoadContractTest {
    NestedLoad() {
      super(tested);
    }
  }

  @Nested
  class Model extends ModelContractTest {
    Model() {
      super(tested);
    }
  }

  @Nested
  class Overwrite extends OverwriteContractTest {
    Overwrite() {
      super(tested);
    }
  }

  @Nested
  class OverwriteLimits extends OverwriteLimitsContractTest {
    OverwriteLimits() {
      super(tested);
    }
  }

  @Nested
  class OverwriteRace extends OverwriteRaceContractTest {
    OverwriteRace() {
      super(tested);
    }
  }

  @Nested
  class PinnedPut extends PinnedPutContractTest {
    PinnedPut() {
      super(tested);
    }
  }

  @Nested
  class Race extends RaceContractTest {
    Race() {
      super(tested);
    }
  }

  @Nested
  class SingleFlight extends SingleFlightContractTest {
    SingleFlight() {
      super(tested);
    }
  }

  @Nested
  class Reservation extends ReservationContractTest {
    Reservation() {
      super(tested);
    }
  }

  @Nested
  class Scope extends ScopeContractTest {
    Scope() {
      super(tested);
    }
  }

  @Nested
  class ScopeThread extends ScopeThreadContractTest {
    ScopeThread() {
      super(tested);
    }
  }

  @Nested
  class ScopeRace extends ScopeRaceContractTest {
    ScopeRace() {
      super(tested);
    }
  }

  @Nested
  class Standalone extends StandaloneContractTest {
    Standalone() {
      super(tested);
    }
  }

  @Nested
  class Stats extends StatsContractTest {
    Stats() {
      super(tested);
    }
  }

  @Nested
  class UsageRace extends UsageRaceContractTest {
    UsageRace() {
      super(tested);
    }
  }

  @Nested
  class BulkLookup extends BulkLookupContractTest {
    BulkLookup() {
      super(tested);
    }
  }

  @Nested
  class Stamped extends StampedContractTest {
    Stamped() {
      super(tested);
    }
  }

  @Nested
  class ConditionalOverwrite extends ConditionalOverwriteContractTest {
    ConditionalOverwrite() {
      super(tested);
    }
  }

  @Nested
  class ConditionalOverwriteRace extends ConditionalOverwriteRaceContractTest {
    ConditionalOverwriteRace() {
      super(tested);
    }
  }

  @Nested
  class OutdatedLoad extends OutdatedLoadContractTest {
    OutdatedLoad() {
      super(tested);
    }
  }

  @Nested
  class ScopedLoad extends ScopedLoadContractTest {
    ScopedLoad() {
      super(tested);
    }
  }

  @Nested
  class OverlappingBulkLoad extends OverlappingBulkLoadContractTest {
    OverlappingBulkLoad() {
      super(tested);
    }
  }

  @Nested
  class LoadFailure extends LoadFailureContractTest {
    LoadFailure() {
      super(tested);
    }
  }
}
