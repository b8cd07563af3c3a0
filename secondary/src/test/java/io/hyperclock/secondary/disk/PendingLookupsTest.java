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
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PendingLookupsTest {
  private final List<byte[]> freed = new ArrayList<>();
  private final EntryType<byte[]> type =
      EntryType.<byte[]>named("bytes")
          .codec(EntryCodec.ofBytes())
          .disposer((hi, lo, value) -> freed.add(value))
          .build();
  private final PendingLookups pending = new PendingLookups(new TierCounters(), 1 << 20);

  private final DiskLookup.Help noHelp =
      new DiskLookup.Help() {
        @Override
        public <W> void help(DiskLookup<W> lookup, long nanos, Runnable afterEach) {}
      };

  private DiskLookup<byte[]> begin() {
    DiskLookup<byte[]> lookup = new DiskLookup<>(TierRequest.of(1, 2, type), 1, 0, null, noHelp);
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
}
