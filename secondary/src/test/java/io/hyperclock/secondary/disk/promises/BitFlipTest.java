/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.disk.promises;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Timeout.ThreadMode.SEPARATE_THREAD;

import io.hyperclock.secondary.disk.DiskSecondaryCache;
import java.util.BitSet;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * P2: flipped bits are misses. Every byte of a small store, of its data and of its snapshot, is
 * damaged in turn, by bits chosen at random; the quick form takes a sample.
 */
@Timeout(value = Plan.PATIENCE_SECONDS, threadMode = SEPARATE_THREAD)
class BitFlipTest {
  private static final int REGION = 8 << 10;
  private static final int QUICK_IMAGES = 800;
  private static final int HEADER = 128;
  private static final int KEYS = 12;
  private static final int LARGEST_VALUE = 300;

  private final long seed = Plan.seed();
  private final Random random = new Random(seed);
  private final Script script = new Script(KEYS);
  private final MemoryDevice device = new MemoryDevice();
  private final BitSet written = new BitSet();

  /** How often a damage hit one key and no other. */
  private final int[] missedAlone = new int[KEYS];

  @BeforeEach
  void fill() {
    System.out.println("BitFlipTest: -Ddisk.seed=" + seed);
    DiskSecondaryCache tier = open(device);
    for (int key = 0; key < KEYS; key++) {
      script.put(tier, device, key, 12 + random.nextInt(LARGEST_VALUE));
      script.put(tier, device, key, 12 + random.nextInt(LARGEST_VALUE));
    }
    script.erase(tier, device, 0);
    tier.close();
    device.awaitClosed();
    for (Change change : device.changes()) {
      if (change instanceof Change.Write write) {
        int from = (int) write.position();
        written.set(from, from + write.bytes().length);
      }
    }
    try (DiskSecondaryCache warm = open(device.copy())) {
      assertThat(script.check(warm, "undamaged")).isEqualTo(KEYS - 1);
    }
  }

  private static DiskSecondaryCache open(MemoryDevice image) {
    return Rig.builder().device(image).regionBytes(REGION).capacityBytes(4 * REGION).build();
  }

  @Test
  void ofEveryByteOfTheData() {
    int images = 0;
    for (int at = written.nextSetBit(0);
        at >= 0;
        at = written.nextSetBit(at + step(written.cardinality()))) {
      int bits = 1 + random.nextInt(255);
      MemoryDevice image = device.copy();
      image.flip(at, bits);
      verify(image, "byte of data=" + at + ", bits=" + bits);
      images++;
    }
    System.out.println("BitFlipTest: images of damaged data=" + images);
    for (int key = 1; key < KEYS; key++) {
      assertThat(missedAlone[key]).as("damages of key %d alone", key).isPositive();
    }
  }

  @Test
  void ofEveryByteOfTheSnapshot() {
    byte[] snapshot = device.snapshot();
    assertThat(snapshot).isNotNull();
    int images = 0;
    int misses = 0;
    for (int at = 0;
        at < snapshot.length;
        at += at < HEADER || at > snapshot.length - HEADER ? 1 : step(snapshot.length)) {
      int bits = 1 + random.nextInt(255);
      byte[] damaged = snapshot.clone();
      damaged[at] ^= (byte) bits;
      MemoryDevice image = device.copy();
      image.apply(new Change.Snapshot(damaged));
      misses += KEYS - 1 - verify(image, "byte of snapshot=" + at + ", bits=" + bits);
      images++;
    }
    System.out.println("BitFlipTest: images of a damaged snapshot=" + images);
    assertThat(misses).as("misses").isPositive();
  }

  /** Bytes from one damage to the next: all of them, or so that about as many are damaged. */
  private int step(int bytes) {
    return Plan.isLong() ? 1 : 1 + random.nextInt(Math.max(1, 2 * bytes / QUICK_IMAGES));
  }

  private int verify(MemoryDevice image, String description) {
    String text = description + ", -Ddisk.seed=" + seed;
    try (DiskSecondaryCache tier = open(image)) {
      int hits = script.check(tier, text);
      for (int key = 0; key < KEYS; key++) {
        boolean alone = hits == KEYS - 2 && Rig.versionNow(tier, key) == Rig.NONE;
        missedAlone[key] += alone ? 1 : 0;
      }
      return hits;
    }
  }
}
