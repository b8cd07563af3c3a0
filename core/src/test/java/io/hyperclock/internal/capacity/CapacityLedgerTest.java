/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Which sums change when something comes, leaves or waits for read scopes. */
class CapacityLedgerTest {
  private final CapacityLedger ledger = new CapacityLedger(1100, true, 100);

  private void assertSums(long usage, long occupancy, long standalone, long retired) {
    assertThat(ledger.usage()).isEqualTo(usage);
    assertThat(ledger.occupancy()).isEqualTo(occupancy);
    assertThat(ledger.standaloneUsage()).isEqualTo(standalone);
    assertThat(ledger.retiredUsage()).isEqualTo(retired);
    assertThat(ledger.usageOfEntries()).isEqualTo(usage - standalone - 100);
    assertThat(ledger.capacityOfEntries()).isEqualTo(ledger.capacity() - standalone - 100);
    assertThat(ledger.hasRoomFor(ledger.capacity() - usage)).isTrue();
    assertThat(ledger.hasRoomFor(ledger.capacity() - usage + 1)).isFalse();
  }

  @Test
  void beginsWithTheChargeOfTheSlots() {
    assertSums(100, 0, 0, 0);
    assertThat(ledger.metadataBytes()).isEqualTo(100);
    assertThat(ledger.capacity()).isEqualTo(1100);
    assertThat(ledger.isStrict()).isTrue();
    ledger.setStrict(false);
    assertThat(ledger.isStrict()).isFalse();
    ledger.setCapacity(900);
    assertSums(100, 0, 0, 0);
  }

  @Test
  void entriesComeAndLeave() {
    assertThat(ledger.getAndAddOccupancy(2)).isZero();
    assertThat(ledger.getAndAddOccupancy(1)).isEqualTo(2);
    ledger.addUsage(50);
    ledger.addUsage(7);
    ledger.addUsage(0);
    ledger.addOccupancyUnlessZero(1);
    ledger.addOccupancyUnlessZero(0);
    assertSums(157, 4, 0, 0);
    ledger.removeEntry(7);
    assertSums(150, 3, 0, 0);
    assertThat(ledger.compareAndSetUsage(157, 1)).isFalse();
    assertThat(ledger.compareAndSetUsage(150, 160)).isTrue();
    assertSums(160, 3, 0, 0);
  }

  @Test
  void whatHasNoSlotIsChargedApart() {
    ledger.addUsage(30);
    ledger.addStandaloneUsage(30);
    assertSums(130, 0, 30, 0);
    ledger.removeStandalone(10);
    assertSums(120, 0, 20, 0);
  }

  @Test
  void whatWaitsForScopesStaysCharged() {
    ledger.addUsage(60);
    ledger.addOccupancyUnlessZero(2);
    ledger.retireEntry(40);
    assertSums(160, 1, 40, 40);
    ledger.removeRetired(40);
    assertSums(120, 1, 0, 0);
  }

  @Test
  void slotsThatAreGoneAreNotCharged() {
    ledger.addUsage(30);
    ledger.slotsCame(30);
    assertThat(ledger.metadataBytes()).isEqualTo(130);
    ledger.slotsLeft(100);
    assertThat(ledger.metadataBytes()).isEqualTo(30);
    assertThat(ledger.usage()).isEqualTo(30);
    assertThat(ledger.usageOfEntries()).isZero();
  }
}
