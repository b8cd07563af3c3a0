/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.disk;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.entry.EntryCodec;
import io.hyperclock.entry.EntryType;
import io.hyperclock.secondary.TierOutcome;
import io.hyperclock.secondary.TierRequest;
import io.hyperclock.secondary.TierResult;
import io.hyperclock.secondary.internal.tier.TierCounters;
import io.hyperclock.secondary.testing.TierTestLimits;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PendingLookupsTest {
  private static final long MOST = 1 << 20;
  private final TierCounters counters = new TierCounters();
  private final List<byte[]> freed = new ArrayList<>();
  private final EntryType<byte[]> type =
      EntryType.<byte[]>named("bytes")
          .codec(EntryCodec.ofBytes())
          .disposer((hi, lo, value) -> freed.add(value))
          .build();
  private final PendingLookups pending = new PendingLookups(counters, MOST);

  private final DiskLookup.Help noHelp =
      new DiskLookup.Help() {
        @Override
        public <W> void help(DiskLookup<W> lookup, long nanos, Runnable afterEach) {}
      };

  private DiskLookup<byte[]> begin() {
    return begin(0);
  }

  private DiskLookup<byte[]> begin(long countedBytes) {
    DiskLookup<byte[]> lookup =
        new DiskLookup<>(TierRequest.of(1, 2, type), 1, countedBytes, null, noHelp);
    pending.add(lookup);
    return lookup;
  }

  /** When a close has returned no future may be open, whatever holds up other threads. */
  @Test
  void whatAnotherThreadIsAboutToEndIsEnded() {
    DiskLookup<byte[]> lookup = begin();
    assertThat(lookup.end()).isTrue();
    pending.endAll(TierOutcome.CLOSED);
    assertThat(lookup.future).isCompletedWithValue(TierResult.miss(TierOutcome.CLOSED));
    byte[] value = new byte[1];
    lookup.complete(TierResult.hit(value, 1, true));
    assertThat(freed).containsExactly(value);
  }

  /** Until its future is done it is among those that a close ends. */
  @Test
  void lookupIsPendingUntilItsFutureIsDone() {
    DiskLookup<byte[]> lookup = begin();
    List<Boolean> wasEmpty = new ArrayList<>();
    lookup.future.thenRun(() -> wasEmpty.add(pending.isEmpty()));
    pending.end(lookup, TierResult.miss(TierOutcome.ABSENT));
    assertThat(wasEmpty).containsExactly(false);
    assertThat(pending.isEmpty()).isTrue();
  }

  /** A record of any size can be read, alone. */
  @Test
  void bytesAreRefusedWhereTheyAreTooManyAndNotTheOnlyOnes() {
    assertThat(pending.reserve(2 * MOST)).isTrue();
    assertThat(pending.reserve(1)).isFalse();
    end(begin(2 * MOST));
    end(begin(1));
    assertThat(pending.reserve(MOST - 1)).isTrue();
    assertThat(pending.reserve(1)).isTrue();
    assertThat(pending.reserve(1)).isFalse();
    end(begin(1));
    end(begin(1));
    assertThat(pending.reserve(1)).isTrue();
  }

  private void end(DiskLookup<byte[]> lookup) {
    pending.end(lookup, TierResult.miss(TierOutcome.ABSENT));
  }

  @Test
  void whatEndsTwiceIsCountedOnce() {
    DiskLookup<byte[]> lookup = begin(MOST);
    assertThat(pending.reserve(MOST)).isTrue();
    byte[] value = new byte[1];
    end(lookup);
    pending.end(lookup, TierResult.hit(value, 1, true));
    assertThat(freed).containsExactly(value);
    assertThat(counters.toStats(1, 0, 0).count(TierOutcome.ABSENT)).isEqualTo(1);
    assertThat(counters.toStats(1, 0, 0).count(TierOutcome.HIT)).isZero();
    assertThat(pending.reserve(MOST)).isTrue();
    assertThat(pending.reserve(1)).isFalse();
  }

  @Test
  void onlyWhatHasWaitedForLongerIsEnded() {
    DiskLookup<byte[]> lookup = begin();
    pending.endOlderThan(TierTestLimits.TIME.toNanos());
    assertThat(lookup.future).isNotDone();
    TierTestLimits.eventually(() -> lookup.isOlderThan(0));
    pending.endOlderThan(0);
    assertThat(lookup.future).isCompletedWithValue(TierResult.miss(TierOutcome.TIMED_OUT));
    assertThat(pending.isEmpty()).isTrue();
  }

  /** Whether it was found already or not. */
  @Test
  void valuesOfAbandonedLookupsAreFreed() {
    byte[] value = new byte[1];
    DiskLookup<byte[]> found = begin();
    pending.end(found, TierResult.hit(value, 1, true));
    pending.abandon(found);
    assertThat(freed).containsExactly(value);
    DiskLookup<byte[]> open = begin();
    pending.abandon(open);
    assertThat(open.future).isCompletedWithValue(TierResult.miss(TierOutcome.UNAVAILABLE));
    assertThat(pending.isEmpty()).isTrue();
  }
}
