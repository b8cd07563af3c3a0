/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperclock.secondary.TierRequest;
import io.hyperclock.secondary.compression.Compression;
import io.hyperclock.secondary.testing.DiskWriters;
import io.hyperclock.secondary.testing.TestValues;
import io.hyperclock.secondary.testing.TierTestLimits;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

class SnapshotTest {
  private static final int REGION = 8 << 10;
  private static final Signing UNSIGNED = Signing.with(null, List.of());

  @TempDir Path directory;
  @RegisterExtension final DiskWriters writers = new DiskWriters();

  private DiskSecondaryCacheBuilder builder() {
    return DiskSecondaryCache.builder()
        .directory(directory)
        .regionBytes(REGION)
        .stallLimit(TierTestLimits.TIME)
        .capacityBytes(4 * REGION)
        .compression(Compression.NONE);
  }

  private byte[] make() throws IOException {
    try (DiskSecondaryCache tier = builder().build()) {
      tier.insert(1, 2, TestValues.value(2, 1, 500), TestValues.BYTES, true);
    }
    writers.awaitEnd();
    return Files.readAllBytes(directory.resolve("index.snap"));
  }

  @Test
  void saysWhatItIs() throws IOException {
    byte[] bytes = make();
    ByteBuffer words = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    assertThat(new String(bytes, 0, 6)).isEqualTo("HCSNAP");
    Snapshot snapshot = Snapshot.read(bytes, REGION, 0, words.getInt(60), UNSIGNED);
    assertThat(snapshot.regionCount()).isEqualTo(4);
    assertThat(snapshot.used(0)).isEqualTo(576);
    assertThat(snapshot.firstSequence(0)).isZero();
    assertThat(snapshot.firstSequence(1)).isEqualTo(Region.NO_LIFE);
    assertThat(snapshot.nextSequence()).isEqualTo(1);
    byte[] data = Files.readAllBytes(directory.resolve("data"));
    assertThat(DataHeader.isOf(data, snapshot.incarnation())).isTrue();
    assertThat(DataHeader.isOf(data, snapshot.incarnation() + 1)).isFalse();
  }

  @Test
  void othersAreRefused() throws IOException {
    byte[] bytes = make();
    int slots = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getInt(60);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Snapshot.read(bytes, 2 * REGION, 0, slots, UNSIGNED));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Snapshot.read(bytes, REGION, 1, slots, UNSIGNED));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Snapshot.read(bytes, REGION, 0, 4 * slots, UNSIGNED));
    for (int length = 0; length < bytes.length; length += 7) {
      byte[] cut = Arrays.copyOf(bytes, length);
      assertThatThrownBy(() -> Snapshot.read(cut, REGION, 0, slots, UNSIGNED))
          .isInstanceOf(IllegalArgumentException.class);
    }
    for (int at = 0; at < bytes.length; at++) {
      byte[] damaged = bytes.clone();
      damaged[at] ^= 0x10;
      assertThatThrownBy(() -> Snapshot.read(damaged, REGION, 0, slots, UNSIGNED))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  /** A snapshot that comes back after it was used. */
  @Test
  void isUsedOnce() throws IOException {
    byte[] bytes = make();
    try (DiskSecondaryCache tier = builder().build()) {
      assertThat(tier.diskStats().warmStart()).as(tier.diskStats().start()).isTrue();
      assertThat(tier.lookupNow(TierRequest.of(1, 2, TestValues.BYTES)).isHit()).isTrue();
      assertThat(directory.resolve("index.snap")).doesNotExist();
      tier.erase(1, 2);
    }
    writers.awaitEnd();
    Files.write(directory.resolve("index.snap"), bytes);
    try (DiskSecondaryCache tier = builder().build()) {
      assertThat(tier.diskStats().warmStart()).isFalse();
      assertThat(tier.diskStats().start()).contains("not of these data");
      assertThat(tier.lookupNow(TierRequest.of(1, 2, TestValues.BYTES)).isHit()).isFalse();
    }
  }
}
