/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.hyperclock.secondary.testing.DiskWriters;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Sizes that cannot be: refused before anything is made, with what would be possible. */
class DiskSizesTest {
  private static final int REGION = 16 << 20;

  @TempDir private Path directory;
  @RegisterExtension final DiskWriters writers = new DiskWriters();

  private DiskSecondaryCacheBuilder builder(long capacityBytes) {
    return DiskSecondaryCache.builder()
        .directory(directory.resolve("tier"))
        .capacityBytes(capacityBytes);
  }

  private void assertRefused(DiskSecondaryCacheBuilder settings, String... words) {
    assertThatIllegalArgumentException()
        .isThrownBy(settings::build)
        .satisfies(e -> assertThat(e.getMessage()).contains(words));
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void moreRegionsThanCanBeNumbered() {
    long most = (long) SlotLayout.MAX_REGIONS * REGION;
    for (long capacity : new long[] {Long.MAX_VALUE, Long.MAX_VALUE - 1, 1L << 50, most + 1}) {
      assertRefused(
          builder(capacity),
          "capacityBytes must be <= 1048576 * regionBytes: ",
          "capacityBytes=" + capacity,
          "regionBytes=" + REGION);
    }
    assertRefused(builder((long) SlotLayout.MAX_REGIONS * 4096 + 1).regionBytes(4096), "1048576");
  }

  @Test
  void moreRecordsThanAnIndexHas() {
    long capacity = 4L << 40;
    assertRefused(
        builder(capacity),
        "estimatedRecordBytes must be >= 23591 for this capacity: ",
        "estimatedRecordBytes=8192",
        "capacityBytes=" + capacity);
    assertRefused(builder(1L << 40).estimatedRecordBytes(64), "estimatedRecordBytes must be >= ");
  }

  /** What the text asks for is enough. */
  @Test
  void indexHasRoomForWhatIsAskedFor() {
    assertThat(SlotIndex.slotsFor(4L << 40, 23_591, Long.MAX_VALUE))
        .isLessThanOrEqualTo(Snapshot.MAX_SLOTS);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SlotIndex.slotsFor(4L << 40, 23_590, Long.MAX_VALUE));
  }

  /** Also when the capacity is set to all regions that can be, later. */
  @Test
  void eachCapacityThatIsTakenHasASnapshot() {
    for (int recordBytes : new int[] {64, 4 << 10, 8 << 10, 11_111, 1 << 20}) {
      long taken = 1;
      long refused = Long.MAX_VALUE;
      while (refused - taken > 1) {
        long capacity = taken + (refused - taken) / 2;
        if (isTaken(capacity, recordBytes)) {
          taken = capacity;
        } else {
          refused = capacity;
        }
      }
      for (long capacity = taken; capacity > 0; capacity /= 3) {
        long slots = SlotIndex.slotsFor(capacity, recordBytes, Long.MAX_VALUE);
        long snapshotBytes = 64 + 16L * SlotLayout.MAX_REGIONS + 8 * slots + 20;
        assertThat(snapshotBytes).isLessThanOrEqualTo(Integer.MAX_VALUE - 64);
      }
    }
  }

  private static boolean isTaken(long capacity, int recordBytes) {
    try {
      SlotIndex.slotsFor(capacity, recordBytes, Long.MAX_VALUE);
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  @Test
  void indexLargerThanTheHeap() {
    long heap = 256L << 20;
    assertThat(SlotIndex.slotsFor(100L << 30, 8 << 10, heap)).isBetween(18_000_000, 19_000_000);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SlotIndex.slotsFor(1L << 40, 8 << 10, heap))
        .withMessageContainingAll(
            "index must fit into the heap: indexBytes=1533916888",
            "heapBytes=" + heap,
            "capacityBytes=" + (1L << 40),
            "estimatedRecordBytes=8192");
    builder(64 << 20).estimatedRecordBytes(Integer.MAX_VALUE).build().close();
  }

  /** Set while the tier is open: as much is used as can be. */
  @Test
  void absurdCapacitySetLater() {
    try (DiskSecondaryCache tier =
        builder(1 << 20).regionBytes(4096).maxInFlightBytes(Long.MAX_VALUE).build()) {
      tier.setCapacity(Long.MAX_VALUE);
      assertThat(tier.diskStats().regions()).isEqualTo(SlotLayout.MAX_REGIONS);
      assertThat(tier.stats().capacityBytes()).isEqualTo(Long.MAX_VALUE);
      tier.setCapacity(1 << 20);
      assertThat(tier.diskStats().regions()).isEqualTo(256);
    }
  }
}
