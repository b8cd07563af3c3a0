/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.disk.promises;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Timeout.ThreadMode.SEPARATE_THREAD;

import io.hyperclock.secondary.TierState;
import io.hyperclock.secondary.disk.DiskSecondaryCache;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * P2: torn, reordered and lost writes are misses. Three lives of a small store are recorded write
 * by write, the last without an end; the store is then opened as it was after each of them.
 */
@Timeout(value = Plan.PATIENCE_SECONDS, threadMode = SEPARATE_THREAD)
class CrashImagesTest {
  private static final int SECTOR = 512;
  private static final int REGION = 8 << 10;
  private static final int KEYS = 24;
  private static final int LARGEST_VALUE = 2_000;
  private static final int STEPS_PER_LIFE = 70;

  private final long seed = Plan.seed();
  private final Random random = new Random(seed);
  private Script script = new Script(KEYS);

  /** After how many changes a life ended in a clean close. */
  private final List<Integer> cleanEnds = new ArrayList<>();

  private List<Change> changes = List.of();

  @BeforeEach
  void record() {
    System.out.println("CrashImagesTest: -Ddisk.seed=" + seed);
    MemoryDevice device = new MemoryDevice();
    script = new Script(KEYS);
    cleanEnds.clear();
    for (int life = 0; life < 3; life++) {
      DiskSecondaryCache tier = open(device.reopened());
      int hits = script.check(tier, "life=" + life);
      assertThat(hits > 0).as("served warm, life=%d", life).isEqualTo(life > 0);
      for (int step = 0; step < STEPS_PER_LIFE; step++) {
        script.random(tier, device, random, LARGEST_VALUE);
        if (step % 10 == 9) {
          script.check(tier, "life=" + life + ", step=" + step);
        }
      }
      if (life == 2) {
        changes = device.changes();
      }
      tier.close();
      device.awaitClosed();
      if (life < 2) {
        cleanEnds.add(device.changed());
      }
    }
    assertThat(changes).hasSizeGreaterThan(3 * 8);
  }

  private static DiskSecondaryCache open(MemoryDevice device) {
    return Rig.builder()
        .device(device)
        .regionBytes(REGION)
        .capacityBytes(12 * REGION)
        .maxInFlightBytes(1 << 20)
        .build();
  }

  @Test
  void everyPrefixWithItsLastWriteCutAtEverySector() {
    everyPrefix();
    for (int round = 1; round < Plan.times(1); round++) {
      record();
      everyPrefix();
    }
  }

  private void everyPrefix() {
    MemoryDevice image = new MemoryDevice();
    int images = 0;
    int warm = 0;
    for (int count = 0; count <= changes.size(); count++) {
      warm += verify(image.copy(), count, "prefix=" + count) > 0 ? 1 : 0;
      images++;
      if (count < changes.size()) {
        Change next = changes.get(count);
        if (next instanceof Change.Write write) {
          for (int cut = SECTOR; cut < write.bytes().length; cut += SECTOR) {
            MemoryDevice torn = image.copy();
            torn.apply(write.cut(cut));
            verify(torn, count, "prefix=" + count + ", cut=" + cut);
            images++;
          }
        }
        image.apply(next);
      }
    }
    System.out.println("CrashImagesTest: images=" + images + ", warm=" + warm);
    assertThat(warm).as("images served warm").isGreaterThanOrEqualTo(cleanEnds.size());
  }

  @Test
  void cleanEndsAreServedWarm() {
    for (int end : cleanEnds) {
      assertThat(verify(MemoryDevice.after(changes.subList(0, end)), end, "end=" + end))
          .as("hits after a clean end")
          .isPositive();
    }
  }

  /** What was not forced is lost in part, in whole sectors, and in any order. */
  @Test
  void anySubsetOfUnforcedWritesInAnyOrder() {
    for (int round = 0; round < Plan.times(250); round++) {
      int count = 1 + random.nextInt(changes.size());
      int durable = count;
      while (durable > 0 && !(changes.get(durable - 1) instanceof Change.Force)) {
        durable--;
      }
      MemoryDevice image = MemoryDevice.after(changes.subList(0, durable));
      for (Change change : lose(changes.subList(durable, count))) {
        image.apply(change);
      }
      verify(image.copy(), count, "round=" + round + ", durable=" + durable);
    }
  }

  private List<Change> lose(List<Change> volatileChanges) {
    List<Change> survived = new ArrayList<>();
    for (Change change : volatileChanges) {
      if (!(change instanceof Change.Write write)) {
        survived.add(change);
      } else if (random.nextInt(3) == 0) {
        survived.add(write);
      } else {
        for (int at = 0; at < write.bytes().length; at += SECTOR) {
          if (random.nextInt(3) > 0) {
            int end = Math.min(at + SECTOR, write.bytes().length);
            byte[] sector = Arrays.copyOfRange(write.bytes(), at, end);
            survived.add(new Change.Write(write.position() + at, sector));
          }
        }
      }
    }
    List<Change> writes = survived.stream().filter(Change.Write.class::isInstance).toList();
    List<Change> shuffled = new ArrayList<>(writes);
    Collections.shuffle(shuffled, random);
    survived.removeAll(writes);
    survived.addAll(shuffled);
    return survived;
  }

  /** A snapshot that was saved elsewhere and is put back after the life that followed it began. */
  @Test
  void snapshotOfAnEarlierLifeIsRefused() {
    for (int life = 0; life < cleanEnds.size(); life++) {
      int end = cleanEnds.get(life);
      byte[] old = MemoryDevice.after(changes.subList(0, end)).snapshot();
      assertThat(old).as("snapshot of a clean end").isNotNull();
      for (int count = end; count <= changes.size(); count++) {
        MemoryDevice image = MemoryDevice.after(changes.subList(0, count));
        image.apply(new Change.Snapshot(old));
        verify(image, count, "life=" + life + ", prefix=" + count);
      }
    }
  }

  /** Opens the image, checks it, and now and then that it can be used and closed as any other. */
  private int verify(MemoryDevice image, int count, String description) {
    String text = description + ", -Ddisk.seed=" + seed;
    boolean goOn = random.nextInt(8) == 0;
    int hits;
    try (DiskSecondaryCache tier = open(image)) {
      assertThat(tier.state()).as(text).isEqualTo(TierState.OPEN);
      hits = script.check(tier, count, text);
      if (goOn) {
        assertThat(Rig.put(tier, KEYS, 1, LARGEST_VALUE)).as(text).isTrue();
        assertThat(Rig.versionNow(tier, KEYS)).as(text).isEqualTo(1);
      }
    }
    if (goOn) {
      try (DiskSecondaryCache tier = open(image.reopened())) {
        assertThat(Rig.versionNow(tier, KEYS)).as(text).isEqualTo(1);
        script.check(tier, count, text);
      }
    }
    return hits;
  }
}
