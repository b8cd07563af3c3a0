/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.disk.promises;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Timeout.ThreadMode.SEPARATE_THREAD;

import io.hyperclock.secondary.TierState;
import io.hyperclock.secondary.TierState.Mode;
import io.hyperclock.secondary.disk.DiskSecondaryCache;
import io.hyperclock.secondary.testing.DiskWriters;
import io.hyperclock.secondary.testing.TierTestLimits;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** P4 with errors that the operating system makes, where this one can be made to. */
@Timeout(value = Plan.PATIENCE_SECONDS, threadMode = SEPARATE_THREAD)
class RealFaultsTest {
  private static final int VALUE = 4_000;
  private static final Duration PATIENCE = TierTestLimits.TIME;
  private static final Duration POLL = Duration.ofMillis(2);

  @TempDir private Path directory;
  @RegisterExtension final DiskWriters writers = new DiskWriters();

  private int version;

  private int putOnce(DiskSecondaryCache tier) {
    version++;
    Rig.put(tier, version, version, VALUE);
    return version;
  }

  private void writeUntil(DiskSecondaryCache tier, Mode mode) {
    await()
        .atMost(PATIENCE)
        .pollDelay(Duration.ZERO)
        .pollInterval(POLL)
        .untilAsserted(
            () -> {
              putOnce(tier);
              assertThat(tier.state().mode()).isEqualTo(mode);
            });
  }

  /** ENOSPC of each write. */
  @Test
  void deviceThatIsAlwaysFull() throws Exception {
    Path full = Path.of("/dev/full");
    assumeThat(Files.isWritable(full)).as("there is a device that is always full").isTrue();
    try (DiskSecondaryCache tier = Rig.open(new PathDevice(full))) {
      await()
          .atMost(PATIENCE)
          .pollInterval(POLL)
          .until(
              () -> {
                putOnce(tier);
                return tier.state().mode() != Mode.OPEN;
              });
      assertThat(tier.state().reason()).contains("No space left on device");
      for (int key = 1; key <= version; key++) {
        assertThat(Rig.versionNow(tier, key)).isIn(Rig.NONE, key);
      }
    }
  }

  /** ENOSPC of a file system that others fill, and clear again. */
  @Test
  void smallFileSystem() throws Exception {
    Path mounted = Files.createDirectory(directory.resolve("mounted"));
    assumeThat(run("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", mounted.toString()))
        .as("a file system can be mounted")
        .isZero();
    try {
      Path ballast = mounted.resolve("ballast");
      try (DiskSecondaryCache tier =
          Rig.builder().directory(Files.createDirectory(mounted.resolve("tier"))).build()) {
        putOnce(tier);
        fill(ballast);
        writeUntil(tier, Mode.READ_ONLY);
        assertThat(tier.state().reason()).contains("No space left on device");
        int hits = 0;
        for (int key = 1; key <= version; key++) {
          int found = Rig.versionNow(tier, key);
          assertThat(found).isIn(Rig.NONE, key);
          hits += found == Rig.NONE ? 0 : 1;
        }
        System.out.println("RealFaultsTest: hits while the file system was full=" + hits);
        Files.delete(ballast);
        writeUntil(tier, Mode.OPEN);
        int key = ++version;
        await().atMost(PATIENCE).until(() -> Rig.put(tier, key, key, VALUE));
        assertThat(Rig.versionNow(tier, key)).isEqualTo(key);
      }
    } finally {
      writers.awaitEnd();
      assertThat(run("umount", mounted.toString())).as("unmounted").isZero();
    }
  }

  private static void fill(Path ballast) throws IOException {
    try (OutputStream out = Files.newOutputStream(ballast)) {
      byte[] page = new byte[4096];
      while (true) {
        out.write(page);
      }
    } catch (IOException e) {
      assertThat(e).hasMessageContaining("No space left on device");
    }
  }

  private static int run(String... command) throws Exception {
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      assertThat(process.waitFor(TierTestLimits.SECONDS, SECONDS)).isTrue();
      return process.exitValue();
    } catch (IOException e) {
      return -1;
    }
  }

  /**
   * EIO of each read and write: the memory of a process as a file, where nothing is mapped. In a
   * process of its own, because it is the memory of the process that opens it.
   */
  @Test
  void memoryThatIsNotMapped() throws Exception {
    Path memory = Path.of("/proc/self/mem");
    assumeThat(Files.isWritable(memory)).as("memory can be opened as a file").isTrue();
    try (ChildJvm child = ChildJvm.start(DeadDisk.class, memory.toString())) {
      assertThat(child.process().waitFor(2 * TierTestLimits.SECONDS, SECONDS)).isTrue();
      String said = new String(child.process().getInputStream().readAllBytes());
      assertThat(child.process().exitValue()).as(said).isZero();
      System.out.println("RealFaultsTest: " + said.strip());
    }
  }

  /** The child: works on a file where nothing can be read or written. */
  static final class DeadDisk {
    private DeadDisk() {}

    /**
     * @param args file
     */
    public static void main(String[] args) throws IOException {
      DiskSecondaryCache tier =
          Rig.builder()
              .device(new PathDevice(Path.of(args[0])))
              .capacityBytes(4 * Rig.REGION)
              .build();
      RealFaultsTest test = new RealFaultsTest();
      await()
          .atMost(PATIENCE)
          .pollInterval(POLL)
          .until(
              () -> {
                test.putOnce(tier);
                return tier.state().mode() != Mode.OPEN;
              });
      TierState state = tier.state();
      assertThat(state.reason()).contains("Input/output error");
      for (int key = 1; key <= test.version; key++) {
        assertThat(Rig.versionNow(tier, key)).isIn(Rig.NONE, key);
      }
      tier.close();
      assertThat(tier.state().mode()).isEqualTo(Mode.CLOSED);
      System.out.println(state);
    }
  }
}
