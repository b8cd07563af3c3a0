/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.internal.observe.RemovalCause;
import io.hyperclock.internal.observe.SilentCallbacks;
import io.hyperclock.internal.policy.EvictionRequest;
import io.hyperclock.internal.scope.ReadEpochs;
import io.hyperclock.internal.scope.Reclaimer;
import io.hyperclock.internal.scope.Scopes;
import io.hyperclock.internal.slot.ChargeWord;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What the ledger, the statistics and the user's code learn of a value that leaves. */
class ValueReleaseTest {
  private static final long CHARGE = 100;
  private static final long COLD = ChargeWord.of(0, CHARGE);
  private static final long DISPOSED = ChargeWord.of(1, CHARGE);

  private final CapacityLedger ledger = new CapacityLedger(10_000, false, 0);
  private final List<String> told = new ArrayList<>();
  private final Reclaimer reclaimer = new Reclaimer(new ReadEpochs(1), () -> {});
  private boolean isHeard = true;

  private final ValueRelease release =
      new ValueRelease(
          ledger,
          new SilentCallbacks() {
            @Override
            public boolean isHeard(long cold) {
              return isHeard || hasDisposer(cold);
            }

            @Override
            public boolean hasDisposer(long cold) {
              return ChargeWord.typeId(cold) == 1;
            }

            @Override
            public void countEviction(long cold) {
              told.add("evicted " + ChargeWord.chargeBytes(cold));
            }

            @Override
            public void end(long hi, long lo, Object value, long cold, RemovalCause ending) {
              told.add(hi + "," + lo + "=" + value + " " + ending + " at " + ledger.usage());
            }
          },
          reclaimer);

  private void come(int entries) {
    ledger.addUsage(entries * CHARGE);
    ledger.addOccupancyUnlessZero(entries);
  }

  private void leave(long cold, RemovalCause ending, @Nullable EvictionRequest request) {
    release.leaveTable(3, 4, "v", cold, ending, request, release.reserve(cold));
  }

  private void isLeft(long entries, long usage) {
    assertThat(ledger.occupancy()).isEqualTo(entries);
    assertThat(ledger.usage()).isEqualTo(usage);
  }

  @Test
  void theLedgerIsRightBeforeTheUsersCodeRuns() {
    come(2);
    leave(COLD, RemovalCause.FREED, null);
    assertThat(told).containsExactly("3,4=v FREED at 100");
    isLeft(1, CHARGE);
    leave(COLD, RemovalCause.EVICTED, null);
    assertThat(told).containsExactly("3,4=v FREED at 100", "evicted 100", "3,4=v EVICTED at 0");
    isLeft(0, 0);
  }

  @Test
  void whatNobodyHearsOfIsDeferred() {
    isHeard = false;
    come(3);
    EvictionRequest request = new EvictionRequest(CHARGE);
    leave(COLD, RemovalCause.SWEPT, request);
    assertThat(request.hasEvicted()).as("had been erased").isFalse();
    leave(COLD, RemovalCause.EVICTED, request);
    assertThat(request.hasEvicted()).isTrue();
    assertThat(told).isEmpty();
    leave(COLD, RemovalCause.EVICTED_AFTER_HIT, request);
    assertThat(told).as("the one before").containsExactly("evicted 100");
    isLeft(3, 3 * CHARGE);
    release.flush(request);
    assertThat(told).containsExactly("evicted 100", "evicted 100");
    isLeft(0, 0);
    release.flush(request);
    isLeft(0, 0);
    assertThat(told).hasSize(2);
  }

  /** What was deferred comes first, for the user's code may look. */
  @Test
  void whatIsHeardOfFlushesWhatWasDeferred() {
    isHeard = false;
    come(3);
    EvictionRequest request = new EvictionRequest(CHARGE);
    leave(COLD, RemovalCause.EVICTED, request);
    isHeard = true;
    leave(COLD, RemovalCause.EVICTED, request);
    assertThat(told).containsExactly("evicted 100", "evicted 100", "3,4=v EVICTED at 100");
    isLeft(1, CHARGE);
    assertThat(request.deferredBytes()).isZero();
  }

  @Test
  void memoryIsReservedForWhatHasToWait() {
    assertThat(release.reserve(DISPOSED)).as("no scope yet").isNull();
    int scope = reclaimer.enter();
    assertThat(release.reserve(DISPOSED)).isNotNull();
    assertThat(release.reserve(COLD)).isNull();
    Scopes.exit(reclaimer, scope);
    assertThat(release.reserve(DISPOSED)).as("no scope is open").isNull();
  }

  @Test
  void aValueIsChargedUntilTheScopesThatMayShowItHaveEnded() {
    int scope = reclaimer.enter();
    come(1);
    leave(DISPOSED, RemovalCause.EVICTED, null);
    assertThat(told).containsExactly("evicted 100");
    isLeft(0, CHARGE);
    assertThat(ledger.standaloneUsage()).isEqualTo(CHARGE);
    assertThat(ledger.retiredUsage()).isEqualTo(CHARGE);
    assertThat(reclaimer.retiredBytes()).isEqualTo(CHARGE);
    Scopes.exit(reclaimer, scope);
    assertThat(told).containsExactly("evicted 100", "3,4=v EVICTED at 0");
    isLeft(0, 0);
    assertThat(ledger.standaloneUsage()).isZero();
    assertThat(ledger.retiredUsage()).isZero();
  }

  /**
   * The first scope of all is opened when the slot has been taken, and cannot show the value: what
   * has no memory reserved for it needs none.
   */
  @Test
  void aValueWaitsForNoScopeOpenedAfterTheLook() {
    come(1);
    Object reserve = release.reserve(DISPOSED);
    reclaimer.enter();
    release.leaveTable(3, 4, "v", DISPOSED, RemovalCause.FREED, null, reserve);
    assertThat(told).containsExactly("3,4=v FREED at 0");
    assertThat(reclaimer.retiredValues()).isZero();
    isLeft(0, 0);
  }

  @Test
  void aValueOfTheCollectorWaitsForNoScope() {
    reclaimer.enter();
    come(1);
    leave(COLD, RemovalCause.FREED, null);
    assertThat(told).containsExactly("3,4=v FREED at 0");
  }

  /** A disposer that is slow keeps those that wait behind it: others may free them. */
  @Test
  void whatWaitsBehindADisposerIsFreedByOthers() throws Exception {
    List<String> freed = new ArrayList<>();
    int scope = reclaimer.enter();
    ValueRelease slow =
        new ValueRelease(
            ledger,
            new SilentCallbacks() {
              @Override
              public boolean hasDisposer(long cold) {
                return true;
              }

              @Override
              public void end(long hi, long lo, Object value, long cold, RemovalCause ending) {
                freed.add("by " + Thread.currentThread().getName());
                if (freed.size() == 1) {
                  Thread another = new Thread(reclaimer::freeTaken, "another");
                  another.start();
                  try {
                    another.join();
                  } catch (InterruptedException e) {
                    throw new AssertionError(e);
                  }
                  freed.add("end of first");
                }
              }
            },
            reclaimer);
    come(2);
    for (String value : List.of("first", "second")) {
      slow.leaveTable(3, 4, value, COLD, RemovalCause.FREED, null, slow.reserve(COLD));
    }
    assertThat(freed).isEmpty();
    String self = Thread.currentThread().getName();
    reclaimer.end(scope);
    reclaimer.reclaim();
    assertThat(freed).containsExactly("by " + self, "by another", "end of first");
    isLeft(0, 0);
  }
}
