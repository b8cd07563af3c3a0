/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.disk.promises;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Timeout.ThreadMode.SEPARATE_THREAD;

import io.hyperclock.secondary.TierState;
import io.hyperclock.secondary.disk.DiskSecondaryCache;
import io.hyperclock.secondary.testing.DiskWriters;
import io.hyperclock.secondary.testing.TierTestLimits;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * P3: killed at any time, the store opens, never throws, never gives a value that was overwritten
 * or erased, and serves warm again after a clean close. One directory goes through all rounds.
 */
@Timeout(value = Plan.PATIENCE_SECONDS, threadMode = SEPARATE_THREAD)
class KillTest {
  static final int KEYS = 200;

  private static final int VERSIONS_PER_ROUND = 10_000_000;
  private static final int LONGEST_LIFE_MILLIS = 350;

  @TempDir private Path directory;
  @RegisterExtension final DiskWriters writers = new DiskWriters();

  /** Versions that a key may have: those begun since the last step that was done, and that one. */
  private final List<List<Integer>> allowed = new ArrayList<>();

  private final Map<KilledWorker.Kind, Integer> lastReports =
      new EnumMap<>(KilledWorker.Kind.class);

  private final List<String> wrong = new CopyOnWriteArrayList<>();
  private volatile KilledWorker.Kind last = KilledWorker.Kind.CLOSED;

  @Test
  void opensAndResurrectsNothing() throws Exception {
    long seed = Plan.seed();
    System.out.println("KillTest: -Ddisk.seed=" + seed);
    Random random = new Random(seed);
    for (int key = 0; key < KEYS; key++) {
      allowed.add(new ArrayList<>(List.of(Rig.NONE)));
    }
    int kills = Plan.times(6);
    int warm = 0;
    int served = 0;
    for (int round = 1; round <= kills; round++) {
      String text = "round=" + round + ", -Ddisk.seed=" + seed;
      boolean changed = killOne(random, round * VERSIONS_PER_ROUND, text);
      try (DiskSecondaryCache tier = Rig.open(directory)) {
        assertThat(tier.state()).as(text).isEqualTo(TierState.OPEN);
        warm += check(tier, text) > 0 ? 1 : 0;
        assertThat(!changed || check(tier, text) == 0).as("cold after a crash, %s", text).isTrue();
        fill(tier, round * VERSIONS_PER_ROUND + VERSIONS_PER_ROUND / 2, random);
      }
      writers.awaitEnd();
      try (DiskSecondaryCache tier = Rig.open(directory)) {
        int hits = check(tier, text);
        assertThat(hits).as("hits after a clean restart, %s", text).isPositive();
        served += hits;
      }
      writers.awaitEnd();
    }
    System.out.println(
        "KillTest: kills=%d, killed after=%s, warm after the kill=%d, hits after clean restarts=%d"
            .formatted(kills, lastReports, warm, served));
  }

  /** Returns whether it was killed in the midst of a life, where a crash must be a cold start. */
  private boolean killOne(Random random, int firstVersion, String text) throws Exception {
    CountDownLatch opened = new CountDownLatch(1);
    try (ChildJvm child =
        ChildJvm.start(
            KilledWorker.class,
            directory.toString(),
            Long.toString(random.nextLong()),
            Integer.toString(firstVersion))) {
      Thread reader = new Thread(() -> follow(child, opened));
      reader.start();
      assertThat(opened.await(TierTestLimits.SECONDS, SECONDS))
          .as("child opened, %s", text)
          .isTrue();
      LockSupport.parkNanos(random.nextInt(LONGEST_LIFE_MILLIS * 1_000) * 1_000L);
      child.kill();
      reader.join(SECONDS.toMillis(60));
      assertThat(reader.isAlive()).as(text).isFalse();
      assertThat(child.wasKilled()).as("child lived until it was killed, %s", text).isTrue();
      assertThat(wrong).as(text).isEmpty();
      lastReports.merge(last, 1, Integer::sum);
      return last == KilledWorker.Kind.DONE || last == KilledWorker.Kind.BEGINS;
    }
  }

  private void follow(ChildJvm child, CountDownLatch opened) {
    try (DataInputStream in = new DataInputStream(child.process().getInputStream())) {
      while (true) {
        KilledWorker.Kind kind = KilledWorker.Kind.values()[in.readByte()];
        int key = in.readInt();
        int version = in.readInt();
        switch (kind) {
          case BEGINS -> allowed.get(key).add(version);
          case DONE -> allowed.set(key, new ArrayList<>(List.of(Rig.NONE, version)));
          case OPENED -> opened.countDown();
          case WRONG -> wrong.add("key=" + key + ", version=" + version);
          default -> {}
        }
        last = kind;
      }
    } catch (EOFException e) {
      // Killed.
    } catch (IOException e) {
      wrong.add(e.toString());
    }
  }

  private int check(DiskSecondaryCache tier, String text) {
    int hits = 0;
    for (int key = 0; key < KEYS; key++) {
      int version = Rig.versionNow(tier, key);
      assertThat(allowed.get(key)).as("key=%d, %s", key, text).contains(version, Rig.NONE);
      hits += version == Rig.NONE ? 0 : 1;
    }
    return hits;
  }

  private void fill(DiskSecondaryCache tier, int firstVersion, Random random) {
    for (int key = 0; key < KEYS; key += 2) {
      int version = firstVersion + key;
      Rig.put(tier, key, version, 12 + random.nextInt(2_000));
      allowed.set(key, List.of(Rig.NONE, version));
      if (random.nextInt(8) == 0) {
        Rig.erase(tier, key);
        allowed.set(key, List.of(Rig.NONE));
      }
    }
    allowed.replaceAll(ArrayList::new);
  }
}
