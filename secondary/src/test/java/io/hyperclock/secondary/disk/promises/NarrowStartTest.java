/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.disk.promises;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Timeout.ThreadMode.SEPARATE_THREAD;

import io.hyperclock.secondary.disk.Device;
import io.hyperclock.secondary.disk.DiskSecondaryCache;
import io.hyperclock.secondary.disk.DiskSecondaryCacheBuilder;
import io.hyperclock.secondary.testing.DiskWriters;
import io.hyperclock.secondary.testing.ForwardingDevice;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A heap with room for the index, but not for the index and its snapshot. */
@Timeout(value = Plan.PATIENCE_SECONDS, threadMode = SEPARATE_THREAD)
class NarrowStartTest {
  /** The heap of a {@link ChildJvm} has room for one such index. */
  private static final int INDEX_BYTES = 45 << 20;

  private static final int RECORD_BYTES = 64;

  private static final DiskWriters WRITERS = new DiskWriters();

  @TempDir private Path directory;

  private static DiskSecondaryCacheBuilder builder() {
    return Rig.builder()
        .capacityBytes((long) (INDEX_BYTES / Long.BYTES * 0.7 * RECORD_BYTES))
        .estimatedRecordBytes(RECORD_BYTES);
  }

  /** In a JVM with a small heap, where the snapshot is in memory once. */
  public static void main(String[] arguments) throws IOException {
    Path directory = Path.of(arguments[0]);
    MemoryDevice memory = MemoryDevice.forgetful();
    memory.apply(new Change.Write(0, Files.readAllBytes(directory.resolve("data"))));
    Device device =
        new ForwardingDevice(memory) {
          @Override
          public byte[] readSnapshot() throws IOException {
            return Files.readAllBytes(directory.resolve("index.snap"));
          }
        };
    System.out.println(builder().device(device).build().diskStats().start());
    System.exit(0);
  }

  @Test
  void startsCold() throws Exception {
    try (DiskSecondaryCache tier = builder().directory(directory).build()) {
      assertThat(Rig.put(tier, 1, 1, 100)).isTrue();
    }
    WRITERS.awaitEnd();
    try (ChildJvm child = ChildJvm.start(NarrowStartTest.class, directory.toString());
        BufferedReader said = child.process().inputReader()) {
      assertThat(said.readLine())
          .startsWith("snapshot cannot be used: index must fit into the heap");
    }
  }
}
