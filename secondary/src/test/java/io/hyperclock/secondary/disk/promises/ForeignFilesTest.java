/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.disk.promises;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Timeout.ThreadMode.SEPARATE_THREAD;

import io.hyperclock.secondary.TierState;
import io.hyperclock.secondary.compression.Compression;
import io.hyperclock.secondary.disk.DiskSecondaryCache;
import io.hyperclock.secondary.disk.DiskSecondaryCacheBuilder;
import io.hyperclock.secondary.testing.DiskWriters;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** P8: whatever the tier's files contain, it opens, with right values or none. */
@Timeout(value = Plan.PATIENCE_SECONDS, threadMode = SEPARATE_THREAD)
class ForeignFilesTest {
  private static final int REGION = 8 << 10;
  private static final int KEYS = 20;
  private static final int VALUE = 1_000;

  @TempDir private Path scratch;

  @RegisterExtension final DiskWriters writers = new DiskWriters();
  private final long seed = Plan.seed();
  private final Random random = new Random(seed);
  private byte[] data = {};
  private byte[] snapshot = {};
  private int directories;

  @BeforeEach
  void makeAStore() throws IOException {
    Path directory = scratch.resolve("made");
    try (DiskSecondaryCache tier = settings(directory).build()) {
      assertThat(tier.diskStats().warmStart()).isFalse();
      for (int key = 0; key < KEYS; key++) {
        Rig.put(tier, key, 1, VALUE);
        Rig.put(tier, key, 2, VALUE);
      }
    }
    writers.awaitEnd();
    data = Files.readAllBytes(directory.resolve("data"));
    snapshot = Files.readAllBytes(directory.resolve("index.snap"));
    assertThat(hits(data, snapshot, it -> it)).as("hits of an untouched copy").isEqualTo(KEYS);
  }

  private static DiskSecondaryCacheBuilder settings(Path directory) {
    return Rig.builder().directory(directory).regionBytes(REGION).capacityBytes(8 * REGION);
  }

  /** Opens a directory of these contents, uses it, and opens it again. */
  private int hits(
      byte[] itsData, byte[] itsSnapshot, UnaryOperator<DiskSecondaryCacheBuilder> change)
      throws IOException {
    Path directory = Files.createDirectory(scratch.resolve("copy" + directories++));
    Files.write(directory.resolve("data"), itsData);
    Files.write(directory.resolve("index.snap"), itsSnapshot);
    int hits = 0;
    try (DiskSecondaryCache tier = change.apply(settings(directory)).build()) {
      assertThat(tier.state()).isEqualTo(TierState.OPEN);
      for (int key = 0; key < KEYS; key++) {
        int version = Rig.versionNow(tier, key);
        assertThat(version).as("-Ddisk.seed=%d", seed).isIn(Rig.NONE, 2);
        hits += version == Rig.NONE ? 0 : 1;
      }
      assertThat(tier.diskStats().start()).isNotBlank();
      assertThat(hits == 0 || tier.diskStats().warmStart()).isTrue();
      assertThat(Rig.put(tier, 1, 3, VALUE)).isTrue();
    }
    writers.awaitEnd();
    try (DiskSecondaryCache tier = change.apply(settings(directory)).build()) {
      assertThat(tier.diskStats().warmStart()).as(tier.diskStats().start()).isTrue();
      assertThat(Rig.versionNow(tier, 1)).isEqualTo(3);
    }
    return hits;
  }

  @Test
  void truncatedFiles() throws IOException {
    int step = Plan.isLong() ? 512 : data.length / 12;
    for (int length = 0; length < data.length; length += step) {
      hits(Arrays.copyOf(data, length), snapshot, it -> it);
    }
    step = Plan.isLong() ? 61 : snapshot.length / 12;
    for (int length = 0; length < snapshot.length; length += step) {
      assertThat(hits(data, Arrays.copyOf(snapshot, length), it -> it)).isZero();
    }
  }

  @Test
  void filesThatGrew() throws IOException {
    hits(Arrays.copyOf(data, data.length + 100_000), snapshot, it -> it);
    assertThat(hits(data, Arrays.copyOf(snapshot, snapshot.length + 1), it -> it)).isZero();
  }

  /** What begins in another way is refused: see {@link RefusedFilesTest}. */
  @Test
  void filesOfNothing() throws IOException {
    byte[] noise = new byte[100_000];
    random.nextBytes(noise);
    byte[] dataOfNoise = noise.clone();
    System.arraycopy(data, 0, dataOfNoise, 0, 8);
    byte[] snapshotOfNoise = noise.clone();
    System.arraycopy(snapshot, 0, snapshotOfNoise, 0, 8);
    for (byte[] one : new byte[][] {{}, {0}, new byte[4096], dataOfNoise}) {
      assertThat(hits(one, snapshot, it -> it)).isZero();
    }
    for (byte[] one : new byte[][] {{}, {0}, new byte[4096], snapshotOfNoise}) {
      assertThat(hits(data, one, it -> it)).isZero();
      assertThat(hits(dataOfNoise, one, it -> it)).isZero();
    }
  }

  /** A snapshot of one store beside the data of another. */
  @Test
  void filesOfTwoStores() throws IOException {
    byte[] firstData = data;
    byte[] firstSnapshot = snapshot;
    Files.delete(scratch.resolve("made").resolve("index.snap"));
    makeAStore();
    assertThat(hits(firstData, snapshot, it -> it)).isZero();
    assertThat(hits(data, firstSnapshot, it -> it)).isZero();
  }

  /** Settings that lay the files out in another way find nothing, or the same. */
  @Test
  void otherSettings() throws IOException {
    assertThat(hits(data, snapshot, it -> it.regionBytes(REGION / 2))).isZero();
    assertThat(hits(data, snapshot, it -> it.regionBytes(2 * REGION))).isZero();
    hits(data, snapshot, it -> it.capacityBytes(16 * REGION));
    hits(data, snapshot, it -> it.capacityBytes(4 * REGION));
    hits(data, snapshot, it -> it.capacityBytes(2 * REGION));
    hits(data, snapshot, it -> it.estimatedRecordBytes(4 << 10));
    hits(data, snapshot, it -> it.estimatedRecordBytes(64));
    hits(data, snapshot, it -> it.compression(Compression.DEFLATE));
    hits(data, snapshot, it -> it.compression(Compression.LZ4));
    assertThat(hits(data, snapshot, it -> it.name("another name").readThreads(1)))
        .as("what has no part in the layout")
        .isEqualTo(KEYS);
  }

  /** Other things under the names of the tier, and beside them. */
  @Test
  void otherThingsInTheDirectory() throws IOException {
    Path directory = Files.createDirectory(scratch.resolve("crowded"));
    Files.writeString(directory.resolve("README"), "not ours");
    Files.writeString(directory.resolve("lock"), "not ours either");
    Files.write(directory.resolve("index.snap.tmp"), Arrays.copyOf(snapshot, 100));
    Files.createDirectory(directory.resolve("subdirectory"));
    try (DiskSecondaryCache tier = settings(directory).build()) {
      assertThat(Rig.put(tier, 1, 1, VALUE)).isTrue();
    }
    writers.awaitEnd();
    try (DiskSecondaryCache tier = settings(directory).build()) {
      assertThat(Rig.versionNow(tier, 1)).isEqualTo(1);
    }
    assertThat(directory.resolve("README")).hasContent("not ours");
    assertThat(directory.resolve("lock")).hasContent("not ours either");
    assertThat(directory.resolve("subdirectory")).isDirectory();
  }
}
