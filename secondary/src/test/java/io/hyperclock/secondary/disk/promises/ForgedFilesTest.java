/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.disk.promises;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.junit.jupiter.api.Timeout.ThreadMode.SEPARATE_THREAD;

import io.hyperclock.secondary.disk.DiskSecondaryCache;
import io.hyperclock.secondary.disk.DiskSecondaryCacheBuilder;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * P8 against somebody who knows the format: fields of the snapshot and of the head are changed and
 * the checksums made right again. The tier begins empty, or with what it can use; no call throws,
 * and no key gives a value that was not put for it.
 */
@Timeout(value = Plan.PATIENCE_SECONDS, threadMode = SEPARATE_THREAD)
class ForgedFilesTest {
  private static final int REGION = 8 << 10;
  private static final int REGIONS = 6;
  private static final int KEYS = 24;
  private static final int VALUE = 700;

  /** So many that windows of the index are full and regions are given up. */
  private static final int NEW_KEYS = 600;

  private static final int REGIONS_AT = 64;
  private static final int SLOTS_AT = REGIONS_AT + 16 * REGIONS;
  private static final long[] ODD = {
    0, 1, -1, 63, 64, REGION, REGION + 64, 1L << 20, 1L << 31, 1L << 62, Long.MAX_VALUE, -64
  };

  private final long seed = Plan.seed();
  private final Random random = new Random(seed);
  private byte[] data = {};
  private byte[] snapshot = {};

  private static DiskSecondaryCacheBuilder settings() {
    return Rig.builder()
        .regionBytes(REGION)
        .capacityBytes(REGIONS * REGION)
        .estimatedRecordBytes(512);
  }

  @BeforeEach
  void makeAStore() {
    System.out.println("ForgedFilesTest: -Ddisk.seed=" + seed);
    MemoryDevice device = MemoryDevice.forgetful();
    try (DiskSecondaryCache tier = settings().device(device).build()) {
      for (int key = 0; key < KEYS; key++) {
        Rig.put(tier, key, 1, VALUE);
        Rig.put(tier, key, 2, VALUE);
      }
    }
    device.awaitClosed();
    data = device.data();
    snapshot = device.snapshot();
    assertThat(ByteBuffer.wrap(snapshot).order(ByteOrder.LITTLE_ENDIAN).getInt(56))
        .isEqualTo(REGIONS);
  }

  private static ByteBuffer copy(byte[] bytes) {
    return ByteBuffer.wrap(bytes.clone()).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static void seal(ByteBuffer words, int to) {
    CRC32C crc = new CRC32C();
    crc.update(words.array(), 16, to - 16);
    words.putInt(12, (int) crc.getValue());
  }

  /** Opens a store of these contents and uses it; whether it began warm. */
  private boolean use(ByteBuffer itsData, ByteBuffer itsSnapshot, String forged) {
    seal(itsData, 512);
    seal(itsSnapshot, itsSnapshot.capacity());
    MemoryDevice device =
        MemoryDevice.after(
            List.of(
                new Change.Write(0, itsData.array()), new Change.Snapshot(itsSnapshot.array())));
    try {
      return use(device, forged);
    } catch (RuntimeException | Error e) {
      return fail("forged: %s, -Ddisk.seed=%d".formatted(forged, seed), e);
    }
  }

  private static boolean use(MemoryDevice device, String forged) {
    boolean isWarm;
    try (DiskSecondaryCache tier = settings().device(device).build()) {
      isWarm = tier.diskStats().warmStart();
      for (int key = 0; key < KEYS; key++) {
        assertThat(Rig.versionNow(tier, key)).as(forged).isBetween(Rig.NONE, 2);
        assertThat(Rig.version(key, Rig.find(tier, key))).as(forged).isBetween(Rig.NONE, 2);
      }
      tier.lookupAll(List.of(Rig.request(1), Rig.request(2), Rig.request(3))).forEach(Rig::await);
      for (int key = KEYS / 2; key < NEW_KEYS; key++) {
        boolean isTaken = Rig.put(tier, key, 3, 20);
        assertThat(Rig.versionNow(tier, key)).as(forged).isIn(Rig.NONE, isTaken ? 3 : Rig.NONE);
      }
      assertThat(tier.stats().usageBytes()).as(forged).isBetween(0L, (long) REGIONS * REGION);
      assertThat(tier.stats().entries()).as(forged).isNotNegative();
      Rig.erase(tier, 0);
      tier.setCapacity(2 * REGION);
      tier.setCapacity(REGIONS * REGION);
    }
    try (DiskSecondaryCache tier = settings().device(device.reopened()).build()) {
      assertThat(tier.diskStats().warmStart()).as(forged).isTrue();
      assertThat(Rig.versionNow(tier, 0)).as(forged).isEqualTo(Rig.NONE);
      for (int key = KEYS / 2; key < NEW_KEYS; key++) {
        assertThat(Rig.versionNow(tier, key)).as(forged).isIn(Rig.NONE, 3);
      }
    }
    return isWarm;
  }

  /** The forger of these tests is no worse than the tier: what is left as it was is used. */
  @Test
  void untouchedIsWarm() {
    assertThat(use(copy(data), copy(snapshot), "nothing")).isTrue();
  }

  @Test
  void fieldsOfTheSnapshot() {
    for (int field = 8; field < SLOTS_AT; field += Integer.BYTES) {
      for (long odd : ODD) {
        ByteBuffer other = copy(snapshot);
        if (field % Long.BYTES == 0) {
          use(copy(data), other.putLong(field, odd), "long, field=" + field + ", value=" + odd);
        }
        other = copy(snapshot).putInt(field, (int) odd);
        use(copy(data), other, "int, field=" + field + ", value=" + odd);
      }
    }
  }

  @Test
  void fieldsOfTheHead() {
    for (int field = 8; field < 512; field += field < 40 ? Integer.BYTES : 64) {
      for (long odd : ODD) {
        ByteBuffer other = copy(data).putInt(field, (int) odd);
        use(other, copy(snapshot), "head, field=" + field + ", value=" + odd);
      }
    }
  }

  /** Places that no region has, behind what it holds, of no size, of another region. */
  @Test
  void slots() {
    for (int round = 0; round < Plan.times(150); round++) {
      ByteBuffer other = copy(snapshot);
      StringBuilder forged = new StringBuilder();
      for (int i = random.nextInt(40); i >= 0; i--) {
        int at = SLOTS_AT + Long.BYTES * random.nextInt((other.capacity() - SLOTS_AT) / Long.BYTES);
        int from =
            SLOTS_AT + Long.BYTES * random.nextInt((other.capacity() - SLOTS_AT) / Long.BYTES);
        long slot =
            switch (random.nextInt(4)) {
              case 0 -> random.nextLong();
              case 1 -> other.getLong(from);
              case 2 -> other.getLong(at) ^ 1L << random.nextInt(64);
              default -> 1L << random.nextInt(64);
            };
        other.putLong(at, slot);
        forged.append(" slot at %d=%x".formatted(at, slot));
      }
      use(copy(data), other, forged.toString());
    }
  }

  /** Bits anywhere, a few at a time. */
  @Test
  void bits() {
    int warm = 0;
    for (int round = 0; round < Plan.times(200); round++) {
      ByteBuffer itsSnapshot = copy(snapshot);
      ByteBuffer itsData = copy(data);
      StringBuilder forged = new StringBuilder();
      for (int i = random.nextInt(4); i >= 0; i--) {
        int at = 16 + random.nextInt(random.nextBoolean() ? SLOTS_AT - 16 : snapshot.length - 16);
        int bit = 1 << random.nextInt(8);
        itsSnapshot.put(at, (byte) (itsSnapshot.get(at) ^ bit));
        forged.append(" snapshot at %d: %02x".formatted(at, bit));
      }
      if (random.nextInt(4) == 0) {
        int at = 8 + random.nextInt(40);
        itsData.put(at, (byte) (itsData.get(at) ^ 1));
        forged.append(" head at ").append(at);
      }
      warm += use(itsData, itsSnapshot, forged.toString()) ? 1 : 0;
    }
    System.out.println("ForgedFilesTest: warm=" + warm);
  }
}
