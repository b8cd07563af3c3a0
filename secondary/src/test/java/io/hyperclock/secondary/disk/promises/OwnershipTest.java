/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.disk.promises;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Timeout.ThreadMode.SEPARATE_THREAD;

import io.hyperclock.secondary.TierState;
import io.hyperclock.secondary.disk.DiskSecondaryCache;
import io.hyperclock.secondary.testing.DiskWriters;
import io.hyperclock.secondary.testing.TierTestLimits;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** P7: a directory has one owner, in this process or another; others are told at once. */
@Timeout(value = Plan.PATIENCE_SECONDS, threadMode = SEPARATE_THREAD)
class OwnershipTest {
  @TempDir private Path directory;
  @RegisterExtension final DiskWriters writers = new DiskWriters();

  private void assertRefused(Path path) {
    long begin = System.nanoTime();
    assertThatThrownBy(() -> Rig.open(path))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining(path.toString());
    assertThat(System.nanoTime() - begin)
        .as("ns until refused")
        .isLessThan(SECONDS.toNanos(TierTestLimits.SECONDS));
  }

  @Test
  void secondInstanceIsRefusedAndLeavesTheFirstAlone() throws Exception {
    Path link = directory.resolveSibling(directory.getFileName() + "-link");
    Files.createSymbolicLink(link, directory);
    try (DiskSecondaryCache tier = Rig.open(directory)) {
      assertThat(Rig.put(tier, 1, 1, 1_000)).isTrue();
      assertRefused(directory);
      assertRefused(directory.resolve("."));
      assertRefused(link);
      assertThat(tier.state()).isEqualTo(TierState.OPEN);
      assertThat(Rig.versionNow(tier, 1)).isEqualTo(1);
    } finally {
      Files.delete(link);
    }
    writers.awaitEnd();
    try (DiskSecondaryCache tier = Rig.open(directory)) {
      assertThat(Rig.versionNow(tier, 1)).as("warm, the refused ones did no harm").isEqualTo(1);
    }
  }

  @Test
  void oneOfManyThatTryAtOnceWins() throws Exception {
    int threads = 8;
    for (int round = 0; round < Plan.times(10); round++) {
      CyclicBarrier barrier = new CyclicBarrier(threads);
      ExecutorService executor = Executors.newFixedThreadPool(threads);
      List<DiskSecondaryCache> winners = new ArrayList<>();
      try {
        List<Future<DiskSecondaryCache>> all = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
          all.add(
              executor.submit(
                  () -> {
                    barrier.await();
                    try {
                      return Rig.open(directory);
                    } catch (IllegalStateException e) {
                      return null;
                    }
                  }));
        }
        for (Future<DiskSecondaryCache> one : all) {
          DiskSecondaryCache tier = one.get(TierTestLimits.SECONDS, SECONDS);
          if (tier != null) {
            winners.add(tier);
          }
        }
        assertThat(winners).hasSize(1);
      } finally {
        winners.forEach(DiskSecondaryCache::close);
        executor.shutdownNow();
      }
      writers.awaitEnd();
    }
  }

  @Test
  void processesExcludeEachOther() throws Exception {
    try (ChildJvm owner = ChildJvm.start(Owner.class, directory.toString())) {
      assertThat(firstLine(owner)).isEqualTo("open");
      assertRefused(directory);
      try (ChildJvm second = ChildJvm.start(Owner.class, directory.toString())) {
        assertThat(firstLine(second)).startsWith("refused: ").contains(directory.toString());
      }
      assertRefused(directory);
      owner.kill();
      try (DiskSecondaryCache tier = Rig.open(directory)) {
        assertThat(Rig.put(tier, 1, 1, 1_000)).isTrue();
        try (ChildJvm third = ChildJvm.start(Owner.class, directory.toString())) {
          assertThat(firstLine(third)).startsWith("refused: ").contains(directory.toString());
        }
        assertThat(Rig.versionNow(tier, 1)).isEqualTo(1);
      }
      writers.awaitEnd();
      try (ChildJvm fourth = ChildJvm.start(Owner.class, directory.toString())) {
        assertThat(firstLine(fourth)).as("after the owner closed").isEqualTo("open");
      }
    }
  }

  /** The lock is on the data themselves: what somebody deletes beside them takes no part. */
  @Test
  void lockOutlivesWhatIsDeleted() throws Exception {
    try (DiskSecondaryCache tier = Rig.open(directory)) {
      assertThat(Rig.put(tier, 1, 1, 1_000)).isTrue();
      deleteAllBut("data");
      assertRefused(directory);
      try (ChildJvm second = ChildJvm.start(Owner.class, directory.toString())) {
        assertThat(firstLine(second)).startsWith("refused: ").contains(directory.toString());
      }
      assertThat(Rig.versionNow(tier, 1)).isEqualTo(1);
    }
    writers.awaitEnd();
    try (DiskSecondaryCache tier = Rig.open(directory)) {
      assertThat(Rig.versionNow(tier, 1)).as("warm").isEqualTo(1);
    }
  }

  private void deleteAllBut(String kept) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.toList()) {
        if (!file.endsWith(kept)) {
          Files.delete(file);
        }
      }
    }
  }

  /** Who deletes the data deletes the lock: then each has data of its own, and right values. */
  @Test
  void deletedDataAreNotShared() throws Exception {
    for (boolean childClosesFirst : new boolean[] {true, false}) {
      DiskSecondaryCache tier = Rig.open(directory);
      try (ChildJvm second = childBesideDeletedData(tier)) {
        assertThat(Rig.versionNow(tier, 1)).isEqualTo(1);
        if (childClosesFirst) {
          end(second);
          tier.close();
        } else {
          tier.close();
          end(second);
        }
      }
      writers.awaitEnd();
      try (DiskSecondaryCache next = Rig.open(directory)) {
        assertThat(Rig.versionNow(next, 1)).isEqualTo(Rig.NONE);
        assertThat(Rig.versionNow(next, 2)).isIn(Rig.NONE, 2);
      }
      writers.awaitEnd();
    }
  }

  private ChildJvm childBesideDeletedData(DiskSecondaryCache tier) throws IOException {
    assertThat(Rig.put(tier, 1, 1, 1_000)).isTrue();
    deleteAllBut("");
    ChildJvm second = ChildJvm.start(Owner.class, directory.toString());
    assertThat(firstLine(second)).isEqualTo("open");
    return second;
  }

  private static void end(ChildJvm child) throws Exception {
    child.process().getOutputStream().close();
    assertThat(child.process().waitFor(TierTestLimits.SECONDS, SECONDS)).isTrue();
  }

  /** What cannot be opened for another reason does not stay locked. */
  @Test
  void failedBuildLeavesNoLock() throws IOException {
    Path odd = Files.createDirectory(directory.resolve("data"));
    assertThatThrownBy(() -> Rig.open(directory)).hasMessageContaining("file=");
    Files.delete(odd);
    odd = Files.createDirectory(directory.resolve("index.snap"));
    assertThatThrownBy(() -> Rig.open(directory)).hasMessageContaining("file=");
    Files.delete(odd);
    Rig.open(directory).close();
  }

  private static String firstLine(ChildJvm child) throws IOException {
    return new BufferedReader(new InputStreamReader(child.process().getInputStream())).readLine();
  }

  /** The child: owns the directory until its input ends, or says why it does not. */
  static final class Owner {
    private Owner() {}

    /**
     * @param args directory
     */
    public static void main(String[] args) throws IOException {
      try (DiskSecondaryCache tier = Rig.open(Path.of(args[0]))) {
        Rig.put(tier, 2, 2, 1_000);
        System.out.println(tier.state().mode() == TierState.Mode.OPEN ? "open" : "not open");
        System.in.read();
      } catch (IllegalStateException e) {
        System.out.println("refused: " + e.getMessage());
      }
    }
  }
}
